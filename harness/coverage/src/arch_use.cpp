// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/arch_plan.hpp>
#include <archgrid/coverage/image_selector.hpp>
#include <archgrid/coverage/load_rules.hpp>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace archgrid::coverage {
namespace {

using fatbin::File;
using fatbin::Image;
using fatbin::Kind;

using Images = std::vector<const Image*>;

/// The images with one kernel, by module.
struct Holders {
  std::string_view name;
  std::map<std::size_t, Images> images;
};
using Key = std::tuple<Kind, int, char>;

Key key_of(const Image& image) {
  return {image.kind, image.arch.number, image.arch.suffix};
}

/// Reports whether the promise accepts the verdict that the image alone would give a device.
bool is_accepted(const Image& image, ComputeCapability device, const Promise& promise) {
  if (image.kind == Kind::sass && sass_loads(image.arch, device) == Loads::yes) {
    const bool exact = image.arch.number == device.number();
    return promise.accept.count(exact ? Verdict::native : Verdict::compatible) != 0;
  }
  return image.kind == Kind::ptx && ptx_reaches(image.arch, device) &&
         promise.accept.count(Verdict::jit) != 0;
}

class Counter {
 public:
  Counter(const std::vector<Promise>& promises, const std::vector<PlannedArch>& planned)
      : promises_(promises) {
    for (const auto& promise : promises) all_.push_back(&promise);
    for (const auto& [arch, sass, ptx] : planned) {
      if (sass) planned_.insert({Kind::sass, arch.number, arch.suffix});
      if (ptx) planned_.insert({Kind::ptx, arch.number, arch.suffix});
    }
  }

  void add(const File& file) {
    std::unordered_map<std::string_view, Holders> holders;
    for (const auto& image : file.images) {
      add(image);
      for (const auto& kernel : image.kernels) {
        auto& entry = holders[kernel.name];
        entry.name = kernel.name;
        entry.images[image.module].push_back(&image);
      }
    }
    const Holders nobody;
    const ImageSelector selector(file);
    std::vector<bool> held(file.modules.size());
    for (const auto& row : selector.kernels()) {
      const auto found = holders.find(row.name.str());
      note_takers(selector, row, promises_of(promises_, row),
                  found == holders.end() ? nobody : found->second);
      for (const auto module : row.modules) held[module] = true;
    }
    add_modules_without_kernels(file, selector, held);
  }

  std::vector<ArchUse> take() {
    std::vector<ArchUse> result;
    for (auto& [key, entry] : entries_) {
      entry.use.kernels = entry.kernels.size();
      entry.use.irreplaceable = entry.irreplaceable.size();
      result.push_back(std::move(entry.use));
    }
    return result;
  }

 private:
  struct Entry {
    ArchUse use;
    std::unordered_set<std::string_view> kernels;
    std::unordered_set<std::string_view> irreplaceable;
  };

  void add(const Image& image) {
    auto& entry = entries_[key_of(image)];
    auto& use = entry.use;
    use.kind = image.kind;
    use.arch = image.arch;
    use.judged = image.kind == Kind::sass || image.kind == Kind::ptx;
    use.planned = is_planned(image);
    ++use.images;
    use.bytes += image.decompressed_bytes;
    use.stored += image.stored;
    for (const auto& kernel : image.kernels) entry.kernels.insert(kernel.name);
  }

  [[nodiscard]] bool is_planned(const Image& image) const {
    return planned_.count(key_of(image)) != 0;
  }

  void note_takers(const ImageSelector& selector, const KernelRow& row,
                   const std::vector<const Promise*>& promises, const Holders& holders) {
    for (const auto* promise : promises) {
      const auto* driver = promise->driver ? &*promise->driver : nullptr;
      for (const auto device : promise->devices) {
        const auto serves = [&](const Image* image) {
          return is_accepted(*image, device, *promise);
        };
        for (const auto* image : selector.taken_images(row, device, driver)) {
          auto& entry = entries_[key_of(*image)];
          entry.use.takers.insert(device);
          if (entry.use.planned || !serves(image) || !is_held(holders, image)) continue;
          if (!is_replaced(row, holders, image->module, serves)) {
            entry.irreplaceable.insert(holders.name);
          }
        }
      }
    }
  }

  static bool is_held(const Holders& holders, const Image* image) {
    const auto found = holders.images.find(image->module);
    if (found == holders.images.end()) return false;
    return std::find(found->second.begin(), found->second.end(), image) != found->second.end();
  }

  /// Reports whether an image of a planned arch can replace the image: from the same module, or
  /// from any module that host code may pick instead.
  template <typename Serves>
  [[nodiscard]] bool is_replaced(const KernelRow& row, const Holders& holders, std::size_t module,
                                 const Serves& serves) const {
    const auto& images = holders.images;
    const auto does = [&](const Images& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const Image* image) { return is_planned(*image) && serves(image); });
    };
    if (!row.loaded_explicitly) return does(images.at(module));
    return std::any_of(images.begin(), images.end(),
                       [&](const auto& entry) { return does(entry.second); });
  }

  // A module may contain only variables and textures; the device loads an image of it, too.
  void add_modules_without_kernels(const File& file, const ImageSelector& selector,
                                   const std::vector<bool>& held) {
    const bool linked = std::any_of(file.modules.begin(), file.modules.end(),
                                    [](const fatbin::Module& module) { return module.linked; });
    for (const auto& module : file.modules) {
      const bool is_part = linked && module.relocatable;
      if (held[module.index] || is_part) continue;
      note_takers(selector, {"", "", {module.index}, false}, all_, {});
    }
  }

  const std::vector<Promise>& promises_;
  std::vector<const Promise*> all_;
  std::set<Key> planned_;
  std::map<Key, Entry> entries_;
};

}  // namespace

std::vector<ArchUse> arch_use(const std::vector<File>& files, const std::vector<Promise>& promises,
                              const std::vector<PlannedArch>& planned) {
  Counter counter(promises, planned);
  for (const auto& file : files) counter.add(file);
  return counter.take();
}

}  // namespace archgrid::coverage
