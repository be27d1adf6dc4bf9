// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "report_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace archgrid::fatbin {
namespace {

constexpr std::size_t kMaxText = 400;
constexpr std::uint64_t kWideInstruction = 16;
constexpr int kFirstWide = 70;

bool is_call(std::uint64_t word) {
  const auto operation = word & 0x1ff;
  return operation == 0x143 || operation == 0x144;
}

/// Returns the offset in constant bank 4 that an instruction reads (nvdisasm -hex); all ones if it
/// reads another bank.
std::uint64_t address_offset(std::uint64_t word) {
  constexpr std::uint64_t kBank = 4;
  constexpr std::uint64_t kLdcu = 0x1ac;  // from 10.0 on
  if (((word >> 54) & 0x1f) != kBank) return ~std::uint64_t{0};
  const bool is_uniform = (word & 0x1ff) == kLdcu;
  return (word >> (is_uniform ? 37 : 38)) & 0xffff;
}

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
/// order. CUDA 13 puts the addresses into constant bank 4, earlier releases into instructions.
ReportTexts::Targets ReportTexts::loaded_by(const Symbol& kernel, Bytes code) {
  const auto before = [](const auto& entry, std::uint64_t offset) { return entry.first < offset; };
  const auto& relocated = targets_in(kernel.section);
  auto next = std::lower_bound(relocated.begin(), relocated.end(), kernel.value, before);
  Targets loaded;
  const auto take_up_to = [&](std::uint64_t end) {
    for (; next != relocated.end() && next->first < end; ++next) loaded.push_back(*next);
  };
  const auto* constants = arch_ >= kFirstWide && bank_ != 0 ? &targets_in(bank_) : nullptr;
  for (std::uint64_t at = 0; constants != nullptr && code.contains(at, kWideInstruction);
       at += kWideInstruction) {
    take_up_to(kernel.value + at + kWideInstruction);
    const auto word = code.at<std::uint64_t>(at, "instruction");
    if (is_call(word) && !loaded.empty()) return loaded;
    const auto offset = address_offset(word);
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
