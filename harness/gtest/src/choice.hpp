// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Selects the GPU that a test program runs on, or the reason why the program does not run.
#ifndef ARCHGRID_GTEST_CHOICE_HPP
#define ARCHGRID_GTEST_CHOICE_HPP

#include <archgrid/device.hpp>
#include <functional>
#include <string>

#include "settings.hpp"

namespace archgrid::gtest {

enum class Outcome { run, skip, fail };

constexpr int kExitPassed = 0;
constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;
constexpr int kExitSkipped = 77;

struct Choice {
  Outcome outcome = Outcome::run;
  std::string code;     ///< "no-gpu", "wrong-gpu", "broken-gpu"; empty for Outcome::run
  std::string message;  ///< the reason, one sentence
  device::Gpu gpu;      ///< the GPU to run on
};

/// Returns why the tests are not for GPUs of a compute capability, as a clause; empty if they are.
using NotFor = std::function<std::string(device::Capability)>;

/// Selects the first GPU that was requested and that the tests are for. No GPU and a wrong GPU are
/// skips, or failures if a GPU is required. A GPU that is there and does not work is always a
/// failure.
Choice choose(const device::Machine& machine, const Settings& settings, const NotFor& not_for);

/// Returns the last line of a program that ran no test: "archgrid: skipped: no-gpu: ...".
std::string closing_line(const Choice& choice);

/// Returns why the linked runtime is not the one that this was compiled for, in a sentence with the
/// fix; empty if it is. Versions are in the encoding of the CUDA API. A linked version of 0 passes:
/// without a driver, runtimes before CUDA 12 do not report their version.
std::string foreign_runtime(int compiled_version, int linked_version, const Settings& settings);

}  // namespace archgrid::gtest

#endif
