// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Small readers of words, shared by the sources of this library.
#ifndef ARCHGRID_CELL_WORDS_HPP
#define ARCHGRID_CELL_WORDS_HPP

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::cell {

inline bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

inline bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

inline bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the non-empty parts of `text` between any of `separators`.
inline std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

inline std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

/// Returns the arch that "90" or "90a" names, whether or not the data table has its number.
inline std::optional<fatbin::Arch> read_arch(std::string_view text) {
  fatbin::Arch arch;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, arch.number);
  if (error != std::errc() || arch.number < 10 || arch.number > 999) return std::nullopt;
  if (rest == end) return arch;
  if (rest + 1 != end || (*rest != 'a' && *rest != 'f')) return std::nullopt;
  arch.suffix = *rest;
  return arch;
}

/// Returns <target> for "CMakeFiles/<target>.dir/x.cu.o".
inline std::string target_of(std::string_view output) {
  constexpr std::string_view kFolder = "CMakeFiles/";
  const auto begin = output.find(kFolder);
  if (begin == std::string_view::npos) return {};
  const auto name = output.substr(begin + kFolder.size());
  const auto end = name.find(".dir/");
  return end == std::string_view::npos ? std::string() : std::string(name.substr(0, end));
}

/// Reports whether `file` is `folder` or inside it. Both must be free of links and "..".
inline bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

/// Returns the folders that a linker searches by default. `library_path`: LIBRARY_PATH of its
/// environment.
inline std::vector<std::filesystem::path> system_library_folders(const std::string& library_path) {
  std::vector<std::filesystem::path> folders;
  for (const auto& folder : split(library_path, ":")) folders.emplace_back(folder);
  for (const auto* folder : {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu",
                             "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

inline bool is_nvcc(std::string_view word) {
  return word == "nvcc" || ends_with(word, "/nvcc");
}

}  // namespace archgrid::cell

#endif
