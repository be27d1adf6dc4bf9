// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include <iterator>
#include <map>
#include <optional>

#include "named_kernels.hpp"
#include "search.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kWrapperSize = 24;
constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kLinkedWrapper = 2;
constexpr std::uint64_t kPaddingSize = 8;

/// A resolver of the pointers in registration wrappers.
class Pointers {
 public:
  explicit Pointers(const HostImage& image) : image_(image) {
    for (const auto& section : image.sections) {
      if (section.address == 0 || section.data.size() == 0) continue;
      sections_.emplace(section.address, &section);
    }
  }

  /// Returns the address that the pointer at `at` of `section` has in memory.
  [[nodiscard]] std::uint64_t value(const HostSection& section, std::uint64_t at) const {
    const auto relocated = image_.pointers.find(section.address + at);
    return relocated != image_.pointers.end()
               ? relocated->second
               : section.data.at<std::uint64_t>(at, "fat binary pointer");
  }

  /// Returns the file offset of an address.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::uint64_t address) const {
    const auto after = sections_.upper_bound(address);
    if (after == sections_.begin()) return std::nullopt;
    const auto& [start, section] = *std::prev(after);
    if (address - start >= section->data.size()) return std::nullopt;
    return section->data.base() + (address - start);
  }

 private:
  const HostImage& image_;
  std::map<std::uint64_t, const HostSection*> sections_;
};

using ModulesByOffset = std::map<std::uint64_t, Module*>;

ModulesByOffset modules_by_offset(File& file) {
  ModulesByOffset modules;
  for (auto& module : file.modules) modules.emplace(module.offset, &module);
  return modules;
}

/// Returns the start of the first wrapper at or after `at`, or the end of the section.
std::uint64_t next_wrapper(const HostImage& image, Bytes data, std::uint64_t at) {
  while (image.padded && data.contains(at, kPaddingSize) &&
         data.at<std::uint64_t>(at, "padding") == 0) {
    at += kPaddingSize;
  }
  return at;
}

/// Reads registrations. Adds those without a fat binary to `File::dangling`, or to `null` if their
/// pointer is null.
void read_wrappers(const HostImage& image, const HostSection& section, const Pointers& pointers,
                   const ModulesByOffset& modules, std::vector<std::uint64_t>& null, File& file) {
  const Bytes data = section.data;
  for (auto at = next_wrapper(image, data, 0); at < data.size();
       at = next_wrapper(image, data, at + kWrapperSize)) {
    const auto magic = data.at<std::uint32_t>(at, "registration wrapper");
    if (magic != kWrapperMagic) {
      data.fail(at, fmt::format("registration wrapper expected here (magic 0x466243b1), found "
                                "{:#x}",
                                magic));
    }
    const auto version = data.at<std::uint32_t>(at + 4, "wrapper version");
    const auto address = pointers.value(section, at + 8);
    const auto target = pointers.offset_of(address);
    const auto found = target ? modules.find(*target) : modules.end();
    if (found == modules.end()) {
      (address == 0 ? null : file.dangling).push_back(data.base() + at);
      continue;
    }
    Module& module = *found->second;
    module.registered = true;
    module.linked = module.linked || version == kLinkedWrapper;
    const auto unit = image.units.find(section.address + at);
    if (unit != image.units.end()) module.unit = unit->second;
  }
}

void mark_registered(const HostImage& image, File& file) {
  const Pointers pointers(image);
  const auto modules = modules_by_offset(file);
  std::vector<std::uint64_t> null;
  for (const auto& section : image.sections) {
    if (!is_named(section.name, kWrapperSection)) continue;
    try {
      read_wrappers(image, section, pointers, modules, null, file);
    } catch (const Unreadable& error) {
      file.errors.push_back({error.offset, error.what()});
    }
  }
  // nvprune leaves null pointers where a unit of a static library has no code for the wanted archs;
  // 300 of 382 in libtorch_cuda_cpp.so of torch 1.13.1. If all are null, the linker dropped the
  // code.
  const bool is_pruned = image.format != "object" &&
                         std::any_of(file.modules.begin(), file.modules.end(),
                                     [](const Module& module) { return module.registered; });
  if (!is_pruned) file.dangling.insert(file.dangling.end(), null.begin(), null.end());
}

/// Marks the modules that are cubins or PTX outside of fat binaries, which only host code loads.
std::vector<bool> bare_modules(const File& file) {
  std::vector<bool> bare(file.modules.size());
  for (const auto& image : file.images) {
    // A fat binary begins with its own header, before any image.
    bare[image.module] = image.offset == file.modules[image.module].offset;
  }
  return bare;
}

/// Records the device link's functions that a file imports and defines. A library fails to load
/// without its imports; an object has yet to be linked.
void note_device_link(const HostImage& image, File& file) {
  if (image.format == "object") return;
  for (const auto name : image.imports) {
    if (name.substr(0, kRegistersUnit.size()) == kRegistersUnit)
      file.undefined_registrations.emplace_back(name);
  }
  file.defined_registrations = {image.defined_registrations.begin(),
                                image.defined_registrations.end()};
}

}  // namespace

void note_host_lto(HostLto lto, File& file) {
  file.host_lto = lto == HostLto::opaque;
  if (lto != HostLto::kernels) return;
  file.errors.push_back({0,
                         "its device code is hidden in the host compiler's LTO data (-flto): "
                         "compile it with -ffat-lto-objects, too, or without -flto"});
}

void read_host(const HostImage& image, const ReadOptions& options, File& file) {
  auto names = search(image, options, file, [&] { mark_registered(image, file); });
  const auto bare = bare_modules(file);
  for (auto& module : file.modules) {
    module.relocatable = is_named(module.section, kRelocatableSection);
    // Without sections, wrappers cannot be distinguished from other data: assume the strict rule.
    const bool may_be = !image.has_sections && !bare[module.index];
    module.registered = module.registered || may_be;
  }
  if (options.host_names && options.detail != Detail::names) mark_named_kernels(image, file);
  mark_shared_stubs(image, file);
  note_device_link(image, file);
  note_host_lto(image.lto, file);
  file.needed = {image.libraries.begin(), image.libraries.end()};
  file.loaders = imported_loaders(image);
  file.mentions_nvrtc = names.mentions_nvrtc();
  file.named_loaders = names.take(file.loaders);
}

}  // namespace archgrid::fatbin
