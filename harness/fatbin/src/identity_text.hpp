// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_FATBIN_IDENTITY_TEXT_HPP
#define ARCHGRID_FATBIN_IDENTITY_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "digest.hpp"

namespace archgrid::fatbin {

/// Returns the absolute path of a source file, as assert() has it, without the folder. Other data
/// is returned unchanged.
std::string_view without_folder(std::string_view data);

/// Reports whether the compiler numbers variables of this name by their order in the module:
/// strings, and the texts of assert().
bool is_numbered(std::string_view name);

/// References that the kernels of one module or device link may have together, each counted for
/// every kernel that reaches it. No library seen comes near.
constexpr std::uint64_t kMaxReferences = std::uint64_t{1} << 28;

/// Adds a function and all that it reaches: the hash of each, once, and what it refers to by its
/// number in the order of the first reference, which does not depend on the rest of a module.
/// `item(place)` returns an object with `hash` and `targets`; `definition(target)` a place. Returns
/// the places. Throws Unreadable if there are more references than `references`, which it reduces.
template <typename Place, typename ItemOf, typename Definition>
std::vector<Place> add_reached(Digest& digest, const Place& start, const ItemOf& item,
                               const Definition& definition, std::uint64_t& references) {
  std::map<Place, std::size_t> numbers;
  std::vector<Place> reached;
  const auto number_of = [&](const Place& place) {
    const auto [known, is_new] = numbers.emplace(place, numbers.size());
    if (is_new) reached.push_back(place);
    return known->second;
  };
  number_of(start);
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const auto& found = item(reached[at]);
    digest.add(found.hash);
    if (found.targets.size() > references) throw Unreadable(0, "too many references");
    references -= found.targets.size();
    for (const auto& target : found.targets) digest.add(number_of(definition(target)));
  }
  return reached;
}

}  // namespace archgrid::fatbin

#endif
