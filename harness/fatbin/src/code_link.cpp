// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "code_link.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <set>

#include "cubin.hpp"
#include "digest.hpp"
#include "identity_text.hpp"
#include "info_records.hpp"

namespace archgrid::fatbin {
namespace {

constexpr int kFirstWide = 70;
constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint64_t kVariableBank = 3;

// Attributes of .nv.info that are the same for every build of a kernel or have no effect on what
// the GPU executes: symbols that the code refers to (0x0f), statistics (0x33), versions (0x37), and
// notes of tools (0x55).
constexpr std::array<std::uint8_t, 4> kIgnored = {0x0f, 0x33, 0x37, 0x55};
// Begins with the index of a symbol.
constexpr std::uint8_t kParameterBank = 0x0a;
// Attributes {symbol, value}: frame, least and largest stack, registers.
constexpr std::array<std::uint8_t, 4> kOfFunctions = {0x11, 0x12, 0x23, 0x2f};

template <typename List, typename Value>
bool contains(const List& list, Value value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool is_function(const Symbol& symbol) {
  return symbol.type == elf::kFunctionSymbol;
}

/// Returns "constant2" for ".nv.constant2.kernel", a section about the kernel; else nothing.
std::string_view subject(std::string_view section, std::string_view kernel) {
  constexpr std::string_view kPrefix = ".nv.";
  const auto least = kPrefix.size() + 1 + kernel.size();
  if (kernel.empty() || section.size() <= least || section.substr(0, 4) != kPrefix) return {};
  const auto dot = section.size() - kernel.size() - 1;
  if (section[dot] != '.' || section.substr(dot + 1) != kernel) return {};
  return section.substr(kPrefix.size(), dot - kPrefix.size());
}

/// An operand in a bank of constants, of code for 7.0 or newer: c[bank][offset].
struct ConstantOperand {
  std::uint64_t word = 0;  ///< the instruction's first half
  std::uint64_t mask = 0;  ///< the bits of the offset in it
  std::uint64_t bank = 0;
  std::uint64_t offset = 0;  ///< in bytes
  bool is_indexed = false;   ///< a register is added to the offset
  bool is_bindless = false;  ///< a register selects the bank
};

/// Returns the constant operand of an instruction; nothing if it has none. In loads of constants
/// (LDC, ULDC, LDCU), bits 24 to 31 are the index: 255 is the register that is always zero, for
/// ULDC 63 or no index. Source: nvdisasm -hex.
std::optional<ConstantOperand> constant_operand(std::string_view instruction) {
  constexpr std::uint64_t kLdc = 0xb82;
  constexpr std::uint64_t kUldc = 0xab9;
  constexpr std::uint64_t kLdcu = 0x7ac;
  constexpr std::uint64_t kBarrier = 0x11d;  // has other fields there
  constexpr std::uint64_t kFirstOther = 0x114;
  constexpr std::uint64_t kBindless = std::uint64_t{1} << 27;
  const Bytes bytes(instruction);
  ConstantOperand operand;
  operand.word = bytes.at<std::uint64_t>(0, "instruction");
  const auto form = (operand.word >> 9) & 7;
  const auto opcode = operand.word & 0xfff;
  const auto operation = operand.word & 0x1ff;
  if ((form != 3 && form != 5) || operation == kBarrier) return std::nullopt;
  const bool is_load = opcode == kLdc || opcode == kUldc || opcode == kLdcu;
  operand.is_bindless =
      opcode != kLdcu && (bytes.at<std::uint64_t>(8, "instruction") & kBindless) != 0;
  operand.bank = (operand.word >> 54) & 0x1f;
  const int shift = opcode == kLdcu ? 37 : 38;
  operand.mask = ((std::uint64_t{1} << (54 - shift)) - 1) << shift;
  operand.offset = (operand.word & operand.mask) >> shift;
  const auto index = (operand.word >> 24) & 0xff;
  const bool is_none = index == 0xff || (opcode == kUldc && (index == 0 || index == 0x3f));
  // Other operations than arithmetic may have other fields there: what they seem to name counts,
  // and stays in the code.
  operand.is_indexed = is_load ? !is_none : operation >= kFirstOther;
  return operand;
}

/// Reports whether an operand may be the address of the bank of variables: one of the driver's
/// values before the parameters, other than those known to be sizes of the grid, the stack, the
/// windows of shared and local memory, the workspace of cooperative groups, and descriptors of
/// global memory. The address was seen at 0x50 (7.5, 8.0), 0xd0 (9.0) and 0x120 (10.0, 12.0).
bool finds_constants(const ConstantOperand& operand, int arch) {
  constexpr std::array<std::uint64_t, 32> kOthers = {
      0x000, 0x004, 0x008, 0x00c, 0x010, 0x014, 0x018, 0x01c, 0x020, 0x024, 0x028,
      0x044, 0x048, 0x08c, 0x090, 0x118, 0x11c, 0x208, 0x20c, 0x254, 0x258, 0x2f8,
      0x2fc, 0x358, 0x35c, 0x360, 0x364, 0x368, 0x370, 0x374, 0x378, 0x37c};
  const std::uint64_t parameters = arch < 90 ? 0x160 : arch < 100 ? 0x210 : 0x380;
  return operand.bank == 0 && operand.offset < parameters && !contains(kOthers, operand.offset);
}

/// Reports whether code for 7.0 or newer calls a function by a register that it does not load from
/// the bank of addresses.
bool calls_by_register(std::string_view code) {
  constexpr std::uint64_t kLdc = 0xb82;
  constexpr std::uint64_t kImmediate = 4;
  std::bitset<256> addresses;
  std::vector<std::uint64_t> called;
  const Bytes bytes(code);
  for (std::uint64_t at = 0; bytes.contains(at, kInstructionBytes); at += kInstructionBytes) {
    const auto word = bytes.at<std::uint64_t>(at, "instruction");
    const auto operation = word & 0x1ff;
    if ((word & 0xfff) == kLdc && ((word >> 54) & 0x1f) == kAddressBank) {
      addresses.set((word >> 16) & 0xff);
    }
    const bool is_call = operation == 0x143 || operation == 0x144;  // CALL.ABS, CALL.REL
    if (is_call && ((word >> 9) & 7) != kImmediate) called.push_back((word >> 24) & 0xff);
  }
  return std::any_of(called.begin(), called.end(),
                     [&](std::uint64_t number) { return !addresses.test(number); });
}

}  // namespace

struct CodeLink::Part {
  std::string content;
  Elf elf;
  int arch = 0;
  std::vector<Symbol> symbols;
  std::unordered_map<std::uint32_t, std::vector<Relocation>> relocations;  ///< by section, sorted
  /// Functions and variables by section, sorted by their value.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> contents;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> about;  ///< sections by kernel
  std::multimap<std::uint32_t, std::pair<std::uint8_t, std::uint32_t>> resources;  ///< by symbol
  std::uint32_t variables = 0;  ///< the section of bank 3; 0: none
  std::uint32_t addresses = 0;  ///< the section of the bank of addresses; 0: none

  explicit Part(std::string bytes) : content(std::move(bytes)), elf(parse_elf(Bytes(content))) {
    arch = arch_number(Bytes(content));
    if (const auto* table = symbol_table(elf, elf::kSymbolTable)) symbols = symbols_of(elf, *table);
    index_symbols();
    for (std::uint32_t at = 0; at < elf.sections.size(); ++at) index_section(at);
    for (auto& [section, list] : relocations) {
      std::sort(list.begin(), list.end(), [](const Relocation& left, const Relocation& right) {
        return std::make_pair(left.offset, left.type) < std::make_pair(right.offset, right.type);
      });
    }
  }

  /// Returns the function or variable in a section that contains an offset.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t section,
                                                  std::uint64_t offset) const {
    const auto found = contents.find(section);
    if (found == contents.end()) return std::nullopt;
    const auto& list = found->second;
    auto after = std::upper_bound(
        list.begin(), list.end(), offset,
        [&](std::uint64_t value, std::uint32_t index) { return value < symbols[index].value; });
    if (after == list.begin()) return std::nullopt;
    const auto& symbol = symbols[*--after];
    // The end of a variable is one of its addresses, too.
    if (offset > symbol.value + symbol.size) return std::nullopt;
    return *after;
  }

  [[nodiscard]] const Section* section_of(const Symbol& symbol) const {
    const bool is_in_section = symbol.section != 0 && symbol.section < elf.sections.size();
    return is_in_section ? &elf.sections[symbol.section] : nullptr;
  }

  /// Returns the relocations of a section in [begin, end).
  [[nodiscard]] std::pair<const Relocation*, const Relocation*> relocations_in(
      std::uint32_t section, std::uint64_t begin, std::uint64_t end) const {
    const auto found = relocations.find(section);
    if (found == relocations.end()) return {nullptr, nullptr};
    const auto& list = found->second;
    const auto is_before = [](const Relocation& relocation, std::uint64_t offset) {
      return relocation.offset < offset;
    };
    const auto first = std::lower_bound(list.begin(), list.end(), begin, is_before);
    const auto last = std::lower_bound(first, list.end(), end, is_before);
    return {list.data() + (first - list.begin()), list.data() + (last - list.begin())};
  }

 private:
  void index_symbols() {
    for (std::uint32_t at = 0; at < symbols.size(); ++at) {
      const auto& symbol = symbols[at];
      const bool is_content = symbol.type != elf::kSectionSymbol && symbol.type != elf::kFileSymbol;
      if (is_content && symbol.size != 0 && section_of(symbol) != nullptr) {
        contents[symbol.section].push_back(at);
      }
    }
    for (auto& [section, list] : contents) {
      std::stable_sort(list.begin(), list.end(), [&](std::uint32_t left, std::uint32_t right) {
        return symbols[left].value < symbols[right].value;
      });
    }
  }

  void index_section(std::uint32_t at) {
    const auto& section = elf.sections[at];
    if (section.type == elf::kRela) {
      auto& list = relocations[section.info];
      for_each_relocation(section,
                          [&](const Relocation& relocation) { list.push_back(relocation); });
    } else if (section.type == elf::kRel) {
      auto& list = relocations[section.info];
      constexpr std::uint64_t kSize = 16;
      for (std::uint64_t from = 0; section.data.contains(from, kSize); from += kSize) {
        const auto info = section.data.at<std::uint64_t>(from + 8, "relocation info");
        list.push_back({section.data.at<std::uint64_t>(from, "relocation offset"),
                        static_cast<std::uint32_t>(info), static_cast<std::uint32_t>(info >> 32),
                        0});
      }
    }
    if (section.name == ".nv.constant3") variables = at;
    if (section.name == ".nv.constant4") addresses = at;
    if (section.name == ".nv.info") index_resources(section);
    if (section.name.substr(0, 4) == ".nv.") {
      const auto dot = section.name.find('.', 4);
      if (dot != std::string_view::npos) about[section.name.substr(dot + 1)].push_back(at);
    }
  }

  void index_resources(const Section& info) {
    visit_records(&info, [&](Bytes data, const Record& record) {
      if (!record.payload || record.value != 8 || !contains(kOfFunctions, record.attribute)) return;
      const auto symbol = data.at<std::uint32_t>(*record.payload, "attribute symbol");
      const auto value = data.at<std::uint32_t>(*record.payload + 4, "attribute value");
      resources.emplace(symbol, std::make_pair(record.attribute, value));
    });
  }
};

/// Reads one function or variable.
class CodeLink::ItemReader {
 public:
  ItemReader(const Part& part, std::size_t index) : part_(part), index_(index) {}

  Item read(std::uint32_t number) {
    const auto& symbol = part_.symbols[number];
    const auto* section = part_.section_of(symbol);
    if (section == nullptr) {
      digest_.add("undefined");
      digest_.add(without_build(symbol.name));
      const bool is_reserved = symbol.name.empty() || symbol.name.substr(0, 4) == ".nv." ||
                               symbol.name.substr(0, 13) == "__nv_reserved";
      item_.is_unknown =
          part_.elf.type == elf::kObject && !is_reserved && !is_provided(symbol.name);
    } else if (is_function(symbol)) {
      read_function(number, symbol, *section);
    } else {
      read_variable(symbol, *section);
    }
    item_.hash = digest_.text();
    constexpr std::uint64_t kLeast = 64;
    item_.bytes += kLeast + item_.targets.size() * sizeof(Relocation);
    return std::move(item_);
  }

 private:
  void read_function(std::uint32_t number, const Symbol& symbol, const Section& section) {
    constexpr std::string_view kText = ".text.";
    digest_.add("function");
    // A section of its own contains the functions that the compiler made of the kernel, too.
    const bool is_own = symbol.size == 0 || (section.name.substr(0, kText.size()) == kText &&
                                             section.name.substr(kText.size()) == symbol.name);
    const auto begin = is_own ? 0 : symbol.value;
    const auto size = is_own ? section.data.size() : symbol.size;
    read_code(symbol.section, section.data.slice(begin, size, "function"), begin);
    digest_.add(section.info >> 24);    // registers
    digest_.add(section.flags >> 20U);  // barriers
    std::set<std::pair<std::uint8_t, std::uint32_t>> resources;
    const auto [first, last] = part_.resources.equal_range(number);
    for (auto at = first; at != last; ++at) resources.insert(at->second);
    for (const auto& [attribute, value] : resources) {
      digest_.add(attribute);
      digest_.add(value);
    }
    read_sections_about(symbol.name);
  }

  void read_code(std::uint32_t section, Bytes bytes, std::uint64_t begin) {
    std::string code(bytes.text());
    const auto [first, last] = part_.relocations_in(section, begin, begin + bytes.size());
    if (part_.arch >= kFirstWide) {
      item_.calls_any = calls_by_register(code);
      hide_operands(code, first, last, begin);
    } else {
      item_.calls_any = true;  // not decoded
      add_bank(kVariableBank);
      add_bank(kAddressBank);
    }
    digest_.add(code);
    item_.bytes += code.size();
    add_references(first, last, begin);
  }

  /// Replaces the offsets of operands in the module's banks of variables and of addresses, which
  /// depend on other kernels of the module, by what they refer to. Where that is not certain, all
  /// of the bank counts.
  void hide_operands(std::string& code, const Relocation* first, const Relocation* last,
                     std::uint64_t begin) {
    for (std::uint64_t at = 0; at + kInstructionBytes <= code.size(); at += kInstructionBytes) {
      const auto operand = constant_operand(std::string_view(code).substr(at, kInstructionBytes));
      if (!operand) continue;
      while (first != last && first->offset < begin + at) ++first;
      const bool is_relocated = first != last && first->offset < begin + at + kInstructionBytes;
      if (is_relocated) continue;
      if (operand->is_bindless || finds_constants(*operand, part_.arch)) {
        add_bank(kVariableBank);
      } else if (operand->bank == kVariableBank || operand->bank == kAddressBank) {
        if (operand->is_indexed || !add_operand(operand->bank, operand->offset)) {
          add_bank(operand->bank);
          continue;
        }
        const auto hidden = operand->word & ~operand->mask;
        std::memcpy(code.data() + at, &hidden, sizeof(hidden));
      }
    }
  }

  /// Adds all that the module has in a bank.
  void add_bank(std::uint64_t bank) {
    const auto section = bank == kAddressBank ? part_.addresses : part_.variables;
    if (section == 0 || !banks_.insert(bank).second) return;
    const auto data = part_.elf.sections[section].data;
    digest_.add("bank");
    digest_.add(data.text());
    item_.bytes += data.size();
    const auto [first, last] = part_.relocations_in(section, 0, data.size());
    add_references(first, last, 0);
  }

  /// Adds what an operand refers to; reports whether that is known.
  bool add_operand(std::uint64_t bank, std::uint64_t offset) {
    if (bank == kAddressBank) {
      const auto [first, last] = part_.relocations_in(part_.addresses, offset, offset + 8);
      if (part_.addresses == 0 || first == last) return false;
      digest_.add("address");
      add_references(first, last, offset);
      return true;
    }
    const auto found = part_.variables == 0 ? std::nullopt : part_.find(part_.variables, offset);
    if (!found) return false;
    digest_.add("constant");
    digest_.add(offset - part_.symbols[*found].value);
    add_target(*found);
    return true;
  }

  void add_references(const Relocation* first, const Relocation* last, std::uint64_t begin) {
    for (auto at = first; at != last; ++at) {
      digest_.add(at->offset - begin);
      digest_.add(at->type);
      add_reference(*at);
    }
  }

  void add_reference(const Relocation& relocation) {
    if (relocation.symbol >= part_.symbols.size()) {
      Bytes(part_.content).fail(0, "a relocation names a symbol that does not exist");
    }
    const auto& symbol = part_.symbols[relocation.symbol];
    auto addend = static_cast<std::uint64_t>(relocation.addend);
    auto target = relocation.symbol;
    // Sections stand for what lies in them.
    if (symbol.type == elf::kSectionSymbol) {
      if (const auto found = part_.find(symbol.section, symbol.value + addend)) {
        addend += symbol.value - part_.symbols[*found].value;
        target = *found;
      }
    }
    digest_.add(addend);
    add_target(target);
  }

  void add_target(std::uint32_t symbol) { item_.targets.emplace_back(index_, symbol); }

  /// Adds the constants, the sizes of memories and the limits of a kernel.
  void read_sections_about(std::string_view name) {
    const auto found = part_.about.find(name);
    if (found == part_.about.end()) return;
    std::map<std::string_view, std::uint32_t> sections;
    for (const auto index : found->second) {
      sections.emplace(subject(part_.elf.sections[index].name, name), index);
    }
    for (const auto& [kind, index] : sections) {
      const auto& section = part_.elf.sections[index];
      digest_.add(kind);
      if (kind == "info") {
        read_info(section);
        continue;
      }
      digest_.add(section.size);
      if (section.data.size() == 0 || kind == "constant0") continue;
      digest_.add(section.data.text());
      item_.bytes += section.data.size();
      const auto [first, last] = part_.relocations_in(index, 0, section.data.size());
      add_references(first, last, 0);
    }
  }

  void read_info(const Section& section) {
    visit_records(&section, [&](Bytes data, const Record& record) {
      if (contains(kIgnored, record.attribute)) return;
      digest_.add(record.attribute);
      digest_.add(record.value);
      if (!record.payload || !data.contains(*record.payload, record.value)) return;
      auto payload = data.text().substr(*record.payload, record.value);
      if (record.attribute == kParameterBank && payload.size() >= 4) payload.remove_prefix(4);
      digest_.add(payload);
    });
  }

  void read_variable(const Symbol& symbol, const Section& section) {
    digest_.add(is_numbered(symbol.name) ? std::string() : without_build(symbol.name));
    if (section.data.size() == 0) {
      digest_.add("empty");
      digest_.add(symbol.size);
      return;
    }
    digest_.add("data");
    const auto data = section.data.slice(symbol.value, symbol.size, "variable");
    digest_.add(is_numbered(symbol.name) ? without_folder(data.text()) : data.text());
    item_.bytes += data.size();
    const auto [first, last] =
        part_.relocations_in(symbol.section, symbol.value, symbol.value + symbol.size);
    add_references(first, last, symbol.value);
  }

  const Part& part_;
  std::size_t index_;
  std::set<std::uint64_t> banks_;  ///< that were added
  Digest digest_;
  Item item_;
};

CodeLink::CodeLink() = default;
CodeLink::~CodeLink() = default;

void CodeLink::add(std::string cubin) {
  auto part = std::make_unique<Part>(std::move(cubin));
  for (std::uint32_t at = 0; at < part->symbols.size(); ++at) {
    const auto& symbol = part->symbols[at];
    if (symbol.name.empty() || part->section_of(symbol) == nullptr) continue;
    const Place place(parts_.size(), at);
    const std::string name(symbol.name);
    if (is_function(symbol) && (symbol.other & kEntryFunction) != 0) kernels_.emplace(name, place);
    if (symbol.binding != elf::kLocalBinding) definitions_[name].push_back(place);
  }
  bytes_ += part->content.size();
  parts_.push_back(std::move(part));
}

/// Returns the definition that a symbol refers to, or the symbol itself; nothing if parts define it
/// differently, as the device linker keeps the first.
std::optional<CodeLink::Place> CodeLink::definition(Place reference) {
  const auto& symbol = parts_[reference.first]->symbols[reference.second];
  if (symbol.binding == elf::kLocalBinding && symbol.section != 0) return reference;
  const auto found = definitions_.find(std::string(symbol.name));
  if (found == definitions_.end()) return reference;
  auto& places = found->second;
  while (places.size() > 1) {
    if (!are_same(places.front(), places.back())) return std::nullopt;
    places.pop_back();
  }
  return places.front();
}

/// Reports whether two definitions of a name have equal content, which refers to equal names.
bool CodeLink::are_same(Place left, Place right) {
  const auto& one = item(left);
  const auto& other = item(right);
  if (one.hash != other.hash || one.targets.size() != other.targets.size()) return false;
  for (std::size_t at = 0; at < one.targets.size(); ++at) {
    const auto name_of = [&](Place place) {
      return parts_[place.first]->symbols[place.second].name;
    };
    const auto name = name_of(one.targets[at]);
    const auto other_name = name_of(other.targets[at]);
    const bool are_equal = is_numbered(name) && is_numbered(other_name)
                               ? item(one.targets[at]).hash == item(other.targets[at]).hash
                               : without_build(name) == without_build(other_name);
    if (!are_equal) return false;
  }
  return true;
}

/// Returns a hash of all functions but kernels, and of all variables.
const std::string& CodeLink::hash_of_all() {
  if (!hash_of_all_.empty()) return hash_of_all_;
  std::set<std::string> hashes;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    for (std::uint32_t at = 0; at < parts_[part]->symbols.size(); ++at) {
      const auto& symbol = parts_[part]->symbols[at];
      const bool is_kernel = (symbol.other & kEntryFunction) != 0;
      const bool is_content = symbol.type != elf::kSectionSymbol && symbol.type != elf::kFileSymbol;
      if (is_content && !is_kernel && symbol.size != 0 && parts_[part]->section_of(symbol)) {
        hashes.insert(item({part, at}).hash);
      }
    }
  }
  Digest digest;
  for (const auto& hash : hashes) digest.add(hash);
  return hash_of_all_ = digest.text();
}

const CodeLink::Item& CodeLink::item(Place place) {
  const auto known = items_.find(place);
  if (known != items_.end()) return known->second;
  const auto& part = *parts_[place.first];
  auto read = ItemReader(part, place.first).read(place.second);
  // Functions and variables of valid cubins do not overlap, but for those that the compiler made of
  // a kernel, in its section.
  constexpr std::uint64_t kMaxTimes = 16;
  read_ += read.bytes;
  if (read_ > kMaxTimes * bytes_) Bytes(part.content).fail(0, "functions overlap");
  return items_.emplace(place, std::move(read)).first->second;
}

std::string CodeLink::identity(const std::string& kernel, std::string_view arch) {
  const auto start = kernels_.find(kernel);
  if (start == kernels_.end()) return {};
  const auto first = definition(start->second);
  if (!first) return {};
  bool is_known = true;
  Digest digest;
  digest.add(arch);
  const auto reached = add_reached(
      digest, *first, [this](Place place) -> const Item& { return item(place); },
      [&](Place target) {
        const auto found = definition(target);
        is_known = is_known && found.has_value();
        return found.value_or(target);
      },
      references_);
  bool calls_any = false;
  for (const auto& place : reached) {
    is_known = is_known && !item(place).is_unknown;
    calls_any = calls_any || item(place).calls_any;
  }
  if (!is_known) return {};
  if (calls_any) digest.add(hash_of_all());
  return digest.text();
}

}  // namespace archgrid::fatbin
