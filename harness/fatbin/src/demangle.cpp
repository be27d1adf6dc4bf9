// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
// Keeps libiberty from declaring basename(), which differs from that of <cstring>.
#define HAVE_DECL_BASENAME 1
#include <libiberty/demangle.h>

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <charconv>
#include <csetjmp>
#include <optional>

namespace archgrid::fatbin {
namespace {

// A name of 300 bytes may demangle to gigabytes, as each substitution may contain the last one
// twice. The longest of CUTLASS's names demangle to 20,000 bytes.
constexpr std::size_t kLongestDemangled = 128 * 1024;

// The demangler recurses up to once a character and by default refuses names of more than 1024.
// CUTLASS has names of 2,100. Parsing 4,096 nested parts fits a stack of 1 MiB (measured).
constexpr std::size_t kLongestMangled = 4096;

// Printing puts an array on the stack: 16 bytes for each template and each reference to a template
// parameter, both of which are counted up to twice. CUTLASS's names come to 20 KiB.
constexpr std::size_t kBytesOfCopy = 64;
constexpr std::size_t kMaxCopies = 512 * 1024;

/// Reports whether printing the name fits the stack of a thread.
bool fits_stack(std::string_view name) {
  std::size_t templates = 0;
  std::size_t references = 0;
  for (std::size_t at = 0; at + 1 < name.size(); ++at) {
    const bool is_template = name[at] == 'I' || name[at] == 'J';
    const bool is_reference =
        (name[at] == 'R' || name[at] == 'O') && (name[at + 1] == 'T' || name[at + 1] == 'S');
    templates += is_template ? 1 : 0;
    references += is_reference ? 1 : 0;
  }
  return templates * references * kBytesOfCopy <= kMaxCopies;
}

/// Returns the start of the mangled name. Relocatable objects give functions with internal linkage
/// a prefix for their source file: __nv_static_, the length of a text, that text and an underscore.
/// The text may itself contain a mangled name.
std::size_t mangled_begin(const std::string& name) {
  constexpr std::string_view kPrefix = "__nv_static_";
  if (name.compare(0, kPrefix.size(), kPrefix) != 0) return 0;
  std::size_t length = 0;
  const auto* digits = name.data() + kPrefix.size();
  const auto [end, error] = std::from_chars(digits, name.data() + name.size(), length);
  const auto begin = static_cast<std::size_t>(end - name.data()) + 2;
  if (error == std::errc() && length < name.size() &&
      name.compare(std::min(begin + length, name.size()), 2, "_Z") == 0) {
    return begin + length;
  }
  return std::min(name.find("__Z") + 1, name.size());
}

struct Demangled {
  Demangled() { text.reserve(kLongestDemangled); }  // no exception may leave take_part()
  std::string text;
  std::jmp_buf given_up = {};
};

// Leaves by longjmp, as the demangler cannot be stopped otherwise. It is C code that owns no
// resources while it writes.
void take_part(const char* part, std::size_t size, void* demangled) {
  auto& result = *static_cast<Demangled*>(demangled);
  if (result.text.size() + size > kLongestDemangled) std::longjmp(result.given_up, 1);
  result.text.append(part, size);
}

/// Returns nothing if the name is not mangled, demangles to too much, or takes too much stack.
std::optional<std::string> demangled(std::string_view name) {
  if (name.size() > kLongestMangled || !fits_stack(name)) return std::nullopt;
  static thread_local Demangled result;
  result.text.clear();
  if (setjmp(result.given_up) != 0) return std::nullopt;
  constexpr int kOptions = DMGL_PARAMS | DMGL_TYPES | DMGL_NO_RECURSE_LIMIT;
  if (cplus_demangle_v3_callback(name.data(), kOptions, take_part, &result) == 0) {
    return std::nullopt;
  }
  return result.text;
}

}  // namespace

std::string demangle(const std::string& name) {
  const auto begin = mangled_begin(name);
  if (name.compare(begin, 2, "_Z") != 0) return printable(name);
  return printable(demangled(std::string_view(name).substr(begin)).value_or(name));
}

}  // namespace archgrid::fatbin
