// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "identity_text.hpp"

#include <algorithm>
#include <array>

namespace archgrid::fatbin {

std::string_view without_folder(std::string_view data) {
  constexpr std::array<std::string_view, 12> kSources = {
      ".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".cpp", ".cc", ".cxx", ".c"};
  if (data.size() < 2 || data.back() != '\0') return data;
  const auto text = data.substr(0, data.size() - 1);
  const bool is_drive = text.size() > 3 && text[1] == ':' && (text[2] == '\\' || text[2] == '/');
  const bool is_source =
      std::any_of(kSources.begin(), kSources.end(), [&](std::string_view ending) {
        return text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending;
      });
  const bool is_text = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f';
  });
  if (!is_source || !is_text || !(text.front() == '/' || is_drive)) return data;
  return data.substr(text.find_last_of("/\\") + 1);
}

bool is_numbered(std::string_view name) {
  return name.find("$str") != std::string_view::npos ||
         name.find("__unnamed_") != std::string_view::npos;
}

}  // namespace archgrid::fatbin
