// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares two readings of the same bytes, with full and with less detail.
#ifndef ARCHGRID_FUZZ_AGREE_HPP
#define ARCHGRID_FUZZ_AGREE_HPP

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compression.hpp"
#include "elf.hpp"

namespace archgrid::fuzz {

[[noreturn]] inline void fail(const char* what, const std::string& one, const std::string& other) {
  std::fprintf(stderr, "%s: \"%s\" and \"%s\"\n", what, one.c_str(), other.c_str());
  std::abort();
}

/// Kernels by name, each with its idle body, or `code` for any other body.
using Facts = std::multiset<std::pair<std::string, fatbin::Body>>;

inline Facts facts_of(const std::vector<fatbin::Kernel>& kernels) {
  Facts facts;
  for (const auto& kernel : kernels) {
    facts.emplace(kernel.name, fatbin::is_idle(kernel.body) ? kernel.body : fatbin::Body::code);
  }
  return facts;
}

inline std::string text_of(const Facts& facts) {
  std::string text;
  for (const auto& [name, body] : facts) {
    text += name + (fatbin::is_idle(body) ? " does no work; " : "; ");
  }
  return text;
}

inline void expect_same(const std::vector<fatbin::Kernel>& less,
                        const std::vector<fatbin::Kernel>& all) {
  const auto some = facts_of(less);
  const auto every = facts_of(all);
  if (some != every) fail("kernels", text_of(some), text_of(every));
}

inline void expect_same(const char* what, const std::string& less, const std::string& all) {
  if (less != all) fail(what, less, all);
}

/// Reports whether the section table names the tables at the beginning of a cubin, as compilers
/// write it. If not, only the end of the cubin shows which tables count (docs/audit.md). Throws
/// Unreadable.
inline bool names_first_tables(fatbin::Bytes cubin) {
  constexpr std::uint64_t kFirst = 64;
  const auto elf = fatbin::parse_elf(cubin);
  if (elf.sections.size() < 5) return false;
  const auto& names = elf.sections[1];
  const auto& strings = elf.sections[2];
  const auto& symbols = elf.sections[3];
  const auto end_of = [](const fatbin::Section& section) {
    return section.data.base() + section.data.size();
  };
  const auto gap = [&](std::uint64_t from, std::uint64_t to) {
    return from <= to &&
           cubin.text().substr(from, to - from).find_first_not_of('\0') == std::string_view::npos;
  };
  auto next = cubin.size();
  for (const auto& section : elf.sections) {
    if (section.data.size() != 0 && section.data.base() >= end_of(symbols)) {
      next = std::min(next, section.data.base());
    }
  }
  return cubin.at<std::uint16_t>(62, "section name index") == 1 && names.data.base() == kFirst &&
         gap(end_of(names), strings.data.base()) && gap(end_of(strings), symbols.data.base()) &&
         strings.type == fatbin::elf::kStrings && symbols.type == fatbin::elf::kSymbolTable &&
         symbols.link == 2 && next == end_of(symbols);
}

/// Reports whether a comment or a string of PTX may contain a brace, which the shorter way of
/// reading counts, too. No compiler writes any.
inline bool hides_braces(std::string_view ptx) {
  for (std::size_t at = 0; at < ptx.size();) {
    const auto end = std::min(ptx.find('\n', at), ptx.size());
    const auto line = ptx.substr(at, end - at);
    const auto quiet = std::min(line.find("//"), line.find('"'));
    if (quiet < line.size() && line.find_first_of("{}", quiet) != line.npos) return true;
    at = end + 1;
  }
  return false;
}

/// Returns the decompressed content of an image of `file`, which `decompressor` owns. Throws
/// Unreadable.
inline std::string_view content_of(std::string_view file, const fatbin::Image& image,
                                   fatbin::Decompressor& decompressor) {
  const fatbin::Bytes bytes(file);
  if (image.compression == fatbin::Compression::none) {
    return file.substr(image.offset, image.stored + 256);  // with the entry's header, if any
  }
  const auto header = bytes.at<std::uint32_t>(image.offset + 4, "entry header size");
  const auto packed = bytes.at<std::uint32_t>(image.offset + 0x10, "compressed size");
  const auto payload =
      bytes.slice(image.offset + header, packed != 0 ? packed : image.stored, "image");
  return decompressor.whole(image.compression, payload, image.decompressed_bytes);
}

/// Reports whether the shorter way of reading may yield less or more of an image.
inline bool may_differ(std::string_view file, const fatbin::Image& image) {
  fatbin::Decompressor decompressor;
  const bool cubin = image.kind == fatbin::Kind::sass;
  if (cubin && image.compression != fatbin::Compression::zstd) return false;
  if (!cubin && image.kind != fatbin::Kind::ptx) return false;
  const auto content = content_of(file, image, decompressor);
  return cubin ? !names_first_tables(fatbin::Bytes(content)) : hides_braces(content);
}

/// Reports whether reading everything failed at launch bounds or spills, which audits do not read.
inline bool is_of_resources(const std::string& error) {
  for (const auto* what : {"annotation", "annotated offset", "threads in x", "in y (", "in z ("}) {
    if (error.find(what) != std::string::npos) return true;
  }
  return false;
}

/// Compares two readings of an image. Reading less of a zstd image may succeed where reading all of
/// it fails, because of damage behind the decoded part. An unread image is not compared.
inline void expect_same(const fatbin::Image& less, const fatbin::Image& all) {
  expect_same("archs", less.arch.text(), all.arch.text());
  if (less.unread) return;
  if (!all.error.empty()) {
    const bool zstd = less.compression == fatbin::Compression::zstd;
    if (!zstd && !is_of_resources(all.error) && less.error.empty()) fail("errors", "", all.error);
    return;
  }
  expect_same("errors", less.error, all.error);
  expect_same(less.kernels, all.kernels);
  // Notes of cubins are found by the section table in one way, and near the beginning in the other.
  if (less.compression == fatbin::Compression::zstd) return;
  expect_same("toolkits", less.toolkit, all.toolkit);
  if (less.compiled_from != all.compiled_from) fail("sources", "", "");
}

inline void expect_same(std::string_view bytes, const fatbin::File& less, const fatbin::File& all) {
  const auto same = less.images.size() == all.images.size() &&
                    less.modules.size() == all.modules.size() &&
                    less.errors.size() == all.errors.size() && less.dangling == all.dangling &&
                    less.undefined_registrations == all.undefined_registrations &&
                    less.defined_registrations == all.defined_registrations;
  if (!same) fail("files", "", "");
  for (std::size_t index = 0; index < all.images.size(); ++index) {
    const auto& image = all.images[index];
    if (image.error.empty() && may_differ(bytes, image)) continue;
    expect_same(less.images[index], image);
  }
}

}  // namespace archgrid::fuzz

#endif
