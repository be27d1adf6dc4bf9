// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_FIX_HPP
#define ARCHGRID_COVERAGE_FIX_HPP

#include <archgrid/coverage/verdict.hpp>

namespace archgrid::coverage {

/// What a fix needs to know of a verdict that is not accepted.
struct Complaint {
  const std::string& path;
  const KernelRow& row;
  const std::string& unit;  ///< the source file to compile again; empty if unknown
  Device device;
  Verdict verdict = Verdict::missing;
  std::optional<Version> toolkit;   ///< that is said to build the file
  std::optional<Version> recorded;  ///< that built the module which decided, as far as it tells
  bool compiled = false;            ///< that module has machine code for just this device
};

/// What to do about it, in one sentence.
std::string fix_for(const Complaint& complaint);

}  // namespace archgrid::coverage

#endif
