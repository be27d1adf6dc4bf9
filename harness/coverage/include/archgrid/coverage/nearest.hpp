// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_NEAREST_HPP
#define ARCHGRID_COVERAGE_NEAREST_HPP

#include <string>
#include <vector>

namespace archgrid::coverage {

/// Returns the word of `words` that `typed` probably means: at most two letters differ. Empty if
/// there is none.
std::string nearest(const std::string& typed, const std::vector<std::string>& words);

/// Returns up to three words that `typed` may mean, best first: with at most two other letters, or
/// with `typed` (of three letters or more) in them. Those with `typed` in them come last.
std::vector<std::string> nearest_words(const std::string& typed,
                                       const std::vector<std::string>& words);

}  // namespace archgrid::coverage

#endif
