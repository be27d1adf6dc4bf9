// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_DEFECT_FINDINGS_HPP
#define ARCHGRID_COVERAGE_DEFECT_FINDINGS_HPP

#include "defects.hpp"
#include "file_evidence.hpp"

namespace archgrid::coverage {

/// Adds one finding per defect, and one per reason for suspect kernels, to the audit.
void report_defects(const FileContext& file, const FileEvidence& evidence,
                    const FileDefects& defects);

}  // namespace archgrid::coverage

#endif
