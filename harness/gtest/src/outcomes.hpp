// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What became of a program's tests, and of the program.
#ifndef ARCHGRID_GTEST_OUTCOMES_HPP
#define ARCHGRID_GTEST_OUTCOMES_HPP

#include <archgrid/device.hpp>
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

struct Record {
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
  std::vector<TestRecord> tests;
};

/// "3 passed, 1 failed, 2 skipped"; "none" if there are none.
std::string counts_text(const std::vector<TestRecord>& tests);

/// archgrid.gpu-tests/1
std::string to_json(const Record& record);

/// A new, empty file in a folder that may have to be made, for a program: "<folder><program>.json",
/// and with a number where that is taken. Throws std::runtime_error, which names the file.
std::string own_file_in(const std::string& folder, const std::string& program);

/// Writes the record to a file, aside and then renamed. A path that ends with '/' is a folder, in
/// which it gets a name of its own.
class RecordFile {
 public:
  /// Nothing is written for an empty path. Throws std::runtime_error, which names the file.
  RecordFile(const std::string& path, const std::string& program);

  void write(const Record& record);

  /// From another thread, too: what was written last, as a run that did not come to its end.
  void write_late(ProgramOutcome outcome, const std::string& code, const std::string& message);

 private:
  std::string path_;
  std::mutex mutex_;
  Record last_;
};

}  // namespace archgrid::gtest

#endif
