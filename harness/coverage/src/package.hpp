// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What binaries offer beside coverage. Of files nothing may be promised: a package ships a GPU
// where most of its kernels run. What lacks such a GPU is an error where what the binaries offer
// says that it should run there, and else a suspect: kernels that are meant for one generation are
// normal. docs/findings.md has the rules.
#ifndef ARCHGRID_COVERAGE_PACKAGE_HPP
#define ARCHGRID_COVERAGE_PACKAGE_HPP

#include <archgrid/coverage/audit.hpp>
#include <memory>
#include <vector>

namespace archgrid::coverage {

/// Judges the files of `audit`, each by the judge of the same index: fills in its rows, devices,
/// findings, suspects and remarks. `request.like_other_kernels` is set.
void judge_package(const std::vector<std::unique_ptr<Coverage>>& coverages, const Request& request,
                   Audit& audit);

/// Takes out of `findings`, which are of promises for the kernels of `file`, what breaks none that
/// is strict and may be meant so, and adds it to the suspects of `audit`, which the file is a part
/// of.
void set_apart_suspects(FileAudit& file, const Coverage& coverage, const Request& request,
                        std::vector<Finding>& findings, Audit& audit);

}  // namespace archgrid::coverage

#endif
