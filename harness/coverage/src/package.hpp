// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges binaries by their own evidence. Without a promise, a package is built for a GPU (`ships`)
// if most of its kernels run there. A kernel that lacks such a GPU is an error if evidence says
// that it should run there, else a suspect: kernels for one generation are normal. docs/findings.md
// has the rules.
#ifndef ARCHGRID_COVERAGE_PACKAGE_HPP
#define ARCHGRID_COVERAGE_PACKAGE_HPP

#include <archgrid/coverage/audit.hpp>
#include <memory>
#include <vector>

#include "promise_evaluator.hpp"

namespace archgrid::coverage {

/// Judges the files of `audit`, each with the ImageSelector of the same index: fills in its rows,
/// devices, findings, suspects and notes. Requires `request.accept_without_promise`.
void judge_package(const std::vector<std::unique_ptr<ImageSelector>>& selectors,
                   const Request& request, Audit& audit);

/// Moves breaches of promises that are not strict from `breaches` to the suspects of `audit` if
/// evidence explains them (docs/findings.md). `file` is a part of `audit`.
void set_apart_suspects(FileAudit& file, const ImageSelector& selector, const Request& request,
                        std::vector<Breach>& breaches, Audit& audit);

}  // namespace archgrid::coverage

#endif
