// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cubin.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>

#include "body.hpp"
#include "calls.hpp"
#include "elf.hpp"
#include "info_records.hpp"
#include "kernels.hpp"
#include "report_text.hpp"
#include "spills.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint8_t kNewAbi = 8;
// Attributes of .nv.info and .nv.compat.
constexpr std::uint8_t kRegisters = 0x2f;
constexpr std::uint8_t kStack = 0x12;
constexpr std::uint8_t kMaxThreads = 0x05;
constexpr std::uint8_t kRequiredThreads = 0x10;
constexpr std::uint8_t kAnnotations = 0x55;
constexpr std::uint8_t kCompatSuffixA = 0x09;

// Longest command line of a tool; longer ones are cut.
constexpr std::size_t kLongestOptions = std::size_t{1} << 16;

/// Sections about one kernel; null if absent.
struct KernelSections {
  const Section* info = nullptr;
  const Section* shared = nullptr;
  const Section* parameters = nullptr;
};

/// Sections by their subject. Of several with one name the first counts.
struct SectionIndex {
  const Section* info = nullptr;
  const Section* compat = nullptr;
  bool debug = false;
  bool variables = false;
  std::unordered_map<std::string_view, KernelSections> kernels;

  SectionIndex(const Elf& cubin, Detail detail) {
    for (const auto& section : cubin.sections) {
      add(section);
      if (detail == Detail::everything) add_of_kernel(section);
    }
  }

 private:
  void add(const Section& section) {
    const auto keep = [&section](const Section*& kept) {
      if (kept == nullptr) kept = &section;
    };
    if (section.name == ".nv.info") keep(info);
    if (section.name == ".nv.compat") keep(compat);
    if (section.name == ".debug_info") debug = true;
    if (contains_variables(section.name) && section.size != 0) variables = true;
  }

  void add_of_kernel(const Section& section) {
    const auto keep = [&section](const Section*& kept) {
      if (kept == nullptr) kept = &section;
    };
    const auto kernel_of = [&section](std::string_view prefix) {
      return section.name.substr(0, prefix.size()) == prefix ? section.name.substr(prefix.size())
                                                             : std::string_view();
    };
    if (const auto kernel = kernel_of(".nv.info."); !kernel.empty()) keep(kernels[kernel].info);
    if (const auto kernel = kernel_of(".nv.shared."); !kernel.empty()) keep(kernels[kernel].shared);
    if (const auto kernel = kernel_of(".nv.constant0."); !kernel.empty()) {
      keep(kernels[kernel].parameters);
    }
  }
};

/// Values by symbol, from the records {attribute, symbol, value} of .nv.info.
struct Resources {
  std::map<std::uint32_t, std::uint32_t> registers;
  std::map<std::uint32_t, std::uint32_t> stack;
};

Resources read_resources(const Section* info) {
  Resources resources;
  visit_records(info, [&](Bytes data, const Record& record) {
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

/// A reader of kernels' code. A crafted cubin may let it overlap as often as it has symbols.
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

BlockDim threads_at(Bytes data, std::uint64_t at) {
  return {data.at<std::uint32_t>(at, "threads in x"), data.at<std::uint32_t>(at + 4, "in y"),
          data.at<std::uint32_t>(at + 8, "in z")};
}

std::uint32_t size_of(const Section* section) {
  return static_cast<std::uint32_t>(section->size);
}

class KernelReader {
 public:
  KernelReader(const Elf& cubin, const SectionIndex& sections, const std::vector<Symbol>& symbols,
               Detail detail, StoresOf stores, int arch, bool records_spills)
      : cubin_(cubin),
        sections_(sections),
        detail_(detail),
        stores_(stores),
        arch_(arch),
        records_spills_(records_spills),
        resources_(read_resources(sections.info)),
        reports_(std::any_of(symbols.begin(), symbols.end(), names_report)),
        code_(cubin),
        calls_(cubin, symbols, arch, sections.debug),
        texts_(cubin, symbols, arch) {
    context_.debug = sections.debug;
    context_.follow = [this](const std::vector<Call>& calls) {
      return calls_.follow(symbol_, calls);
    };
  }
  KernelReader(const KernelReader&) = delete;
  KernelReader& operator=(const KernelReader&) = delete;

  void read(const Symbol& symbol, std::uint32_t index, Kernel& kernel) {
    const auto code = code_.read(symbol);
    symbol_ = index;
    kernel.code_bytes = static_cast<std::uint32_t>(code.size());
    if (detail_ != Detail::everything && code.size() > largest_idle_code(arch_, reports_)) {
      kernel.body = Body::code;
      if (stores_ == StoresOf::all) take(store_facts(code, arch_, context_), kernel);
      return;
    }
    const auto facts = classify_sass(code, arch_, context_);
    kernel.body = facts.body;
    take(facts, kernel);
    if (prints_or_asserts(facts.body)) read_report(symbol, code, kernel);
    if (detail_ != Detail::everything) return;
    kernel.opcodes = facts.opcodes;
    kernel.uses_sparse_mma = facts.uses_sparse_mma;
    read_resources_of(symbol, index, code, kernel);
  }

 private:
  static void take(const BodyFacts& facts, Kernel& kernel) {
    kernel.stores = facts.stores;
    kernel.may_store = facts.may_store;
  }

  void read_report(const Symbol& symbol, Bytes code, Kernel& kernel) {
    auto text = texts_.text_of(symbol, code);
    if (!text.empty()) kernel.message = std::make_shared<const std::string>(std::move(text));
  }

  void read_resources_of(const Symbol& symbol, std::uint32_t index, Bytes code,
                         Kernel& kernel) const {
    const auto& text = cubin_.sections[symbol.section];
    kernel.registers = find(resources_.registers, index);
    // Cubins that were not written by ptxas record registers in the section header only.
    if (!kernel.registers && (text.info >> 24) != 0) kernel.registers = text.info >> 24;
    kernel.stack = find(resources_.stack, index);
    const auto found = sections_.kernels.find(symbol.name);
    const auto sections = found == sections_.kernels.end() ? KernelSections() : found->second;
    kernel.shared = sections.shared == nullptr ? 0 : size_of(sections.shared);
    if (sections.parameters != nullptr) kernel.constant = size_of(sections.parameters);
    read_info(sections.info, code, kernel);
  }

  void read_info(const Section* info, Bytes code, Kernel& kernel) const {
    Spills spills;
    visit_records(info, [&](Bytes data, const Record& record) {
      if (!record.payload) return;
      if (record.attribute == kMaxThreads && record.value == 12) {
        kernel.max_threads = threads_at(data, *record.payload);
      } else if (record.attribute == kRequiredThreads && record.value == 12) {
        kernel.required_threads = threads_at(data, *record.payload);
      } else if (record.attribute == kAnnotations) {
        add_spills(data.slice(*record.payload, record.value, "annotations"), code, spills);
      }
    });
    if (!records_spills_ || !spills.certain) return;
    kernel.spill_stores = spills.stores;
    kernel.spill_loads = spills.loads;
  }

  const Elf& cubin_;
  const SectionIndex& sections_;
  Detail detail_;
  StoresOf stores_;
  int arch_;
  bool records_spills_;
  Resources resources_;
  bool reports_;  ///< some symbol names_report()
  CodeReader code_;
  Calls calls_;
  ReportTexts texts_;
  CodeContext context_;
  std::uint32_t symbol_ = 0;  ///< of the kernel being read
};

std::vector<Kernel> read_kernels(Bytes image, const Elf& cubin, const SectionIndex& sections,
                                 Detail detail, StoresOf stores, int arch, bool records_spills) {
  const auto* table = symbol_table(cubin, elf::kSymbolTable);
  if (table == nullptr) return {};
  const auto symbols = symbols_of(cubin, *table);
  KernelReader reader(cubin, sections, symbols, detail, stores, arch, records_spills);
  KernelList kernels(image);
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

/// A list of names that together take no more bytes than the image.
class NameList {
 public:
  NameList(std::uint64_t max_bytes, std::vector<std::string>& names)
      : left_(max_bytes), names_(names) {}

  void add(std::string_view name) {
    if (name.empty() || name.size() > left_) return;
    left_ -= name.size();
    names_.emplace_back(name);
  }

 private:
  std::uint64_t left_;
  std::vector<std::string>& names_;
};

// Matches global functions and variables. Variables have a CUDA-specific type; the flag marks
// shared memory, which a launch provides.
bool is_external(const Symbol& symbol) {
  constexpr std::uint8_t kVariable = 13;
  constexpr std::uint8_t kShared = 0x40;
  const bool variable =
      symbol.type == kVariable && (symbol.other & kShared) == 0 && symbol.size != 0;
  return symbol.binding == elf::kGlobalBinding && (symbol.type == elf::kFunctionSymbol || variable);
}

/// Reads the undefined and the defined symbols of a relocatable cubin; others are already linked.
void read_externals(const Elf& elf, Cubin& cubin) {
  const auto* table = symbol_table(elf, elf::kSymbolTable);
  if (elf.type != elf::kObject || table == nullptr) return;
  NameList undefined(elf.bytes, cubin.undefined);
  NameList defined(elf.bytes, cubin.defined);
  for (const auto& symbol : symbols_of(elf, *table)) {
    if (!is_external(symbol)) continue;
    if (symbol.section != 0) {
      if ((symbol.other & kEntryFunction) == 0) defined.add(symbol.name);
    } else if (!is_provided(symbol.name)) {
      undefined.add(symbol.name);
    }
  }
}

/// The content of the notes.
struct Notes {
  std::string toolkit;
  std::string tool;  ///< writer of the cubin: "ptxas"
  std::string options;
  std::optional<int> source;  ///< number of the arch whose PTX was compiled
};

/// Reads notes: {name size, content size, type, name, content}. A .note.nv.tkinfo contains a
/// version and four offsets into a text: tool, release, build, command line. CUDA 12.8 writes no
/// .note.nv.cuinfo.
Notes read_notes(const Elf& cubin) {
  Notes notes;
  for (const auto& section : cubin.sections) {
    if (section.type != elf::kNote || section.data.size() < 24) continue;
    const auto content = (section.data.at<std::uint32_t>(0, "note name size") + 3U) / 4U * 4U + 12U;
    if (section.name == ".note.nv.cuinfo") {
      notes.source = section.data.at<std::uint16_t>(content + kNoteSource, "virtual arch");
      const auto version =
          section.data.at<std::uint16_t>(content + kNoteToolkit, "toolkit version");
      notes.toolkit = toolkit_text(version);
    } else if (section.name == ".note.nv.tkinfo" && section.data.contains(content, 24)) {
      const auto text_at = [&](std::uint64_t field, std::string_view what) {
        const auto at = content + 24 + section.data.at<std::uint32_t>(content + field, what);
        if (!section.data.contains(at, 1)) return std::string();
        return std::string(section.data.c_string(at, what).substr(0, kLongestOptions));
      };
      notes.tool = text_at(8, "tool offset");
      notes.options = text_at(20, "options offset");
      if (notes.toolkit.empty()) notes.toolkit = release_of(text_at(12, "release offset"));
    }
  }
  return notes;
}

bool compat_says_a(const Section* compat) {
  std::optional<bool> said;
  visit_records(compat, [&](Bytes, const Record& record) {
    if (record.payload || record.attribute != kCompatSuffixA || said) return;
    said = (record.value & 0xff) == 1;
  });
  return said.value_or(false);
}

std::optional<char> suffix_of(Bytes bytes, int arch_number, const SectionIndex& sections,
                              const std::string& options) {
  if (const auto suffix = header_suffix(bytes, arch_number)) return suffix;
  return compat_says_a(sections.compat) ? 'a' : suffix_in(options);
}

// Reports whether ptxas may have compiled only some kernels: by `--entry`, or by a file of options
// that contains it. Whatever begins like these options counts, too.
bool may_drop_kernels(std::string_view ptxas_options) {
  return ptxas_options.find("-e") != std::string_view::npos ||
         ptxas_options.find("-opt") != std::string_view::npos;
}

/// Returns 128 for "12.8"; 0 without a valid release.
std::uint64_t release_number(std::string_view text) {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  const auto* end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc() || dot == end || *dot != '.') return 0;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return 0;
  return std::uint64_t{major} * 10 + minor;
}

// Reports whether the cubin records spills. 12.8 is the first release whose ptxas was seen to do
// so. Records of other tools were not compared with their messages, so they are not used.
bool records_spills(const Cubin& cubin, const std::string& tool) {
  constexpr std::uint64_t kFirst = 128;
  if (!tool.empty() && tool != "ptxas") return false;
  return release_number(cubin.toolkit) >= kFirst && cubin.arch.number >= 70;
}

}  // namespace

std::string release_of(std::string_view text) {
  constexpr std::string_view kBefore = "release ";
  const auto at = text.find(kBefore);
  if (at == std::string_view::npos) return {};
  const auto version = text.substr(at + kBefore.size());
  return std::string(version.substr(0, version.find_first_not_of("0123456789.")));
}

std::string toolkit_text(std::uint32_t version) {
  return fmt::format("{}.{}", version / 10, version % 10);
}

std::string header_toolkit(Bytes bytes) {
  if (bytes.at<std::uint8_t>(8, "ABI version") >= kNewAbi) return {};
  return toolkit_text(bytes.at<std::uint32_t>(20, "version"));
}

int arch_number(Bytes bytes) {
  const auto flags = bytes.at<std::uint32_t>(48, "flags");
  const bool new_abi = bytes.at<std::uint8_t>(8, "ABI version") >= kNewAbi;
  return static_cast<int>(new_abi ? (flags >> 8) & 0xff : flags & 0xff);
}

// No suffixes exist before 9.0, but cubins of cuBLAS for 5.0 to 6.1 in faiss-gpu 1.7.2 have the
// flag.
std::optional<char> header_suffix(Bytes bytes, int arch_number) {
  constexpr int kFirstSuffixed = 90;
  constexpr std::uint32_t kSuffixA = 0x800;
  if (arch_number < kFirstSuffixed) return '\0';
  if (bytes.at<std::uint8_t>(8, "ABI version") >= kNewAbi) return std::nullopt;
  return (bytes.at<std::uint32_t>(48, "flags") & kSuffixA) != 0 ? 'a' : '\0';
}

// nvcc 13.0 and 13.5 pass the suffix 'f' to ptxas exactly if the PTX has it, whatever `code`
// requests, but 'a' also for compute_90.
std::optional<Arch> source_arch(std::optional<int> number, std::optional<char> suffix,
                                std::string_view options) {
  if (number.value_or(0) == 0 || suffix.value_or('a') == 'a') return std::nullopt;
  if (options.empty() || may_drop_kernels(options)) return std::nullopt;
  return Arch{*number, *suffix};
}

std::optional<char> suffix_in(std::string_view options) {
  constexpr std::string_view kArch = "-arch sm_";
  const auto at = options.find(kArch);
  if (at == std::string_view::npos) return std::nullopt;
  const auto value = options.substr(at + kArch.size());
  const auto arch = value.substr(0, value.find_first_of(" \t"));
  const char last = arch.empty() ? '\0' : arch.back();
  return last == 'a' || last == 'f' ? last : '\0';
}

Cubin parse_cubin(Bytes bytes, Detail detail, StoresOf stores) {
  const Elf cubin = parse_elf(bytes);
  if (cubin.machine != elf::kMachineCuda) {
    bytes.fail(18, fmt::format("machine {} is not CUDA (190)", cubin.machine));
  }
  const SectionIndex sections(cubin, detail);
  auto notes = read_notes(cubin);
  Cubin result;
  const auto number = arch_number(bytes);
  const auto suffix = suffix_of(bytes, number, sections, notes.options);
  result.arch = {number, suffix.value_or('\0')};
  result.toolkit = header_toolkit(bytes);
  if (result.toolkit.empty()) {
    result.toolkit = notes.toolkit;
    result.compiled_from = source_arch(notes.source, suffix, notes.options);
  }
  result.options = std::move(notes.options);
  result.debug = sections.debug;
  result.variables = sections.variables;
  result.kernels = read_kernels(bytes, cubin, sections, detail, stores, result.arch.number,
                                records_spills(result, notes.tool));
  read_externals(cubin, result);
  return result;
}

}  // namespace archgrid::fatbin
