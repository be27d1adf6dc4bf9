// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Which GPU a test program runs on, or why it does not run.
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
  std::string code;     ///< "no-gpu", "wrong-gpu", "broken-gpu"; empty to run
  std::string message;  ///< the reason, in a sentence
  device::Gpu gpu;      ///< to run on
};

/// Why these tests are not for GPUs of a capability, in a clause; empty if they are.
using NotFor = std::function<std::string(device::Capability)>;

/// The first GPU that is asked for and that the tests are for. No GPU and a wrong GPU are skips,
/// and failures where a GPU is required. A GPU that is there and does not work is a failure always.
Choice choose(const device::Machine& machine, const Settings& settings, const NotFor& not_for);

/// The last line of a program that ran no test: "archgrid: skipped: no-gpu: ...".
std::string closing_line(const Choice& choice);

/// Why the runtime that is linked is not the one this was compiled for, in a sentence with the
/// fix; empty if it is. Versions as the CUDA API counts; a runtime that would not say, 0, passes,
/// because without a driver those before CUDA 12 do not say.
std::string foreign_runtime(int compiled_version, int linked_version, const Settings& settings);

}  // namespace archgrid::gtest

#endif
