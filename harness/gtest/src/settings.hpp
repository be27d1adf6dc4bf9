// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of a GPU test program from its environment and its command line.
#ifndef ARCHGRID_GTEST_SETTINGS_HPP
#define ARCHGRID_GTEST_SETTINGS_HPP

#include <archgrid/device.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::gtest {

/// An invalid flag or variable. The program exits with 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The way in which the driver loads kernels.
enum class Load {
  as_built,
  jit,   ///< compiles each from its PTX (CUDA_FORCE_PTX_JIT)
  eager  ///< loads all when the program starts (CUDA_MODULE_LOADING=EAGER)
};

/// Settings, each by a variable ARCHGRID_<NAME> or a flag --archgrid_<name>=VALUE, which wins.
struct Settings {
  std::optional<device::Capability> device;  ///< the GPU that must be there
  bool require_gpu = false;                  ///< no GPU, or a wrong one, is a failure
  std::string matrix;                        ///< file whose promises define the accepted verdicts
  std::string toolkit;                       ///< "13.0", which selects the promises
  std::string cell;                          ///< shown in messages
  std::string arch;         ///< the arch of a single cell, "90a"; empty for a fat cell
  std::string record;       ///< file of the run's record, which ctest's closing check reads
  std::string suite;        ///< the only GoogleTest suite to run; empty for all
  std::string json;         ///< file of the run's record, or a folder if it ends with '/'
  bool fail_empty = false;  ///< a test that launches no kernel is a failure
  Load load = Load::as_built;
  std::optional<std::uint64_t> seed;  ///< seed of the random input
  std::optional<double> timeout;      ///< limit for the start and for each test, in seconds
  std::optional<int> gpu;             ///< the only GPU to use: the one ctest allotted
  std::string program;                ///< path by which it was started; not from a variable or flag
};

/// Returns the value of a variable, or null.
using Environment = std::function<const char*(const char*)>;

/// Reports whether a command-line argument is a flag of archgrid, which GoogleTest ignores.
bool is_own_flag(std::string_view argument);

/// Returns the text for --help: each flag with its variable and its purpose.
std::string help_text();

/// Variable with the path of the record that ctest's closing check reads; archgrid_add_gpu_test()
/// sets it.
constexpr const char* kRecordVariable = "ARCHGRID_RECORD";

/// Variable that passes the parent's GPU to children of death tests. Nothing else sets it.
constexpr const char* kGpuOfDeathTests = "ARCHGRID_GPU_OF_DEATH_TESTS";

/// Throws UsageError if an environment variable that begins with ARCHGRID_ is unknown to archgrid:
/// a mistyped ARCHGRID_REQUIRE_GPUS would require nothing.
void expect_known_variables(const std::vector<std::string>& names);

/// Reads flags and environment. Throws UsageError with the flag or variable, its value and the
/// valid values.
Settings read_settings(const std::vector<std::string>& flags, const Environment& environment);

}  // namespace archgrid::gtest

#endif
