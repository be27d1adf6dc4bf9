// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sqlite3.h>

#include <archgrid/perf_records/history.hpp>
#include <nlohmann/json.hpp>

namespace archgrid::perf {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr int kPatience = 10000;  ///< maximum wait for another process that writes, in ms

// NULL is never equal to NULL in a UNIQUE constraint, so an index on expressions covers columns
// that may be unknown.
constexpr const char* kTables = R"(
CREATE TABLE keys (
  id INTEGER PRIMARY KEY, gpu TEXT NOT NULL, compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL, toolkit TEXT NOT NULL, clocks TEXT NOT NULL,
  UNIQUE (gpu, compute_capability, driver, toolkit, clocks));
CREATE TABLE ceilings (
  key INTEGER NOT NULL REFERENCES keys, name TEXT NOT NULL, unit TEXT NOT NULL,
  per_second REAL NOT NULL, UNIQUE (key, name, unit));
CREATE TABLE benchmarks (
  id INTEGER PRIMARY KEY, key INTEGER NOT NULL REFERENCES keys, name TEXT NOT NULL,
  cache TEXT NOT NULL, bytes REAL NOT NULL, flops REAL NOT NULL,
  UNIQUE (key, name, cache, bytes, flops));
CREATE TABLE runs (
  benchmark INTEGER NOT NULL REFERENCES benchmarks, build TEXT NOT NULL, date TEXT NOT NULL,
  throttled INTEGER, throttle_reasons TEXT NOT NULL, sm_clock_mhz REAL, memory_clock_mhz REAL,
  temperature_celsius REAL, launch_overhead_seconds REAL, series TEXT NOT NULL, pair INTEGER,
  seconds TEXT NOT NULL);
CREATE UNIQUE INDEX one_run ON runs (benchmark, build, date, series, ifnull(pair, -1), seconds);
)";

/// One SQL statement.
class Statement {
 public:
  Statement(const std::string& path, sqlite3* database, const char* sql)
      : path_(path), database_(database) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) != SQLITE_OK) fail();
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(const std::string& text) {
    check(sqlite3_bind_text(statement_, ++bound_, text.c_str(), static_cast<int>(text.size()),
                            SQLITE_TRANSIENT));
  }
  void bind(double value) { check(sqlite3_bind_double(statement_, ++bound_, value)); }
  void bind(sqlite3_int64 value) { check(sqlite3_bind_int64(statement_, ++bound_, value)); }
  template <typename Value>
  void bind(const std::optional<Value>& value) {
    if (value) {
      bind(*value);
    } else {
      check(sqlite3_bind_null(statement_, ++bound_));
    }
  }

  /// Executes one step, and reports whether there is a row.
  bool step() {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) fail();
    return result == SQLITE_ROW;
  }

  [[nodiscard]] std::string text(int column) const {
    const auto* text = sqlite3_column_text(statement_, column);
    return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
  }
  [[nodiscard]] double number(int column) const {
    return sqlite3_column_double(statement_, column);
  }
  [[nodiscard]] sqlite3_int64 integer(int column) const {
    return sqlite3_column_int64(statement_, column);
  }
  [[nodiscard]] bool is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  [[nodiscard]] std::optional<double> number_if_there(int column) const {
    return is_null(column) ? std::nullopt : std::optional<double>(number(column));
  }

 private:
  void check(int result) const {
    if (result != SQLITE_OK) fail();
  }
  [[noreturn]] void fail() const {
    throw FileError(fmt::format("{}: {}", path_, sqlite3_errmsg(database_)));
  }

  const std::string& path_;
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

void execute(const std::string& path, sqlite3* database, const std::string& sql) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return;
  throw FileError(fmt::format("{}: {}", path, sqlite3_errmsg(database)));
}

/// A transaction that is rolled back unless it is committed.
class Transaction {
 public:
  Transaction(const std::string& path, sqlite3* database) : path_(path), database_(database) {
    execute(path, database, "BEGIN IMMEDIATE");
  }
  ~Transaction() {
    if (open_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit() {
    execute(path_, database_, "COMMIT");
    open_ = false;
  }

 private:
  const std::string& path_;
  sqlite3* database_;
  bool open_ = true;
};

sqlite3_int64 version_of(const std::string& path, sqlite3* database) {
  Statement statement(path, database, "PRAGMA user_version");
  statement.step();
  return statement.integer(0);
}

bool has_tables(const std::string& path, sqlite3* database) {
  Statement statement(path, database, "SELECT count(*) FROM sqlite_master");
  statement.step();
  return statement.integer(0) > 0;
}

/// Creates the tables in an empty database.
void prepare(const std::string& path, sqlite3* database) {
  Transaction transaction(path, database);
  if (!has_tables(path, database)) {
    execute(path, database, kTables);
    execute(path, database, fmt::format("PRAGMA user_version = {}", kVersion));
  }
  transaction.commit();
}

/// Returns the row's id, and inserts the row if necessary.
template <typename... Values>
sqlite3_int64 id_of(const std::string& path, sqlite3* database, const char* insert,
                    const char* select, const Values&... values) {
  Statement inserted(path, database, insert);
  (inserted.bind(values), ...);
  inserted.step();
  Statement selected(path, database, select);
  (selected.bind(values), ...);
  selected.step();
  return selected.integer(0);
}

sqlite3_int64 id_of(const std::string& path, sqlite3* database, const Key& key) {
  return id_of(path, database,
               "INSERT OR IGNORE INTO keys (gpu, compute_capability, driver, toolkit, clocks) "
               "VALUES (?, ?, ?, ?, ?)",
               "SELECT id FROM keys WHERE gpu = ? AND compute_capability = ? AND driver = ? AND "
               "toolkit = ? AND clocks = ?",
               key.gpu, key.compute_capability, key.driver, key.toolkit, key.clocks);
}

sqlite3_int64 id_of(const std::string& path, sqlite3* database, sqlite3_int64 key,
                    const Benchmark& benchmark) {
  return id_of(path, database,
               "INSERT OR IGNORE INTO benchmarks (key, name, cache, bytes, flops) "
               "VALUES (?, ?, ?, ?, ?)",
               "SELECT id FROM benchmarks WHERE key = ? AND name = ? AND cache = ? AND bytes = ? "
               "AND flops = ?",
               key, benchmark.name, std::string(name_of(benchmark.cache)), benchmark.work.bytes,
               benchmark.work.flops);
}

void keep(const std::string& path, sqlite3* database, sqlite3_int64 key, const Ceiling& ceiling) {
  Statement statement(
      path, database,
      "INSERT INTO ceilings (key, name, unit, per_second) VALUES (?, ?, ?, ?) "
      "ON CONFLICT DO UPDATE SET per_second = max(per_second, excluded.per_second)");
  statement.bind(key);
  statement.bind(ceiling.name);
  statement.bind(ceiling.unit);
  statement.bind(ceiling.per_second);
  statement.step();
}

template <typename To, typename From>
std::optional<To> converted(const std::optional<From>& value) {
  return value ? std::optional<To>(static_cast<To>(*value)) : std::nullopt;
}

/// Stores a run. Returns the number of new runs: 0 or 1.
std::size_t keep(const std::string& path, sqlite3* database, sqlite3_int64 benchmark,
                 const Run& run) {
  Statement statement(path, database,
                      "INSERT OR IGNORE INTO runs (benchmark, build, date, throttled, "
                      "throttle_reasons, sm_clock_mhz, memory_clock_mhz, temperature_celsius, "
                      "launch_overhead_seconds, series, pair, seconds) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  statement.bind(benchmark);
  statement.bind(run.build);
  statement.bind(run.date);
  statement.bind(converted<sqlite3_int64>(run.throttled));
  statement.bind(json(run.throttle_reasons).dump());
  statement.bind(run.sm_clock_mhz);
  statement.bind(run.memory_clock_mhz);
  statement.bind(run.temperature_celsius);
  statement.bind(run.launch_overhead_seconds);
  statement.bind(run.series);
  statement.bind(converted<sqlite3_int64>(run.pair));
  statement.bind(json(run.seconds).dump());
  statement.step();
  return static_cast<std::size_t>(sqlite3_changes(database));
}

std::vector<Ceiling> ceilings_of(const std::string& path, sqlite3* database, sqlite3_int64 key) {
  Statement row(path, database,
                "SELECT name, unit, per_second FROM ceilings WHERE key = ? ORDER BY rowid");
  row.bind(key);
  std::vector<Ceiling> ceilings;
  while (row.step()) ceilings.push_back({row.text(0), row.text(1), row.number(2)});
  return ceilings;
}

std::vector<Run> runs_of(const std::string& path, sqlite3* database, sqlite3_int64 benchmark) {
  Statement row(path, database,
                "SELECT build, date, throttled, throttle_reasons, sm_clock_mhz, memory_clock_mhz, "
                "temperature_celsius, launch_overhead_seconds, series, pair, seconds FROM runs "
                "WHERE benchmark = ? ORDER BY date, series, pair, rowid");
  row.bind(benchmark);
  std::vector<Run> runs;
  while (row.step()) {
    Run run;
    run.build = row.text(0);
    run.date = row.text(1);
    if (!row.is_null(2)) run.throttled = row.integer(2) != 0;
    run.throttle_reasons = json::parse(row.text(3)).get<std::vector<std::string>>();
    run.sm_clock_mhz = row.number_if_there(4);
    run.memory_clock_mhz = row.number_if_there(5);
    run.temperature_celsius = row.number_if_there(6);
    run.launch_overhead_seconds = row.number_if_there(7);
    run.series = row.text(8);
    if (!row.is_null(9)) run.pair = static_cast<std::uint64_t>(row.integer(9));
    run.seconds = json::parse(row.text(10)).get<std::vector<double>>();
    runs.push_back(std::move(run));
  }
  return runs;
}

/// Returns one benchmark per name and cache. If the work under one name has changed, only the runs
/// of the latest work are returned, as the others are not comparable.
std::vector<Benchmark> benchmarks_of(const std::string& path, sqlite3* database,
                                     sqlite3_int64 key) {
  Statement row(
      path, database,
      "SELECT id, name, cache, bytes, flops FROM benchmarks AS shown WHERE key = ? AND "
      "id = (SELECT id FROM benchmarks JOIN runs ON benchmark = id WHERE key = shown.key "
      "AND name = shown.name AND cache = shown.cache ORDER BY date DESC, id DESC LIMIT 1) "
      "ORDER BY name, cache");
  row.bind(key);
  std::vector<Benchmark> benchmarks;
  while (row.step()) {
    benchmarks.push_back({row.text(1),
                          row.text(2) == name_of(Cache::cold) ? Cache::cold : Cache::hot,
                          {row.number(3), row.number(4)},
                          runs_of(path, database, row.integer(0))});
  }
  return benchmarks;
}

}  // namespace

void History::Close::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

History::History(const std::string& path, Open how) : path_(path) {
  const int flags =
      how == Open::for_reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* database = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (result != SQLITE_OK) {
    throw FileError(fmt::format("{}: cannot open: {}", path,
                                database == nullptr ? "no memory" : sqlite3_errmsg(database)));
  }
  sqlite3_busy_timeout(database, kPatience);
  if (how == Open::for_writing) prepare(path_, database);
  if (version_of(path_, database) == kVersion) return;
  throw FileError(fmt::format(
      "{}: it is no history of archgrid, or one of another version: name another file", path));
}

std::size_t History::keep(const std::vector<File>& files) {
  auto* database = database_.get();
  Transaction transaction(path_, database);
  std::size_t fresh = 0;
  for (const auto& file : files) {
    const auto key = id_of(path_, database, file.record.key);
    for (const auto& ceiling : file.record.ceilings) perf::keep(path_, database, key, ceiling);
    for (const auto& benchmark : file.record.benchmarks) {
      const auto id = id_of(path_, database, key, benchmark);
      for (const auto& run : benchmark.runs) fresh += perf::keep(path_, database, id, run);
    }
  }
  transaction.commit();
  return fresh;
}

std::vector<Record> History::records() const {
  auto* database = database_.get();
  Statement row(
      path_, database,
      "SELECT id, gpu, compute_capability, driver, toolkit, clocks FROM keys ORDER BY id");
  std::vector<Record> records;
  try {
    while (row.step()) {
      records.push_back({{row.text(1), row.text(2), row.text(3), row.text(4), row.text(5)},
                         ceilings_of(path_, database, row.integer(0)),
                         benchmarks_of(path_, database, row.integer(0))});
      const auto problem = problem_of(records.back());
      if (!problem.empty()) throw FileError(fmt::format("{}: {}", path_, problem));
    }
  } catch (const json::exception& error) {
    throw FileError(fmt::format("{}: it is damaged: {}", path_, error.what()));
  }
  return records;
}

}  // namespace archgrid::perf
