// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What the environment says of the machine to pretend. docs/pretend.md is the user's side of it.
#ifndef ARCHGRID_PRETEND_SETTINGS_HPP
#define ARCHGRID_PRETEND_SETTINGS_HPP

#include <archgrid/coverage/table.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid::pretend {

/// Reads an environment variable; nothing where it is not set.
using Environment = std::optional<std::string> (*)(const char* name);

/// A variable that cannot be understood: which, its value, and what it may be.
class BadVariable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Besides functions: the compilation of a module's PTX, and the beginning of all that needs a GPU.
constexpr const char* kJit = "jit";
constexpr const char* kStart = "start";

/// Which calls of a function of the runtime, or launches of a kernel, something is said of.
struct Subject {
  std::string function;          ///< "cudaMalloc", kJit, kStart; empty: a launch of `kernel`
  std::string kernel;            ///< as in the source or mangled; empty: every kernel
  std::uint64_t occurrence = 0;  ///< only this one of them, from 1; 0: all
};

struct Failure {
  Subject subject;
  int error = 0;
};

struct Latency {
  Subject subject;
  std::chrono::nanoseconds time{};
};

enum class Loading { eager, lazy, by_version };

struct Settings {
  std::vector<coverage::Device> devices;  ///< that the runtime shows, in its order
  std::vector<int> numbers;  ///< of each, on the machine: CUDA_VISIBLE_DEVICES hides some
  int driver_version = 0;    ///< 13000 is CUDA 13.0; 0: no driver
  std::optional<coverage::Driver> driver;  ///< nothing where none, or one older than the data table
  int runtime_version = 0;
  std::vector<Failure> failures;
  std::vector<Latency> latencies;
  bool jit_disabled = false;
  bool jit_forced = false;
  Loading loading = Loading::by_version;
};

/// What the errors and functions of the toolkit are, for checking what variables name.
struct Toolkit {
  int version = 0;  ///< CUDART_VERSION of its headers
  std::optional<int> (*find_error)(const std::string& name_or_number) = nullptr;
  bool (*can_fail)(const std::string& name) = nullptr;
};

/// Throws BadVariable.
Settings read_settings(Environment environment, const Toolkit& toolkit);

/// The UUID of a pretended GPU by its number on the machine, as CUDA_VISIBLE_DEVICES may name it:
/// "GPU-61726368-6772-6964-0000-000000000000".
std::string uuid_of(int number);

/// Whether a subject's `kernel` names this one: mangled, or as in the source with or without
/// parameters ("tile<3>", "void tile<3>(float*)", "gemm::tile<3>").
bool names_kernel(const std::string& wanted, const std::string& mangled);

}  // namespace archgrid::pretend

#endif
