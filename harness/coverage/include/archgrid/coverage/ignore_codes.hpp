// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads what to ignore, as people write it, "[CODE:]PATTERN[@GPU,...]", and why.
#ifndef ARCHGRID_COVERAGE_IGNORE_CODES_HPP
#define ARCHGRID_COVERAGE_IGNORE_CODES_HPP

#include <archgrid/coverage/promise.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

/// An invalid "CODE:PATTERN@GPU". The message has the problem and the fix.
struct IgnoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the codes that an ignore may name: those of findings about kernels and files.
const std::vector<std::string_view>& ignorable_codes();

/// Reads a list of GPUs, "7.5,8.0". Throws an error that names the known ones.
using GpuListReader = std::function<std::vector<ComputeCapability>(const std::string& list)>;

/// Sets the code and the pattern of an ignore, and its devices if the text names any: "stub",
/// "*gemm*" and 7.5 for "stub:*gemm*@7.5". A name with namespaces, "ns::gemm", is a pattern
/// without a code; an @ before a /, * or ? belongs to the pattern. Without `read_gpus`, GPUs are
/// compute capabilities. Throws IgnoreError, and what `read_gpus` throws.
void read_ignored(const std::string& text, Ignore& ignore, const GpuListReader& read_gpus = {});

/// Returns why the text is no reason for an ignore, or an empty string: it is empty, or holds the
/// place of one, like the REASON and the ... of examples.
std::string problem_of_reason(std::string_view reason);

/// Returns the text that read_ignored() reads, without GPUs.
std::string ignored_text(const Ignore& ignore);

}  // namespace archgrid::coverage

#endif
