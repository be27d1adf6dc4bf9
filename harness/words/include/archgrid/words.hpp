// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes sentences about verdicts and findings, for reports and GPU test programs.
#ifndef ARCHGRID_WORDS_HPP
#define ARCHGRID_WORDS_HPP

#include <archgrid/coverage.hpp>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// Returns one sentence: "sm_80 machine code also loads on 8.6". `device` is the name of the GPU.
std::string reason_text(const coverage::Reason& reason, std::string_view device);

/// The kernels that a fix is for.
struct Subject {
  std::string_view path;           ///< of the file
  std::string kernel;              ///< the readable name of the first
  bool is_named = true;            ///< false: `kernel` describes a module without names
  std::size_t kernels = 1;         ///< their number
  std::vector<std::string> units;  ///< their source files, as far as recorded
  std::size_t modules = 1;         ///< fat binaries
};

/// Returns one sentence: "compile gemm.cu of libx.so for 90 too: add ...". `accept`: the verdicts
/// that the promise accepts; code that is better has to be accepted, too.
std::string fix_text(const coverage::Remedy& remedy, const coverage::Verdicts& accept,
                     const Subject& subject);

/// Reports whether the fix of a remedy is to compile for more archs.
bool is_compiled(const coverage::Remedy& remedy);

/// Returns one fix for kernels that lack several devices, a finding each; nothing if one of the
/// fixes is not to compile for more archs.
std::optional<std::string> common_fix(const std::vector<const coverage::Finding*>& findings,
                                      const Subject& subject);

/// Returns one sentence: "GPUs newer than 9.0 are served by PTX compute_90 (JIT)", or the
/// alternative.
std::string newer_text(const coverage::NewerGpus& newer);

/// Returns one sentence: the reason why no list of the toolkit's archs serves a device.
std::string reason_text(const coverage::Unserved& unserved, coverage::Version toolkit);

/// Returns the promise to make instead if the promised driver does not support the device;
/// otherwise an empty string.
std::string misfit_fix(const coverage::Unserved& unserved);

/// Returns the sentence of a note.
std::string message_of(const coverage::Note& note);

/// Returns the fix for a verdict that is neither accepted nor ignored; otherwise an empty string.
std::string fix_of(const coverage::Served& served);

/// Returns the sentence of a finding.
std::string message_of(const coverage::Finding& finding);

using Toolkits = std::set<coverage::Version>;

/// Returns the fix of a finding; an empty string for suspects, which may be intended. `toolkits`
/// compiled the files with the same cause, if there are several.
std::string fix_of(const coverage::Finding& finding, const Toolkits& toolkits = {});

/// Returns the fix of findings about the same kernels on several devices. If they need several, it
/// is that of the first, with the other devices.
std::string fix_of(const std::vector<const coverage::Finding*>& findings,
                   const Toolkits& toolkits = {});

}  // namespace archgrid::report

#endif
