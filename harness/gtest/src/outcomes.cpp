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

std::string to_json(const Record& record) {
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
  json["tests"] = Json::array();
  for (const TestRecord& test : record.tests) json["tests"].push_back(json_of(test));
  // Names and messages are whatever a program makes of them.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
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

RecordFile::RecordFile(const std::string& path, const std::string& program)
    : path_(!path.empty() && path.back() == '/' ? own_file_in(path, program) : path) {}

void RecordFile::write(const Record& record) {
  if (path_.empty()) return;
  const std::lock_guard lock(mutex_);
  last_ = record;
  replace(path_, to_json(record));
}

void RecordFile::write_late(ProgramOutcome outcome, const std::string& code,
                            const std::string& message) {
  if (path_.empty()) return;
  const std::lock_guard lock(mutex_);
  last_.outcome = outcome;
  last_.code = code;
  last_.message = message;
  replace(path_, to_json(last_));
}

}  // namespace archgrid::gtest
