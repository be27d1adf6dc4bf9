// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cubin.hpp"

#include <map>
#include <optional>

#include "body.hpp"
#include "elf.hpp"
#include "kernels.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint8_t kNewAbi = 8;
constexpr std::uint8_t kEntryFunction = 0x10;

// Attributes of .nv.info and .nv.compat.
constexpr std::uint8_t kRegisters = 0x2f;
constexpr std::uint8_t kStack = 0x12;
constexpr std::uint8_t kCompatSuffixA = 0x09;
constexpr std::uint8_t kPayloadFormat = 4;

// The command line of a tool; what is longer is cut.
constexpr std::size_t kLongestOptions = std::size_t{1} << 16;

std::string toolkit_text(std::uint32_t version) {
  return fmt::format("{}.{}", version / 10, version % 10);
}

const Section* section_named(const Elf& cubin, std::string_view name) {
  for (const auto& section : cubin.sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

/// A record of .nv.info or .nv.compat: `value` itself, or the length of the payload at `payload`.
struct Record {
  std::uint8_t attribute = 0;
  std::uint16_t value = 0;
  std::optional<std::uint64_t> payload;
};

/// Calls `visit` with the records of a section, where the cubin has it.
template <typename Visit>
void visit_records(const Elf& cubin, std::string_view name, const Visit& visit) {
  const auto* section = section_named(cubin, name);
  if (section == nullptr) return;
  const Bytes data = section->data;
  std::uint64_t at = 0;
  while (data.holds(at, 4)) {
    Record record;
    const bool has_payload = data.at<std::uint8_t>(at, "record format") == kPayloadFormat;
    record.attribute = data.at<std::uint8_t>(at + 1, "record attribute");
    record.value = data.at<std::uint16_t>(at + 2, "record value");
    at += 4;
    if (has_payload) record.payload = at;
    visit(data, record);
    if (has_payload) at += (record.value + 3U) & ~3U;
  }
}

/// Per symbol: the numbers of the records {attribute, symbol, value} of .nv.info.
struct Resources {
  std::map<std::uint32_t, std::uint32_t> registers;
  std::map<std::uint32_t, std::uint32_t> stack;
};

Resources read_resources(const Elf& cubin) {
  Resources resources;
  visit_records(cubin, ".nv.info", [&](Bytes data, const Record& record) {
    const bool known = record.attribute == kRegisters || record.attribute == kStack;
    if (!record.payload || record.value != 8 || !known) return;
    const auto symbol = data.at<std::uint32_t>(*record.payload, "attribute symbol");
    const auto value = data.at<std::uint32_t>(*record.payload + 4, "attribute value");
    (record.attribute == kRegisters ? resources.registers : resources.stack)[symbol] = value;
  });
  return resources;
}

std::optional<std::uint32_t> find(const std::map<std::uint32_t, std::uint32_t>& values,
                                  std::uint32_t key) {
  const auto found = values.find(key);
  if (found == values.end()) return std::nullopt;
  return found->second;
}

std::map<std::string_view, const Section*> by_name(const Elf& cubin) {
  std::map<std::string_view, const Section*> sections;
  for (const auto& section : cubin.sections) sections.emplace(section.name, &section);
  return sections;
}

/// Gives the code of kernels, which a made-up cubin may let overlap as often as it has symbols.
class CodeReader {
 public:
  explicit CodeReader(const Elf& cubin) : cubin_(cubin) {}

  Bytes read(const Symbol& symbol) {
    const auto& section = cubin_.sections[symbol.section];
    const auto code = symbol.size == 0
                          ? section.data
                          : section.data.slice(symbol.value, symbol.size, "kernel code");
    read_ += code.size();
    if (read_ > cubin_.bytes) {
      code.fail(0, fmt::format("the kernels' code overlaps: together it is longer than the image's "
                               "{} bytes",
                               cubin_.bytes));
    }
    return code;
  }

 private:
  const Elf& cubin_;
  std::uint64_t read_ = 0;
};

class KernelReader {
 public:
  KernelReader(const Elf& cubin, int arch)
      : cubin_(cubin),
        arch_(arch),
        resources_(read_resources(cubin)),
        sections_(by_name(cubin)),
        code_(cubin) {}

  void read(const Symbol& symbol, std::uint32_t index, Kernel& kernel) {
    const auto& text = cubin_.sections[symbol.section];
    kernel.registers = find(resources_.registers, index);
    // Cubins that were not written by ptxas record registers in the section header only.
    if (!kernel.registers && (text.info >> 24) != 0) kernel.registers = text.info >> 24;
    kernel.stack = find(resources_.stack, index);
    kernel.shared = size_of(".nv.shared.", symbol.name).value_or(0);
    kernel.constant = size_of(".nv.constant0.", symbol.name);
    const auto facts = classify_sass(code_.read(symbol), arch_);
    kernel.body = facts.body;
    kernel.stores = facts.stores;
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> size_of(std::string_view prefix,
                                                     std::string_view kernel) const {
    const auto found = sections_.find(std::string(prefix).append(kernel));
    if (found == sections_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found->second->size);
  }

  const Elf& cubin_;
  int arch_;
  Resources resources_;
  std::map<std::string_view, const Section*> sections_;
  CodeReader code_;
};

std::vector<Kernel> read_kernels(Bytes image, const Elf& cubin, int arch) {
  const auto* table = symbol_table(cubin, elf::kSymbolTable);
  if (table == nullptr) return {};
  KernelReader reader(cubin, arch);
  KernelList kernels(image);
  const auto symbols = symbols_of(cubin, *table);
  for (std::uint32_t index = 0; index < symbols.size(); ++index) {
    const auto& symbol = symbols[index];
    const bool entry = symbol.type == elf::kFunctionSymbol && (symbol.other & kEntryFunction) != 0;
    if (!entry || symbol.section == 0) continue;
    auto& kernel = kernels.add(symbol.name);
    if (symbol.section >= cubin.sections.size()) {
      table->data.fail(0, fmt::format("kernel {} lies in no section", symbol.name));
    }
    reader.read(symbol, index, kernel);
  }
  return kernels.take();
}

/// The value after `-arch sm_` in a tool's command line: "100f".
std::string_view arch_option(std::string_view options) {
  const auto at = options.find("-arch sm_");
  if (at == std::string_view::npos) return {};
  const auto value = options.substr(at + 9);
  return value.substr(0, value.find_first_of(" \t"));
}

/// Notes are {name size, content size, type, name, content}; the content of a .note.nv.tkinfo holds
/// four offsets into a text: tool, release, build, command line.
void read_notes(const Elf& cubin, Cubin& result) {
  for (const auto& section : cubin.sections) {
    if (section.type != elf::kNote || section.data.size() < 24) continue;
    const auto content = (section.data.at<std::uint32_t>(0, "note name size") + 3U) / 4U * 4U + 12U;
    if (section.name == ".note.nv.cuinfo") {
      const auto version = section.data.at<std::uint16_t>(content + 4, "toolkit version");
      result.toolkit = toolkit_text(version);
    } else if (section.name == ".note.nv.tkinfo" && section.data.holds(content, 24)) {
      const auto text = content + 24;
      const auto options = section.data.at<std::uint32_t>(content + 20, "options offset");
      if (!section.data.holds(text + options, 1)) continue;
      result.options =
          std::string(section.data.c_string(text + options, "options").substr(0, kLongestOptions));
    }
  }
}

bool compat_says_a(const Elf& cubin) {
  std::optional<bool> said;
  visit_records(cubin, ".nv.compat", [&](Bytes, const Record& record) {
    if (record.payload || record.attribute != kCompatSuffixA || said) return;
    said = (record.value & 0xff) == 1;
  });
  return said.value_or(false);
}

char suffix_of(const Elf& cubin, const Cubin& result) {
  if (cubin.abi_version < kNewAbi) return (cubin.flags & 0x800) != 0 ? 'a' : '\0';
  if (compat_says_a(cubin)) return 'a';
  const auto arch = arch_option(result.options);
  const char last = arch.empty() ? '\0' : arch.back();
  return last == 'a' || last == 'f' ? last : '\0';
}

}  // namespace

Cubin parse_cubin(Bytes bytes) {
  const Elf cubin = parse_elf(bytes);
  if (cubin.machine != elf::kMachineCuda) {
    bytes.fail(18, fmt::format("machine {} is not CUDA (190)", cubin.machine));
  }
  Cubin result;
  const bool new_abi = cubin.abi_version >= kNewAbi;
  result.arch.number = static_cast<int>(new_abi ? (cubin.flags >> 8) & 0xff : cubin.flags & 0xff);
  if (!new_abi) result.toolkit = toolkit_text(cubin.version);
  read_notes(cubin, result);
  result.arch.suffix = suffix_of(cubin, result);
  result.kernels = read_kernels(bytes, cubin, result.arch.number);
  return result;
}

}  // namespace archgrid::fatbin
