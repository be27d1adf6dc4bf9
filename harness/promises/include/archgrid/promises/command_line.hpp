// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Promises and ignores of a command line. Errors are PromiseErrors that name the option.
#ifndef ARCHGRID_PROMISES_COMMAND_LINE_HPP
#define ARCHGRID_PROMISES_COMMAND_LINE_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/promises/project_promise.hpp>
#include <set>
#include <string>
#include <vector>

namespace archgrid::promises {

/// Options about GPUs, as people wrote them.
struct PromiseOptions {
  std::vector<std::string> gpus;    ///< --gpu
  std::vector<std::string> accept;  ///< --accept
  std::string matrix;               ///< --matrix; empty: none
};

/// Returns the names of the verdicts that --accept takes.
std::vector<std::string> acceptable_names();

/// Returns the promise of --gpu and --accept; the verdicts of `accept` are the default ones if it
/// is empty.
coverage::Promise promise_of(const std::vector<std::string>& gpus,
                             const std::vector<std::string>& accept);

/// Sets what the request promises, or what it asks about GPUs if nothing is promised: by the matrix
/// file of the project, else by --matrix, else by --gpu with --accept. Reads the arch, the cell,
/// the target and the toolkit of the request.
void set_promise(const PromiseOptions& options, const ProjectPromise& project,
                 coverage::Request& request);

/// Throws NothingPromised if no promise covers one of the wanted devices; `asked` is the option
/// that restricts, if it is not --gpu.
void expect_promised(const std::vector<coverage::ComputeCapability>& wanted,
                     const std::set<coverage::ComputeCapability>& promised,
                     const std::string& asked);

/// The same for the devices and the arch of a request. A single cell, whose arch may serve no
/// promised device, is only checked for its devices.
void expect_promised(coverage::Request request);

/// Reads "[CODE:]PATTERN[@GPU,...]=REASON" of --ignore. `written_in` is the file with the call of
/// archgrid_audit() that has it as IGNORE; empty: the option has it.
coverage::Ignore read_ignore(const std::string& text, const std::string& written_in);

}  // namespace archgrid::promises

#endif
