// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Words that people typed, alone or in lists.
#ifndef ARCHGRID_PROMISES_LISTS_HPP
#define ARCHGRID_PROMISES_LISTS_HPP

#include <string>
#include <vector>

namespace archgrid::promises {

/// Returns "audit, list or matrix".
std::string either(const std::vector<std::string>& words);

/// Returns "jit" for "JIT".
std::string lower_case(std::string text);

/// Returns `"adit" is no command: write audit; the commands are audit, list or matrix`.
std::string unknown_word(const std::string& typed, const std::string& what,
                         const std::vector<std::string>& words);

/// Returns the words of a list option, separated by ",", ";" (CMake's) or spaces. Never empty
/// unless `values` is.
std::vector<std::string> split_list(const std::vector<std::string>& values);

/// Returns the items of a list option whose items may contain spaces: "RTX 4090; 9.0" has two.
std::vector<std::string> split_items(const std::vector<std::string>& values);

}  // namespace archgrid::promises

#endif
