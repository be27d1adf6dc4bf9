// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What became of a program's tests, and of the program.
#ifndef ARCHGRID_GTEST_OUTCOMES_HPP
#define ARCHGRID_GTEST_OUTCOMES_HPP

#include <archgrid/device.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::gtest {

/// What became of one test. None of them ever stands for another.
enum class TestOutcome {
  passed,
  failed,
  skipped,       ///< by itself, with a reason
  empty,         ///< passed, and launched no kernel
  missing_arch,  ///< a kernel that no code serves
  jitted,        ///< a kernel that would be compiled at run time, which nothing accepts
  not_run        ///< something before it made the GPU unusable, or ended the run
};

/// "passed", "missing-arch", ...
const char* name_of(TestOutcome outcome);

struct TestRecord {
  std::string name;  ///< "Suite.Case"
  TestOutcome outcome = TestOutcome::passed;
  std::string reason;
  double seconds = 0;
  std::size_t launches = 0;  ///< that were seen
};

/// What became of the program.
enum class ProgramOutcome {
  passed,
  failed,
  skipped,
  timed_out,
  crashed  ///< what is written first, and stays if nothing else is
};

const char* name_of(ProgramOutcome outcome);

/// A run without its tests.
struct ProgramRecord {
  std::string program;
  std::string run;  ///< "4711-1764098765123456", the process and when it began; of this run alone
  std::string cell;
  std::string pretended;           ///< how the runtime pretends; empty if it does not
  std::optional<device::Gpu> gpu;  ///< that the tests ran on
  std::string driver;              ///< "13.0", the newest CUDA version that it knows
  std::string driver_release;
  std::string runtime;
  std::string toolkit;
  std::optional<std::uint64_t> seed;
  ProgramOutcome outcome = ProgramOutcome::crashed;
  std::string code;     ///< "no-gpu", "kernels", ...; empty where there is nothing to say
  std::string message;  ///< in a sentence
  std::size_t kernels = 0;
  std::size_t kernels_asked = 0;           ///< for which the runtime was asked, too
  double proof_seconds = 0;                ///< that it took to judge them and to ask
  std::vector<std::string> findings;       ///< kernels that are not served, files that are unread
  std::vector<std::string> disagreements;  ///< of what was predicted and the runtime's answer
  std::vector<std::string> uncounted;      ///< files whose launches were not seen
};

/// A run. Where it stops, the running test has failed, and the pending ones were not run.
struct Record : ProgramRecord {
  std::vector<TestRecord> tests;    ///< that have ended
  std::string running;              ///< "Suite.Case"; empty between tests
  std::deque<std::string> pending;  ///< in the order in which they are to run
};

/// "3 passed, 1 failed, 2 skipped"; "none" if there are none.
std::string counts_text(const std::vector<TestRecord>& tests);

/// A new, empty file in a folder that may have to be made, for a program: "<folder><program>.json",
/// and with a number where that is taken. Throws std::runtime_error, which names the file.
std::string own_file_in(const std::string& folder, const std::string& program);

/// Writes the record to files. A path that ends with '/' is a folder, in which the record gets a
/// name of its own.
class RecordFiles {
 public:
  /// Empty paths are left out. Throws std::runtime_error, which names the file.
  RecordFiles(const std::vector<std::string>& paths, const std::string& program);
  ~RecordFiles();
  RecordFiles(const RecordFiles&) = delete;
  RecordFiles& operator=(const RecordFiles&) = delete;

  /// Writes the whole record, aside, and renames the file.
  void write(const Record& record);

  /// Brings the files up to date around a test. Overwrites the message and the tests that have
  /// changed in place, so that the time that it takes does not grow with the number of tests. A
  /// program that is killed meanwhile leaves the old text of each or the new one. A reason for
  /// which the file has no room is cut once larger files have taken 0.5 s.
  void keep_up(const Record& record);

  /// Writes the latest record as that of a run which did not come to its end. From any thread.
  /// Later calls of write() and keep_up() change nothing: the running test may end meanwhile.
  void write_late(ProgramOutcome outcome, const std::string& code, const std::string& message);

 private:
  struct File {
    std::string path;
    int descriptor = -1;  ///< of the file that can be written in place, if there is one
  };
  /// A part of the files: the head, the message, or a test.
  struct Part {
    std::string name;  ///< of the test
    std::string text;  ///< JSON
    std::size_t offset = 0;
    std::size_t capacity = 0;  ///< bytes from `offset` on that the text may take
  };
  enum class Room { none, for_changes };

  void update_program_texts();
  void take(const Record& record);
  bool follow(const Record& record, std::vector<Part*>& changed);
  void save(Room room);
  void close_files();
  void put(const Part& part, const std::string& text) const;

  std::vector<File> files_;
  std::mutex mutex_;
  bool is_final_ = false;  ///< write_late() has been called
  ProgramRecord program_;
  std::size_t ended_ = 0;  ///< tests; the next one is running if `running_` says so
  std::string running_;
  Part head_;  ///< the program without its message
  Part message_;
  std::vector<Part> tests_;
  std::chrono::steady_clock::duration spent_{0};  ///< by keep_up() in writing whole files
};

}  // namespace archgrid::gtest

#endif
