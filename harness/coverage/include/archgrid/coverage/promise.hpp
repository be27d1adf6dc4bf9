// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What a matrix file promises. The rest of the matrix file is archgrid_expand's to check.
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

/// What a promise accepts unless it says otherwise: native and compatible.
Verdicts default_verdicts();

/// "native or jit"
std::string list_verdicts(const Verdicts& verdicts);

struct Promise {
  /// "promises[1]", "promises[1].kernels[0]", "tool.archgrid"; empty if of the command line
  std::string place;
  std::string entry;  ///< "promises[1]": patterns of one entry say the same of a kernel once
  std::vector<Device> devices;
  std::string kernels;  ///< a pattern with * and ?; empty: every kernel
  Verdicts accept = default_verdicts();
  std::optional<Driver> driver;
  std::vector<Version> toolkits;  ///< empty: all
  /// false: findings that evidence excuses are suspects: bodies that refuse beside working
  /// siblings, and kernels that names or suffixes reserve for other GPUs.
  bool strict = true;
};

/// Findings forgiven, with the reason.
struct Ignore {
  std::string place;
  std::string kernel;
  std::vector<Device> devices;  ///< empty: every promised one
  std::string reason;
};

/// GPU tests that are skipped, with the reason.
struct Skip {
  std::string place;
  std::string tests;            ///< a pattern of GoogleTest's full names
  std::vector<Device> devices;  ///< empty: everywhere
  std::string reason;
};

/// Limits on what is compiled, whichever devices are promised. Those that are absent are not set;
/// one at least is.
struct Budget {
  std::string place;                            ///< "budgets[1]", "budgets[1].kernels[0]"
  std::string entry;                            ///< "budgets[1]", as a promise's
  std::string kernels;                          ///< a pattern with * and ?; empty: every kernel
  std::vector<fatbin::Arch> archs;              ///< empty: all
  std::vector<Version> toolkits;                ///< empty: all
  std::string reason;                           ///< may be empty
  std::optional<std::uint64_t> registers;       ///< of a thread
  std::optional<std::uint64_t> spill_bytes;     ///< stored and loaded, of a thread
  std::optional<std::uint64_t> stack_bytes;     ///< of a thread
  std::optional<std::uint64_t> shared_bytes;    ///< static, of a block
  std::optional<std::uint64_t> bytes_per_arch;  ///< of all images for one arch in a file, as stored
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

/// Names the file, the JSON path, the offending value and the fix.
struct MatrixError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws MatrixError.
Matrix read_matrix(const std::filesystem::path& path);

/// The promises that apply to what `toolkit` built. Throws MatrixError if there is none.
std::vector<Promise> promises_for(const Matrix& matrix, Version toolkit);

/// The budgets that apply to what `toolkit` built; those of every toolkit where it is not known.
std::vector<Budget> budgets_for(const Matrix& matrix, std::optional<Version> toolkit);

/// The first entry that concerns a test, by its full name, on a device; null if none does.
const Skip* skip_for(const Matrix& matrix, const std::string& test, Device device);

/// Whether `pattern` (with * and ?) matches the mangled name, the demangled one, or that without
/// its parameters, its return type too, and its namespaces too.
bool matches_kernel(const std::string& pattern, const KernelRow& row);

/// The promises that apply to a kernel: those whose pattern matches it, else those without one.
std::vector<const Promise*> promises_of(const std::vector<Promise>& promises, const KernelRow& row);

}  // namespace archgrid::coverage

#endif
