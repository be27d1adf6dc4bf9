// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The outcomes of a program's tests, and of the program.
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

/// The outcome of one test. No outcome ever stands for another.
enum class TestOutcome {
  passed,
  failed,
  skipped,       ///< skipped by itself, with a reason
  empty,         ///< passed, and launched no kernel
  missing_arch,  ///< no code serves a kernel
  jitted,        ///< a kernel would be compiled at run time, which is not accepted
  not_run        ///< an earlier event made the GPU unusable, or ended the run
};

/// Returns "passed", "missing-arch", ...
const char* name_of(TestOutcome outcome);

struct TestRecord {
  std::string name;  ///< "Suite.Case"
  TestOutcome outcome = TestOutcome::passed;
  std::string reason;
  double seconds = 0;
  std::size_t launches = 0;  ///< number of observed launches
};

/// A kernel of the program that a test launched which passed, with the code that the GPU executed.
struct ExecutedKernel {
  std::string kernel;    ///< mangled
  std::string arch;      ///< "sm_90a", or "compute_90" for PTX
  std::string identity;  ///< fatbin::Kernel::identity
  std::string test;      ///< the first such test, "Suite.Case"
};

/// The code of the program that a run executed.
struct ExecutedCode {
  std::vector<ExecutedKernel> kernels;
  std::string hash;  ///< coverage::code_hash_of() the program; may be empty
};

/// The outcome of the program.
enum class ProgramOutcome {
  passed,
  failed,
  skipped,
  timed_out,
  crashed  ///< written first; stays if the program writes nothing else
};

const char* name_of(ProgramOutcome outcome);

/// A run without its tests.
struct ProgramRecord {
  std::string program;
  std::string run;  ///< "4711-1764098765123456", process and start time; unique to this run
  std::string cell;
  std::string fake;                ///< kind of the fake runtime; empty for NVIDIA's
  std::optional<device::Gpu> gpu;  ///< the GPU that the tests ran on
  std::string driver;              ///< "13.0", the newest CUDA version that the driver supports
  std::string driver_release;
  std::string runtime;
  std::string toolkit;
  std::optional<std::uint64_t> seed;
  ProgramOutcome outcome = ProgramOutcome::crashed;
  std::string code;     ///< "no-gpu", "kernels", ...; may be empty
  std::string message;  ///< one sentence
  std::size_t kernels = 0;
  std::size_t kernels_asked = 0;           ///< kernels that were also compared with the runtime
  double proof_seconds = 0;                ///< time to judge and to compare the kernels
  std::vector<std::string> findings;       ///< kernels that are not served, unreadable files
  std::vector<std::string> disagreements;  ///< between prediction and the runtime's answer
  std::vector<std::string> uncounted;      ///< files whose launches were not observed
  std::vector<ExecutedKernel> executed;    ///< set at the end of a run
  std::string code_hash;                   ///< coverage::code_hash_of() the program; may be empty
};

/// A run. If it stops here, the running test has failed, and the pending ones were not run.
struct Record : ProgramRecord {
  std::vector<TestRecord> tests;    ///< tests that have ended
  std::string running;              ///< "Suite.Case"; empty between tests
  std::deque<std::string> pending;  ///< pending tests in their order
};

/// Returns "3 passed, 1 failed, 2 skipped", or "none" without tests.
std::string counts_text(const std::vector<TestRecord>& tests);

/// Writes the record to files. A path that ends with '/' is a folder, in which the record gets a
/// unique name.
class RecordFiles {
 public:
  /// Ignores empty paths. Throws std::runtime_error with the name of the file.
  RecordFiles(const std::vector<std::string>& paths, const std::string& program);
  ~RecordFiles();
  RecordFiles(const RecordFiles&) = delete;
  RecordFiles& operator=(const RecordFiles&) = delete;

  [[nodiscard]] bool are_wanted() const { return !files_.empty(); }

  /// Writes the whole record to a temporary file, and renames it.
  void write(const Record& record);

  /// Updates the files around a test. Overwrites the message and the changed tests in place, so
  /// that the time of an update does not grow with the number of tests. If the program is killed
  /// meanwhile, each of them has its old or its new text. A reason for which the file has no room
  /// is cut once larger files have taken 0.5 s.
  void keep_up(const Record& record);

  /// Writes the latest record as that of a run which did not complete. May be called from any
  /// thread. Later calls of write() and keep_up() have no effect: the running test may end
  /// meanwhile.
  void write_late(ProgramOutcome outcome, const std::string& code, const std::string& message);

 private:
  struct File {
    std::string path;
    int descriptor = -1;  ///< of the file that can be written in place, if any
  };
  /// A part of the files: the head, the message, or a test.
  struct Part {
    std::string name;  ///< name of the test
    std::string text;  ///< JSON
    std::size_t offset = 0;
    std::size_t capacity = 0;  ///< maximum size of the text in bytes, from `offset` on
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
  std::size_t ended_ = 0;  ///< number of ended tests; the next one runs unless `running_` is empty
  std::string running_;
  Part head_;  ///< the program without its message
  Part message_;
  std::vector<Part> tests_;
  std::chrono::steady_clock::duration spent_{0};  ///< time that keep_up() took to write whole files
};

}  // namespace archgrid::gtest

#endif
