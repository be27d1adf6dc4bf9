// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the promises of a matrix file. archgrid_expand checks the rest of the file.
#ifndef ARCHGRID_COVERAGE_PROMISE_HPP
#define ARCHGRID_COVERAGE_PROMISE_HPP

#include <archgrid/coverage/names.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

using Verdicts = std::set<Verdict>;

/// Returns the verdicts with which a kernel may run. The others say that it fails: accepted, they
/// would keep a promise that nothing keeps.
std::vector<Verdict> acceptable_verdicts();

/// Returns the verdicts that a promise accepts by default: native and compatible.
Verdicts default_verdicts();

/// Returns "native or jit".
std::string list_verdicts(const Verdicts& verdicts);

struct Promise {
  /// "promises[1]", "promises[1].kernels[0]", "tool.archgrid"; empty if from the command line
  std::string place;
  std::string entry;  ///< "promises[1]": patterns of one entry report a kernel once
  std::vector<ComputeCapability> devices;
  std::string kernels;  ///< pattern with * and ?; empty: all kernels
  Verdicts accept = default_verdicts();
  std::optional<Driver> driver;
  /// Empty: all; with a pattern, for each device those that the promises without a pattern name.
  std::vector<Version> toolkits;
  /// If false, findings that evidence explains are suspects: idle bodies beside working siblings,
  /// and kernels that names or suffixes reserve for other GPUs.
  bool strict = true;
};

/// Findings to ignore, with the reason.
struct Ignore {
  std::string place;
  std::string kernel;                      ///< pattern; with a code also of the file's name or path
  std::vector<ComputeCapability> devices;  ///< empty: all promised devices
  std::string reason;
  std::string code = {};   ///< the only code to ignore; empty: any about kernels
  bool is_option = false;  ///< for this audit alone: its GPUs have to be among the judged
};

/// GPU tests to skip, with the reason.
struct Skip {
  std::string place;
  std::string tests;                       ///< pattern for GoogleTest's full test names
  std::vector<ComputeCapability> devices;  ///< empty: everywhere
  std::string reason;
};

/// Limits on compiled code, independent of promised devices. Unset members set no limit; at least
/// one is set.
struct Budget {
  std::string place;                            ///< "budgets[1]", "budgets[1].kernels[0]"
  std::string entry;                            ///< "budgets[1]", like Promise::entry
  std::string kernels;                          ///< pattern with * and ?; empty: all kernels
  std::vector<fatbin::Arch> archs;              ///< empty: all
  std::vector<Version> toolkits;                ///< empty: all
  std::string reason;                           ///< may be empty
  std::optional<std::uint64_t> registers;       ///< per thread
  std::optional<std::uint64_t> spill_bytes;     ///< stores plus loads, per thread
  std::optional<std::uint64_t> stack_bytes;     ///< per thread
  std::optional<std::uint64_t> shared_bytes;    ///< static, per block
  std::optional<std::uint64_t> bytes_per_arch;  ///< stored, of all images for one arch in a file
};

struct Matrix {
  std::string path;
  std::string name;
  std::vector<Version> toolkits;  ///< each once, in the order of the file
  std::vector<Promise> promises;
  std::vector<Ignore> ignores;
  std::vector<Skip> skips;
  std::vector<Budget> budgets;
};

/// The message names the file, the JSON path, the invalid value and the fix.
struct MatrixError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a matrix file. Throws MatrixError.
Matrix read_matrix(const std::filesystem::path& path);

/// Returns the promises for code built by `toolkit`, with the devices of these builds; none for a
/// pattern whose devices other builds serve. Throws MatrixError if nothing is promised.
std::vector<Promise> promises_for(const Matrix& matrix, Version toolkit);

/// Returns the budgets for code built by `toolkit`, or if it is unknown, those for all toolkits.
std::vector<Budget> budgets_for(const Matrix& matrix, std::optional<Version> toolkit);

/// Returns the first entry for a test, by its full name, on a device; null if there is none.
const Skip* skip_for(const Matrix& matrix, const std::string& test, ComputeCapability device);

/// Reports whether `pattern` (with * and ?) matches the mangled name, the demangled name, or the
/// demangled name without parameters, also without return type, also without namespaces.
bool matches_kernel(const std::string& pattern, const KernelRow& row);

/// Returns the promises for a kernel: those whose pattern matches it, else those without pattern.
std::vector<const Promise*> promises_of(const std::vector<Promise>& promises, const KernelRow& row);

}  // namespace archgrid::coverage

#endif
