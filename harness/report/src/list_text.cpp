// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "list_shared.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

using fatbin::File;
using fatbin::Image;

// A file with more of them is summarised, unless the user requests every image or kernel.
constexpr std::size_t kMaxImages = 40;
constexpr std::size_t kMaxKernels = 40;
constexpr std::size_t kListMaxPaths = 5;

std::size_t count_kernels(const File& file) {
  std::unordered_set<std::string_view> names;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) names.insert(kernel.name);
  }
  return names.size();
}

std::size_t count_modules(const File& file) {
  std::unordered_set<std::size_t> modules;
  for (const auto& image : file.images) modules.insert(image.module);
  return modules.size();
}

std::string title_text(const File& file, bool filtered, Style style) {
  const auto modules = filtered ? count_modules(file) : file.modules.size();
  return paint(fatbin::printable(file.path), Ink::strong, style) +
         fmt::format(": {}, {}, {}, {}, {}\n", file.format, size_text(file.bytes),
                     count_text(modules, "module"), count_text(file.images.size(), "image"),
                     count_text(count_kernels(file), "kernel"));
}

std::string module_text(const fatbin::Module& module) {
  std::string text = fmt::format("module {}", module.index);
  if (!module.section.empty()) text += "  " + fatbin::printable(module.section);
  if (!module.unit.empty()) text += "  " + fatbin::printable(module.unit);
  if (module.linked) text += "  device-linked";
  if (module.relocatable) text += "  relocatable";
  if (!module.registered && !module.section.empty()) text += "  picked by host code";
  return text;
}

std::string origin_of(const Image& image) {
  if (!image.ptx_isa.empty()) return "ISA " + image.ptx_isa;
  return image.toolkit.empty() ? "-" : "CUDA " + fatbin::printable(image.toolkit);
}

/// Returns the unusual properties of an image.
std::string notes_of(const Image& image) {
  std::vector<const char*> notes;
  if (image.debug) notes.push_back("debug");
  if (image.obfuscated) notes.push_back("obfuscated");
  if (!image.error.empty()) notes.push_back("unreadable");
  return fmt::format("{}", fmt::join(notes, ", "));
}

std::vector<std::string> image_cells(const Image& image) {
  return {fatbin::name_of(image.kind),
          image.arch.text(),
          origin_of(image),
          size_text(image.stored),
          size_text(image.decompressed_bytes),
          fatbin::name_of(image.compression),
          std::to_string(image.kernels.size())};
}

std::vector<Column> image_columns() {
  return {{"kind", Side::left},    {"arch", Side::left},          {"made by", Side::left},
          {"stored", Side::right}, {"decompressed", Side::right}, {"compression", Side::left},
          {"kernels", Side::right}};
}

std::vector<const Image*> images_of(const File& file) {
  std::vector<const Image*> images;
  for (const auto& image : file.images) images.push_back(&image);
  return images;
}

std::string images_text(const File& file, const ListRequest& request, Style style) {
  auto images = images_of(file);
  if (request.order == ListOrder::size) {
    std::stable_sort(images.begin(), images.end(), [](const Image* left, const Image* right) {
      return left->stored > right->stored;
    });
  }
  const auto count = images.size();
  if (request.top) images.resize(std::min(count, *request.top));
  auto columns = image_columns();
  columns.insert(columns.begin(), {"module", Side::right});
  columns.push_back({"section", Side::left});
  columns.push_back({"", Side::left});
  std::vector<TableRow> rows;
  for (const auto* image : images) {
    auto cells = image_cells(*image);
    const auto& unit = file.modules.at(image->module).unit;
    cells.insert(cells.begin(), std::to_string(image->module));
    cells.push_back(image->section.empty() ? "-" : fatbin::printable(image->section));
    std::vector<std::string> notes = {fatbin::printable(unit), notes_of(*image)};
    notes.erase(std::remove(notes.begin(), notes.end(), ""), notes.end());
    cells.push_back(fmt::format("{}", fmt::join(notes, "  ")));
    rows.push_back({std::move(cells), "", Ink::plain});
  }
  auto text = table_text(columns, rows, 2, style);
  if (images.size() < count) text += fmt::format("  ... and {} more\n", count - images.size());
  return text;
}

/// Returns every module with its images and kernels.
std::string details_text(const File& file, const ListRequest& request, Signs& signs, Style style) {
  ListRequest by_name;  // whatever is to be sorted or left out elsewhere
  by_name.columns = request.columns;
  std::vector<std::vector<const Image*>> images(file.modules.size());
  for (const auto& image : file.images) images.at(image.module).push_back(&image);
  std::string text;
  auto columns = image_columns();
  columns.push_back({"", Side::left});
  for (const auto& module : file.modules) {
    const auto& held = images[module.index];
    text += module_text(module) + '\n';
    std::vector<TableRow> rows;
    for (const auto* image : held) {
      rows.push_back({image_cells(*image), "", Ink::plain});
      rows.back().cells.push_back(image->error.empty() ? notes_of(*image)
                                                       : "unreadable: " + image->error);
    }
    if (!rows.empty()) text += table_text(columns, rows, 2, style);
    text += kernels_text(held, by_name, 6, signs, style);
  }
  return text;
}

/// Returns "12 registered, 3 picked by host code".
std::string modules_text(const File& file) {
  std::size_t registered = 0;
  std::size_t relocatable = 0;
  std::size_t linked = 0;
  for (const auto& module : file.modules) {
    registered += module.registered ? 1 : 0;
    relocatable += module.relocatable ? 1 : 0;
    linked += module.linked ? 1 : 0;
  }
  std::vector<std::string> parts;
  const auto add = [&parts](std::size_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(registered, "registered");
  add(file.modules.size() - registered, "picked by host code");
  add(linked, "device-linked");
  add(relocatable, "relocatable");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Similar images that share a row.
struct Alike {
  Bytes sum;
  std::unordered_set<std::string_view> kernels;
};

std::string summary_text(const File& file, Style style) {
  using Key = std::tuple<ArchKey, std::string, std::string, std::string>;
  std::map<Key, Alike> groups;
  for (const auto& image : file.images) {
    auto& group = groups[{key_of(image), origin_of(image), fatbin::name_of(image.compression),
                          notes_of(image)}];
    ++group.sum.images;
    group.sum.stored += image.stored;
    group.sum.bytes += image.decompressed_bytes;
    for (const auto& kernel : image.kernels) group.kernels.insert(kernel.name);
  }
  std::vector<TableRow> rows;
  for (const auto& [key, group] : groups) {
    const auto& [arch, origin, compression, notes] = key;
    rows.push_back({{fatbin::name_of(std::get<0>(arch)), arch_of(arch), origin,
                     size_text(group.sum.stored), size_text(group.sum.bytes), compression,
                     std::to_string(group.kernels.size()), std::to_string(group.sum.images), notes},
                    "",
                    Ink::plain});
  }
  auto columns = image_columns();
  columns.push_back({"images", Side::right});
  columns.push_back({"", Side::left});
  return table_text(columns, rows, 2, style);
}

bool is_small(const File& file) {
  return file.images.size() <= kMaxImages && count_kernels(file) <= kMaxKernels;
}

std::string overview_text(const File& file, const ListRequest& request, Signs& signs, Style style) {
  if (is_small(file)) return details_text(file, request, signs, style);
  return "modules: " + modules_text(file) + '\n' + summary_text(file, style);
}

/// Describes device code that is not visible in the file.
std::string notes_text(const File& file, std::size_t columns) {
  std::string text;
  const auto add = [&text, columns](const std::string& note) {
    text += hanging("", note, "  ", columns);
  };
  if (!file.dangling.empty()) {
    add(fmt::format("{} registered but not in the file (stripped)",
                    count_text(file.dangling.size(), "fat binary container")));
  }
  if (file.host_lto) {
    add("holds the host compiler's LTO data (-flto): device code among them is not seen here");
  }
  for (const auto& loader : file.loaders) {
    add(fmt::format("imports {}: code loaded at run time is not seen here", loader));
  }
  for (const auto& loader : file.named_loaders) {
    add(fmt::format("names {} in its data: it may load code with it, which is not seen here",
                    loader));
  }
  return text;
}

/// Describes the service of GPUs newer than all machine code. Not for filtered files.
std::string newer_line(const File& file, std::size_t columns) {
  const auto newer = coverage::newer_gpus(file, coverage::ImageSelector(file));
  return newer ? hanging("", newer_text(*newer), "  ", columns) : std::string();
}

std::string file_text(const File& file, const ListRequest& request, Signs& signs, Style style) {
  const bool filtered = !request.filter.passes_all();
  auto text = title_text(file, filtered, style);
  const bool overview = !request.images && !request.kernels && !request.sizes;
  if (overview) text += overview_text(file, request, signs, style);
  if (request.images) text += images_text(file, request, style);
  if (request.kernels) text += kernels_text(images_of(file), request, 4, signs, style);
  if (overview && !filtered) text += newer_line(file, request.columns);
  return text + notes_text(file, request.columns);
}

/// Returns one line for all files without device code: a package has hundreds.
std::string without_code_text(const std::vector<const File*>& files, bool filtered) {
  if (files.empty()) return {};
  std::vector<std::string> paths;
  for (const auto* file : files) paths.push_back(fatbin::printable(file->path));
  const auto count = paths.size();
  if (count > kListMaxPaths) {
    paths.resize(kListMaxPaths);
    paths.push_back(fmt::format("and {} more", count - kListMaxPaths));
  }
  return fmt::format("{}: {}\n", filtered ? "nothing that was asked for" : "no device code",
                     fmt::join(paths, ", "));
}

/// Returns the closing line for several files.
std::string closing_text(const std::vector<File>& files) {
  const auto counts = counts_of(files);
  if (counts.files < 2) return {};
  const auto names = counts.names == counts.kernels
                         ? std::string()
                         : fmt::format(" ({} different names)", counts.names);
  return fmt::format("{} with {} and {}{}, {} of device code\n", count_text(counts.files, "file"),
                     count_text(counts.images, "image"), count_text(counts.kernels, "kernel"),
                     names, size_text(counts.stored));
}

/// Lists the images that a filter could select, if it selected none.
std::string there_text(const std::vector<File>& files, const ListRequest& request) {
  const bool any = std::any_of(files.begin(), files.end(),
                               [](const File& file) { return !file.images.empty(); });
  const bool by_image = !request.filter.archs.empty() || !request.filter.kinds.empty();
  if (any || !by_image || request.there.empty()) return {};
  return fmt::format("there are images of {}\n", request.there);
}

/// Explains the signs in tables of kernels.
std::string signs_text(const Signs& signs, Style style) {
  std::vector<const char*> meanings;
  if (signs.count("?") != 0) meanings.push_back("?: the image does not record it");
  if (signs.count("-") != 0) meanings.push_back("-: the image has none");
  if (meanings.empty()) return {};
  return paint(fmt::format("{}", fmt::join(meanings, "; ")), Ink::soft, style) + '\n';
}

std::string hint_text(const std::vector<File>& files, const ListRequest& request, Style style) {
  const bool overview = !request.images && !request.kernels && !request.sizes;
  if (!overview || std::all_of(files.begin(), files.end(), is_small)) return {};
  return paint("--images, --kernels and --sizes tell more", Ink::soft, style) + '\n';
}

}  // namespace

std::string list_text(const std::vector<File>& files, const ListRequest& request, Style style) {
  const bool filtered = !request.filter.passes_all();
  const bool by_file = request.images || request.kernels || !request.sizes;
  std::vector<std::string> parts;
  std::vector<const File*> without_code;
  Signs signs;
  for (const auto& file : files) {
    if (file.format.empty() && file.modules.empty()) continue;
    const bool silent = file.dangling.empty() && file.loaders.empty() &&
                        file.named_loaders.empty() && !file.host_lto;
    if (filtered ? file.images.empty() : file.modules.empty() && silent) {
      without_code.push_back(&file);
    } else if (by_file) {
      parts.push_back(file_text(file, request, signs, style));
    }
  }
  const bool all_out = filtered && without_code.size() == files.size();
  if (request.sizes && !all_out) parts.push_back(sizes_text(files, request, style));
  parts.push_back(without_code_text(without_code, filtered));
  parts.push_back(there_text(files, request));
  parts.push_back(hint_text(files, request, style));
  parts.push_back(signs_text(signs, style));
  if (by_file) parts.push_back(closing_text(files));
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return fmt::format("{}", fmt::join(parts, "\n"));
}

}  // namespace archgrid::report
