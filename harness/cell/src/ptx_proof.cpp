// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cell.hpp>
#include <archgrid/fatbin/parallel.hpp>
#include <archgrid/system/programs.hpp>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

#include "words.hpp"

namespace archgrid::cell {
namespace {

namespace fs = std::filesystem;

std::string text_in(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// An error of ptxas: "ptxas k.ptx, line 27; error   : Instruction ..." or, for a whole kernel,
/// "ptxas error   : Entry function 'k' uses too much shared data".
struct PtxError {
  std::size_t line = 0;  ///< 0: not recorded
  std::string text;
};

/// Returns the first error about the PTX itself. The text is empty if there is none, for example if
/// ptxas could not run ("ptxas fatal   : ...").
PtxError first_error_in(std::string_view log) {
  constexpr std::string_view kLine = ", line ";
  for (std::size_t at = 0; at < log.size();) {
    const auto end = std::min(log.find('\n', at), log.size());
    const auto line = log.substr(at, end - at);
    at = end + 1;
    const auto number = line.find(kLine);
    const bool of_kernel = starts_with(line, "ptxas error");
    if (number == std::string_view::npos && !of_kernel) continue;
    const auto error = line.find("error", of_kernel ? 0 : number);
    const auto colon = line.find(": ", std::min(error, line.size()));
    if (colon == std::string_view::npos) continue;
    PtxError found;
    if (!of_kernel) {
      const auto digits = line.substr(number + kLine.size());
      std::from_chars(digits.data(), digits.data() + digits.size(), found.line);
    }
    found.text = fatbin::printable(std::string(line.substr(colon + 2)));
    return found;
  }
  return {};
}

bool has_unresolved(std::string_view log) {
  return log.find("Unresolved extern") != std::string_view::npos;
}

/// Returns the kernel whose body contains the line, which counts from 1; empty if none does.
std::string kernel_at(std::string_view ptx, std::size_t line) {
  constexpr std::string_view kEntry = ".entry ";
  constexpr std::string_view kFunction = ".func ";
  std::size_t begin = 0;
  for (std::size_t count = 1; count < line; ++count) {
    const auto end = ptx.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  const auto before = ptx.substr(0, begin);
  const auto at = before.rfind(kEntry);
  const auto function = before.rfind(kFunction);
  if (at == std::string_view::npos) return {};
  if (function != std::string_view::npos && function > at) return {};
  const auto name = before.substr(at + kEntry.size());
  return fatbin::demangle(std::string(name.substr(0, name.find_first_of(" (\n"))));
}

}  // namespace

PtxProof::PtxProof(const Spec& spec, const fs::path& root, fs::path build)
    : toolkit_(spec.toolkit), ptxas_(root / "bin/ptxas"), build_(std::move(build)) {
  std::ifstream stream(build_ / "archgrid.ptx");
  for (std::string line; std::getline(stream, line);) accepted_.insert(line);
}

bool PtxProof::can_judge(const fatbin::Image& image) const {
  const auto* row = coverage::table().find_toolkit(toolkit_);
  const auto isa = coverage::parse_version(image.ptx_isa);
  if (row == nullptr || !isa || row->ptx_isa < *isa) return false;
  return std::find(row->archs.begin(), row->archs.end(), image.arch) != row->archs.end();
}

void PtxProof::add(const std::string& output, const fatbin::Image& image, std::string text) {
  if (!can_judge(image)) return;
  text.resize(std::min(text.find('\0'), text.size()));  // ptxas refuses a terminating NUL
  const bool part = image.section == "__nv_relfatbin";
  const auto key = fmt::format("{} {} {:016x} {}{}", ptxas_.string(), image.arch.text(),
                               hash_of(text), text.size(), part ? "" : " whole");
  if (accepted_.count(key) != 0 || !seen_.insert(key).second) return;
  waiting_.push_back({output, image.arch, std::move(text), key, part, false, false, {}, {}});
}

// Uses -O0 first: the optimiser takes most of the time. PTX that -O0 refuses is wrong only if -O3
// refuses it, too.
void PtxProof::ask(Text& text, std::size_t number) const {
  const auto file = build_ / fmt::format("archgrid-{}.ptx", number);
  const auto log = build_ / fmt::format("archgrid-{}.log", number);
  std::ofstream(file, std::ios::binary) << text.ptx;
  const auto accepts = [&](const char* level) {
    std::vector<std::string> words = {ptxas_.string(), level, "-arch=sm_" + text.arch.text(),
                                      file.string(),   "-o",  "/dev/null"};
    if (text.is_part) words.emplace_back("-c");
    return system::run_logged(std::move(words), log).good();
  };
  for (const auto* level : {"-O0", "-O3"}) {
    text.accepted = accepts(level);
    // The PTX calls functions that other objects define. -c checks less: not a kernel's shared
    // memory.
    if (!text.accepted && !text.is_part && has_unresolved(text_in(log))) {
      text.is_part = true;
      text.accepted = accepts(level);
    }
    const auto error = text.accepted ? PtxError{} : first_error_in(text_in(log));
    text.error = error.text;
    text.of_kernel = error.line == 0;
    text.kernel = kernel_at(text.ptx, error.line);
    if (text.accepted) break;
  }
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove(log, ignored);
}

std::string PtxProof::refused() {
  std::error_code error;
  if (waiting_.empty() || !fs::exists(ptxas_, error)) return {};
  parallel_for(waiting_.size(),
               [&](std::size_t index, std::size_t) { ask(waiting_[index], index); });
  std::ofstream accepted(build_ / "archgrid.ptx", std::ios::app);
  const Text* first = nullptr;
  std::size_t count = 0;
  for (const auto& text : waiting_) {
    if (text.accepted) accepted << text.key << '\n';
    if (!text.error.empty() && ++count == 1) first = &text;
  }
  if (first == nullptr) return {};
  return fmt::format(
      "no driver compiles the PTX for {0} of {1}{2}: ptxas of CUDA {3} says of {4}: {5}; nothing "
      "else compiled it, as there is no machine code for {0}: {6}",
      first->arch.text(), first->output,
      count > 1 ? fmt::format(" and {} more files", count - 1) : std::string(), toolkit_.text(),
      first->kernel.empty() ? "it" : first->kernel, first->error,
      first->of_kernel
          ? "make the kernel fit, as no machine code for it compiles either"
          : "guard the code with `#if __CUDA_ARCH__`, or compile PTX for a newer arch");
}

}  // namespace archgrid::cell
