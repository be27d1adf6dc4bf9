// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/ignore_codes.hpp>
#include <archgrid/coverage/json_text.hpp>
#include <archgrid/coverage/nearest.hpp>
#include <array>

namespace archgrid::coverage {
namespace {

/// Returns the part before the first colon if it can be a code; empty for "ns::gemm".
std::string_view code_in(std::string_view text) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  if (text.substr(colon + 1, 1) == ":") return {};
  const auto code = text.substr(0, colon);
  return code.find_first_not_of(kLetters) == std::string_view::npos ? code : std::string_view();
}

/// Returns where the @ before a list of GPUs is; npos for none.
std::size_t place_of_gpus(const std::string& text) {
  const auto at = text.rfind('@');
  if (at == std::string::npos) return at;
  constexpr const char* kOfPatterns = "/*?!:<>()";
  return text.find_first_of(kOfPatterns, at) == std::string::npos ? at : std::string::npos;
}

/// Reads "7.5,8.0".
std::vector<ComputeCapability> read_capabilities(const std::string& list) {
  std::vector<ComputeCapability> devices;
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    const auto item = list.substr(begin, end - begin);
    begin = end + 1;
    const auto device = parse_device(item);
    if (!device || table().find_architecture(device->number()) == nullptr) {
      std::vector<std::string> known;
      for (const auto& gpu : table().architectures) known.push_back(gpu.device.text());
      throw IgnoreError(
          fmt::format("\"{}\" after the @ is no GPU: write some of {}, or ? for an @ "
                      "of the name",
                      quotable(item), fmt::join(known, ", ")));
    }
    devices.push_back(*device);
  }
  return devices;
}

}  // namespace

const std::vector<std::string_view>& ignorable_codes() {
  static const std::vector<std::string_view> codes = {"native",
                                                      "compatible",
                                                      "jit",
                                                      "unknown",
                                                      "ptx-too-new",
                                                      "wrong-suffix",
                                                      "missing",
                                                      "empty",
                                                      "trap",
                                                      "stub",
                                                      "not-in-image",
                                                      "name-differs",
                                                      "unit-lacks-arch",
                                                      "file-lacks-arch",
                                                      "stripped",
                                                      "not-device-linked",
                                                      "misnamed",
                                                      "other-cpu",
                                                      "gpu-lost",
                                                      "gpu-degraded",
                                                      "driver-too-old",
                                                      "driver-too-old-for-gpu",
                                                      "driver-too-new-for-gpu",
                                                      "over-budget",
                                                      "budget-unknown"};
  return codes;
}

void read_ignored(const std::string& whole, Ignore& ignore, const GpuListReader& read_gpus) {
  const auto place = place_of_gpus(whole);
  const auto text = whole.substr(0, place);
  if (place != std::string::npos) {
    const auto gpus = whole.substr(place + 1);
    ignore.devices = read_gpus ? read_gpus(gpus) : read_capabilities(gpus);
    if (text.empty()) {
      throw IgnoreError(
          fmt::format("\"{}\" lacks a pattern: write *@{} for all kernels", quotable(whole), gpus));
    }
  }
  const std::string code(code_in(text));
  ignore.code = code;
  ignore.kernel = code.empty() ? text : text.substr(code.size() + 1);
  if (code.empty()) return;
  const auto& known = ignorable_codes();
  if (std::find(known.begin(), known.end(), code) == known.end()) {
    const auto meant = nearest(code, {known.begin(), known.end()});
    throw IgnoreError(
        fmt::format("\"{}\" is no code of errors about kernels, files or GPUs: {}", quotable(code),
                    meant.empty() ? "`archgrid explain` lists the codes" : "write " + meant));
  }
  if (ignore.kernel.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw IgnoreError(fmt::format(
        "\"{}\" lacks a pattern: write {}:PATTERN, for names of kernels or of their file",
        quotable(text), code));
  }
}

std::string problem_of_reason(std::string_view reason) {
  constexpr std::string_view kSpace = " \t\r\n";
  constexpr std::array<std::string_view, 6> kHolders = {"reason", "...",   "\u2026",
                                                        "todo",   "fixme", "tbd"};
  const auto begin = reason.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return "the reason is empty";
  std::string word(reason.substr(begin, reason.find_last_not_of(kSpace) + 1 - begin));
  for (char& letter : word) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  if (std::find(kHolders.begin(), kHolders.end(), word) == kHolders.end()) return {};
  return fmt::format("\"{}\" is no reason", quotable(std::string(reason)));
}

std::string ignored_text(const Ignore& ignore) {
  return ignore.code.empty() ? ignore.kernel : ignore.code + ':' + ignore.kernel;
}

}  // namespace archgrid::coverage
