// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What a matrix file promises. The rest of the matrix file is archgrid_expand's to check.
#ifndef ARCHGRID_COVERAGE_PROMISE_HPP
#define ARCHGRID_COVERAGE_PROMISE_HPP

#include <archgrid/coverage/verdict.hpp>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

using Verdicts = std::set<Verdict>;

/// What a promise accepts unless it says otherwise: native and compatible.
Verdicts default_verdicts();

struct Promise {
  std::string place;  ///< "promises[1]"; empty if made on the command line
  std::vector<Device> devices;
  std::string kernels;  ///< a pattern with * and ?; empty: every kernel
  Verdicts accept = default_verdicts();
  std::optional<Driver> driver;
  std::vector<Version> toolkits;  ///< empty: all
};

/// Findings forgiven, with the reason.
struct Ignore {
  std::string place;
  std::string kernel;
  std::vector<Device> devices;  ///< empty: every promised one
  std::string reason;
};

struct Matrix {
  std::string path;
  std::string name;
  std::vector<Promise> promises;
  std::vector<Ignore> ignores;
};

/// Names the file, the JSON path, the offending value and the fix.
struct MatrixError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws MatrixError.
Matrix read_matrix(const std::filesystem::path& path);

/// The promises that apply to what `toolkit` built. Throws MatrixError if there is none.
std::vector<Promise> promises_for(const Matrix& matrix, Version toolkit);

/// "void ns::tile<3>" of "void ns::tile<3>(float*)".
std::string_view without_parameters(std::string_view demangled);

/// Whether `pattern` (with * and ?) matches the mangled name, the demangled one or that without its
/// parameters.
bool matches_kernel(const std::string& pattern, const KernelRow& row);

/// The promises that apply to a kernel: those whose pattern matches it, else those without one.
std::vector<const Promise*> promises_of(const std::vector<Promise>& promises, const KernelRow& row);

}  // namespace archgrid::coverage

#endif
