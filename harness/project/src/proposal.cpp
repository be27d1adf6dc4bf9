// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/project/proposal.hpp>
#include <archgrid/promises/pyproject.hpp>
#include <archgrid/report.hpp>
#include <archgrid/words/phrase.hpp>
#include <nlohmann/json.hpp>

#include "proposal_parts.hpp"

namespace archgrid::project {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Returns a name with the characters that a matrix file allows.
std::string matrix_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_first = is_letter || (c >= '0' && c <= '9');
    if (is_first || (!name.empty() && (c == '.' || c == '_' || c == '-'))) name += c;
  }
  return name.empty() ? "project" : name;
}

std::string name_of(const ProjectFacts& facts) {
  if (!facts.cmake.name.empty()) return matrix_name(facts.cmake.name);
  if (facts.exists(kPyproject)) {
    try {
      const auto name = promises::Pyproject(facts.folder / kPyproject).name();
      if (!name.empty()) return matrix_name(name);
    } catch (const promises::TomlError&) {
      // The part about pyproject.toml reports it.
    }
  }
  return matrix_name(fs::weakly_canonical(facts.folder).filename().string());
}

/// The place of one block of added lines.
struct Added {
  std::size_t first = 0;  ///< lines of the old text before it
  std::vector<std::string_view> lines;
};

/// Returns what a file gained: its old lines are a beginning and an end of the new ones.
Added added_to(const std::vector<std::string_view>& before,
               const std::vector<std::string_view>& after) {
  Added added;
  while (added.first < before.size() && before[added.first] == after[added.first]) ++added.first;
  const auto count = after.size() - before.size();
  const auto begin = after.begin() + static_cast<std::ptrdiff_t>(added.first);
  added.lines.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  return added;
}

std::string diff_line(char sign, std::string_view line) {
  std::string text(1, sign);
  text += line;
  if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  return text;
}

std::string range_text(std::size_t first, std::size_t count) {
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

std::string hunk_of(const ProposedFile& file) {
  constexpr std::size_t kContext = 3;
  auto before = lines_of(file.before);
  const auto after = lines_of(file.after);
  // A last line without its end is another line once something follows.
  const bool is_cut =
      !before.empty() && !before.back().ends_with('\n') && file.after.ends_with('\n');
  const auto cut = is_cut ? before.back() : std::string_view();
  if (is_cut) before.pop_back();
  const auto added = added_to(before, after);
  const auto top = added.first - std::min(added.first, kContext);
  const auto bottom = std::min(before.size(), added.first + kContext);
  const auto context = bottom - top;
  const auto old_count = context + (is_cut ? 1 : 0);
  const auto new_count = context + added.lines.size();
  std::string text =
      fmt::format("@@ -{} +{} @@\n", range_text(top + (old_count > 0 ? 1 : 0), old_count),
                  range_text(top + 1, new_count));
  for (auto index = top; index < added.first; ++index) text += diff_line(' ', before[index]);
  if (is_cut) text += diff_line('-', cut);
  for (const auto line : added.lines) text += diff_line('+', line);
  for (auto index = added.first; index < bottom; ++index) text += diff_line(' ', before[index]);
  return text;
}

}  // namespace

const std::string* ProjectFacts::text_of(std::string_view path) const {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const BuildFile& file) { return file.path == path; });
  return found == files.end() ? nullptr : &found->text;
}

bool ProjectFacts::exists(const std::string& path) const {
  std::error_code error;
  return fs::exists(fs::symlink_status(folder / path, error));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    const auto next = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(begin, next - begin));
    begin = next;
  }
  return lines;
}

std::string quoted_devices(const std::vector<coverage::ComputeCapability>& devices) {
  std::vector<std::string> texts;
  for (const auto device : devices) texts.push_back('"' + device.text() + '"');
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

void add_file(Proposal& proposal, const std::string& path, std::string text) {
  proposal.files.push_back({path, true, {}, std::move(text)});
}

void add_lines(Proposal& proposal, const std::string& path, const std::string& text,
               std::size_t line, const std::string& lines) {
  const auto old = lines_of(text);
  const bool has_returns = !old.empty() && old.front().ends_with("\r\n");
  const std::string end = has_returns ? "\r\n" : "\n";
  std::string after;
  for (std::size_t index = 0; index < std::min(line, old.size()); ++index) after += old[index];
  if (!after.empty() && after.back() != '\n') after += end;
  for (const auto added : lines_of(lines)) {
    after += added.substr(0, added.size() - 1);
    after += end;
  }
  for (auto index = line; index < old.size(); ++index) after += old[index];
  proposal.files.push_back({path, false, text, std::move(after)});
}

Proposal propose(const fs::path& folder, const ProposalRequest& request) {
  ProjectFacts facts{folder, read_build_files(folder), {}, {}};
  facts.cmake = read_cmake_project(facts.files);
  facts.name = name_of(facts);
  Proposal proposal;
  const auto matrix = propose_matrix(facts, request, proposal);
  if (matrix.path.empty()) return proposal;
  propose_cmake(facts, matrix, proposal);
  propose_python(facts, matrix, proposal);
  propose_workflow(facts, matrix, proposal);
  return proposal;
}

std::string unified_diff(const Proposal& proposal) {
  std::string text;
  for (const auto& file : proposal.files) {
    text += fmt::format("diff --git a/{0} b/{0}\n", file.path);
    if (file.is_new) text += "new file mode 100644\n";
    text +=
        fmt::format("--- {}\n+++ b/{}\n", file.is_new ? "/dev/null" : "a/" + file.path, file.path);
    text += hunk_of(file);
  }
  return text;
}

std::string notes_text(const Proposal& proposal, std::size_t columns) {
  std::string text;
  for (const auto& note : proposal.notes) {
    // A note may have lines to paste below its sentence.
    const auto end = std::min(note.find('\n'), note.size());
    text += report::hanging("note: ", fatbin::printable(note.substr(0, end)), "  ", columns);
    if (end < note.size()) text += note.substr(end + 1) + '\n';
  }
  return text;
}

std::string init_closing_line(const Proposal& proposal, bool is_written) {
  const auto files = report::count_text(proposal.files.size(), "file");
  if (!proposal.files.empty()) {
    return is_written ? fmt::format("written: {}\n", files)
                      : fmt::format("nothing is written: --write writes {}\n", files);
  }
  if (proposal.kept.empty()) return "nothing to do: there is nothing to add archgrid to\n";
  return fmt::format("nothing to do: the project has {}\n",
                     fatbin::printable(report::enumerated(proposal.kept)));
}

std::string proposal_json(const Proposal& proposal, bool is_written) {
  ordered_json files = ordered_json::array();
  for (const auto& file : proposal.files) {
    files.push_back({{"path", file.path}, {"new", file.is_new}, {"text", file.after}});
  }
  const ordered_json document = {
      {"schema", "archgrid.init/1"}, {"written", is_written},   {"files", files},
      {"kept", proposal.kept},       {"notes", proposal.notes}, {"diff", unified_diff(proposal)}};
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace archgrid::project
