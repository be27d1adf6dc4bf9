// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace archgrid::coverage {
namespace {

bool is_numeral(char c) {
  return c >= '0' && c <= '9';
}

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_letter(char c) {
  return is_capital(c) || is_small(c);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (is_capital(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// Reads a decimal number and moves `at` behind it. Returns 0 if there is none or it is too long.
std::size_t read_number(std::string_view text, std::size_t& at) {
  constexpr std::size_t kMaxDigits = 6;
  std::size_t number = 0;
  const auto begin = at;
  while (at < text.size() && is_numeral(text[at]) && at - begin < kMaxDigits) {
    number = number * 10 + static_cast<std::size_t>(text[at++] - '0');
  }
  return number;
}

/// Reads a nested name of the Itanium C++ ABI at `at`, up to template arguments or its end, and
/// returns its identifiers with a blank behind each. Anonymous namespaces are left out.
std::string read_nested_name(std::string_view name, std::size_t& at) {
  constexpr std::string_view kQualifiers = "NrVKL";
  constexpr std::string_view kAnonymous = "_GLOBAL__N";
  std::string nested;
  while (at < name.size()) {
    if (kQualifiers.find(name[at]) != std::string_view::npos) {
      ++at;
    } else if (name[at] == 'S') {  // std:: (St), or a back reference (S_, S0_)
      const bool is_std = name.substr(at, 2) == "St";
      const auto end = is_std ? at + 1 : name.find('_', at);
      if (end == std::string_view::npos) break;
      at = end + 1;
    } else {
      auto begin = at;
      const auto length = read_number(name, begin);
      if (length == 0 || length > name.size() - begin) break;
      const auto identifier = name.substr(begin, length);
      at = begin + length;
      if (identifier.substr(0, kAnonymous.size()) == kAnonymous) continue;
      nested += identifier;
      nested += ' ';
    }
  }
  return nested;
}

std::string_view last_word(std::string_view words) {
  if (!words.empty()) words.remove_suffix(1);
  return words.substr(words.find_last_of(' ') + 1);
}

/// Returns the function's qualified name; for CUTLASS's entry functions, also that of the kernel
/// they run. Returns the name unchanged if it cannot be parsed.
std::string own_name(std::string_view name) {
  if (name.substr(0, 2) != "_Z") return std::string(name);
  std::size_t at = 2;
  auto own = read_nested_name(name, at);
  if (own.empty()) return std::string(name);
  constexpr std::array<std::string_view, 3> kEntries = {"device_kernel", "Kernel", "Kernel2"};
  const bool is_entry =
      std::find(kEntries.begin(), kEntries.end(), last_word(own)) != kEntries.end();
  if (is_entry && at < name.size() && name[at] == 'I') {
    ++at;
    own += read_nested_name(name, at);
  }
  return own;
}

/// Skips a number, and the rest of a size: "128x64", or "16n8k8" of a shape.
std::size_t skip_size(std::string_view text, std::size_t at, std::string_view separators) {
  auto end = at;
  read_number(text, end);
  for (const char separator : separators) {
    if (end + 1 >= text.size() || text[end] != separator || !is_numeral(text[end + 1])) return at;
    ++end;
    read_number(text, end);
  }
  return end;
}

/// Returns the GPUs that a number means: "80" means 8.0 and GPUs that run its code, "10" of "sm10"
/// and "9x" of "sm9x" mean a generation.
std::optional<GpuRange> range_of(std::string_view text, std::size_t at) {
  const auto begin = at;
  const auto number = static_cast<int>(read_number(text, at));
  const auto digits = at - begin;
  const bool is_major = digits == 1 && at < text.size() && text[at] == 'x';
  if (is_major || (digits == 2 && number >= 10 && number <= 12)) {
    return GpuRange{number * 10, number * 10 + 9};
  }
  if (digits < 2 || digits > 3) return std::nullopt;
  if (table().find_architecture(number) == nullptr) return std::nullopt;
  return GpuRange{number, number / 10 * 10 + 9};
}

/// Reports whether a number belongs to an arch list: CUB and Thrust name all archs of the build in
/// their namespaces, "CUB_200802_SM_800_860_900".
bool is_arch_list(std::string_view text, std::size_t number) {
  auto end = number;
  while (end < text.size() && is_numeral(text[end])) ++end;
  const bool goes_on = end + 1 < text.size() && text[end] == '_' && is_numeral(text[end + 1]);
  const auto before = text.substr(0, number);
  return before.size() >= 4 && before.substr(before.size() - 4) == "_SM_" &&
         (goes_on || before.find("CUB_") != std::string_view::npos ||
          before.find("THRUST_") != std::string_view::npos);
}

/// Adds the number after each `word`: "sm" in "_sm80", "Sm80", "sm_80". `word` must start a word.
void add_numbered(std::string_view text, std::string_view lower, std::string_view word,
                  std::vector<GpuRange>& ranges) {
  for (auto at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1)) {
    const bool begins =
        at == 0 || !is_letter(text[at - 1]) || (is_capital(text[at]) && is_small(text[at - 1]));
    auto number = at + word.size();
    if (number < text.size() && text[number] == '_') ++number;
    if (!begins || is_arch_list(text, number)) continue;
    if (const auto range = range_of(lower, number)) ranges.push_back(*range);
  }
}

/// Adds the archs with a suffix that stand alone: 90 of "_cutlass_90a.so", 120 of "moe-120f.so".
void add_suffixed(std::string_view text, std::vector<GpuRange>& ranges) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins = at == 0 || !(is_letter(text[at - 1]) || is_numeral(text[at - 1]));
    if (!begins || !is_numeral(text[at])) continue;
    auto end = at;
    const auto number = static_cast<int>(read_number(text, end));
    const auto* arch = table().find_architecture(number);
    const bool has_suffix =
        arch != nullptr && end < text.size() && arch->suffixes.find(text[end]) != std::string::npos;
    const bool goes_on =
        end + 1 < text.size() && (is_letter(text[end + 1]) || is_numeral(text[end + 1]));
    if (!has_suffix || goes_on) continue;
    ranges.push_back({number, number / 10 * 10 + 9});
  }
}

struct Generation {
  std::string_view word;
  GpuRange range;
};

constexpr std::array<Generation, 7> kGenerations = {{{"maxwell", {50, 53}},
                                                     {"pascal", {60, 62}},
                                                     {"volta", {70, 72}},
                                                     {"turing", {75, 75}},
                                                     {"ampere", {80, 88}},
                                                     {"hopper", {90, 90}},
                                                     {"blackwell", {100, 129}}}};

/// Reports whether a word stands alone: "Volta_f16", "AmpereTile", and not "voltage" or "shopper".
bool has_word(std::string_view text, std::string_view lower, std::string_view word) {
  for (auto at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool begins = at == 0 || !is_letter(text[at - 1]) || is_capital(text[at]);
    const bool ends = end >= text.size() || !is_small(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

std::vector<GpuRange> ranges_in(std::string_view text) {
  const auto lower = lower_case(text);
  std::vector<GpuRange> ranges;
  for (const std::string_view word : {"sm", "cutlass", "compute", "cc"}) {
    add_numbered(text, lower, word, ranges);
  }
  for (const auto& generation : kGenerations) {
    if (has_word(text, lower, generation.word)) ranges.push_back(generation.range);
  }
  return ranges;
}

/// Returns the first GPU with the shape of mma.sync that the text names (PTX ISA, "mma"); 0 for
/// none.
int first_with_shape(std::string_view text) {
  constexpr std::string_view kShape = "m16n8k";
  const auto found = text.find(kShape);
  if (found == std::string_view::npos) return 0;
  auto at = found + kShape.size();
  const auto depth = read_number(text, at);
  return depth == 8 ? 75 : depth > 8 ? 80 : 0;
}

struct Need {
  std::string_view word;  ///< in lower case
  int first;              ///< the first GPU that has it
};

/// NCCL's device functions use atomics with a scope, which begin with 6.0 (PTX ISA, `atom`).
constexpr std::array<Need, 16> kNeeds = {{{"bf16", 80},
                                          {"bfloat16", 80},
                                          {"e4m3", 89},
                                          {"e5m2", 89},
                                          {"fp8", 89},
                                          {"float8_e", 89},
                                          {"e2m1", 100},
                                          {"fp4", 100},
                                          {"tcgen05", 100},
                                          {"multimem", 90},
                                          {"wgmma", 90},
                                          {"_tma_", 90},
                                          {"sm90_tma", 90},
                                          {"wmma", 70},
                                          {"nccldevcomm", 60},
                                          {"half", 53}}};

// Words of kernels' names in libcublas_static.a of CUDA 10 to 13, libcufft_static.a of CUDA 11,
// cuDNN and TensorRT.
constexpr std::array<std::string_view, 20> kWordsOfNvidia = {
    "cublas",         "cudnn",         "gemmSN_",
    "nvinfer1",       "gemv2N_kernel", "gemv2T_kernel",
    "gemvNSP_kernel", "gemmk1_kernel", "gemm_kernel2x",
    "fermiCgemm",     "magma_sgemmEx", "_sm35_ldg_",
    "_heavy_",        "cutlass_70_",   "cutlass_75_",
    "cutlass_80_",    "_xmma_",        "loadstore_modifier_t",
    "regular_fft",    "vector_fft"};
// A shorter word has no characters 2 to 5, of which slots_of_words() marks the slot.
static_assert(std::all_of(kWordsOfNvidia.begin(), kWordsOfNvidia.end(),
                          [](std::string_view word) { return word.size() >= 5; }));

constexpr std::uint32_t kMixOfStarts = 0x9e3779b9;  // 2^32 divided by the golden ratio
constexpr unsigned kShiftOfStarts = 32 - 12;

/// Returns four characters as a number, as this machine loads them.
constexpr std::uint32_t loaded(std::string_view four) {
  std::uint32_t number = 0;
  for (unsigned place = 0; place < 4; ++place) {
    const auto shift = std::endian::native == std::endian::little ? 8 * place : 24 - 8 * place;
    number |= std::uint32_t{static_cast<unsigned char>(four[place])} << shift;
  }
  return number;
}

/// Marks the slots of the characters 1 to 4 and 2 to 5 of kWordsOfNvidia, by a multiplicative hash.
constexpr std::array<bool, 4096> slots_of_words() {
  std::array<bool, 4096> slots = {};
  for (const auto word : kWordsOfNvidia) {
    for (const std::size_t begin : {0U, 1U}) {
      slots[(loaded(word.substr(begin, 4)) * kMixOfStarts) >> kShiftOfStarts] = true;
    }
  }
  return slots;
}

bool begins_with_word_of_nvidia(std::string_view text) {
  return std::any_of(kWordsOfNvidia.begin(), kWordsOfNvidia.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

/// Reports whether a name contains one of kWordsOfNvidia. One pass over every second place, as
/// names are long, and files have thousands of them; with pointers, as GCC inlines no function with
/// -Og.
bool contains_word_of_nvidia(std::string_view name) {
  static constexpr auto kSlots = slots_of_words();
  const bool* const slots = kSlots.data();
  const char* const text = name.data();
  const auto size = name.size();
  for (std::size_t at = 0; at + 4 <= size; at += 2) {
    std::uint32_t four = 0;
    std::memcpy(&four, text + at, sizeof(four));
    if (!slots[(four * kMixOfStarts) >> kShiftOfStarts]) continue;
    if (begins_with_word_of_nvidia(name.substr(at))) return true;
    if (at > 0 && begins_with_word_of_nvidia(name.substr(at - 1))) return true;
  }
  return false;
}

}  // namespace

std::string family_of(std::string_view name) {
  auto own = own_name(name);
  for (const std::string_view type : {"bf16", "fp16"}) {
    for (auto at = own.find(type); at != std::string::npos; at = own.find(type)) {
      own.erase(at, type.size());
    }
  }
  const auto lower = lower_case(own);
  std::string family;
  for (std::size_t at = 0; at < own.size();) {
    const bool begins = at == 0 || !is_numeral(own[at - 1]);
    auto end = at;
    if (begins && is_numeral(own[at])) {
      const auto before = std::string_view(lower).substr(0, at);
      const bool is_arch =
          before.ends_with("sm") || before.ends_with("sm_") || before.ends_with("cutlass_");
      end = before.ends_with("m") && !is_arch ? skip_size(lower, at, "nk")
                                              : skip_size(lower, at, "x");
      if (is_arch) read_number(lower, end);
    }
    if (end == at) family += own[at++];
    at = std::max(at, end);
  }
  return family;
}

std::vector<GpuRange> gpus_named(std::string_view name, std::string_view unit,
                                 std::string_view library,
                                 const std::vector<ComputeCapability>& served) {
  // CUTLASS's Sm50 is for 6.1, too.
  const auto names_some = [&served](const GpuRange& range) {
    constexpr int kNextGeneration = 10;
    const GpuRange with_next{range.first, range.last + kNextGeneration};
    return std::any_of(served.begin(), served.end(),
                       [&](ComputeCapability other) { return with_next.contains(other.number()); });
  };
  const auto own = own_name(name);
  for (const std::string_view text : {std::string_view(own), name, unit, library}) {
    auto ranges = ranges_in(text);
    std::erase_if(ranges, [&](const GpuRange& range) { return !names_some(range); });
    if (!ranges.empty()) return ranges;
  }
  return {};
}

bool is_for_others(const std::vector<GpuRange>& named, ComputeCapability device) {
  return !named.empty() && std::none_of(named.begin(), named.end(), [&](const GpuRange& range) {
    return range.contains(device.number());
  });
}

int other_arch_named(std::string_view path, const std::vector<ComputeCapability>& devices) {
  const auto name = library_of(path);
  std::vector<GpuRange> ranges;
  for (const std::string_view word : {"sm", "compute"}) {
    add_numbered(name, lower_case(name), word, ranges);
  }
  add_suffixed(name, ranges);
  const bool is_for_none =
      std::all_of(devices.begin(), devices.end(),
                  [&](ComputeCapability device) { return is_for_others(ranges, device); });
  return ranges.empty() || !is_for_none ? 0 : ranges.front().first;
}

std::string_view library_of(std::string_view path) {
  return path.substr(path.find_last_of("/!") + 1);
}

int first_device_named(std::string_view name) {
  auto first = first_with_shape(name);
  const auto lower = lower_case(name);
  for (const auto& need : kNeeds) {
    const bool is_newer = need.first > first;
    if (is_newer && lower.find(need.word) != std::string::npos) first = need.first;
  }
  return first;
}

bool needs_checked_type(std::string_view name, ComputeCapability device) {
  constexpr int kFirstWithFp8 = 90;
  const auto lower = lower_case(name);
  return std::any_of(kNeeds.begin(), kNeeds.end(), [&](const Need& need) {
    if (need.word.find("bf") == 0) return false;
    const auto first = need.first == 89 ? kFirstWithFp8 : need.first;
    return device.number() < first && lower.find(need.word) != std::string::npos;
  });
}

int first_device_with(const fatbin::Opcodes& opcodes) {
  namespace opcode = fatbin::opcode;
  constexpr std::array<std::pair<std::size_t, int>, 5> kFirst = {{{opcode::kHmma, 70},
                                                                  {opcode::kImma, 72},
                                                                  {opcode::kLdsm, 75},
                                                                  {opcode::kDmma, 80},
                                                                  {opcode::kQmma, 89}}};
  constexpr int kFirstWithLdgsts = 80;
  int first = 0;
  for (const auto& [code, device] : kFirst) {
    if (opcodes.test(code)) first = std::max(first, device);
  }
  if (first > 0 && opcodes.test(opcode::kLdgsts)) first = std::max(first, kFirstWithLdgsts);
  return first;
}

bool is_of_nvidia(std::string_view name, std::string_view library) {
  constexpr std::array<std::string_view, 5> kBeginnings = {"maxwell_", "volta_", "turing_",
                                                           "ampere_", "nvjet_"};
  const auto begins = [&](std::string_view word) { return name.starts_with(word); };
  return is_library_of_nvidia(library) ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(), begins) ||
         contains_word_of_nvidia(name);
}

bool is_library_of_nvidia(std::string_view path) {
  constexpr std::array<std::string_view, 11> kLibraries = {
      "libcublas", "libcudnn", "libcufft",  "libcurand",   "libcusolver",  "libcusparse",
      "libnccl",   "libnpp",   "libnvjpeg", "libcutensor", "libcustatevec"};
  const auto library = library_of(path);
  return std::any_of(kLibraries.begin(), kLibraries.end(),
                     [&](std::string_view word) { return library.starts_with(word); });
}

bool names_gpus(std::string_view text) {
  const auto lower = lower_case(text);
  // ggml: "has no device code compatible with CUDA arch %d"
  for (const auto* words : {"compute capability", "cuda arch"}) {
    if (lower.find(words) != std::string::npos) return true;
  }
  for (auto at = lower.find("sm"); at != std::string::npos; at = lower.find("sm", at + 1)) {
    const bool begins = at == 0 || std::isalnum(static_cast<unsigned char>(lower[at - 1])) == 0;
    auto digit = at + 2;
    if (digit < lower.size() && (lower[digit] == '_' || lower[digit] == ' ')) ++digit;
    const auto is_digit = [&](std::size_t place) {
      return place < lower.size() && std::isdigit(static_cast<unsigned char>(lower[place])) != 0;
    };
    if (begins && is_digit(digit) && is_digit(digit + 1)) return true;
  }
  return false;
}

}  // namespace archgrid::coverage
