// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/coverage/json_node.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/coverage/names.hpp>
#include <archgrid/coverage/promise.hpp>
#include <archgrid/coverage/promise_table.hpp>
#include <archgrid/coverage/text_file.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "contains.hpp"

namespace archgrid::coverage {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxPath = 400;  // of a path that a message quotes

ComputeCapability read_device(const JsonNode& node) {
  const auto text = node.text();
  if (const auto device = parse_device(text)) return *device;
  const auto named = devices_named(text);
  if (named.size() == 1) {
    node.fail(fmt::format("\"{}\" is no compute capability: write \"{}\"", quotable(text),
                          named.front().text()));
  }
  std::vector<std::string> known;
  for (const auto& row : table().architectures) known.push_back(row.device.text());
  node.fail(
      fmt::format("\"{}\" is no device: use one of {}", quotable(text), fmt::join(known, " ")));
}

Verdict read_verdict(const JsonNode& node) {
  const auto text = node.text();
  const auto verdict = parse_verdict(text);
  std::vector<std::string> names;
  for (const auto acceptable : acceptable_verdicts()) {
    if (verdict == acceptable) return acceptable;
    names.emplace_back(name_of(acceptable));
  }
  node.fail(fmt::format("\"{}\" {}: use one of {}", quotable(text),
                        verdict ? "means that the kernel fails" : "is no verdict",
                        fmt::join(names, ", ")));
}

Version read_toolkit(const JsonNode& node) {
  const auto text = node.text();
  const auto version = parse_version(text);
  if (version && table().find_toolkit(*version) != nullptr) return *version;
  node.fail(fmt::format("\"{}\" is no CUDA toolkit that archgrid knows: write it like \"12.4\"",
                        quotable(text)));
}

std::vector<ComputeCapability> read_devices(const JsonNode& node) {
  std::vector<ComputeCapability> devices;
  for (const auto& item : node.items()) devices.push_back(read_device(item));
  if (devices.empty()) node.fail("no device is named: name one, or take the entry out");
  return devices;
}

std::string read_pattern(const JsonNode& node) {
  auto pattern = node.text();
  if (pattern.find_first_not_of(" \t\r\n") == std::string::npos) {
    node.fail("the pattern is empty: write a kernel's name, with * and ? as you like");
  }
  return pattern;
}

/// Appends an entry of the matrix file described by `node`; if its `kernels` are a list of
/// patterns, once per pattern.
template <typename Entry>
void append_for_patterns(const JsonNode& node, Entry entry, std::vector<Entry>& entries) {
  if (!node.has("kernels")) return entries.push_back(std::move(entry));
  const auto kernels = node.at("kernels");
  if (!kernels.is_list()) {
    entry.kernels = read_pattern(kernels);
    return entries.push_back(std::move(entry));
  }
  const auto patterns = kernels.items();
  if (patterns.empty()) kernels.fail("no pattern is listed: write one, or take the key out");
  for (const auto& pattern : patterns) {
    entry.place = pattern.place();
    entry.kernels = read_pattern(pattern);
    entries.push_back(entry);
  }
}

/// Reads a promise of an entry with valid keys.
Promise read_checked_promise(const JsonNode& node) {
  Promise promise;
  promise.place = node.place();
  promise.entry = promise.place;
  promise.devices = read_devices(node.at("devices", "name the promised devices, [\"9.0\"]"));
  if (node.has("accept")) {
    promise.accept.clear();
    for (const auto& item : node.at("accept").items()) promise.accept.insert(read_verdict(item));
    if (promise.accept.empty()) node.at("accept").fail("no verdict is accepted: name one");
  }
  if (node.has("driver")) {
    const auto driver = node.at("driver");
    promise.driver = parse_driver(driver.text());
    if (!promise.driver) {
      driver.fail(
          fmt::format("\"{}\" is no driver that archgrid knows: write a branch like "
                      "\"580\" or a CUDA version like \"13.0\"",
                      quotable(driver.text())));
    }
  }
  if (node.has("toolkits")) {
    for (const auto& item : node.at("toolkits").items()) {
      promise.toolkits.push_back(read_toolkit(item));
    }
  }
  if (node.has("strict")) promise.strict = node.at("strict").flag();
  return promise;
}

Promise read_promise(const JsonNode& node) {
  node.expect_keys({}, {"devices", "kernels", "accept", "driver", "toolkits", "strict"});
  return read_checked_promise(node);
}

/// Returns the toolkits whose builds serve `device` by the promises without a pattern; empty: all,
/// also if none of them names the device.
std::vector<Version> toolkits_serving(ComputeCapability device,
                                      const std::vector<Promise>& promises) {
  std::set<Version> toolkits;
  for (const auto& promise : promises) {
    if (!promise.kernels.empty() || !contains(promise.devices, device)) continue;
    if (promise.toolkits.empty()) return {};
    toolkits.insert(promise.toolkits.begin(), promise.toolkits.end());
  }
  return {toolkits.begin(), toolkits.end()};
}

/// Returns the promise with the devices that builds of `toolkit` serve. A promise with a pattern
/// and without toolkits may have none there: its kernels stay exempt from the others.
Promise in_builds_of(const Promise& promise, Version toolkit, const std::vector<Promise>& all) {
  auto result = promise;
  if (promise.kernels.empty() || !promise.toolkits.empty()) return result;
  auto& devices = result.devices;
  const auto is_elsewhere = [&](ComputeCapability device) {
    const auto serving = toolkits_serving(device, all);
    return !serving.empty() && !contains(serving, toolkit);
  };
  devices.erase(std::remove_if(devices.begin(), devices.end(), is_elsewhere), devices.end());
  return result;
}

/// Returns the reason of an entry; `fix` says what it must explain.
std::string read_reason(const JsonNode& node, const char* fix) {
  const auto reason = node.at("reason", fix).text();
  const auto problem = problem_of_reason(reason);
  if (!problem.empty()) node.at("reason").fail(fmt::format("{}: {}", problem, fix));
  return reason;
}

/// Refuses a pattern alone, as audits print it, and shows the entry with a reason.
void refuse_pattern(const JsonNode& node, bool is_toml) {
  const auto pattern = fatbin::shortened(fatbin::printable(node.text()), 200);
  node.fail(
      is_toml
          ? fmt::format("a reason is missing: write {{kernel = \"{}\", reason = \"...\"}}", pattern)
          : fmt::format("a reason is missing: write {{\"kernel\": \"{}\", \"reason\": "
                        "\"...\"}}",
                        pattern));
}

Ignore read_ignore(const JsonNode& node) {
  if (node.is_text()) refuse_pattern(node, node.place().rfind("tool.", 0) == 0);
  node.expect_keys({}, {"kernel", "devices", "reason"});
  Ignore ignore;
  ignore.place = node.place();
  const auto kernel = node.at("kernel", "name the kernel, or a pattern with *");
  try {
    read_ignored(kernel.text(), ignore);
  } catch (const IgnoreError& error) {
    kernel.fail(error.what());
  }
  ignore.reason = read_reason(node, "say why the finding may be ignored");
  if (!node.has("devices")) return ignore;
  if (!ignore.devices.empty()) {
    node.at("devices").fail("\"kernel\" names GPUs after an @: leave out one of the two");
  }
  ignore.devices = read_devices(node.at("devices"));
  return ignore;
}

Skip read_skip(const JsonNode& node) {
  node.expect_keys({}, {"tests", "devices", "reason"});
  Skip skip;
  skip.place = node.place();
  skip.tests = node.at("tests", "name the test, Suite.Case, or a pattern with *").text();
  skip.reason = read_reason(node, "say why the tests are skipped");
  if (node.has("devices")) skip.devices = read_devices(node.at("devices"));
  return skip;
}

fatbin::Arch read_arch(const JsonNode& node) {
  const auto text = node.text();
  if (const auto arch = parse_arch(text)) return *arch;
  node.fail(fmt::format("\"{}\" is no arch of code in a file: write it as 90, 90a or 100f",
                        quotable(text)));
}

/// Reads a limit of a budget; `least` is the smallest sensible value.
std::optional<std::uint64_t> read_limit(const JsonNode& budget, const char* key,
                                        std::uint64_t least) {
  if (!budget.has(key)) return std::nullopt;
  const auto node = budget.at(key);
  const auto limit = node.count();
  if (limit < least) {
    node.fail(fmt::format("nothing fits into {}: write {} or more", limit, least));
  }
  return limit;
}

bool limits_kernels(const Budget& budget) {
  return budget.registers || budget.spill_bytes || budget.stack_bytes || budget.shared_bytes;
}

/// Rejects a budget that limits nothing, or whose pattern does not apply to its limit.
void check_limits(const JsonNode& node, const Budget& budget) {
  if (!limits_kernels(budget) && !budget.bytes_per_arch) {
    node.fail(
        "nothing is limited: add registers, spill_bytes, stack_bytes, shared_bytes or "
        "bytes_per_arch");
  }
  if (budget.bytes_per_arch && (limits_kernels(budget) || node.has("kernels"))) {
    node.fail(
        "bytes_per_arch is about files, kernels and the other limits about kernels: make two "
        "budgets of them");
  }
}

Budget read_budget(const JsonNode& node) {
  node.expect_keys({}, {"kernels", "archs", "toolkits", "registers", "spill_bytes", "stack_bytes",
                        "shared_bytes", "bytes_per_arch", "reason"});
  Budget budget;
  budget.place = node.place();
  budget.entry = budget.place;
  if (node.has("reason")) budget.reason = node.at("reason").text();
  if (node.has("archs")) {
    for (const auto& item : node.at("archs").items()) budget.archs.push_back(read_arch(item));
    if (budget.archs.empty()) node.at("archs").fail("no arch is named: name one");
  }
  if (node.has("toolkits")) {
    for (const auto& item : node.at("toolkits").items()) {
      budget.toolkits.push_back(read_toolkit(item));
    }
    if (budget.toolkits.empty()) node.at("toolkits").fail("no toolkit is named: name one");
  }
  budget.registers = read_limit(node, "registers", 1);
  budget.spill_bytes = read_limit(node, "spill_bytes", 0);
  budget.stack_bytes = read_limit(node, "stack_bytes", 0);
  budget.shared_bytes = read_limit(node, "shared_bytes", 0);
  budget.bytes_per_arch = read_limit(node, "bytes_per_arch", 1);
  check_limits(node, budget);
  return budget;
}

/// Returns the result of `read`, whose JsonErrors become MatrixErrors.
template <typename Read>
Matrix with_matrix_errors(const Read& read) {
  try {
    return read();
  } catch (const JsonError& error) {
    throw MatrixError(error.what());
  }
}

Matrix read_matrix_file(const std::filesystem::path& path) {
  const auto content = json::parse(read_json_text(path));
  Matrix matrix;
  matrix.path = path.string();
  const JsonNode top(matrix.path, content, Author::person);
  top.expect_keys({}, {"$schema", "name", "toolkits", "cells", "exclude", "promises", "ignore",
                       "skips", "runners", "definitions", "budgets", "enforce_archs",
                       "redirect_outputs", "libraries", "targets"});
  matrix.name = top.at("name", "name the matrix, in lower case").text();
  if (top.has("toolkits")) {
    for (const auto& item : top.at("toolkits").items()) {
      const auto toolkit = read_toolkit(item.at("cuda", "name the toolkit, \"13.0\""));
      auto& known = matrix.toolkits;
      if (std::find(known.begin(), known.end(), toolkit) == known.end()) known.push_back(toolkit);
    }
  }
  if (top.has("promises")) {
    for (const auto& item : top.at("promises").items()) {
      append_for_patterns(item, read_promise(item), matrix.promises);
    }
  }
  if (top.has("ignore")) {
    for (const auto& item : top.at("ignore").items()) {
      matrix.ignores.push_back(read_ignore(item));
    }
  }
  if (top.has("skips")) {
    for (const auto& item : top.at("skips").items()) matrix.skips.push_back(read_skip(item));
  }
  if (top.has("budgets")) {
    for (const auto& item : top.at("budgets").items()) {
      append_for_patterns(item, read_budget(item), matrix.budgets);
    }
  }
  return matrix;
}

Matrix read_checked_table(const std::string& path, const std::string& place, const json& table) {
  Matrix matrix;
  matrix.path = path;
  const JsonNode top(matrix.path, table, Author::person, place);
  top.expect_keys({}, {"matrix", "devices", "accept", "driver", "strict", "ignore"});
  if (top.has("matrix")) {
    if (table.size() > 1) top.fail("\"matrix\" makes the whole promise: leave out the other keys");
    const auto node = top.at("matrix");
    const auto text = node.text();
    const std::filesystem::path of_table(path);
    const auto file = of_table.parent_path() / text;
    const auto fix = fmt::format("write the path of a file, relative to the folder of {}",
                                 of_table.filename().string());
    if (text.empty()) node.fail("the path is empty: " + fix);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
      const auto name = fatbin::shortened(fatbin::printable(file.string()), kMaxPath);
      node.fail(fmt::format("no file {}: {}", name, fix));
    }
    try {
      expect_regular_file(file);
    } catch (const FileError& problem) {
      node.fail(problem.what());
    }
    return read_matrix_file(file);
  }
  if (!top.has("devices")) {
    top.fail(
        "\"devices\" is missing: name the promised GPUs, [\"9.0\", \"H100\"], or a matrix file, "
        "matrix = \"...\"");
  }
  matrix.promises.push_back(read_checked_promise(top));
  if (top.has("ignore")) {
    for (const auto& item : top.at("ignore").items()) {
      matrix.ignores.push_back(read_ignore(item));
    }
  }
  return matrix;
}

}  // namespace

std::vector<Verdict> acceptable_verdicts() {
  return {Verdict::native, Verdict::compatible, Verdict::jit, Verdict::unknown, Verdict::empty};
}

Verdicts default_verdicts() {
  return {Verdict::native, Verdict::compatible};
}

std::string list_verdicts(const Verdicts& verdicts) {
  std::string text;
  for (const auto verdict : verdicts) {
    if (!text.empty()) text += " or ";
    text += name_of(verdict);
  }
  return text;
}

Matrix read_matrix(const std::filesystem::path& path) {
  return with_matrix_errors([&] { return read_matrix_file(path); });
}

Matrix read_promise_table(const std::string& path, const std::string& place, const json& table) {
  return with_matrix_errors([&] { return read_checked_table(path, place, table); });
}

std::vector<Promise> promises_for(const Matrix& matrix, Version toolkit) {
  std::vector<Promise> result;
  for (const auto& promise : matrix.promises) {
    const auto& only = promise.toolkits;
    if (only.empty() || std::find(only.begin(), only.end(), toolkit) != only.end()) {
      result.push_back(in_builds_of(promise, toolkit, matrix.promises));
    }
  }
  const bool promises_any = std::any_of(result.begin(), result.end(), [](const Promise& promise) {
    return !promise.devices.empty();
  });
  if (!promises_any) {
    throw MatrixError(
        fmt::format("{}: no promise applies to CUDA {}: add one, or audit another "
                    "toolkit",
                    matrix.path, toolkit.text()));
  }
  return result;
}

std::vector<Budget> budgets_for(const Matrix& matrix, std::optional<Version> toolkit) {
  std::vector<Budget> result;
  for (const auto& budget : matrix.budgets) {
    const auto& only = budget.toolkits;
    const bool meant =
        !toolkit || only.empty() || std::find(only.begin(), only.end(), *toolkit) != only.end();
    if (meant) result.push_back(budget);
  }
  return result;
}

const Skip* skip_for(const Matrix& matrix, const std::string& test, ComputeCapability device) {
  const auto found = std::find_if(matrix.skips.begin(), matrix.skips.end(), [&](const Skip& skip) {
    const bool there = skip.devices.empty() || contains(skip.devices, device);
    return there && matches_pattern(skip.tests, test);
  });
  return found == matrix.skips.end() ? nullptr : &*found;
}

bool matches_kernel(const std::string& pattern, const KernelRow& row) {
  const auto& demangled = row.demangled.str();
  if (matches_pattern(pattern, row.name.str()) || matches_pattern(pattern, demangled) ||
      matches_pattern(pattern, without_parameters(demangled))) {
    return true;
  }
  const auto shown = without_signature(demangled);
  return matches_pattern(pattern, shown) || matches_pattern(pattern, without_namespaces(shown));
}

std::vector<const Promise*> promises_of(const std::vector<Promise>& promises,
                                        const KernelRow& row) {
  std::vector<const Promise*> general;
  std::vector<const Promise*> particular;
  for (const auto& promise : promises) {
    if (promise.kernels.empty()) {
      general.push_back(&promise);
    } else if (matches_kernel(promise.kernels, row)) {
      particular.push_back(&promise);
    }
  }
  return particular.empty() ? general : particular;
}

}  // namespace archgrid::coverage
