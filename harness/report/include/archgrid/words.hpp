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

/// Returns one sentence: "sm_80 machine code also loads on 8.6". `device` is how the GPU is called.
std::string reason_text(const coverage::Reason& reason, std::string_view device);

/// The kernels that a fix is for.
struct Subject {
  std::string_view path;           ///< of their file
  std::string kernel;              ///< the name of the first for people
  bool is_named = true;            ///< false: `kernel` stands for a module without names
  std::size_t kernels = 1;         ///< how many
  std::vector<std::string> units;  ///< their source files, as far as the file tells them
  std::size_t modules = 1;         ///< fat binaries
};

/// Returns one sentence: "compile gemm.cu of libx.so for 90 too: add ...".
std::string fix_text(const coverage::Remedy& remedy, const Subject& subject);

/// Returns one sentence: "GPUs newer than 9.0 are served by PTX compute_90 (JIT)", or what else
/// they get.
std::string newer_text(const coverage::NewerGpus& newer);

/// Returns one sentence: the reason for which no list of the toolkit's archs serves a device.
std::string reason_text(const coverage::Unserved& unserved, coverage::Version toolkit);

/// Returns the promise to make instead where the promised driver does not know the device; else an
/// empty text.
std::string misfit_fix(const coverage::Unserved& unserved);

/// Returns the sentence of a remark.
std::string message_of(const coverage::Remark& remark);

/// Returns the fix of a verdict that is neither accepted nor forgiven; else an empty text.
std::string fix_of(const coverage::Served& served);

/// Returns the sentence of a finding.
std::string message_of(const coverage::Finding& finding);

using Toolkits = std::set<coverage::Version>;

/// Returns the fix of a finding; an empty text for suspects, which may be as they were meant.
/// `toolkits` compiled the files that share its cause, where they are several.
std::string fix_of(const coverage::Finding& finding, const Toolkits& toolkits = {});

}  // namespace archgrid::report

#endif
