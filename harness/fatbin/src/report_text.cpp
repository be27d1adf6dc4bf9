// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "report_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "body.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::size_t kMaxText = 400;
constexpr int kFirstWide = 70;
constexpr auto kNoOffset = ~std::uint64_t{0};

/// The few facts that are read of instructions of one encoding (nvdisasm -hex).
struct Encoding {
  std::uint64_t size;  ///< of an instruction, in bytes
  bool (*is_call)(std::uint64_t word);
  /// Returns the offset in the bank of addresses that an instruction loads from; kNoOffset if it
  /// loads nothing from there.
  std::uint64_t (*address_offset)(std::uint64_t word);
};

bool is_call_wide(std::uint64_t word) {
  const auto operation = word & 0x1ff;
  return operation == 0x143 || operation == 0x144;
}

std::uint64_t address_offset_wide(std::uint64_t word) {
  constexpr std::uint64_t kLdcu = 0x1ac;  // from 10.0 on
  if (((word >> 54) & 0x1f) != kAddressBank) return kNoOffset;
  const bool is_uniform = (word & 0x1ff) == kLdcu;
  return (word >> (is_uniform ? 37 : 38)) & 0xffff;
}

/// Matches CAL, JCAL, BRX and JMX.
bool is_call_narrow(std::uint64_t word) {
  const auto operation = word >> 52;
  return operation == 0xe26 || operation == 0xe22 || operation == 0xe25 || operation == 0xe20;
}

/// Matches MOV from a constant, whose offset counts words of 4 bytes.
std::uint64_t address_offset_narrow(std::uint64_t word) {
  constexpr std::uint64_t kMov = 0x993;
  if ((word >> 51) != kMov || ((word >> 34) & 0x1f) != kAddressBank) return kNoOffset;
  return ((word >> 20) & 0x3fff) * 4;
}

// Words that schedule narrow instructions match neither: their highest bits are clear.
constexpr Encoding kWideEncoding = {16, is_call_wide, address_offset_wide};
constexpr Encoding kNarrowEncoding = {8, is_call_narrow, address_offset_narrow};

/// Returns the text up to its NUL, on one line; empty if it has none.
std::string line_of(std::string_view bytes) {
  const auto end = bytes.find('\0');
  if (end == std::string_view::npos) return {};
  std::string line;
  for (const char c : bytes.substr(0, std::min(end, kMaxText))) {
    const bool is_control = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (is_control && (line.empty() || line.back() == ' ')) continue;
    line += is_control ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return end > kMaxText ? line + "..." : line;
}

/// Reports whether a string of assert() is the name of the source file.
bool is_file(std::string_view text) {
  constexpr std::array<std::string_view, 12> kEnds = {
      ".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".cc", ".cpp", ".cxx"};
  const bool is_path =
      text.find('/') != std::string_view::npos || text.find(' ') == std::string_view::npos;
  return is_path && std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) {
           return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
         });
}

}  // namespace

std::string ReportTexts::text_of(const Symbol& kernel, Bytes code) {
  read_sections();
  if (strings_ == 0) return {};
  std::vector<std::string> texts;
  for (const auto& [offset, target] : loaded_by(kernel, code)) {
    auto text = string_of(target);
    if (!text.empty() && !is_file(text)) texts.push_back(std::move(text));
  }
  // The strings that printf() prints by %s are loaded beside its format.
  const auto format = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
    return text.find('%') != std::string::npos;
  });
  if (format != texts.end()) return *format;
  return texts.empty() ? std::string() : texts.front();
}

void ReportTexts::read_sections() {
  if (has_sections_) return;
  has_sections_ = true;
  for (std::size_t index = 1; index < cubin_.sections.size(); ++index) {
    const auto& section = cubin_.sections[index];
    if (section.name == ".nv.global.init" && strings_ == 0) strings_ = index;
    if (section.name == ".nv.constant4" && bank_ == 0) bank_ = index;
    const bool relocates = section.type == elf::kRela || section.type == elf::kRel;
    if (relocates) tables_[section.info].push_back(&section);
  }
}

const ReportTexts::Targets& ReportTexts::targets_in(std::size_t section) {
  const auto [known, is_new] = targets_.try_emplace(section);
  auto& targets = known->second;
  if (!is_new) return targets;
  for (const auto* table : tables_[section]) {
    const bool has_addend = table->type == elf::kRela;
    const std::uint64_t step = has_addend ? 24 : 16;
    for (std::uint64_t at = 0; table->data.contains(at, step); at += step) {
      const auto offset = table->data.at<std::uint64_t>(at, "relocation offset");
      const auto info = table->data.at<std::uint64_t>(at + 8, "relocation info");
      Target target;
      target.symbol = static_cast<std::uint32_t>(info >> 32);
      if (has_addend) target.addend = table->data.at<std::uint64_t>(at + 16, "relocation addend");
      targets.emplace_back(offset, target);
    }
  }
  std::stable_sort(targets.begin(), targets.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  return targets;
}

/// Returns the targets whose addresses the code loads before it first calls something, in code
/// order. CUDA 13, and 12.4 before 7.0, put the addresses into constant bank 4, the others into
/// instructions.
ReportTexts::Targets ReportTexts::loaded_by(const Symbol& kernel, Bytes code) {
  const auto before = [](const auto& entry, std::uint64_t offset) { return entry.first < offset; };
  const auto& relocated = targets_in(kernel.section);
  auto next = std::lower_bound(relocated.begin(), relocated.end(), kernel.value, before);
  Targets loaded;
  const auto take_up_to = [&](std::uint64_t end) {
    for (; next != relocated.end() && next->first < end; ++next) loaded.push_back(*next);
  };
  const auto* constants = bank_ != 0 ? &targets_in(bank_) : nullptr;
  const auto& encoding = arch_ < kFirstWide ? kNarrowEncoding : kWideEncoding;
  for (std::uint64_t at = 0; constants != nullptr && code.contains(at, encoding.size);
       at += encoding.size) {
    take_up_to(kernel.value + at + encoding.size);
    const auto word = code.at<std::uint64_t>(at, "instruction");
    if (encoding.is_call(word) && !loaded.empty()) return loaded;
    const auto offset = encoding.address_offset(word);
    const auto constant = std::lower_bound(constants->begin(), constants->end(), offset, before);
    if (constant != constants->end() && constant->first == offset) {
      loaded.emplace_back(kernel.value + at, constant->second);
    }
  }
  take_up_to(kernel.value + code.size());
  return loaded;
}

std::string ReportTexts::string_of(const Target& target) const {
  if (target.symbol >= symbols_.size()) return {};
  const auto& symbol = symbols_[target.symbol];
  // The compiler's symbol for __PRETTY_FUNCTION__.
  const bool is_function = symbol.name.substr(0, 10) == "__unnamed_";
  const auto& data = cubin_.sections[strings_].data;
  const auto offset = symbol.value + target.addend;
  if (symbol.section != strings_ || is_function || offset >= data.size()) return {};
  return line_of(data.text().substr(offset));
}

}  // namespace archgrid::fatbin
