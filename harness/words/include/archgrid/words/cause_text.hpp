// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes sentences about causes: why kernels of a package do not run on some GPUs.
#ifndef ARCHGRID_WORDS_CAUSE_TEXT_HPP
#define ARCHGRID_WORDS_CAUSE_TEXT_HPP

#include <archgrid/words.hpp>
#include <string>
#include <vector>

namespace archgrid::report {

/// Returns "7.5 T4, RTX 20", or "8.8" for a GPU without a known product.
std::string gpu_text(coverage::ComputeCapability device);

/// Returns "7.5 (T4, RTX 20) and 8.0 (A100, A30)"; without products for more than two: "7.5, 8.0
/// and 9.0".
std::string gpus_text(const std::vector<coverage::ComputeCapability>& devices);

/// Returns the effect and the reason. `finding` must have a cause.
std::string cause_message(const coverage::Finding& finding);

/// Returns the fix; empty for suspects, which may be intended.
std::string cause_fix(const coverage::Finding& finding, const Toolkits& toolkits);

/// Returns the evidence for a rule: "host code names the kernel, ...".
std::string evidence_text(coverage::Rule rule);

/// Returns one line: "gemm<float> and 76 more kernels do nothing on 7.5 (T4, RTX 20): other
/// variants work there".
std::string suspect_text(const coverage::Finding& finding);

}  // namespace archgrid::report

#endif
