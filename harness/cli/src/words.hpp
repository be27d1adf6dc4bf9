// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_WORDS_HPP
#define ARCHGRID_CLI_WORDS_HPP

#include <string>
#include <vector>

namespace archgrid::cli {

/// Returns "jit" for "JIT".
std::string lower_case(std::string text);

/// Returns `"adit" is no command: write audit; the commands are audit, list or matrix`.
std::string unknown_word(const std::string& typed, const std::string& what,
                         const std::vector<std::string>& words);

}  // namespace archgrid::cli

#endif
