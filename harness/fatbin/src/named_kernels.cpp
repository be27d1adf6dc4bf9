// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "named_kernels.hpp"

#include <algorithm>
#include <archgrid/system/mapped_file.hpp>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace archgrid::fatbin {
namespace {

/// The names of kernels; true if a string of the host code equals the name.
using NamedByHost = std::unordered_map<std::string_view, bool>;

/// Calls `visit` with each kernel and, if the kernel at the same index of the previous image has
/// the same name, with that one: images of one module contain the same kernels for different
/// architectures.
template <typename Images, typename Visit>
void for_each_kernel(Images& images, Visit visit) {
  const Image* previous = nullptr;
  for (auto& image : images) {
    for (std::size_t index = 0; index < image.kernels.size(); ++index) {
      auto& kernel = image.kernels[index];
      const bool repeated = previous != nullptr && index < previous->kernels.size() &&
                            previous->kernels[index].name == kernel.name;
      visit(kernel, repeated ? &previous->kernels[index] : nullptr);
    }
    previous = &image;
  }
}

bool is_graphic(char c) {
  return c > ' ' && c <= '~';
}

/// A search for names among the zero-terminated strings of host code. Linkers merge a string into
/// the end of another, and bytes before a string may look like letters, so the ends of strings are
/// looked up.
class NameFinder {
 public:
  explicit NameFinder(NamedByHost& names) : names_(names) {
    for (const auto& [name, named] : names) {
      longest_ = std::max(longest_, name.size());
      const bool is_mangled = name.substr(0, kMangled.size()) == kMangled;
      const bool is_short = name.size() < kTail;
      has_short_ = has_short_ || is_short;
      if (!is_short) tails_.set(slot_of(tail_of(name)));
      if (!is_mangled) plain_lengths_[is_short ? 0 : tail_of(name)].insert(name.size());
    }
  }

  void search(std::string_view text) {
    // Release searched pages: a section may be larger than memory.
    constexpr std::size_t kPiece = std::size_t{16} << 20;
    std::size_t released = 0;
    for (auto end = text.find('\0'); end != std::string_view::npos;) {
      if (may_end_name(text.substr(0, end))) {
        auto begin = end;
        while (begin > 0 && end - begin < longest_ && is_graphic(text[begin - 1])) --begin;
        look_up_ends(text.substr(begin, end - begin));
      }
      if (end - released > kPiece + longest_) {
        system::release(text.substr(released, end - longest_ - released));
        released = end - longest_;
      }
      const auto next = text.find_first_not_of('\0', end);
      end = next == std::string_view::npos ? next : text.find('\0', next);
    }
    system::release(text.substr(released));
  }

 private:
  static constexpr std::string_view kMangled = "_Z";
  static constexpr std::size_t kTail = 6;  // characters that are compared first
  static constexpr int kBitsOfSlot = 16;
  using Slots = std::bitset<1 << kBitsOfSlot>;

  /// Returns the last kTail characters. One load of eight bytes: a processor waits for two stores
  /// before it loads what they wrote together.
  static std::uint64_t tail_of(std::string_view text) {
    std::uint64_t tail = 0;
    constexpr auto kOneLoad = sizeof(tail);
    if (text.size() >= kOneLoad) {
      std::memcpy(&tail, text.data() + text.size() - kOneLoad, kOneLoad);
      return tail >> (8 * (kOneLoad - kTail));
    }
    std::memcpy(&tail, text.data() + text.size() - kTail, kTail);
    return tail;
  }

  static std::size_t slot_of(std::uint64_t tail) {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio
    return static_cast<std::size_t>((tail * kMix) >> (64 - kBitsOfSlot));
  }

  /// Reports whether the end of the text may be the end of a name. Most strings are sorted out
  /// here.
  [[nodiscard]] bool may_end_name(std::string_view text) const {
    return has_short_ || (text.size() >= kTail && tails_.test(slot_of(tail_of(text))));
  }

  void look_up_ends(std::string_view text) {
    for (auto at = text.find(kMangled); at != std::string_view::npos;
         at = text.find(kMangled, at + 1)) {
      look_up(text.substr(at));
    }
    if (has_short_) look_up_plain(text, 0);
    if (text.size() >= kTail) look_up_plain(text, tail_of(text));
  }

  void look_up_plain(std::string_view text, std::uint64_t tail) {
    const auto found = plain_lengths_.find(tail);
    if (found == plain_lengths_.end()) return;
    for (const auto length : found->second) {
      if (length > text.size()) break;
      look_up(text.substr(text.size() - length));
    }
  }

  void look_up(std::string_view name) {
    const auto found = names_.find(name);
    if (found != names_.end()) found->second = true;
  }

  NamedByHost& names_;
  std::size_t longest_ = 0;
  /// Lengths of names that are not mangled, by their last kTail characters; by 0 of shorter ones.
  std::unordered_map<std::uint64_t, std::set<std::size_t>> plain_lengths_;
  bool has_short_ = false;  ///< some name is shorter than kTail
  Slots tails_;             ///< slots of the other names' ends
};

/// Reports whether compilers put strings into the section. Without sections, any part of the
/// program may contain some.
bool contains_constants(const HostImage& image, const HostSection& section) {
  if (!section.is_text || contains_only_containers(section.name)) return false;
  const auto has = [&](std::string_view word) {
    return section.name.find(word) != std::string_view::npos;
  };
  return !image.has_sections || has("rodata") || has("rdata");
}

/// Returns the parts of a section that no image covers, as cubins contain the names of their
/// kernels.
std::vector<std::string_view> uncovered_parts(const Bytes& data, const std::vector<Image>& images) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> covered;
  for (const auto& image : images) covered.emplace_back(image.offset, image.offset + image.stored);
  std::sort(covered.begin(), covered.end());
  std::vector<std::string_view> parts;
  const auto end = data.base() + data.size();
  auto at = data.base();
  for (const auto& [begin, next] : covered) {
    if (begin >= end) break;
    if (begin > at) parts.push_back(data.text().substr(at - data.base(), begin - at));
    at = std::max(at, next);
  }
  if (at < end) parts.push_back(data.text().substr(at - data.base()));
  return parts;
}

}  // namespace

void mark_named_kernels(const HostImage& image, File& file) {
  NamedByHost names;
  for_each_kernel(file.images, [&](const Kernel& kernel, const Kernel* repeated) {
    if (repeated == nullptr) names.emplace(kernel.name, false);
  });
  if (names.empty()) return;
  NameFinder finder(names);
  for (const auto& section : image.sections) {
    if (!contains_constants(image, section)) continue;
    for (const auto part : uncovered_parts(section.data, file.images)) finder.search(part);
  }
  for_each_kernel(file.images, [&](Kernel& kernel, const Kernel* repeated) {
    kernel.named_by_host =
        repeated != nullptr ? repeated->named_by_host : names.find(kernel.name)->second;
  });
}

void mark_shared_stubs(const HostImage& image, File& file) {
  if (image.weak_functions.empty()) return;
  constexpr auto kNoModule = static_cast<std::size_t>(-1);
  std::unordered_map<std::string_view, std::size_t> first;  // module with the kernel
  for (const auto name : image.weak_functions) first.emplace(name, kNoModule);
  std::unordered_set<std::string_view> merged;
  for (const auto& one : file.images) {
    if (!file.modules[one.module].registered) continue;
    for (const auto& kernel : one.kernels) {
      const auto found = first.find(kernel.name);
      if (found == first.end()) continue;
      if (found->second == kNoModule) found->second = one.module;
      if (found->second != one.module) merged.insert(found->first);
    }
  }
  for (const auto name : image.local_functions) merged.erase(name);
  if (merged.empty()) return;
  for (auto& one : file.images) {
    for (auto& kernel : one.kernels) kernel.has_shared_stub = merged.count(kernel.name) != 0;
  }
}

}  // namespace archgrid::fatbin
