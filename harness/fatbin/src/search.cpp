// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

#include <algorithm>
#include <archgrid/system/mapped_file.hpp>
#include <optional>
#include <utility>

#include "bare.hpp"
#include "clue.hpp"
#include "container.hpp"

namespace archgrid::fatbin {
namespace {

// Every module and image stores the name of its section; longer names are cut.
constexpr std::size_t kLongestName = 256;

/// A section, and the part of it that is in no section before it.
struct Part {
  const HostSection* section = nullptr;
  Bytes data;
};

/// A search through data sections.
class Search {
 public:
  Search(const HostImage& image, const ReadOptions& options, File& file)
      : image_(image), reader_(file, options) {}

  void add(const Part& part) {
    const auto& section = *part.section;
    const auto name = section.name.substr(0, kLongestName);
    if (part.data.size() != section.data.size() && image_.has_sections) {
      reader_.note(section.data.base(), fmt::format("section {} lies over another one", name));
    }
    walk(part.data, name, section);
  }

  ContainerReader& reader() { return reader_; }

  /// Adds the cubins and PTX outside of containers. Must be called once, after everything else.
  void add_bare(File& file) {
    for (auto& image : bare_) add_bare(std::move(image), file);
  }

  NamedLoaders take_names() { return std::move(names_); }

 private:
  void walk(Bytes data, std::string_view name, const HostSection& section) {
    const bool exclusive = contains_only_containers(section.name);
    std::uint64_t at = 0;
    std::uint64_t gap = 0;
    ptx_from_ = 0;
    ClueFinder clues(data.text());
    while (const auto hit = clues.next(at)) {
      if (hit->clue == Clue::loader) {
        note_loader(clues, data.base() + hit->at, hit->at, section);
        at = hit->at + 1;
        continue;
      }
      const auto taken = std::max<std::uint64_t>(follow(*hit, data, name, section), 1);
      // More than headers was read.
      if (hit->clue != Clue::container) system::release(data.text().substr(hit->at, taken));
      at = hit->at + taken;
      if (hit->clue != Clue::container) continue;
      if (exclusive) expect_padding(data.slice(gap, hit->at - gap, "section"));
      gap = at;
    }
    if (exclusive) expect_padding(data.slice(gap, data.size() - gap, "section"));
  }

  void note_loader(const ClueFinder& clues, std::uint64_t offset, std::size_t at,
                   const HostSection& section) {
    if (!section.is_text || is_export(offset)) return;
    const auto [text, place] = clues.around(at, NamedLoaders::kAround);
    names_.add(text, place);
  }

  /// Returns the size of the device code at a clue; 0 if there is none.
  std::uint64_t follow(const Hit& hit, Bytes data, std::string_view name,
                       const HostSection& section) {
    const auto rest = data.slice(hit.at, data.size() - hit.at, "device code");
    if (hit.clue == Clue::elf) return keep(embedded_cubin(rest), name);
    if (hit.clue == Clue::ptx) {
      return hit.at < ptx_from_ ? 0 : keep(embedded_ptx(data, hit.at, ptx_from_), name);
    }
    if (!contains_only_containers(section.name) && !is_container_of_entries(rest.text())) return 0;
    return reader_.read(rest, name);
  }

  void expect_padding(Bytes gap) {
    const auto odd = gap.text().find_first_not_of('\0');
    if (odd == std::string_view::npos) return;
    reader_.note(gap.base() + odd, "a fat binary (magic 0xba55ed50, version 1) expected here");
  }

  std::uint64_t keep(std::optional<Image> image, std::string_view section) {
    if (!image) return 0;
    if (bare_.size() >= kMaxImages) {
      reader_.note(image->offset, fmt::format("more than {} cubins and PTX lie outside of fat "
                                              "binaries: this one is not read",
                                              kMaxImages));
      return image->stored;
    }
    image->section = std::string(section);
    bare_.push_back(std::move(*image));
    return bare_.back().stored;
  }

  static void add_bare(Image image, File& file) {
    Module module;
    module.index = file.modules.size();
    module.section = image.section;
    module.offset = image.offset;
    image.module = module.index;
    file.modules.push_back(std::move(module));
    file.images.push_back(std::move(image));
  }

  [[nodiscard]] bool is_export(std::uint64_t offset) const {
    return offset >= image_.exports.first && offset < image_.exports.second;
  }

  const HostImage& image_;
  ContainerReader reader_;
  NamedLoaders names_;
  std::vector<Image> bare_;
  std::uint64_t ptx_from_ = 0;  ///< text before this was already examined as PTX
};

std::vector<const HostSection*> searched_sections(const HostImage& image) {
  std::vector<const HostSection*> sections;
  for (const auto& section : image.sections) {
    if (section.searched && section.data.size() != 0) sections.push_back(&section);
  }
  std::stable_sort(sections.begin(), sections.end(), [](const auto* left, const auto* right) {
    return left->data.base() < right->data.base();
  });
  return sections;
}

/// Returns the parts to search, in the order of the file, each byte once.
std::vector<Part> parts_of(const HostImage& image) {
  std::vector<Part> parts;
  std::uint64_t seen = 0;  // end of the parts so far
  for (const auto* section : searched_sections(image)) {
    const auto begin = section->data.base();
    const auto size = section->data.size();
    const auto known = std::min(std::max(seen, begin) - begin, size);
    seen = std::max(seen, begin + size);
    parts.push_back({section, section->data.slice(known, size - known, "section")});
  }
  return parts;
}

}  // namespace

// Most machine code lies in sections of its own, where headers lead from one image to the next. It
// is read while the rest of the file, often larger, is searched byte by byte.
NamedLoaders search(const HostImage& image, const ReadOptions& options, File& file,
                    const std::function<void()>& found) {
  auto parts = parts_of(image);
  const auto middle = std::stable_partition(parts.begin(), parts.end(), [](const Part& part) {
    return contains_only_containers(part.section->name);
  });
  Search own(image, options, file);
  File other_file;
  Search others(image, options, other_file);
  std::for_each(parts.begin(), middle, [&](const Part& part) { own.add(part); });
  own.reader().read_machine_code(
      [&] { std::for_each(middle, parts.end(), [&](const Part& part) { others.add(part); }); });
  own.reader().append(others.reader());
  found();
  own.reader().close();
  own.add_bare(file);
  others.add_bare(file);
  return others.take_names();  // from text sections, all of which are in `others`
}

}  // namespace archgrid::fatbin
