// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "outcomes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace archgrid::gtest {
namespace {

using Json = nlohmann::ordered_json;

constexpr TestOutcome kOutcomes[] = {
    TestOutcome::passed,       TestOutcome::failed, TestOutcome::skipped, TestOutcome::empty,
    TestOutcome::missing_arch, TestOutcome::jitted, TestOutcome::not_run};

Json json_of(const TestRecord& test) {
  Json json = {{"name", test.name},
               {"outcome", name_of(test.outcome)},
               {"seconds", test.seconds},
               {"launches", test.launches}};
  if (!test.reason.empty()) json["reason"] = test.reason;
  return json;
}

Json json_of(const device::Gpu& gpu) {
  return {{"name", gpu.name},
          {"capability", device::text_of(gpu.capability)},
          {"ordinal", gpu.ordinal}};
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

void replace(const std::string& path, const std::string& text) {
  const std::string aside = path + "." + std::to_string(::getpid()) + ".new";
  std::ofstream stream(aside, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    const int error = errno;
    ::unlink(aside.c_str());
    errno = error;
    fail(path, "cannot be written");
  }
  if (::rename(aside.c_str(), path.c_str()) != 0) fail(path, "cannot be written");
}

}  // namespace

const char* name_of(TestOutcome outcome) {
  switch (outcome) {
    case TestOutcome::passed:
      return "passed";
    case TestOutcome::failed:
      return "failed";
    case TestOutcome::skipped:
      return "skipped";
    case TestOutcome::empty:
      return "empty";
    case TestOutcome::missing_arch:
      return "missing-arch";
    case TestOutcome::jitted:
      return "jitted";
    case TestOutcome::not_run:
      return "not-run";
  }
  return "unknown";
}

const char* name_of(ProgramOutcome outcome) {
  switch (outcome) {
    case ProgramOutcome::passed:
      return "passed";
    case ProgramOutcome::failed:
      return "failed";
    case ProgramOutcome::skipped:
      return "skipped";
    case ProgramOutcome::timed_out:
      return "timed-out";
    case ProgramOutcome::crashed:
      return "crashed";
  }
  return "unknown";
}

std::string counts_text(const std::vector<TestRecord>& tests) {
  std::string text;
  for (const TestOutcome outcome : kOutcomes) {
    const auto count = std::count_if(tests.begin(), tests.end(), [&](const TestRecord& test) {
      return test.outcome == outcome;
    });
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name_of(outcome);
  }
  return text.empty() ? "none" : text;
}

namespace {

Json json_of(const ProgramRecord& record) {
  Json json = {{"schema", "archgrid.gpu-tests/1"},
               {"program", record.program},
               {"outcome", name_of(record.outcome)}};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("code", record.code);
  add("message", record.message);
  add("cell", record.cell);
  add("pretended", record.pretended);
  json["gpu"] = record.gpu ? json_of(*record.gpu) : Json();
  add("driver", record.driver);
  add("driver_release", record.driver_release);
  add("runtime", record.runtime);
  add("toolkit", record.toolkit);
  if (record.seed) json["seed"] = *record.seed;
  json["kernels"] = {{"judged", record.kernels},
                     {"asked", record.kernels_asked},
                     {"seconds", record.proof_seconds},
                     {"findings", record.findings},
                     {"disagreements", record.disagreements}};
  json["uncounted"] = record.uncounted;
  return json;
}

/// Names and messages are whatever a program makes of them.
std::string dump(const Json& json, int indentation) {
  return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

std::string text_of(const TestRecord& test) {
  return dump(json_of(test), -1);
}

/// The same as text_of(), in a tenth of the time.
std::string text_of_pending(const std::string& test) {
  return "{\"name\":" + dump(test, -1) + R"(,"outcome":"not-run","seconds":0.0,"launches":0})";
}

/// Joins texts: that of a test is made once, when it ends.
std::string joined(const ProgramRecord& record, const std::vector<std::string>& tests,
                   const std::string& running, const std::vector<std::string>& pending) {
  std::string text = dump(json_of(record), 1);
  text.erase(text.rfind('\n'));
  text += ",\n \"tests\": [";
  bool is_first = true;
  const auto add = [&](const std::string& test) {
    text += (is_first ? "\n  " : ",\n  ") + test;
    is_first = false;
  };
  for (const std::string& test : tests) add(test);
  if (!running.empty()) add(text_of({running, TestOutcome::failed, record.message, 0, 0}));
  for (const std::string& test : pending) add(text_of_pending(test));
  return text + (is_first ? "]\n}\n" : "\n ]\n}\n");
}

}  // namespace

std::string to_json(const Record& record) {
  std::vector<std::string> tests;
  for (const TestRecord& test : record.tests) tests.push_back(text_of(test));
  return joined(record, tests, record.running, record.pending);
}

std::string own_file_in(const std::string& folder, const std::string& program) {
  std::filesystem::create_directories(folder);
  const std::string stem = folder + std::filesystem::path(program).filename().string();
  for (int number = 0;; ++number) {
    const std::string path = stem + (number == 0 ? "" : "_" + std::to_string(number)) + ".json";
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      ::close(descriptor);
      return path;
    }
    if (errno != EEXIST) fail(path, "cannot be written");
  }
}

RecordFiles::RecordFiles(const std::vector<std::string>& paths, const std::string& program) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    paths_.push_back(path.back() == '/' ? own_file_in(path, program) : path);
  }
}

void RecordFiles::write(const Record& record) {
  if (paths_.empty()) return;
  const std::lock_guard lock(mutex_);
  take(record);
  save();
}

void RecordFiles::keep_up(const Record& record) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kFree = std::chrono::seconds(2);
  constexpr int kTimesTheCost = 20;
  if (paths_.empty()) return;
  const std::lock_guard lock(mutex_);
  take(record);
  const auto begin = Clock::now();
  if (begin < next_) return;
  if (spent_ > kFree) program_.message += ", or soon after";
  save();
  const auto cost = Clock::now() - begin;
  spent_ += cost;
  if (spent_ > kFree) next_ = begin + kTimesTheCost * cost;
}

void RecordFiles::write_late(ProgramOutcome outcome, const std::string& code,
                             const std::string& message) {
  if (paths_.empty()) return;
  const std::lock_guard lock(mutex_);
  program_.outcome = outcome;
  program_.code = code;
  program_.message = message;
  save();
}

void RecordFiles::take(const Record& record) {
  program_ = record;
  if (!tests_.empty()) tests_.pop_back();  // listeners may have failed it since
  tests_.resize(std::min(tests_.size(), record.tests.size()));
  for (std::size_t index = tests_.size(); index < record.tests.size(); ++index) {
    tests_.push_back(text_of(record.tests[index]));
  }
  running_ = record.running;
  pending_ = record.pending;
}

void RecordFiles::save() {
  const std::string text = joined(program_, tests_, running_, pending_);
  for (const std::string& path : paths_) replace(path, text);
}

}  // namespace archgrid::gtest
