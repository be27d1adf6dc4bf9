// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "file_notes.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <archgrid/coverage/newer.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "audit_notes.hpp"
#include "contains.hpp"
#include "joined.hpp"

namespace archgrid::coverage {
namespace {

template <typename Such>
void note_images(const fatbin::File& file, const char* code, const Such& is_such, Audit& result) {
  const auto count = std::count_if(file.images.begin(), file.images.end(), is_such);
  if (count == 0) return;
  add_note(file, code,
           {{"images", std::to_string(count)}, {"of", std::to_string(file.images.size())}}, result);
}

// Promises and budgets of the matrix may differ by toolkit.
void note_other_toolkit(const fatbin::File& file, Version toolkit, Audit& result) {
  std::set<std::string> made_with;
  for (const auto& image : file.images) {
    if (!image.toolkit.empty()) made_with.insert(image.toolkit);
  }
  if (made_with.empty() || made_with.count(toolkit.text()) != 0) return;
  add_note(file, "other-toolkit", {{"toolkit", toolkit.text()}, {"made-with", joined(made_with)}},
           result);
}

/// Reports whether a module registered with the runtime contains variables but no kernels.
bool is_of_variables(const fatbin::Module& module,
                     const std::vector<const fatbin::Image*>& images) {
  if (!module.registered || module.linked || module.relocatable) return false;
  // Unread PTX has the kernels of the machine code beside it.
  const auto has_none = [](const fatbin::Image* image) {
    return image->kernels.empty() && image->error.empty();
  };
  return std::all_of(images.begin(), images.end(), has_none) &&
         std::any_of(images.begin(), images.end(),
                     [](const fatbin::Image* image) { return image->variables; });
}

bool may_serve(const std::vector<const fatbin::Image*>& images, ComputeCapability device) {
  return std::any_of(images.begin(), images.end(), [&](const fatbin::Image* image) {
    if (image->kind == fatbin::Kind::sass) return sass_loads(image->arch, device) != Loads::no;
    return ptx_reaches(image->arch, device);
  });
}

}  // namespace

void note_stripped(const fatbin::File& file, Audit& result) {
  if (file.dangling.empty()) return;
  find_in(file, "stripped",
          {{"fat-binaries", std::to_string(file.dangling.size())},
           {"offset", std::to_string(file.dangling.front())}},
          result);
}

void note_build(const fatbin::File& file, const Request& request, Audit& result) {
  if (!file.loaders.empty()) {
    add_note(file, "loads-at-run-time", {{"loaders", joined(file.loaders)}}, result);
  }
  if (file.host_lto) add_note(file, "host-lto", {}, result);
  if (request.toolkit) note_other_toolkit(file, *request.toolkit, result);
  note_images(
      file, "debug-code", [](const auto& image) { return image.debug; }, result);
  note_images(
      file, "obfuscated", [](const auto& image) { return image.obfuscated; }, result);
}

void note_picked(const FileAudit& audit, Audit& result) {
  const auto picked = std::count_if(audit.rows.begin(), audit.rows.end(),
                                    [](const Row& row) { return row.kernel.loaded_explicitly; });
  if (picked == 0 || audit.file.modules.empty() || audit.file.modules[0].section.empty()) return;
  const auto several = std::count_if(audit.rows.begin(), audit.rows.end(),
                                     [](const Row& row) { return row.kernel.implementations > 1; });
  add_note(audit.file, "picked-by-host",
           {{"kernels", std::to_string(picked)},
            {"of", std::to_string(audit.rows.size())},
            {"several", std::to_string(several)}},
           result);
}

// Host code that picks files by name loads this file on that GPU.
void note_misnamed(const fatbin::File& file, std::optional<ComputeCapability> named,
                   Audit& result) {
  if (!named || !contains(result.devices, *named)) return;
  std::set<std::string> archs;
  for (const auto& image : file.images) archs.insert(image.arch.text());
  find_in(file, "misnamed", {{"named", std::to_string(named->number())}, {"archs", joined(archs)}},
          result);
}

void note_settled(const fatbin::File& file, Facts facts, Audit& result) {
  if (!facts.empty()) add_note(file, "picked-by-host", std::move(facts), result);
}

void note_newer(const fatbin::File& file, const ImageSelector& selector, const Request& request,
                Audit& result) {
  auto newer = newer_gpus(file, selector);
  // The table does not know which GPUs a driver of today may learn to know.
  if (newer && newer->kernels > 0 && request.driver) return;
  if (newer) result.notes.push_back({"newer-gpus", file.path, {}, std::move(newer)});
}

void note_unserved_variables(const fatbin::File& file, Audit& result) {
  std::vector<std::vector<const fatbin::Image*>> images(file.modules.size());
  for (const auto& image : file.images) images[image.module].push_back(&image);
  std::set<ComputeCapability> unserved;
  std::set<std::string> units;
  std::size_t modules = 0;
  for (const auto& module : file.modules) {
    if (!is_of_variables(module, images[module.index])) continue;
    bool lacks = false;
    for (const auto device : result.devices) {
      if (may_serve(images[module.index], device)) continue;
      unserved.insert(device);
      lacks = true;
    }
    if (!lacks) continue;
    ++modules;
    if (!module.unit.empty()) units.insert(module.unit);
  }
  if (modules == 0) return;
  add_note(file, "unserved-variables",
           {{"modules", std::to_string(modules)},
            {"of", std::to_string(file.modules.size())},
            {"gpus", list_devices(unserved)},
            {"unit", units.empty() ? std::string() : *units.begin()}},
           result);
}

}  // namespace archgrid::coverage
