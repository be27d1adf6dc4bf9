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
  std::vector<TestRecord> tests;     ///< that have ended
  std::string running;               ///< "Suite.Case"; empty between tests
  std::vector<std::string> pending;  ///< in the order in which they are to run
};

/// "3 passed, 1 failed, 2 skipped"; "none" if there are none.
std::string counts_text(const std::vector<TestRecord>& tests);

/// archgrid.gpu-tests/1
std::string to_json(const Record& record);

/// A new, empty file in a folder that may have to be made, for a program: "<folder><program>.json",
/// and with a number where that is taken. Throws std::runtime_error, which names the file.
std::string own_file_in(const std::string& folder, const std::string& program);

/// Writes the record to files, aside and then renamed. A path that ends with '/' is a folder, in
/// which the record gets a name of its own.
class RecordFiles {
 public:
  /// Empty paths are left out. Throws std::runtime_error, which names the file.
  RecordFiles(const std::vector<std::string>& paths, const std::string& program);

  /// Writes the record. Tests that an earlier record had are as they were there, but for the last.
  void write(const Record& record);

  /// Does the same around each test. Once that has taken 2 s, it writes less often: thousands of
  /// records of thousands of tests would take longer than the tests. Then a file may be a little
  /// old.
  void keep_up(const Record& record);

  /// Writes the latest record as that of a run which did not come to its end. From any thread.
  void write_late(ProgramOutcome outcome, const std::string& code, const std::string& message);

 private:
  void take(const Record& record);
  void save();

  std::vector<std::string> paths_;
  std::mutex mutex_;
  ProgramRecord program_;
  std::vector<std::string> tests_;  ///< as JSON
  std::string running_;
  std::vector<std::string> pending_;
  std::chrono::steady_clock::duration spent_{0};  ///< by keep_up() in writing
  std::chrono::steady_clock::time_point next_;    ///< before which keep_up() writes nothing
};

}  // namespace archgrid::gtest

#endif
