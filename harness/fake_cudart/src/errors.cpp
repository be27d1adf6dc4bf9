// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

namespace archgrid::fake_cudart {
namespace {

struct Error {
  int number;
  const char* name;
};

constexpr Error kErrors[] = {
#include "errors.inc"
};

constexpr const char* kFunctions[] = {
#include "functions.inc"
};

// Functions that report errors, or return none.
constexpr const char* kInfallible[] = {"cudaGetLastError", "cudaPeekAtLastError",
                                       "cudaGetErrorName", "cudaGetErrorString",
                                       "cudaCreateChannelDesc"};

/// Returns "fake: no kernel image for device" for "cudaErrorNoKernelImageForDevice".
std::string words_of(std::string name) {
  for (const std::string prefix : {"cudaError", "cuda"}) {
    if (name.rfind(prefix, 0) != 0) continue;
    name.erase(0, prefix.size());
    break;
  }
  std::string words = "fake:";
  for (const char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isupper(code) != 0) words += ' ';
    words += static_cast<char>(std::tolower(code));
  }
  return words;
}

}  // namespace

const char* name_of_error(int error) {
  const auto* found = std::find_if(std::begin(kErrors), std::end(kErrors),
                                   [&](const Error& known) { return known.number == error; });
  return found == std::end(kErrors) ? nullptr : found->name;
}

const char* text_of_error(int error) {
  static const auto* texts = [] {
    auto* all = new std::map<int, std::string>;  // never destroyed
    for (const auto& known : kErrors) all->emplace(known.number, words_of(known.name));
    return all;
  }();
  const auto found = texts->find(error);
  return found == texts->end() ? "fake: no error of this toolkit" : found->second.c_str();
}

std::optional<int> find_error(const std::string& name_or_number) {
  for (const auto& known : kErrors) {
    if (name_or_number == known.name || name_or_number == std::to_string(known.number)) {
      return known.number;
    }
  }
  return std::nullopt;
}

bool can_fail(const std::string& function) {
  const auto names = [&](const char* known) { return function == known; };
  return std::any_of(std::begin(kFunctions), std::end(kFunctions), names) &&
         std::none_of(std::begin(kInfallible), std::end(kInfallible), names);
}

}  // namespace archgrid::fake_cudart
