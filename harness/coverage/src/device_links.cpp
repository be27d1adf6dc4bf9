// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "device_links.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "audit_notes.hpp"
#include "joined.hpp"

namespace archgrid::coverage {
namespace {

void find_unlinked(const fatbin::File& file, const std::set<std::string>& units, Audit& result) {
  constexpr std::size_t kMaxNamed = 3;
  const auto named = std::min(units.size(), kMaxNamed);
  const auto end = std::next(units.begin(), static_cast<std::ptrdiff_t>(named));
  find_in(file, "not-device-linked",
          {{"units", joined(std::vector<std::string>(units.begin(), end))},
           {"more", std::to_string(units.size() - named)}},
          result);
}

}  // namespace

void note_not_device_linked(Audit& result) {
  std::set<std::string> linked;
  for (const auto& audit : result.files) {
    linked.insert(audit.file.defined_registrations.begin(), audit.file.defined_registrations.end());
  }
  for (const auto& audit : result.files) {
    std::set<std::string> units;
    for (const auto& symbol : audit.file.undefined_registrations) {
      if (linked.count(symbol) == 0) units.insert(fatbin::unit_of_registration(symbol));
    }
    if (!units.empty()) find_unlinked(audit.file, units, result);
  }
}

void resolve_across_files(Audit& result) {
  const auto lacks = [](const fatbin::Image& image) { return !image.undefined.empty(); };
  std::set<std::string> defined;
  bool any = false;
  for (const auto& audit : result.files) {
    const auto& images = audit.file.images;
    any = any || std::any_of(images.begin(), images.end(), lacks);
    for (const auto& image : images) {
      if (audit.file.modules[image.module].registered) continue;
      defined.insert(image.defined.begin(), image.defined.end());
    }
  }
  if (!any || defined.empty()) return;
  for (auto& audit : result.files) {
    for (auto& image : audit.file.images) {
      if (audit.file.modules[image.module].registered) continue;
      std::erase_if(image.undefined,
                    [&](const std::string& name) { return defined.count(name) != 0; });
    }
  }
}

}  // namespace archgrid::coverage
