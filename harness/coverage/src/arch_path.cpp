// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "arch_path.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <array>
#include <charconv>
#include <string_view>

#include "decimal.hpp"

namespace archgrid::coverage {
namespace {

bool is_small_letter(char c) {
  return c >= 'a' && c <= 'z';
}

std::string in_small_letters(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// Reports whether the file has code that the device may load.
bool has_code_for(const fatbin::File& file, ComputeCapability device) {
  return std::any_of(file.images.begin(), file.images.end(), [&](const fatbin::Image& image) {
    if (image.kind == fatbin::Kind::sass) return sass_loads(image.arch, device) != Loads::no;
    return ptx_reaches(image.arch, device);
  });
}

/// A number in a path, and the arch that it names.
struct NamedNumber {
  std::size_t begin = 0;  ///< includes a word before the number: "sm_"
  std::size_t end = 0;
  const Architecture* arch = nullptr;
};

/// Returns the start of the arch word before the number at `at`, or `at` if there is none.
std::size_t begin_of_prefix(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"compute", "arch", "sm", "cc"};
  const auto before = at > 0 && (text[at - 1] == '_' || text[at - 1] == '-') ? at - 1 : at;
  for (const auto prefix : kPrefixes) {
    if (before < prefix.size()) continue;
    const auto begin = before - prefix.size();
    const bool starts = begin == 0 || !is_small_letter(text[begin - 1]);
    if (starts && text.substr(begin, prefix.size()) == prefix) return begin;
  }
  return at;
}

/// Reads "90", "90a", "9.0" and "9_0"; the arch is null if no GPU has that number.
NamedNumber number_at(std::string_view text, std::size_t at) {
  NamedNumber found;
  found.begin = begin_of_prefix(text, at);
  found.end = at;
  while (found.end < text.size() && is_decimal(text[found.end])) ++found.end;
  const auto value = [&](std::size_t from, std::size_t to) {
    int number = 0;
    std::from_chars(text.data() + from, text.data() + to, number);
    return number;
  };
  const auto size = found.end - at;
  if (size > 3) return found;
  found.arch = table().find_architecture(value(at, found.end));
  const auto goes_on = [&](std::size_t place) {
    return place < text.size() && (is_decimal(text[place]) || is_small_letter(text[place]));
  };
  if (found.arch != nullptr) {
    const bool suffix =
        found.end < text.size() && (text[found.end] == 'a' || text[found.end] == 'f');
    if (suffix && !goes_on(found.end + 1)) ++found.end;
    return found;
  }
  const auto minor = found.end + 1;
  const bool separated =
      found.end < text.size() && (text[found.end] == '.' || text[found.end] == '_');
  if (!separated || size > 2 || !goes_on(minor) || !is_decimal(text[minor]) || goes_on(minor + 1)) {
    return found;
  }
  found.arch = table().find_architecture(value(at, found.end) * 10 + value(minor, minor + 1));
  if (found.arch != nullptr) found.end = minor + 1;
  return found;
}

}  // namespace

ArchPath::ArchPath(const fatbin::File& file) {
  const std::filesystem::path path(file.path);
  text_ = in_small_letters((path.parent_path() / path.stem()).string());
  name_ = text_.size() - std::min(text_.size(), path.stem().string().size());
  words_.resize(text_.size());
  find_words(file);
  rest_ = rest_of_name();
}

void ArchPath::find_words(const fatbin::File& file) {
  const std::string_view text = text_;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_decimal(text[at])) {
      ++at;
      continue;
    }
    const auto number = number_at(text, at);
    if (number.arch != nullptr) {
      const auto device = number.arch->device;
      words_[number.begin] = {number.end - number.begin, device, has_code_for(file, device),
                              number.begin != at};
    }
    at = number.end;
  }
  for (const auto& row : table().architectures) {
    if (!has_code_for(file, row.device)) continue;
    auto names = row.products;
    names.push_back(row.generation);
    for (const auto& product : names) {
      const auto name = in_small_letters(product);
      for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const auto end = at + name.size();
        const auto is_inner = [&](std::size_t place) {
          return place < text.size() && (is_small_letter(text[place]) || is_decimal(text[place]));
        };
        if ((at > 0 && is_inner(at - 1)) || is_inner(end)) continue;
        words_[at] = {name.size(), row.device, true, false};
      }
    }
  }
  named_ = std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(name_), words_.end(),
                       [](const Word& word) { return word.served; });
}

const ArchPath::Word* ArchPath::word_at(std::size_t at) const {
  return words_[at].size == 0 ? nullptr : &words_[at];
}

bool ArchPath::may_be_contradicted() const {
  return std::any_of(words_.begin(), words_.end(),
                     [](const Word& word) { return word.marked && !word.served; });
}

bool ArchPath::differs_by_arch_alone(const ArchPath& other) const {
  std::size_t at = 0;
  std::size_t place = 0;
  while (at < text_.size() && place < other.text_.size()) {
    const auto* word = word_at(at);
    const auto* beside = other.word_at(place);
    if (word != nullptr && beside != nullptr && word->served && beside->served) {
      at += word->size;
      place += beside->size;
    } else if (text_[at++] != other.text_[place++]) {
      return false;
    }
  }
  return at == text_.size() && place == other.text_.size();
}

std::optional<ComputeCapability> ArchPath::contradicted_beside(const ArchPath& other) const {
  std::optional<ComputeCapability> contradicted;
  std::size_t at = 0;
  std::size_t place = 0;
  while (at < text_.size() && place < other.text_.size()) {
    const auto* word = word_at(at);
    const auto* beside = other.word_at(place);
    if (word != nullptr && beside != nullptr && beside->served) {
      const bool same = text_.compare(at, word->size, other.text_, place, beside->size) == 0;
      if (word->marked && !word->served && !same) contradicted = word->device;
      at += word->size;
      place += beside->size;
    } else if (text_[at++] != other.text_[place++]) {
      return std::nullopt;
    }
  }
  const bool alike = at == text_.size() && place == other.text_.size();
  return alike ? contradicted : std::nullopt;
}

std::string ArchPath::rest_of_name() const {
  std::string rest;
  for (auto at = name_; at < text_.size();) {
    const auto* word = word_at(at);
    if (word != nullptr && word->served) {
      at += word->size;
      continue;
    }
    const char c = text_[at++];
    if (c != '_' && c != '-' && c != '.') rest += c;
  }
  return rest;
}

bool ArchPath::is_beside(const ArchPath& other) const {
  if (!named_ && !other.named_) return false;
  if (text_.compare(0, name_, other.text_, 0, other.name_) != 0) return false;
  return rest_.starts_with(other.rest_) || other.rest_.starts_with(rest_);
}

}  // namespace archgrid::coverage
