// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/report/screen_words.hpp>
#include <cctype>

#include "style.hpp"

namespace archgrid::report {
namespace {

constexpr std::string_view kSigns = "*?+!";

/// Returns the words of an audit.
std::vector<ScreenWord> audit_words() {
  return {
      {"all", "In the table: machine code of every kernel of the file works on the GPU.",
       "Nothing, unless a sign follows: archgrid explain 'all*'."},
      {"%", "In the table: the share of the file's kernels whose machine code works on the GPU.",
       "Read the errors and suspects below the table about the rest; --all names every kernel."},
      {"PTX",
       "In the table: the driver compiles the file's kernels for the GPU when the program "
       "first starts. There is no machine code for it.",
       "Accept the slow first start, or compile for the GPU's architecture, too."},
      {"-",
       "In the table: no kernel of the file has code that works on the GPU. In a map: nothing "
       "is promised there.",
       "Read the errors and notes; another file of the package may be for that GPU."},
      {"*",
       "Behind a share: the other kernels of the file may be for other GPUs, by names, types, "
       "suffixes or "
       "checks of the GPU before launches. It is left out of the share unless it is the greater "
       "part.",
       "List it by --suspects. If it is meant for this GPU, promise that: --gpu with --accept."},
      {"?",
       "Behind a share: bodies of the rest do no work on the GPU, and only the GPUs on which "
       "they work say that this is intended. A launch fails silently if it is not.",
       "Look at the suspects below: does host code launch them there? Then fix their guards."},
      {"+", "Behind a share: the driver compiles the rest from PTX when the program first starts.",
       "Accept the slow first start, or compile the rest for the GPU's architecture, too."},
      {"!",
       "Behind a share: an error, or the driver does not run the file there. In a map: the driver "
       "does not.",
       "Read the error below the table: its last line is the fix."},
      {"native", "In a map: machine code for just this GPU runs.", "Nothing."},
      {"compat", "In a map: machine code for a lower minor version, or for the family, runs.",
       "Nothing, or compile for the GPU itself if it has to be native."},
      {"too-new", "In a map: there is only PTX, of an ISA that the driver does not read.",
       "Install a newer driver, or add machine code for the GPU."},
      {"suffix",
       "In a map: the kernel fails on the GPU. Its code was compiled with the suffix a or f, and "
       "would run without it.",
       "Compile for the GPU's architecture, too, or without the suffix."},
      {"CAPITALS",
       "In a map: an error, or a verdict that the promise does not accept. The word is that of "
       "the verdict.",
       "Read the error below the map. archgrid explain MISSING explains the word itself."},
      {"(...)", "In a map: an ignore or a baseline ignores this error.",
       "Nothing; the lines \"ignored:\" have the reasons."},
      {"no PTX",
       "The file has machine code alone, so GPUs that are newer than all of it get nothing.",
       "Add PTX of the newest arch if newer GPUs are to run it, as 90 in place of 90-real in "
       "CMake."},
      {"runs", "Most kernels of the package have machine code that works on the GPU.",
       "Nothing, or read what follows: kernels that fail, do no work or come from PTX."},
      {"runs after compiling PTX",
       "Most kernels of the package come from PTX, which the driver "
       "compiles when the program first starts.",
       "Expect a slow first start, or use a release with machine code for the GPU."},
      {"runs in part",
       "Some kernels run on the GPU, and most have no code for it, or more kernels do no work "
       "there than work.",
       "Read the errors: what they name fails on the GPU. Use another release, or build for it."},
      {"cannot be told",
       "No kernel was found or read for the GPU, or most code is of a kind that "
       "cannot be judged, such as LTO-IR.",
       "Read the notes and what could not be read, and test on the GPU."},
      {"does nothing",
       "No kernel works on the GPU: the bodies of most are empty, or only print or "
       "trap. Launches report no error.",
       "Do not use it there. Who builds it looks at the `#if __CUDA_ARCH__` guards."},
      {"no kernel runs",
       "No kernel of the package has code that works on the GPU, or the driver knows no such GPU. "
       "What the package does without kernels may still work.",
       "Use another release, or compile for the GPU's architecture."},
      {"none of its own kernels runs",
       "No kernel in its own files has code that works on the GPU. Kernels of another package that "
       "it needs, such as torch, were not audited.",
       "Use another release, or compile for the GPU's architecture."},
      {"its own kernels run",
       "The package runs there as far as its own files show. It needs the "
       "kernels of another package, such as torch, which were not audited.",
       "Audit that package as well: the note has the command."},
      {"except", "These kernels fail or give wrong results on the GPU, and the others run.",
       "Read the errors: each names kernels and a fix."},
      {"except perhaps",
       "These kernels do no work on the GPU, which may be intended. They are "
       "suspects, which fail no audit.",
       "Look whether host code launches them there; --strict makes them errors."},
      {"look meant for other GPUs",
       "Most kernels have no code that works on this GPU, and their "
       "names, types or checks explain it.",
       "List them by --suspects, and the kernels of your program among them."},
      {"compiled from PTX",
       "These kernels alone have no machine code for the GPU: the driver "
       "compiles them when the program first starts.",
       "Accept it, or compile them for the GPU's architecture, too."},
      {"suspect",
       "A defect, or intended: evidence in the files explains it. Suspects fail no audit.",
       "List them by --suspects; --strict makes them errors, and --ignore ignores one."},
      {"ignored", "An ignore or a baseline ignores these findings.",
       "Nothing; the lines \"ignored:\" have the reasons."},
      {"not judged",
       "Too few kernels of a file run on the GPU to expect it of the others, or the "
       "driver knows no such GPU.",
       "Read the notes; --gpu asks about one GPU."},
      {"served by PTX",
       "The GPU has no machine code in a file: the driver compiles the file's kernels for it from "
       "PTX when the program first starts.",
       "Accept the slow first start, or compile for the GPU's architecture, too."},
      {"error",
       "Something that does not run, or does no work, on a GPU on which it should. Errors fail "
       "the audit: exit code 1.",
       "Read it: its last line is the fix. archgrid explain CODE, the word that it begins with, "
       "has more; --ignore ignores one."},
      {"note", "Something to know about the audit or the files. Notes fail no audit.",
       "archgrid explain CODE, with the note's code in --json, has more."},
      {"new", "Kernels with errors that the baseline does not have.",
       "Read the errors: those of the baseline are not among them."},
      {"get nothing",
       "Nothing of the package runs there: GPUs that are newer than all machine code have no PTX, "
       "and those between others were left out of the arch list.",
       "Compile for them, and add PTX of the newest arch for later GPUs."},
      {"in any code",
       "Each body of these kernels is empty or writes only shared memory, on every GPU. An "
       "`#if __CUDA_ARCH__` or a missing arch with a suffix leaves such bodies, and so does "
       "design.",
       "Read the note, which names them, and look whether host code launches them."},
      {"no errors", "Each file and kernel runs on the GPUs on which the rest of the package runs.",
       "Nothing; --gpu asks about one GPU."},
      {"coverage uneven",
       "Something in the package does not run where the rest of the package runs.",
       "Read the errors; --gpu asks about your GPUs alone."},
      {"coverage not known", "Some input could not be read, so nothing is certain.",
       "Read the errors about inputs."},
      {"nothing to judge", "No kernel was found, or no GPU has machine code for most kernels.",
       "Check the input; --gpu asks about one GPU."},
      {"promise holds", "Every promised kernel has an accepted verdict on each promised GPU.",
       "Nothing."},
      {"promise broken", "Some promised kernel has no accepted verdict on a promised GPU.",
       "Read the findings: each has a fix."},
      {"promise not proven", "Cells were not built, or inputs could not be read.",
       "Build the cells, or read the errors about inputs."},
  };
}

/// Reports whether the texts are equal but for capitals: "Runs in part" begins a line.
bool are_equal(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [lower](char a, char b) { return lower(a) == lower(b); });
}

const ScreenWord* find_word(std::string_view text) {
  const auto& words = screen_words();
  const auto found = std::find_if(words.begin(), words.end(), [text](const ScreenWord& each) {
    return are_equal(each.word, text);
  });
  return found == words.end() ? nullptr : &*found;
}

/// Returns "%" for "98%" and "<1%", and other texts as they are.
std::string_view without_number(std::string_view text) {
  const auto end = text.find_first_not_of("<0123456789");
  return end != std::string_view::npos && text.substr(end) == "%" ? text.substr(end) : text;
}

/// Returns the words of the text, one of an audit first.
std::vector<ScreenWord> find_equal(std::string_view text) {
  std::vector<ScreenWord> found;
  const auto& words = screen_words();
  std::copy_if(words.begin(), words.end(), std::back_inserter(found),
               [text](const ScreenWord& each) { return are_equal(each.word, text); });
  return found;
}

/// Returns the longest word of an audit with which the text begins, up to a blank; null for none.
const ScreenWord* find_beginning(std::string_view text) {
  const ScreenWord* longest = nullptr;
  for (const auto& each : screen_words()) {
    const bool begins = !each.of_list && are_equal(text.substr(0, each.word.size()), each.word) &&
                        text.find_first_of(" :,", each.word.size()) == each.word.size();
    if (begins && (longest == nullptr || longest->word.size() < each.word.size())) longest = &each;
  }
  return longest;
}

/// Returns the words of an audit that end with the text after a blank: "coverage uneven" for
/// "uneven".
std::vector<ScreenWord> find_endings(std::string_view text) {
  std::vector<ScreenWord> found;
  for (const auto& each : screen_words()) {
    const auto& word = each.word;
    const bool is_longer = !text.empty() && word.size() > text.size();
    if (each.of_list || !is_longer || word[word.size() - text.size() - 1] != ' ') continue;
    if (are_equal(word.substr(word.size() - text.size()), text)) found.push_back(each);
  }
  return found;
}

}  // namespace

const std::vector<ScreenWord>& screen_words() {
  static const std::vector<ScreenWord> words = [] {
    auto all = audit_words();
    const auto of_list = list_words();
    all.insert(all.end(), of_list.begin(), of_list.end());
    return all;
  }();
  return words;
}

std::vector<ScreenWord> find_screen_words(std::string_view text) {
  if (auto words = find_equal(without_number(text)); !words.empty()) return words;
  if (text.ends_with('s')) {
    auto words = find_equal(text.substr(0, text.size() - 1));
    if (!words.empty()) return words;
  }
  if (!text.empty() && kSigns.find(text.back()) != std::string_view::npos) {
    const auto* base = find_word(without_number(text.substr(0, text.size() - 1)));
    const auto* sign = find_word(text.substr(text.size() - 1));
    if (base != nullptr) return {*base, *sign};
  }
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    auto words = find_screen_words(text.substr(1, text.size() - 2));
    words.insert(words.begin(), *find_word("(...)"));
    return words;
  }
  if (const auto* beginning = find_beginning(text)) return {*beginning};
  return find_endings(text);
}

bool is_screen_word(std::string_view text) {
  return find_word(text) != nullptr;
}

std::string screen_word_text(const ScreenWord& word, Style style, std::size_t columns) {
  const auto line = [&](const char* head, std::string_view text) {
    auto lines = hanging(fmt::format("{:<10}", head), text, std::string(10, ' '), columns);
    const std::string_view name = head;
    lines.replace(0, name.size(), paint(std::string(name), Ink::soft, style));
    return lines;
  };
  return fmt::format("{}: what {} shows\n\n{}{}", paint(std::string(word.word), Ink::strong, style),
                     word.of_list ? "archgrid list" : "an audit", line("means", word.meaning),
                     line("to do", word.advice));
}

}  // namespace archgrid::report
