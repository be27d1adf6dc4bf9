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

Run run_of(const json& value) {
  Run run;
  run.device = device_at(value, "device");
  run.gpu = text_at(value, "gpu");
  run.test = text_at(value, "test");
  run.date = date_at(value, "date");
  if (value.contains("driver")) run.driver = text_at(value, "driver");
  if (value.contains("commit")) run.commit = text_at(value, "commit");
  return run;
}

void add_line(const std::string& line, Evidence& evidence) {
  const auto value = json::parse(line);
  if (value.is_object() && value.contains("code_hash")) {
    expect_keys(value, {"program", "code_hash", "device", "gpu", "test", "date"},
                {"driver", "commit"});
    evidence.add(
        PassedProgram{text_at(value, "program"), identity_at(value, "code_hash"), run_of(value)});
    return;
  }
  expect_keys(value, {"kernel", "device", "arch", "identity", "gpu", "test", "date"},
              {"driver", "commit"});
  evidence.add(Execution{text_at(value, "kernel"), code_at(value), run_of(value)});
}

/// Adds a line. Throws EvidenceError.
void read_line(const std::filesystem::path& path, std::size_t number, const std::string& line,
               Evidence& evidence) {
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
    add_line(line, evidence);
  } catch (const json::exception&) {
    fail("no line of archgrid evidence (is it cut?). Fix: restore it from git");
  } catch (const Invalid& error) {
    fail(fmt::format("{}. Fix: restore the line from git", error.what()));
  }
}

void add_run(const Run& run, ordered_json& value) {
  value["gpu"] = run.gpu;
  if (!run.driver.empty()) value["driver"] = run.driver;
  value["test"] = run.test;
  if (!run.commit.empty()) value["commit"] = run.commit;
  value["date"] = run.date;
}

ordered_json json_of(const Execution& execution) {
  ordered_json value = {{"kernel", execution.kernel},
                        {"device", execution.run.device.text()},
                        {"arch", execution.code.arch},
                        {"identity", execution.code.identity}};
  add_run(execution.run, value);
  return value;
}

ordered_json json_of(const PassedProgram& program) {
  ordered_json value = {{"program", program.program},
                        {"device", program.run.device.text()},
                        {"code_hash", program.code_hash}};
  add_run(program.run, value);
  return value;
}

std::string line_of(const ordered_json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
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
    if (!line.empty()) read_line(path, number, line, evidence);
  }
  return evidence;
}

Evidence::Added Evidence::add(Execution execution) {
  const ExecutionKey key{execution.kernel, execution.run.device, execution.code};
  const auto [known, is_new] = executions_.try_emplace(key, execution);
  if (is_new) return Added::fresh;
  if (known->second.run.date < execution.run.date) known->second = std::move(execution);
  return Added::again;
}

void Evidence::add(PassedProgram program) {
  const auto [known, is_new] =
      programs_.try_emplace({program.program, program.run.device, program.code_hash}, program);
  if (!is_new && known->second.run.date < program.run.date) known->second = std::move(program);
}

void Evidence::remove(const PassedProgram& failed) {
  const auto known = programs_.find({failed.program, failed.run.device, failed.code_hash});
  if (known == programs_.end() || known->second.run.date > failed.run.date) return;
  programs_.erase(known);
}

std::string Evidence::text() const {
  std::string text;
  for (const auto& [key, execution] : executions_) text += line_of(json_of(execution));
  for (const auto& [key, program] : programs_) text += line_of(json_of(program));
  return text;
}

const PassedProgram* Evidence::find_passed(const std::string& program, const std::string& code_hash,
                                           ComputeCapability device) const {
  const auto found = programs_.find({program, device, code_hash});
  return found == programs_.end() ? nullptr : &found->second;
}

const Execution* Evidence::find(const std::string& kernel, ComputeCapability device,
                                const coverage::KernelCode& code) const {
  const auto found = executions_.find(ExecutionKey{kernel, device, code});
  return found == executions_.end() ? nullptr : &found->second;
}

const Execution* Evidence::find_any(const std::string& kernel, ComputeCapability device) const {
  const Execution* newest = nullptr;
  for (auto at = executions_.lower_bound(ExecutionKey{kernel, device, {}}); at != executions_.end();
       ++at) {
    const auto& execution = at->second;
    if (execution.kernel != kernel || execution.run.device != device) break;
    if (newest == nullptr || newest->run.date < execution.run.date) newest = &execution;
  }
  return newest;
}

std::vector<ComputeCapability> Evidence::devices() const {
  std::set<ComputeCapability> devices;
  for (const auto& [key, execution] : executions_) devices.insert(execution.run.device);
  return {devices.begin(), devices.end()};
}

}  // namespace archgrid::evidence
