// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of every code of findings and notes, and of the rules that are their evidence, for
// `archgrid explain`, SARIF and pages.
#ifndef ARCHGRID_REPORT_CODES_HPP
#define ARCHGRID_REPORT_CODES_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/report.hpp>
#include <archgrid/report/screen_words.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// The subject of a code, which decides how to ignore its findings.
enum class About {
  kernel,   ///< kernels of a file: --ignore matches the kernel or the file
  file,     ///< a file: --ignore matches the file
  gpu,      ///< a GPU: --ignore matches its compute capability
  setting,  ///< the matrix file or the command, which is to be corrected
  note      ///< no finding
};

/// The meaning of a finding's or note's code, for any file.
struct Code {
  std::string_view code;
  About about = About::note;
  std::string_view title;    ///< a few words
  std::string_view meaning;  ///< sentences
  std::string_view fix;      ///< a sentence; may be empty
};

/// Returns the codes in the order of the documents: findings first.
std::vector<Code> all_codes();

/// Returns nothing for an unknown code.
std::optional<Code> find_code(std::string_view code);

/// Returns the texts of a code. A code without texts is its own title and meaning.
Code explain(std::string_view code);

/// Returns the meaning and the fix.
std::string help_of(const Code& code);

/// Returns the rule with this name; nothing if there is none.
std::optional<coverage::Rule> find_rule(std::string_view name);

/// Returns the rules that make a finding with the code an error.
std::vector<coverage::Rule> error_rules_of(std::string_view code);

/// Reports whether an ignore can name the code.
bool can_be_ignored(const Code& code);

/// Returns "file-lacks-arch:libx.so", which ignores the finding in --ignore and in the "ignore" of
/// a matrix file; empty if nothing can ignore it. Versions and hashes in the file's name are a *,
/// and so is the middle of a text of more than `most` characters; empty if `most` leaves no narrow
/// pattern.
std::string ignore_of(const coverage::Finding& finding, std::size_t most = 200);

/// Returns the meaning, the evidence, the fix and the way to ignore, for terminals.
std::string code_text(const Code& code, Style style, std::size_t columns);

/// Returns the evidence and the codes of errors by the rule, for terminals.
std::string rule_text(coverage::Rule rule, Style style, std::size_t columns);

/// Returns the products of a GPU, the oldest toolkit and driver for it, and the code that runs on
/// it, for terminals.
std::string gpu_text(coverage::ComputeCapability gpu, Style style, std::size_t columns);

/// Returns one line for each code, the names of the rules, the words of the screen, and the GPUs.
std::string codes_text(Style style, std::size_t columns);

/// Returns an archgrid.explain/1 document.
std::string codes_json(const std::vector<Code>& codes, const std::vector<coverage::Rule>& rules,
                       const std::vector<ScreenWord>& words,
                       const std::vector<coverage::ComputeCapability>& gpus);

}  // namespace archgrid::report

#endif
