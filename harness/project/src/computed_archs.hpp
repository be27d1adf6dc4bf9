// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_PROJECT_COMPUTED_ARCHS_HPP
#define ARCHGRID_PROJECT_COMPUTED_ARCHS_HPP

#include <archgrid/promises/spelling.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::project {

/// Longer lines are data. std::regex needs stack for each character.
constexpr std::size_t kMaxLine = 2000;

/// A part of a text.
struct Piece {
  std::size_t at = 0;  ///< its place in the text
  std::string text;
};

/// Returns the lines, each with those that continue it. Leaves out those longer than kMaxLine.
std::vector<Piece> logical_lines(const std::string& text);

/// Replaces lines to ignore and comments by blanks, and lines longer than kMaxLine by '#'. Places
/// stay.
std::string without_comments(std::string_view text);

/// Reads the items of a list from `at` on; stops at the first word that is no arch.
std::vector<promises::SpelledArch> read_items(std::string_view text, std::size_t at);

/// The archs for which a Makefile computes nvcc's options.
struct ComputedArchs {
  struct List {
    std::string name;    ///< of the variable: SMS
    std::size_t at = 0;  ///< where its archs begin
    std::vector<promises::SpelledArch> archs;
  };
  std::vector<List> lists;
  std::optional<std::size_t> unread;  ///< the first place whose archs are in no list
};

/// Follows `sm_$(sm)` to `$(foreach sm,$(SMS),...)` and to `SMS ?= 75 80`, the idiom of NVIDIA's
/// samples; `-arch=$(SM)` and `sm_$(SM)` to `SM = 80`. The values of shells, of parameters, of
/// functions and of other files are unread.
ComputedArchs computed_archs_in(const std::string& text);

}  // namespace archgrid::project

#endif
