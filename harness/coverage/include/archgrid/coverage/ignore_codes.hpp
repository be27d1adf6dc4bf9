// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads what to ignore, as people write it, "PATTERN" or "CODE:PATTERN", and why.
#ifndef ARCHGRID_COVERAGE_IGNORE_CODES_HPP
#define ARCHGRID_COVERAGE_IGNORE_CODES_HPP

#include <archgrid/coverage/promise.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::coverage {

/// An invalid "CODE:PATTERN". The message has the problem and the fix.
struct IgnoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the codes that an ignore may name: those of findings about kernels and files.
const std::vector<std::string_view>& ignorable_codes();

/// Sets the code and the pattern of an ignore: "stub" and "*gemm*" for "stub:*gemm*". A name with
/// namespaces, "ns::gemm", is a pattern without a code. Throws IgnoreError.
void read_ignored(const std::string& text, Ignore& ignore);

/// Returns why the text is no reason for an ignore, or an empty string: it is empty, or holds the
/// place of one, like the REASON and the ... of examples.
std::string problem_of_reason(std::string_view reason);

/// Returns the text that read_ignored() reads.
std::string ignored_text(const Ignore& ignore);

}  // namespace archgrid::coverage

#endif
