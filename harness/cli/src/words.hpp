// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_WORDS_HPP
#define ARCHGRID_CLI_WORDS_HPP

#include <string>
#include <vector>

namespace archgrid::cli {

/// Returns "audit, list or matrix".
std::string either(const std::vector<std::string>& words);

/// Returns the word of `words` that `typed` probably means: at most two letters differ. Empty if
/// there is none.
std::string nearest(const std::string& typed, const std::vector<std::string>& words);

/// Returns `text` as one word of a POSIX shell.
std::string shell_word(const std::string& text);

/// Returns "a, b, c and 17 more".
std::string shortened(const std::vector<std::string>& names);

/// Returns the words of a list option, separated by ",", ";" (CMake's) or spaces. Never empty
/// unless `values` is.
std::vector<std::string> split_list(const std::vector<std::string>& values);

/// Returns the items of a list option whose items may contain spaces: "RTX 4090; 9.0" has two.
std::vector<std::string> split_items(const std::vector<std::string>& values);

}  // namespace archgrid::cli

#endif
