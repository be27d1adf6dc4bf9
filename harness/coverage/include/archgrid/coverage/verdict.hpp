// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of launching a kernel on a device.
#ifndef ARCHGRID_COVERAGE_VERDICT_HPP
#define ARCHGRID_COVERAGE_VERDICT_HPP

#include <archgrid/coverage/reason.hpp>
#include <archgrid/coverage/text.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

/// The predicted result of launching a kernel on a device, from best to worst (docs/audit.md).
/// `empty` is the worst, as such a launch does not even fail, and stays the last: loops end there.
enum class Verdict : std::uint8_t {
  native,        ///< machine code for just this device
  compatible,    ///< machine code for a lower minor version, or for the family
  jit,           ///< the driver compiles PTX
  unknown,       ///< cannot be determined; Why has the causes
  ptx_too_new,   ///< only PTX, whose ISA the driver does not read
  wrong_suffix,  ///< an image would load without its suffix, and no PTX reaches the device
  missing,       ///< no image serves the device, or the chosen one lacks the kernel
  empty          ///< the chosen body does no work (is_idle), while another body of the kernel does
};

/// Reports whether a launch runs machine code: `native` and `compatible`.
bool is_machine_code(Verdict verdict);

/// Returns "native", "ptx-too-new", ...
const char* name_of(Verdict verdict);
std::optional<Verdict> parse_verdict(std::string_view text);

/// Returns the code of findings about a verdict: its name; of `empty`, "stub" for a body that
/// prints or asserts, and "trap" for one that only traps.
const char* code_of(Verdict verdict, const Reason& reason);

/// A verdict with its reason. The default is a kernel without any module.
struct LaunchPrediction {
  Verdict verdict = Verdict::missing;
  Reason reason;
  /// Index into File::modules of the module that decided it, to be rebuilt for a better verdict.
  std::size_t module = 0;
};

/// One kernel of a file, in whichever modules it occurs: what a LaunchPrediction is about, together
/// with a device.
struct KernelRow {
  Text name;                         ///< mangled; empty for a module with nameless kernels
  DemangledName demangled;           ///< "module 3 (LTO-IR)" for such a module
  std::vector<std::size_t> modules;  ///< indices of the modules that are judged
  /// No module is registered: host code loads it itself (cuModuleLoadData, cudaLibraryLoadData),
  /// and is assumed to pick the best ones, one for each of `implementations`.
  bool loaded_explicitly = false;
  /// Minimum number of different kernels with this name in the modules from which host code picks
  /// (some compilers call all kernels `main_kernel`). A GPU needs a module for each: with two, the
  /// second-best module decides. Kernels are different if their code for one arch and from one
  /// toolkit differs.
  std::size_t implementations = 1;
  /// One host function launches the kernels of all these modules (templates before CUDA 13), so any
  /// module may serve a launch (docs/measurements/h200.md).
  bool has_shared_stub = false;
  std::optional<std::size_t> number = std::nullopt;  ///< index of the name; ImageSelector sets it
};

}  // namespace archgrid::coverage

#endif
