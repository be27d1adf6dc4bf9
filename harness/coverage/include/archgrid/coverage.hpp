// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges which GPUs a file's kernels serve, and whether the file keeps a promise. Pure functions
// over the data table and the output of archgrid/fatbin.hpp. C++17, like that header.
#ifndef ARCHGRID_COVERAGE_HPP
#define ARCHGRID_COVERAGE_HPP

#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/coverage/audit.hpp>
#include <archgrid/coverage/baseline.hpp>
#include <archgrid/coverage/claims.hpp>
#include <archgrid/coverage/diff.hpp>
#include <archgrid/coverage/history.hpp>
#include <archgrid/coverage/image_selector.hpp>
#include <archgrid/coverage/load_rules.hpp>
#include <archgrid/coverage/newer.hpp>
#include <archgrid/coverage/promise.hpp>
#include <archgrid/coverage/table.hpp>
#include <archgrid/coverage/verdict.hpp>

#endif
