// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/perf_records/record.hpp>
#include <archgrid/system/process.hpp>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace archgrid::perf {
namespace {

using nlohmann::ordered_json;

auto fields_of(const Key& key) {
  return std::tie(key.gpu, key.compute_capability, key.driver, key.toolkit, key.clocks);
}

/// Reports whether the text matches the pattern, in which 0 stands for a digit.
bool is_like(const std::string& text, const std::string& pattern) {
  if (text.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (pattern[i] == '0' ? !digit : text[i] != pattern[i]) return false;
  }
  return true;
}

bool is_capability(const std::string& text) {
  return is_like(text, "0.0") || is_like(text, "00.0");
}

std::string item(const char* list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

/// Records the first reported problem.
class Check {
 public:
  void expect(bool good, const std::string& place, const std::string& problem) {
    if (!good && problem_.empty()) problem_ = place + ": " + problem;
  }

  void text(const std::string& value, const std::string& place) {
    expect(!value.empty(), place, "the text is empty");
  }

  void at_least_0(double value, const std::string& place) {
    expect(std::isfinite(value) && value >= 0, place, "must be finite and not negative");
  }

  void above_0(double value, const std::string& place) {
    expect(std::isfinite(value) && value > 0, place, "must be finite and above 0");
  }

  void above_0(const std::optional<double>& value, const std::string& place) {
    if (value) above_0(*value, place);
  }

  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

void check_key(const Key& key, Check& check) {
  check.text(key.gpu, "key.gpu");
  check.expect(
      is_capability(key.compute_capability), "key.compute_capability",
      "\"" + key.compute_capability + "\" is no compute capability: write it like \"9.0\"");
  check.text(key.driver, "key.driver");
  check.text(key.toolkit, "key.toolkit");
  check.text(key.clocks, "key.clocks");
}

void check_run(const Run& run, const std::string& place, Check& check) {
  check.text(run.build, place + ".build");
  check.expect(is_like(run.date, "0000-00-00T00:00:00Z"), place + ".date",
               "\"" + run.date + "\" is no date: write it like \"2026-02-01T12:30:00Z\"");
  for (std::size_t i = 0; i < run.seconds.size(); ++i) {
    check.above_0(run.seconds[i], place + "." + item("seconds", i));
  }
  for (std::size_t i = 0; i < run.throttle_reasons.size(); ++i) {
    check.text(run.throttle_reasons[i], place + "." + item("throttle_reasons", i));
  }
  check.above_0(run.sm_clock_mhz, place + ".sm_clock_mhz");
  check.above_0(run.memory_clock_mhz, place + ".memory_clock_mhz");
  if (run.temperature_celsius) {
    check.expect(std::isfinite(*run.temperature_celsius), place + ".temperature_celsius",
                 "must be finite");
  }
  if (run.launch_overhead_seconds) {
    check.at_least_0(*run.launch_overhead_seconds, place + ".launch_overhead_seconds");
  }
  check.expect(run.series.empty() != run.pair.has_value(), place,
               "\"series\" and \"pair\" are told together or not at all");
}

void check_benchmark(const Benchmark& benchmark, const std::string& place, Check& check) {
  check.text(benchmark.name, place + ".name");
  check.at_least_0(benchmark.work.bytes, place + ".bytes");
  check.at_least_0(benchmark.work.flops, place + ".flops");
  for (std::size_t i = 0; i < benchmark.runs.size(); ++i) {
    check_run(benchmark.runs[i], place + "." + item("runs", i), check);
  }
}

void check_ceiling(const Ceiling& ceiling, const std::string& place, Check& check) {
  check.text(ceiling.name, place + ".name");
  check.expect(ceiling.unit == "FLOP/s" || ceiling.unit == "B/s", place + ".unit",
               "\"" + ceiling.unit + "\" is neither \"FLOP/s\" nor \"B/s\"");
  check.above_0(ceiling.per_second, place + ".per_second");
}

template <typename Value>
void add(ordered_json& json, const char* name, const std::optional<Value>& value) {
  if (value) json[name] = *value;
}

ordered_json json_of(const Run& run) {
  ordered_json json = {{"build", run.build}, {"date", run.date}, {"throttled", nullptr}};
  add(json, "throttled", run.throttled);
  json["throttle_reasons"] = run.throttle_reasons;
  add(json, "sm_clock_mhz", run.sm_clock_mhz);
  add(json, "memory_clock_mhz", run.memory_clock_mhz);
  add(json, "temperature_celsius", run.temperature_celsius);
  add(json, "launch_overhead_seconds", run.launch_overhead_seconds);
  if (run.pair) json["series"] = run.series;
  add(json, "pair", run.pair);
  json["seconds"] = run.seconds;
  return json;
}

std::string dump(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Returns a list with one item per line.
template <typename Item, typename ToText>
std::string lines_of(const std::vector<Item>& items, const char* margin, const ToText& to_text) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + std::string(margin) + to_text(items[i]);
  }
  return text + "]";
}

std::string text_of(const Ceiling& ceiling) {
  return dump({{"name", ceiling.name}, {"unit", ceiling.unit}, {"per_second", ceiling.per_second}});
}

std::string text_of(const Benchmark& benchmark) {
  auto text = dump({{"name", benchmark.name},
                    {"cache", name_of(benchmark.cache)},
                    {"bytes", benchmark.work.bytes},
                    {"flops", benchmark.work.flops}});
  text.pop_back();
  const auto run_text = [](const Run& run) { return dump(json_of(run)); };
  return text + ",\"runs\":" + lines_of(benchmark.runs, "    ", run_text) + "}";
}

[[noreturn]] void fail_to_write(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

void write_file(const std::string& text, const std::string& path) {
  std::FILE* stream = std::fopen(path.c_str(), "wb");
  if (stream == nullptr) fail_to_write(path);
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  const int error = errno;
  if (std::fclose(stream) == 0 && written) return;
  if (!written) errno = error;
  fail_to_write(path);
}

}  // namespace

bool operator==(const Key& left, const Key& right) {
  return fields_of(left) == fields_of(right);
}

bool operator!=(const Key& left, const Key& right) {
  return !(left == right);
}

const char* name_of(Cache cache) {
  return cache == Cache::cold ? "cold" : "hot";
}

std::string problem_of(const Record& record) {
  Check check;
  check_key(record.key, check);
  for (std::size_t i = 0; i < record.ceilings.size(); ++i) {
    check_ceiling(record.ceilings[i], item("ceilings", i), check);
  }
  std::set<std::pair<std::string, Cache>> known;
  for (std::size_t i = 0; i < record.benchmarks.size(); ++i) {
    const Benchmark& benchmark = record.benchmarks[i];
    check_benchmark(benchmark, item("benchmarks", i), check);
    check.expect(known.insert({benchmark.name, benchmark.cache}).second, item("benchmarks", i),
                 "\"" + benchmark.name + "\" (" + name_of(benchmark.cache) +
                     ") is there twice: put its runs together");
  }
  return check.problem();
}

std::string to_json(const Record& record) {
  const std::string problem = problem_of(record);
  if (!problem.empty()) throw std::invalid_argument(problem);
  const auto ceiling_text = [](const Ceiling& ceiling) { return text_of(ceiling); };
  const auto benchmark_text = [](const Benchmark& benchmark) { return text_of(benchmark); };
  const Key& key = record.key;
  return "{\"schema\": \"archgrid.perf/1\",\n\"key\": " +
         dump({{"gpu", key.gpu},
               {"compute_capability", key.compute_capability},
               {"driver", key.driver},
               {"toolkit", key.toolkit},
               {"clocks", key.clocks}}) +
         ",\n\"ceilings\": " + lines_of(record.ceilings, "  ", ceiling_text) +
         ",\n\"benchmarks\": " + lines_of(record.benchmarks, "  ", benchmark_text) + "}\n";
}

void save(const Record& record, const std::string& path) {
  const std::string text = to_json(record);
  const std::string aside = path + "." + std::to_string(system::process_id()) + ".partial";
  try {
    write_file(text, aside);
    if (std::rename(aside.c_str(), path.c_str()) != 0) fail_to_write(path);
  } catch (const std::runtime_error&) {
    std::remove(aside.c_str());
    throw;
  }
}

std::string text_of_date(std::time_t time) {
  const auto parts = system::utc_time(time);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace archgrid::perf
