// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The sentences about verdicts and findings, which reports and GPU test programs print.
#ifndef ARCHGRID_WORDS_HPP
#define ARCHGRID_WORDS_HPP

#include <archgrid/coverage.hpp>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// One sentence: "sm_80 machine code also loads on 8.6". `device` is how the GPU is called.
std::string reason_text(const coverage::Reason& reason, std::string_view device);

/// The kernels that a fix is for.
struct Subject {
  const std::string& path;         ///< of their file
  std::string kernel;              ///< the name of the first for people
  bool is_named = true;            ///< false: `kernel` stands for a module without names
  std::size_t kernels = 1;         ///< how many
  std::vector<std::string> units;  ///< their source files, as far as the file tells them
  std::size_t modules = 1;         ///< fat binaries
};

/// One sentence: "compile gemm.cu of libx.so for 90 too: add ...".
std::string fix_text(const coverage::Remedy& remedy, const Subject& subject);

/// One sentence: "GPUs newer than 9.0 are served by PTX compute_90 (JIT)", or what else they get.
std::string newer_text(const coverage::NewerGpus& newer);

/// Why no list of the toolkit's archs serves a device: one sentence.
std::string reason_text(const coverage::Unserved& unserved, coverage::Version toolkit);

/// What to promise where the promised driver does not know the device; else empty.
std::string misfit_fix(const coverage::Unserved& unserved);

/// What the remark says.
std::string message_of(const coverage::Remark& remark);

/// What mends the verdict on a kernel; empty where it is accepted or forgiven.
std::string fix_of(const coverage::Served& served);

/// What the finding says.
std::string message_of(const coverage::Finding& finding);

using Toolkits = std::set<coverage::Version>;

/// What mends it; empty for suspects, which may be as they were meant. `toolkits` compiled the
/// files that share its cause, where they are several.
std::string fix_of(const coverage::Finding& finding, const Toolkits& toolkits = {});

}  // namespace archgrid::report

#endif
