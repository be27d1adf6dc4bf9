// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Sentences about causes: why kernels of a package do not run on some GPUs.
#ifndef ARCHGRID_REPORT_CAUSE_TEXT_HPP
#define ARCHGRID_REPORT_CAUSE_TEXT_HPP

#include <archgrid/words.hpp>
#include <string>
#include <vector>

namespace archgrid::report {

/// "7.5 T4, RTX 20", "8.8" for a GPU whose product nobody names.
std::string gpu_text(coverage::Device device);

/// "7.5 (T4, RTX 20) and 8.0 (A100, A30)"; more than two without products: "7.5, 8.0 and 9.0".
std::string gpus_text(const std::vector<coverage::Device>& devices);

/// What happens, and why. `finding` has a cause.
std::string cause_message(const coverage::Finding& finding);

/// What to change; empty for suspects, which may be as they were meant.
std::string cause_fix(const coverage::Finding& finding, const Toolkits& toolkits);

/// The evidence by which a rule decides: "host code names the kernel, ...".
std::string evidence_text(coverage::Rule rule);

/// One line: "gemm<float> and 76 more kernels do nothing on 7.5 (T4, RTX 20): others of the family
/// work there".
std::string suspect_text(const coverage::Finding& finding);

}  // namespace archgrid::report

#endif
