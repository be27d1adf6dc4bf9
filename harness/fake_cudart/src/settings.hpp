// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings of the fake machine from the environment. docs/fake-cudart.md is the user's
// documentation.
#ifndef ARCHGRID_FAKE_SETTINGS_HPP
#define ARCHGRID_FAKE_SETTINGS_HPP

#include <archgrid/coverage/table.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid::fake_cudart {

/// A function that returns an environment variable, or nothing if it is not set.
using Environment = std::optional<std::string> (*)(const char* name);

/// An invalid variable: its name, its value, and the valid values.
class BadVariable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Events besides functions: the compilation of a module's PTX, and the first use of a GPU.
constexpr const char* kJit = "jit";
constexpr const char* kStart = "start";

/// The calls of a runtime function, or the launches of a kernel, that a rule is about.
struct Subject {
  std::string function;          ///< "cudaMalloc", kJit, kStart; empty: a launch of `kernel`
  std::string kernel;            ///< as in the source or mangled; empty: every kernel
  std::uint64_t occurrence = 0;  ///< only this call, from 1; 0: all
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
  std::vector<coverage::ComputeCapability>
      devices;               ///< devices that the runtime shows, in its order
  std::vector<int> numbers;  ///< their numbers on the machine: CUDA_VISIBLE_DEVICES hides some
  int driver_version = 0;    ///< 13000 is CUDA 13.0; 0: no driver
  std::optional<coverage::Driver> driver;  ///< nothing without one, or if older than the table
  int runtime_version = 0;
  std::vector<Failure> failures;
  std::vector<Latency> latencies;
  bool jit_disabled = false;
  bool jit_forced = false;
  Loading loading = Loading::by_version;
};

/// The errors and functions of the toolkit, to check names in variables.
struct Toolkit {
  int version = 0;  ///< CUDART_VERSION of its headers
  std::optional<int> (*find_error)(const std::string& name_or_number) = nullptr;
  bool (*can_fail)(const std::string& name) = nullptr;
};

/// Reads the settings. Throws BadVariable.
Settings read_settings(Environment environment, const Toolkit& toolkit);

/// Returns the UUID of a fake GPU by its number on the machine, as CUDA_VISIBLE_DEVICES may
/// name it: "GPU-61726368-6772-6964-0000-000000000000".
std::string uuid_of(int number);

/// Reports whether a subject's `kernel` names this one: mangled, or as in the source with or
/// without parameters ("tile<3>", "void tile<3>(float*)", "gemm::tile<3>").
bool names_kernel(const std::string& wanted, const std::string& mangled);

}  // namespace archgrid::fake_cudart

#endif
