// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_WORDS_HPP
#define ARCHGRID_CLI_WORDS_HPP

#include <string>
#include <vector>

namespace archgrid::cli {

/// Returns the word of `words` that `typed` probably means: at most two letters differ. Empty if
/// there is none.
std::string nearest(const std::string& typed, const std::vector<std::string>& words);

/// Returns `text` as one word of a POSIX shell.
std::string shell_word(const std::string& text);

/// Returns "a, b, c and 17 more".
std::string shortened(const std::vector<std::string>& names);

}  // namespace archgrid::cli

#endif
