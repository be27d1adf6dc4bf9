// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What a GPU test program is told by its environment and its command line.
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

/// A flag or a variable that cannot be understood. The program exits with 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How the driver is to load kernels.
enum class Load {
  as_built,
  jit,   ///< each compiled from its PTX (CUDA_FORCE_PTX_JIT)
  eager  ///< all when the program starts (CUDA_MODULE_LOADING=EAGER)
};

/// Each is a variable ARCHGRID_<NAME> and a flag --archgrid_<name>=VALUE, which wins.
struct Settings {
  std::optional<device::Capability> device;  ///< the GPU that must be there
  bool require_gpu = false;                  ///< no GPU, or a wrong one, is a failure
  std::string matrix;                        ///< file whose promises say what is accepted
  std::string toolkit;                       ///< "13.0", which the promises are asked for
  std::string cell;                          ///< named in messages
  std::string arch;                          ///< of a cell of one arch, "90a"; empty for a fat one
  std::string record;       ///< file for the run's record that ctest's closing check reads
  std::string suite;        ///< the one GoogleTest suite that is run; empty for all
  std::string json;         ///< file, or folder with '/' at its end, for the run's record
  bool fail_empty = false;  ///< a test that launches no kernel is a failure
  Load load = Load::as_built;
  std::optional<std::uint64_t> seed;  ///< of the random input
  std::optional<double> timeout;      ///< seconds for the start, and for each test
  std::optional<int> gpu;             ///< the only GPU to use: the one ctest allotted
  std::string program;                ///< as it was started; not told by a variable or a flag
};

/// Returns the value of a variable, or null.
using Environment = std::function<const char*(const char*)>;

/// Whether an argument of the command line is one of ours: GoogleTest leaves those alone.
bool is_own_flag(std::string_view argument);

/// For --help: each flag with its variable, and what it is for.
std::string help_text();

/// The path of the record that ctest's closing check reads; archgrid_add_gpu_test() sets it.
constexpr const char* kRecordVariable = "ARCHGRID_RECORD";

/// Where the children of death tests find the GPU of their parent: nobody else sets it.
constexpr const char* kGpuOfDeathTests = "ARCHGRID_GPU_OF_DEATH_TESTS";

/// Of the names of environment variables those that begin with ARCHGRID_ must be ones that archgrid
/// reads: ARCHGRID_REQUIRE_GPUS would be no requirement. Throws UsageError.
void expect_known_variables(const std::vector<std::string>& names);

/// Reads flags and environment. Throws UsageError, which names the flag or variable, its value and
/// what it may be.
Settings read_settings(const std::vector<std::string>& flags, const Environment& environment);

}  // namespace archgrid::gtest

#endif
