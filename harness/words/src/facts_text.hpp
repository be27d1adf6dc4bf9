// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_WORDS_FACTS_TEXT_HPP
#define ARCHGRID_WORDS_FACTS_TEXT_HPP

#include <archgrid/coverage.hpp>
#include <string>
#include <string_view>

namespace archgrid::report {

/// Returns the fact of that name. Throws std::logic_error if it is missing: the judge and the
/// sentence disagree.
const std::string& fact(const coverage::Facts& facts, const std::string& name);

/// Returns the fact of that name, or an empty string.
const std::string& optional_fact(const coverage::Facts& facts, const std::string& name);

/// Returns "its machine code for 9.0 was made with CUDA 13.0, which needs driver 580 or newer".
std::string driver_needs_text(const coverage::Facts& facts);

/// Returns "no kernel was found", for no-device-code and nothing-judged.
std::string nothing_text(std::string_view code, const coverage::Facts& facts);

/// Returns "driver 590, which is promised, does not know 7.0: driver 580 is the last that does".
std::string misfit_text(const coverage::Facts& facts, bool is_too_old, std::string_view device);
std::string misfit_fix(const coverage::Facts& facts, bool is_too_old, std::string_view device);

/// Returns the sentences of a finding without a kernel's verdict.
std::string facts_message(const coverage::Finding& finding);
std::string facts_fix(const coverage::Finding& finding);

}  // namespace archgrid::report

#endif
