// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/diff.hpp>
#include <map>

#include "decimal.hpp"

namespace archgrid::coverage {
namespace {

constexpr std::size_t kWheelHash = 8;

bool is_hex(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'f');
}

bool is_separator(char c) {
  return c == '/' || c == '!';
}

/// Returns the path within the side: "pkg/libx.so" for "foo.whl!pkg/libx.so".
std::string inner_path(const std::string& path, const std::string& root) {
  if (path.compare(0, root.size(), root) != 0) return path;
  auto begin = root.size();
  while (begin < path.size() && is_separator(path[begin])) ++begin;
  return path.substr(begin);
}

/// Returns the end of the characters from `begin` that satisfy `is`.
template <typename Is>
std::size_t run_end(const std::string& text, std::size_t begin, const Is& is) {
  while (begin < text.size() && is(text[begin])) ++begin;
  return begin;
}

/// Returns the end of a version like "12.4.1" at `begin`, or `begin` if there is none. A number
/// without a dot is not a version: kernels_sm80.o differs from kernels_sm90.o.
std::size_t version_end(const std::string& text, std::size_t begin) {
  auto end = run_end(text, begin, is_decimal);
  std::size_t dots = 0;
  while (end > begin && end + 1 < text.size() && text[end] == '.' && is_decimal(text[end + 1])) {
    end = run_end(text, end + 1, is_decimal);
    ++dots;
  }
  return dots > 0 ? end : begin;
}

/// Returns the end of a hash like "1a2b3c4d", which wheel repair tools append to library names
/// after a dash.
std::size_t hash_end(const std::string& text, std::size_t begin) {
  const auto end = run_end(text, begin, is_hex);
  const bool after_dash = begin > 0 && text[begin - 1] == '-';
  const bool whole = end == text.size() || text[end] == '.';
  return after_dash && whole && end - begin == kWheelHash ? end : begin;
}

/// Returns "libx.so" for "libx.so.12": there, a number without a dot is a version, too.
std::string without_soname_version(const std::string& path) {
  const auto at = path.rfind(".so.");
  if (at == std::string::npos) return path;
  const auto end = run_end(path, at + 4, [](char c) { return is_decimal(c) || c == '.'; });
  return end == path.size() ? path.substr(0, at + 3) : path;
}

/// Returns "cublas64" for "cublas64_12.dll".
std::string without_dll_version(const std::string& path) {
  const auto at = path.rfind('_');
  if (at == std::string::npos) return path;
  const auto end = run_end(path, at + 1, is_decimal);
  return end > at + 1 && path.compare(end, std::string::npos, ".dll") == 0
             ? path.substr(0, at) + path.substr(end)
             : path;
}

}  // namespace

std::string_view package_of(std::string_view path) {
  for (auto end = path.rfind('!'); end != std::string_view::npos; end = path.rfind('!')) {
    path = path.substr(0, end);
    if (!path.ends_with(".a") && !path.ends_with(".lib")) return path;
  }
  return {};
}

std::string without_versions(const std::string& path) {
  const auto text = without_dll_version(without_soname_version(path));
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::max(version_end(text, at), hash_end(text, at));
    if (end > at) {
      result += '#';
      at = end;
    } else if (is_decimal(text[at])) {  // otherwise the tail of a number would match as a version
      const auto digits = run_end(text, at, is_decimal);
      result += text.substr(at, digits - at);
      at = digits;
    } else {
      result += text[at++];
    }
  }
  return result;
}

namespace {

std::string name_without_versions(const std::string& path) {
  const auto key = without_versions(path);
  const auto at = key.find_last_of("/!");
  return at == std::string::npos ? key : key.substr(at + 1);
}

std::string itself(const std::string& path) {
  return path;
}

/// The files of a side, by their paths within it.
struct Side {
  explicit Side(const Release& release) : paired(release.files.size()) {
    for (const auto& file : release.files) paths.push_back(inner_path(file.path, release.path));
  }

  std::vector<std::string> paths;
  std::vector<bool> paired;
};

using KeyOfName = std::string (*)(const std::string&);

/// Returns the unpaired files by key.
std::map<std::string, std::vector<std::size_t>> places_of(const Side& side, KeyOfName key) {
  std::map<std::string, std::vector<std::size_t>> places;
  for (std::size_t index = 0; index < side.paths.size(); ++index) {
    if (!side.paired[index]) places[key(side.paths[index])].push_back(index);
  }
  return places;
}

void pair_by(KeyOfName key, Side& before, Side& after, std::vector<Pair>& pairs) {
  const auto places = places_of(after, key);
  for (const auto& [name, indices] : places_of(before, key)) {
    const auto found = places.find(name);
    if (found == places.end() || indices.size() != 1 || found->second.size() != 1) continue;
    pairs.push_back({indices.front(), found->second.front()});
    before.paired[indices.front()] = true;
    after.paired[found->second.front()] = true;
  }
}

}  // namespace

std::string name_within(const Release& release, std::size_t file) {
  const auto& path = release.files.at(file).path;
  const auto inner = inner_path(path, release.path);
  return inner.empty() ? path.substr(path.find_last_of('/') + 1) : inner;
}

std::vector<Pair> pair_files(const Release& before, const Release& after) {
  if (before.files.size() == 1 && after.files.size() == 1) return {{0, 0}};
  Side old_side(before);
  Side new_side(after);
  std::vector<Pair> pairs;
  for (const auto key : {itself, without_versions, name_without_versions}) {
    pair_by(key, old_side, new_side, pairs);
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& left, const Pair& right) { return left.before < right.before; });
  for (std::size_t index = 0; index < old_side.paths.size(); ++index) {
    if (!old_side.paired[index]) pairs.push_back({index, kUnpaired});
  }
  for (std::size_t index = 0; index < new_side.paths.size(); ++index) {
    if (!new_side.paired[index]) pairs.push_back({kUnpaired, index});
  }
  return pairs;
}

}  // namespace archgrid::coverage
