// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes cubins of compilers like a tool that leaves tables behind that the section table no
// longer names, or that puts other tables in front of those that it names.
#ifndef ARCHGRID_TESTS_MADE_STALE_HPP
#define ARCHGRID_TESTS_MADE_STALE_HPP

#include <array>
#include <stdexcept>

#include "made.hpp"

namespace archgrid::tests {

template <typename Number>
Number get(const std::string& text, std::size_t at) {
  Number number = 0;
  if (at + sizeof(number) > text.size()) throw std::out_of_range("no cubin of a compiler");
  std::memcpy(&number, text.data() + at, sizeof(number));
  return number;
}

// The sections that compilers write first.
constexpr std::size_t kStringsIndex = 2;
constexpr std::size_t kSymbolsIndex = 3;

/// A cubin in parts. The tables at its end can be put together differently.
struct Parts {
  std::string bytes;                  ///< everything before the section table
  std::vector<std::string> sections;  ///< section headers
  std::string segments;               ///< program headers
  bool segments_last = true;          ///< as compilers write it; else before the section table
};

inline Parts take_apart(const std::string& cubin) {
  const auto table = get<std::uint64_t>(cubin, 40);
  Parts parts{cubin.substr(0, table), {}, {}};
  for (std::size_t index = 0; index < get<std::uint16_t>(cubin, 60); ++index) {
    parts.sections.push_back(cubin.substr(table + index * 64, 64));
  }
  const std::size_t segments = get<std::uint16_t>(cubin, 56) * 56;
  if (segments != 0) parts.segments = cubin.substr(get<std::uint64_t>(cubin, 32), segments);
  return parts;
}

inline std::string put_together(Parts parts) {
  auto& bytes = parts.bytes;
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  std::string table;
  for (const auto& section : parts.sections) table += section;
  auto segments = bytes.size() + (parts.segments_last ? table.size() : 0);
  if (parts.segments.empty()) segments = 0;
  put<std::uint64_t>(bytes, 32, segments);
  put<std::uint64_t>(bytes, 40, bytes.size() + (parts.segments_last ? 0 : parts.segments.size()));
  put<std::uint16_t>(bytes, 60, static_cast<std::uint16_t>(parts.sections.size()));
  return bytes + (parts.segments_last ? table + parts.segments : parts.segments + table);
}

inline std::string data_of(const Parts& parts, std::size_t index) {
  const auto& header = parts.sections.at(index);
  return parts.bytes.substr(get<std::uint64_t>(header, 24), get<std::uint64_t>(header, 32));
}

/// Adds new bytes for the section behind all others; the old ones stay in place.
inline void append(Parts& parts, std::size_t index, const std::string& data) {
  auto& bytes = parts.bytes;
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  put<std::uint64_t>(parts.sections.at(index), 24, bytes.size());
  put<std::uint64_t>(parts.sections.at(index), 32, data.size());
  bytes += data;
}

/// Changes the section's bytes in place.
inline void overwrite(Parts& parts, std::size_t index, const std::string& data) {
  parts.bytes.replace(get<std::uint64_t>(parts.sections.at(index), 24), data.size(), data);
}

/// Returns the cubin's symbols without its first kernel, and sets `name` to that kernel.
inline std::string symbols_without_kernel(const Parts& parts, std::string& name) {
  const auto strings = data_of(parts, kStringsIndex);
  auto symbols = data_of(parts, kSymbolsIndex);
  for (std::size_t at = 0; at + 24 <= symbols.size(); at += 24) {
    const bool function = (symbols[at + 4] & 0xf) == 2;
    if (!function || (symbols[at + 5] & 0x10) == 0) continue;
    name = strings.c_str() + get<std::uint32_t>(symbols, at);
    symbols.replace(at, 24, std::string(24, '\0'));
    return symbols;
  }
  throw std::out_of_range("a cubin without kernels");
}

/// Removes the headers of the sections of a kernel, and renumbers the sections of `symbols`.
inline std::string drop_sections(Parts& parts, const std::string& kernel, std::string symbols) {
  const auto names = data_of(parts, 1);
  const auto ending = '.' + kernel;
  std::vector<std::string> kept;
  std::vector<std::uint16_t> numbers;  // new numbers, by old number
  for (const auto& section : parts.sections) {
    const std::string name = names.c_str() + get<std::uint32_t>(section, 0);
    const bool belongs = name.size() > ending.size() &&
                         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
    numbers.push_back(belongs ? 0 : static_cast<std::uint16_t>(kept.size()));
    if (!belongs) kept.push_back(section);
  }
  parts.sections = std::move(kept);
  for (std::size_t at = 0; at + 24 <= symbols.size(); at += 24) {
    const auto number = get<std::uint16_t>(symbols, at + 6);
    if (number < numbers.size()) put(symbols, at + 6, numbers[number]);
  }
  return symbols;
}

/// Doubles the tables at the beginning: sections use the second ones.
inline void put_decoys_first(Parts& parts) {
  constexpr std::size_t kHeader = 64;
  const auto& last = parts.sections.at(kSymbolsIndex);
  const auto end = get<std::uint64_t>(last, 24) + get<std::uint64_t>(last, 32);
  auto decoys = parts.bytes.substr(kHeader, end - kHeader);
  decoys.resize((decoys.size() + 127) / 128 * 128, '\0');
  for (auto& section : parts.sections) {
    const auto at = get<std::uint64_t>(section, 24);
    if (at != 0) put<std::uint64_t>(section, 24, at + decoys.size());
  }
  parts.bytes.insert(kHeader, decoys);
}

/// Ways to hide that a cubin has one kernel less than the tables at its beginning name.
enum class Hiding {
  appended,           ///< a new symbol table is behind the others, and the section table comes last
  appended_wholly,    ///< all tables are new, laid out as if by a compiler
  decoys,             ///< the old tables are in front of the new ones
  sections_in_front,  ///< something follows the section table
  other_names         ///< another table contains the section names
};

constexpr std::array<Hiding, 5> kHidings = {Hiding::appended, Hiding::appended_wholly,
                                            Hiding::decoys, Hiding::sections_in_front,
                                            Hiding::other_names};

inline std::string hide_kernel(const std::string& cubin, Hiding hiding) {
  auto parts = take_apart(cubin);
  std::string kernel;
  auto symbols = symbols_without_kernel(parts, kernel);
  if (hiding == Hiding::decoys) put_decoys_first(parts);
  if (hiding == Hiding::decoys || hiding == Hiding::appended_wholly) {
    symbols = drop_sections(parts, kernel, std::move(symbols));
  }
  if (hiding == Hiding::decoys) {
    overwrite(parts, kSymbolsIndex, symbols);
    return put_together(std::move(parts));
  }
  append(parts, kSymbolsIndex, symbols);
  if (hiding == Hiding::appended) parts.segments_last = false;
  if (hiding == Hiding::appended_wholly) {
    append(parts, 1, data_of(parts, 1));
    append(parts, kStringsIndex, data_of(parts, kStringsIndex));
  }
  if (hiding == Hiding::other_names) {
    append(parts, 1, data_of(parts, 1));
    parts.sections.push_back(parts.sections[1]);
    const auto last = parts.sections.size() - 1;
    put<std::uint16_t>(parts.bytes, 62, static_cast<std::uint16_t>(last));
  }
  const std::string behind(hiding == Hiding::sections_in_front ? 64 : 0, '\0');
  return put_together(std::move(parts)) + behind;
}

/// Returns a cubin without one of its kernels according to the section table alone: everything else
/// may be the work of a compiler.
inline std::string hide_kernel_perfectly(const std::string& cubin) {
  auto parts = take_apart(cubin);
  std::string kernel;
  append(parts, kSymbolsIndex, symbols_without_kernel(parts, kernel));
  return put_together(std::move(parts));
}

}  // namespace archgrid::tests

#endif
