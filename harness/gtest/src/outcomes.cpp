// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "outcomes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/coverage/text_file.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace archgrid::gtest {
namespace {

using Json = nlohmann::ordered_json;

/// Linux writes page by page, and SIGKILL may come between two pages: text that is overwritten in
/// place must not straddle a page boundary.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMessageRoom = 3000;

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

Json json_of(const ExecutedKernel& executed) {
  return {{"kernel", executed.kernel},
          {"arch", executed.arch},
          {"identity", executed.identity},
          {"test", executed.test}};
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

/// Writes a text at an offset. Returns false, with errno set, on failure.
bool write_at(int descriptor, std::size_t offset, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count =
        ::pwrite(descriptor, text.data(), text.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    offset += static_cast<std::size_t>(count);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Writes a temporary file and renames it. Returns its descriptor.
int replace(const std::string& path, const std::string& text) {
  const std::string aside = path + "." + std::to_string(::getpid()) + ".new";
  const int descriptor = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, "cannot be written");
  if (!write_at(descriptor, 0, text) || ::rename(aside.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::close(descriptor);
    ::unlink(aside.c_str());
    errno = error;
    fail(path, "cannot be written");
  }
  return descriptor;
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
  add("run", record.run);
  add("code", record.code);
  add("cell", record.cell);
  add("fake", record.fake);
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
  add("code_hash", record.code_hash);
  for (const ExecutedKernel& executed : record.executed) {
    json["executed"].push_back(json_of(executed));
  }
  return json;
}

/// Replaces invalid UTF-8: names and messages may contain any bytes.
std::string dump(const Json& json, int indentation) {
  return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

std::string text_of(const TestRecord& test) {
  return dump(json_of(test), -1);
}

/// Returns the same text as text_of(), in a tenth of the time.
std::string text_of_pending(const std::string& test) {
  return "{\"name\":" + dump(test, -1) + R"(,"outcome":"not-run","seconds":0.0,"launches":0})";
}

std::string text_of_running(const std::string& test, const std::string& message) {
  return text_of({test, TestOutcome::failed, message, 0, 0});
}

/// Returns all of a record up to where its message and its tests follow.
std::string text_of_head(const ProgramRecord& record) {
  std::string text = dump(json_of(record), 1);
  text.erase(text.rfind('\n'));
  return text;
}

/// Returns the message as a member of the record, or nothing if it is empty.
std::string text_of_message(const std::string& message) {
  return message.empty() ? "" : "\"message\": " + dump(message, -1);
}

/// Returns the text of a part with the comma that follows it, or a space if the part is empty.
std::string with_comma(const std::string& text) {
  return text + (text.empty() ? ' ' : ',');
}

/// Returns the text of a test, with its reason cut to fit `capacity`.
std::string shortened(const std::string& test, std::size_t capacity) {
  Json json = Json::parse(test);
  const std::string reason = json.value("reason", "");
  for (std::size_t length = reason.size(); length > 0; length /= 2) {
    json["reason"] = reason.substr(0, length) + "...";
    std::string text = dump(json, -1);
    if (text.size() <= capacity) return text;
  }
  json.erase("reason");
  return dump(json, -1);
}

}  // namespace

RecordFiles::RecordFiles(const std::vector<std::string>& paths, const std::string& program) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    files_.push_back({path.back() == '/' ? coverage::own_file_in(path, program) : path});
  }
}

RecordFiles::~RecordFiles() {
  close_files();
}

void RecordFiles::write(const Record& record) {
  if (files_.empty()) return;
  const std::lock_guard lock(mutex_);
  if (is_final_) return;
  take(record);
  save(record.outcome == ProgramOutcome::crashed ? Room::for_changes : Room::none);
}

void RecordFiles::keep_up(const Record& record) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kFree = std::chrono::milliseconds(500);
  if (files_.empty()) return;
  const std::lock_guard lock(mutex_);
  if (is_final_) return;
  std::vector<Part*> changed;
  const std::string old_head = head_.text;
  const bool is_known = follow(record, changed);
  if (!is_known) take(record);
  const auto has_room = [](const Part* part) { return part->text.size() <= part->capacity; };
  const bool fits = is_known && head_.text == old_head && has_room(&message_) &&
                    (spent_ > kFree || std::all_of(changed.begin(), changed.end(), has_room));
  if (!fits) {
    const auto begin = Clock::now();
    save(Room::for_changes);
    spent_ += Clock::now() - begin;
    return;
  }
  for (const Part* part : changed) {
    put(*part, has_room(part) ? part->text : shortened(part->text, part->capacity));
  }
  put(message_, message_.text);
}

void RecordFiles::write_late(ProgramOutcome outcome, const std::string& code,
                             const std::string& message) {
  if (files_.empty()) return;
  const std::lock_guard lock(mutex_);
  is_final_ = true;
  program_.outcome = outcome;
  program_.code = code;
  program_.message = message;
  update_program_texts();
  if (!running_.empty()) tests_[ended_].text = text_of_running(running_, message);
  save(Room::none);
}

void RecordFiles::update_program_texts() {
  head_.text = text_of_head(program_);
  message_.text = text_of_message(program_.message);
}

void RecordFiles::take(const Record& record) {
  program_ = record;
  update_program_texts();
  ended_ = record.tests.size();
  running_ = record.running;
  tests_.clear();
  for (const TestRecord& test : record.tests) tests_.push_back({test.name, text_of(test)});
  if (!running_.empty()) tests_.push_back({running_, text_of_running(running_, record.message)});
  for (const std::string& test : record.pending) tests_.push_back({test, text_of_pending(test)});
}

/// Accepts a record that continues the last one: tests have ended in their order, and the next one
/// may be running. Returns false for any other record.
bool RecordFiles::follow(const Record& record, std::vector<Part*>& changed) {
  const std::size_t ended = record.tests.size();
  const std::size_t begun = ended + (record.running.empty() ? 0 : 1);
  if (ended < ended_ || begun + record.pending.size() != tests_.size()) return false;
  // Listeners may have failed the last test since. The test that ran may be pending again.
  for (std::size_t index = ended_ == 0 ? 0 : ended_ - 1; index < tests_.size(); ++index) {
    if (index > ended) break;
    Part& part = tests_[index];
    const bool is_pending = index >= begun;
    const std::string& name = index < ended ? record.tests[index].name
                              : is_pending  ? record.pending.front()
                                            : record.running;
    if (part.name != name) return false;
    part.text = index < ended ? text_of(record.tests[index])
                : is_pending  ? text_of_pending(name)
                              : text_of_running(name, record.message);
    changed.push_back(&part);
  }
  program_ = record;
  update_program_texts();
  ended_ = ended;
  running_ = record.running;
  return true;
}

/// Writes the whole files, and records the offset of each part.
void RecordFiles::save(Room room) {
  std::string text;
  const auto add = [&](Part& part, std::size_t spare) {
    part.capacity = part.text.size() + spare;
    const std::size_t in_page = text.size() % kPage;
    const std::size_t size = part.capacity + 1;
    const bool straddles = size <= kPage && in_page + size > kPage;
    if (room == Room::for_changes && straddles) text.append(kPage - in_page, ' ');
    part.offset = text.size();
    text += with_comma(part.text);
    if (room == Room::for_changes) text.append(spare, ' ');
  };
  add(head_, 0);
  text += "\n ";
  add(message_, kMessageRoom);
  text += "\n \"tests\": [";
  for (Part& part : tests_) {
    text += "\n  ";
    add(part, part.name.size() + 400);
  }
  if (!tests_.empty()) text[text.rfind(',')] = ' ';
  text += tests_.empty() ? "]\n}\n" : "\n ]\n}\n";
  close_files();
  for (File& file : files_) {
    file.descriptor = replace(file.path, text);
  }
  if (room == Room::none) close_files();
}

void RecordFiles::close_files() {
  for (File& file : files_) {
    if (file.descriptor >= 0) ::close(std::exchange(file.descriptor, -1));
  }
}

/// Overwrites a part in place.
void RecordFiles::put(const Part& part, const std::string& text) const {
  const bool is_last_test = !tests_.empty() && &part == &tests_.back();
  std::string padded = is_last_test ? text + ' ' : with_comma(text);
  padded.append(part.capacity + 1 - padded.size(), ' ');
  for (const File& file : files_) {
    if (!write_at(file.descriptor, part.offset, padded)) fail(file.path, "cannot be written");
  }
}

}  // namespace archgrid::gtest
