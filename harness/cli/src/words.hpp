// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_WORDS_HPP
#define ARCHGRID_CLI_WORDS_HPP

#include <string>
#include <vector>

namespace archgrid::cli {

/// "audit, list or matrix"
std::string either(const std::vector<std::string>& words);

/// The word of `words` that `typed` was probably meant to be: two letters differ at most. Empty if
/// there is none.
std::string nearest(const std::string& typed, const std::vector<std::string>& words);

}  // namespace archgrid::cli

#endif
