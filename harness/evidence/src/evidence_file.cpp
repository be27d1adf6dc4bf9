// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/text_file.hpp>
#include <archgrid/evidence/evidence_file.hpp>
#include <archgrid/fatbin.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "checked.hpp"

namespace archgrid::evidence {
namespace {

using coverage::ComputeCapability;
using nlohmann::json;
using nlohmann::ordered_json;

bool is_of_merge(const std::string& line) {
  return line.rfind("<<<<<<<", 0) == 0 || line.rfind("=======", 0) == 0 ||
         line.rfind(">>>>>>>", 0) == 0 || line.rfind("|||||||", 0) == 0;
}

Execution execution_of(const std::string& line) {
  const auto value = json::parse(line);
  expect_keys(value, {"kernel", "device", "arch", "identity", "gpu", "test", "date"},
              {"driver", "commit"});
  Execution execution;
  execution.kernel = text_at(value, "kernel");
  execution.device = device_at(value, "device");
  execution.code = code_at(value);
  execution.gpu = text_at(value, "gpu");
  execution.test = text_at(value, "test");
  execution.date = date_at(value, "date");
  if (value.contains("driver")) execution.driver = text_at(value, "driver");
  if (value.contains("commit")) execution.commit = text_at(value, "commit");
  return execution;
}

/// Returns the execution of a line. Throws EvidenceError.
Execution read_line(const std::filesystem::path& path, std::size_t number,
                    const std::string& line) {
  const auto fail = [&](const std::string& problem) {
    throw EvidenceError(
        fmt::format("{}:{}: {}", fatbin::printable(path.string()), number, problem));
  };
  if (is_of_merge(line)) {
    fail(
        "git left a conflict. Fix: delete its lines (<<<<<<<, =======, >>>>>>>) and keep the "
        "others; \"*.jsonl merge=union\" in .gitattributes lets git do that");
  }
  try {
    return execution_of(line);
  } catch (const json::exception&) {
    fail("no line of archgrid evidence (is it cut?). Fix: restore it from git");
  } catch (const Invalid& error) {
    fail(fmt::format("{}. Fix: restore the line from git", error.what()));
  }
  return {};
}

ordered_json json_of(const Execution& execution) {
  ordered_json value = {{"kernel", execution.kernel},
                        {"device", execution.device.text()},
                        {"arch", execution.code.arch},
                        {"identity", execution.code.identity},
                        {"gpu", execution.gpu}};
  if (!execution.driver.empty()) value["driver"] = execution.driver;
  value["test"] = execution.test;
  if (!execution.commit.empty()) value["commit"] = execution.commit;
  value["date"] = execution.date;
  return value;
}

}  // namespace

Evidence Evidence::read(const std::filesystem::path& path) {
  Evidence evidence;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return evidence;
  std::string text;
  try {
    text = coverage::read_text_file(path, kMaxBytes);
  } catch (const coverage::FileError& problem) {
    throw EvidenceError(problem.what());
  }
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    begin = end + 1;
    ++number;
    if (!line.empty()) evidence.add(read_line(path, number, line));
  }
  return evidence;
}

Evidence::Added Evidence::add(Execution execution) {
  const Key key{execution.kernel, execution.device, execution.code.identity};
  const auto [known, is_new] = executions_.try_emplace(key, execution);
  if (is_new) return Added::fresh;
  if (known->second.date < execution.date) known->second = std::move(execution);
  return Added::again;
}

std::string Evidence::text() const {
  std::string text;
  for (const auto& [key, execution] : executions_) {
    text += json_of(execution).dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  }
  return text;
}

const Execution* Evidence::find(const std::string& kernel, ComputeCapability device,
                                const std::string& identity) const {
  const auto found = executions_.find(Key{kernel, device, identity});
  return found == executions_.end() ? nullptr : &found->second;
}

const Execution* Evidence::find_any(const std::string& kernel, ComputeCapability device) const {
  const Execution* newest = nullptr;
  for (auto at = executions_.lower_bound(Key{kernel, device, ""}); at != executions_.end(); ++at) {
    const auto& execution = at->second;
    if (execution.kernel != kernel || execution.device != device) break;
    if (newest == nullptr || newest->date < execution.date) newest = &execution;
  }
  return newest;
}

std::vector<ComputeCapability> Evidence::devices() const {
  std::set<ComputeCapability> devices;
  for (const auto& [key, execution] : executions_) devices.insert(execution.device);
  return {devices.begin(), devices.end()};
}

}  // namespace archgrid::evidence
