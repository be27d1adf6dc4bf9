// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "identity_text.hpp"

#include <algorithm>

namespace archgrid::fatbin {

std::string_view without_folder(std::string_view data) {
  const bool is_text =
      data.size() > 1 && data.back() == '\0' &&
      std::all_of(data.begin(), data.end() - 1, [](char c) { return c > ' ' && c != '\x7f'; });
  if (!is_text) return data;
  const auto slash = data.find_last_of("/\\");
  return slash == std::string_view::npos ? data : data.substr(slash + 1);
}

bool is_numbered(std::string_view name) {
  return name.find("$str") != std::string_view::npos ||
         name.find("__unnamed_") != std::string_view::npos;
}

}  // namespace archgrid::fatbin
