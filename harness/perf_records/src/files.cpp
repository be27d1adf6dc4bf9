// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/json_node.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/perf_records/files.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

namespace archgrid::perf {
namespace {

using coverage::JsonNode;
using coverage::quotable;

Key read_key(const JsonNode& node) {
  node.expect_keys({"gpu", "compute_capability", "driver", "toolkit", "clocks"});
  return {node.at("gpu").text(), node.at("compute_capability").text(), node.at("driver").text(),
          node.at("toolkit").text(), node.at("clocks").text()};
}

Ceiling read_ceiling(const JsonNode& node) {
  node.expect_keys({"name", "unit", "per_second"});
  return {node.at("name").text(), node.at("unit").text(), node.at("per_second").number()};
}

std::optional<double> number_if_there(const JsonNode& node, const char* key) {
  if (!node.has(key)) return std::nullopt;
  return node.at(key).number();
}

Run read_run(const JsonNode& node) {
  node.expect_keys({"build", "date", "throttled", "throttle_reasons", "seconds"},
                   {"sm_clock_mhz", "memory_clock_mhz", "temperature_celsius",
                    "launch_overhead_seconds", "series", "pair"});
  Run run;
  run.build = node.at("build").text();
  run.date = node.at("date").text();
  for (const auto& item : node.at("seconds").items()) run.seconds.push_back(item.number());
  run.throttled = node.at("throttled").flag_or_null();
  for (const auto& item : node.at("throttle_reasons").items()) {
    run.throttle_reasons.push_back(item.text());
  }
  run.sm_clock_mhz = number_if_there(node, "sm_clock_mhz");
  run.memory_clock_mhz = number_if_there(node, "memory_clock_mhz");
  run.temperature_celsius = number_if_there(node, "temperature_celsius");
  run.launch_overhead_seconds = number_if_there(node, "launch_overhead_seconds");
  if (node.has("series")) run.series = node.at("series").text();
  if (node.has("pair")) run.pair = node.at("pair").count();
  return run;
}

Cache read_cache(const JsonNode& node) {
  const auto text = node.text();
  for (const auto cache : {Cache::cold, Cache::hot}) {
    if (text == name_of(cache)) return cache;
  }
  node.fail(fmt::format("\"{}\" is neither \"cold\" nor \"hot\"", quotable(text)));
}

Benchmark read_benchmark(const JsonNode& node) {
  node.expect_keys({"name", "cache", "bytes", "flops", "runs"});
  Benchmark benchmark{node.at("name").text(),
                      read_cache(node.at("cache")),
                      {node.at("bytes").number(), node.at("flops").number()},
                      {}};
  for (const auto& item : node.at("runs").items()) benchmark.runs.push_back(read_run(item));
  return benchmark;
}

void expect_schema(const JsonNode& node) {
  constexpr const char* kSchema = "archgrid.perf/1";
  if (!node.has("schema")) node.fail(fmt::format("\"schema\" is missing: it is no {}", kSchema));
  const auto schema = node.at("schema").text();
  if (schema == kSchema) return;
  node.at("schema").fail(
      fmt::format("\"{}\" is not what is read here: that is {}", quotable(schema), kSchema));
}

Record read_record(const JsonNode& node) {
  node.expect_object();
  expect_schema(node);
  node.expect_keys({"schema", "key", "ceilings", "benchmarks"});
  Record record;
  record.key = read_key(node.at("key"));
  for (const auto& item : node.at("ceilings").items()) {
    record.ceilings.push_back(read_ceiling(item));
  }
  for (const auto& item : node.at("benchmarks").items()) {
    record.benchmarks.push_back(read_benchmark(item));
  }
  return record;
}

Record read_record_of(const std::string& path, const nlohmann::json& document) {
  try {
    return read_record({path, document, coverage::Author::program});
  } catch (const coverage::JsonError& error) {
    throw FileError(error.what());
  }
}

void add(const Ceiling& ceiling, std::vector<Ceiling>& ceilings) {
  for (auto& known : ceilings) {
    if (known.name != ceiling.name || known.unit != ceiling.unit) continue;
    known.per_second = std::max(known.per_second, ceiling.per_second);
    return;
  }
  ceilings.push_back(ceiling);
}

bool is_same(const Run& left, const Run& right) {
  return left.build == right.build && left.date == right.date && left.series == right.series &&
         left.pair == right.pair && left.seconds == right.seconds;
}

void add(const Run& run, std::vector<Run>& runs) {
  const auto is_it = [&](const Run& known) { return is_same(known, run); };
  if (std::none_of(runs.begin(), runs.end(), is_it)) runs.push_back(run);
}

bool is_same_work(const Work& left, const Work& right) {
  return left.bytes == right.bytes && left.flops == right.flops;
}

void add(const Benchmark& benchmark, const std::string& path, const std::string& first_path,
         std::vector<Benchmark>& benchmarks) {
  for (auto& known : benchmarks) {
    if (known.name != benchmark.name || known.cache != benchmark.cache) continue;
    if (!is_same_work(known.work, benchmark.work)) {
      throw FileError(fmt::format(
          "{} and {}: \"{}\" ({}) does other work in one than in the other, {:g} and {:g} bytes, "
          "{:g} and {:g} operations: give it another name",
          first_path, path, benchmark.name, name_of(benchmark.cache), known.work.bytes,
          benchmark.work.bytes, known.work.flops, benchmark.work.flops));
    }
    for (const auto& run : benchmark.runs) add(run, known.runs);
    return;
  }
  benchmarks.push_back(benchmark);
}

}  // namespace

File read_file(const std::string& path) {
  const auto document = nlohmann::json::parse(coverage::read_json_text(path));
  File file{path, read_record_of(path, document)};
  const auto problem = problem_of(file.record);
  if (!problem.empty()) throw FileError(fmt::format("{}: {}", path, problem));
  return file;
}

std::string text_of(const Key& key) {
  return fmt::format("{} ({}), driver {}, CUDA {}, clocks {}", key.gpu, key.compute_capability,
                     key.driver, key.toolkit, key.clocks);
}

std::string difference(const Key& left, const Key& right) {
  std::string text;
  const auto look = [&](const char* name, const std::string Key::*field) {
    if (left.*field == right.*field) return;
    text +=
        fmt::format("{}{} ({} and {})", text.empty() ? "" : ", ", name, left.*field, right.*field);
  };
  look("the GPU", &Key::gpu);
  look("the compute capability", &Key::compute_capability);
  look("the driver", &Key::driver);
  look("the toolkit", &Key::toolkit);
  look("the clocks", &Key::clocks);
  return text;
}

Record merge(const std::vector<File>& files) {
  if (files.empty()) throw std::invalid_argument("there is nothing to merge");
  const auto& first = files.front();
  Record record{first.record.key, {}, {}};
  for (const auto& file : files) {
    if (file.record.key != record.key) {
      throw FileError(
          fmt::format("{} and {} were measured under different keys: {}: keep a file for each",
                      first.path, file.path, difference(record.key, file.record.key)));
    }
    for (const auto& ceiling : file.record.ceilings) add(ceiling, record.ceilings);
    for (const auto& benchmark : file.record.benchmarks) {
      add(benchmark, file.path, first.path, record.benchmarks);
    }
  }
  return record;
}

}  // namespace archgrid::perf
