// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "kernel_text.hpp"
#include "list_shared.hpp"
#include "table.hpp"

namespace archgrid::report {
namespace {

using fatbin::File;

constexpr std::size_t kBar = 24;
constexpr std::size_t kSizesMaxRows = 20;
constexpr std::size_t kIndent = 2;

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// Returns a bar. Even the smallest part is visible.
std::string bar(std::uint64_t part, std::uint64_t whole) {
  if (part == 0 || whole == 0) return {};
  const auto length = std::lround(static_cast<double>(kBar) * static_cast<double>(part) /
                                  static_cast<double>(whole));
  return std::string(std::clamp<std::size_t>(static_cast<std::size_t>(length), 1, kBar), '#');
}

std::string more_text(std::size_t rows, std::size_t shown) {
  if (rows <= shown) return {};
  return fmt::format("  ... and {} more (--top {} shows all)\n", rows - shown, rows);
}

std::string by_arch(const std::vector<File>& files, bool by_name, Style style) {
  const auto sums = bytes_by_arch(files);
  std::vector<std::pair<ArchKey, Bytes>> order(sums.begin(), sums.end());
  if (!by_name) {
    std::stable_sort(order.begin(), order.end(), [](const auto& left, const auto& right) {
      return left.second.stored > right.second.stored;
    });
  }
  Bytes all;
  std::uint64_t whole = 0;
  for (const auto& file : files) whole += file.bytes;
  std::vector<TableRow> rows;
  const auto add = [&](const std::string& kind, const std::string& arch, const Bytes& sum) {
    rows.push_back({{kind, arch, std::to_string(sum.images), size_text(sum.stored),
                     share_of(sum.stored, whole), size_text(sum.bytes), bar(sum.stored, whole)},
                    "",
                    Ink::plain});
  };
  for (const auto& [key, sum] : order) {
    add(fatbin::name_of(std::get<0>(key)), arch_of(key), sum);
    all.images += sum.images;
    all.stored += sum.stored;
    all.bytes += sum.bytes;
  }
  add("all", "", all);
  const auto rest = whole - std::min(whole, all.stored);
  rows.push_back({{"rest", "", "", size_text(rest), share_of(rest, whole), "", bar(rest, whole)},
                  "",
                  Ink::soft});
  return paint("by arch", Ink::strong, style) + '\n' +
         table_text({{"kind", Side::left},
                     {"arch", Side::left},
                     {"images", Side::right},
                     {"stored", Side::right},
                     {files.size() > 1 ? "of files" : "of file", Side::right},
                     {"decompressed", Side::right},
                     {"", Side::left}},
                    rows, kIndent, style);
}

struct KernelCode {
  std::string_view name;
  std::uint64_t bytes = 0;
  std::unordered_set<std::string> archs;
};

std::vector<KernelCode> code_of_kernels(const std::vector<File>& files) {
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<KernelCode> sums;
  for (const auto& file : files) {
    for (const auto& image : file.images) {
      for (const auto& kernel : image.kernels) {
        if (!kernel.code_bytes) continue;
        const auto [place, fresh] = places.try_emplace(kernel.name, sums.size());
        if (fresh) sums.push_back({kernel.name, 0, {}});
        sums[place->second].bytes += *kernel.code_bytes;
        sums[place->second].archs.insert(image.arch.text());
      }
    }
  }
  return sums;
}

std::string by_kernel(const std::vector<File>& files, const ListRequest& request, Style style) {
  auto kernels = code_of_kernels(files);
  const bool by_name = request.order == ListOrder::name;
  std::sort(kernels.begin(), kernels.end(), [&](const KernelCode& left, const KernelCode& right) {
    if (!by_name && left.bytes != right.bytes) return left.bytes > right.bytes;
    return left.name < right.name;
  });
  std::uint64_t all = 0;
  for (const auto& kernel : kernels) all += kernel.bytes;
  const auto shown = std::min(kernels.size(), request.top.value_or(kSizesMaxRows));
  std::vector<TableRow> rows;
  for (std::size_t index = 0; index < shown; ++index) {
    const auto& kernel = kernels[index];
    rows.push_back(
        {{size_text(kernel.bytes), share_of(kernel.bytes, all), std::to_string(kernel.archs.size()),
          fatbin::demangle(std::string(kernel.name))},
         "",
         Ink::plain});
  }
  const auto title = paint("by kernel", Ink::strong, style);
  if (kernels.empty()) return title + ": no machine code of a known size\n";
  const std::vector<Column> columns = {{"code", Side::right},
                                       {"of code", Side::right},
                                       {"archs", Side::right},
                                       {"kernel", Side::left}};
  const auto taken = width_before_last(columns, rows, kIndent);
  const auto room = request.columns - std::min(request.columns, taken);
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.cells.back());
  auto texts = kernel_texts(names, room);
  for (std::size_t index = 0; index < rows.size(); ++index) rows[index].cells.back() = texts[index];
  return title +
         fmt::format(": {} of machine code in {}\n", size_text(all),
                     count_text(kernels.size(), files.size() > 1 ? "different kernel" : "kernel")) +
         table_text(columns, rows, kIndent, style) + more_text(kernels.size(), shown);
}

struct Library {
  const File* file = nullptr;
  Bytes sum;
};

std::string by_library(const std::vector<File>& files, const ListRequest& request, Style style) {
  std::vector<Library> libraries;
  std::uint64_t all = 0;
  for (const auto& file : files) {
    Library library{&file, {}};
    for (const auto& image : file.images) {
      library.sum.stored += image.stored;
      library.sum.bytes += image.decompressed_bytes;
    }
    all += library.sum.stored;
    if (!file.images.empty()) libraries.push_back(library);
  }
  const bool by_name = request.order == ListOrder::name;
  std::sort(libraries.begin(), libraries.end(), [&](const Library& left, const Library& right) {
    if (!by_name && left.sum.stored != right.sum.stored) return left.sum.stored > right.sum.stored;
    return left.file->path < right.file->path;
  });
  const auto shown = std::min(libraries.size(), request.top.value_or(kSizesMaxRows));
  std::vector<TableRow> rows;
  for (std::size_t index = 0; index < shown; ++index) {
    const auto& [file, sum] = libraries[index];
    rows.push_back(
        {{size_text(sum.stored), share_of(sum.stored, all), share_of(sum.stored, file->bytes),
          size_text(sum.bytes), fatbin::printable(file->path)},
         "",
         Ink::plain});
  }
  return paint("by library", Ink::strong, style) + '\n' +
         table_text({{"stored", Side::right},
                     {"of all", Side::right},
                     {"of file", Side::right},
                     {"decompressed", Side::right},
                     {"file", Side::left}},
                    rows, kIndent, style) +
         more_text(libraries.size(), shown);
}

}  // namespace

ArchKey key_of(const fatbin::Image& image) {
  return {image.kind, image.arch.number, image.arch.suffix};
}

BytesByArch bytes_by_arch(const std::vector<File>& files) {
  BytesByArch sums;
  for (const auto& file : files) {
    for (const auto& image : file.images) {
      auto& sum = sums[key_of(image)];
      ++sum.images;
      sum.stored += image.stored;
      sum.bytes += image.decompressed_bytes;
    }
  }
  return sums;
}

Counts counts_of(const std::vector<File>& files) {
  Counts counts;
  std::unordered_set<std::string_view> all;
  for (const auto& file : files) {
    std::unordered_set<std::string_view> names;
    counts.files += file.images.empty() ? 0 : 1;
    counts.images += file.images.size();
    counts.errors += file.errors.size();
    for (const auto& image : file.images) {
      counts.stored += image.stored;
      counts.bytes += image.decompressed_bytes;
      counts.errors += image.error.empty() ? 0 : 1;
      for (const auto& kernel : image.kernels) names.insert(kernel.name);
    }
    counts.kernels += names.size();
    all.insert(names.begin(), names.end());
  }
  counts.names = all.size();
  return counts;
}

std::string arch_of(const ArchKey& key) {
  return fatbin::Arch{std::get<1>(key), std::get<2>(key)}.text();
}

std::string sizes_text(const std::vector<File>& files, const ListRequest& request, Style style) {
  const bool any = std::any_of(files.begin(), files.end(),
                               [](const File& file) { return !file.images.empty(); });
  if (!any) return {};
  auto text = by_arch(files, request.order == ListOrder::name, style) + '\n' +
              by_kernel(files, request, style);
  if (files.size() > 1) text += '\n' + by_library(files, request, style);
  return text;
}

}  // namespace archgrid::report
