// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges by the evidence that binaries offer. Without a promise a package ships a GPU
// where most of its kernels run. What lacks such a GPU is an error where what the binaries offer
// says that it should run there, and else a suspect: kernels that are meant for one generation are
// normal. docs/findings.md has the rules.
#ifndef ARCHGRID_COVERAGE_PACKAGE_HPP
#define ARCHGRID_COVERAGE_PACKAGE_HPP

#include <archgrid/coverage/audit.hpp>
#include <memory>
#include <vector>

#include "judge.hpp"

namespace archgrid::coverage {

/// Judges the files of `audit`, each by the judge of the same index: fills in its rows, devices,
/// findings, suspects and remarks. `request.like_other_kernels` is set.
void judge_package(const std::vector<std::unique_ptr<Coverage>>& coverages, const Request& request,
                   Audit& audit);

/// Moves breaches of promises that are not strict from `breaches` to the suspects of `audit` where
/// evidence excuses them (docs/findings.md). `file` is a part of `audit`.
void set_apart_suspects(FileAudit& file, const Coverage& coverage, const Request& request,
                        std::vector<Breach>& breaches, Audit& audit);

}  // namespace archgrid::coverage

#endif
