// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "proposal_parts.hpp"

namespace archgrid::project {
namespace {

constexpr const char* kWorkflow = ".github/workflows/archgrid.yml";

/// The workflow. @MATRIX@ is the matrix file, @FOLDER@ its folder.
constexpr std::string_view kText =
    R"(# Builds every cell of @MATRIX@, and audits it for the promised GPUs. Needs no GPU.
# Nothing runs until the repository's variable ARCHGRID_WHEEL says what pip installs: the URL of
# archgrid's wheel, or archgrid==<version>.
name: archgrid
on:
  push:
    tags: ["v*"]
  pull_request:
  workflow_dispatch:

permissions:
  contents: read

jobs:
  audit:
    if: vars.ARCHGRID_WHEEL != ''
    runs-on: ubuntu-24.04
    timeout-minutes: 240
    env:
      ARCHGRID_WHEEL: ${{ vars.ARCHGRID_WHEEL }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - name: Install archgrid
        run: |
          python3 -m venv "$RUNNER_TEMP/archgrid"
          "$RUNNER_TEMP/archgrid/bin/pip" install "$ARCHGRID_WHEEL"
          echo "$RUNNER_TEMP/archgrid/bin" >> "$GITHUB_PATH"
      - name: Provide the CUDA toolkits
        run: cmake -DMATRIX=@MATRIX@ -P "$(archgrid cmake-dir)/archgrid/fetch_toolkit.cmake"
      - name: Build every cell
        run: |
          cmake -G Ninja -S @FOLDER@ -B build/matrix
          cmake --build build/matrix
      - name: Audit every cell
        run: ctest --test-dir build/matrix --label-regex fatbin --no-tests=error --output-on-failure
)";

std::string replaced(std::string text, std::string_view word, const std::string& value) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    text.replace(at, word.size(), value);
    at += value.size();
  }
  return text;
}

std::string workflow_text(const ProposedMatrix& matrix) {
  const auto folder = std::filesystem::path(matrix.path).parent_path().string();
  return replaced(replaced(std::string(kText), "@MATRIX@", matrix.path), "@FOLDER@", folder);
}

/// Returns the step that audits what another workflow built.
std::string step_text(const ProjectFacts& facts, const ProposedMatrix& matrix) {
  std::string command;
  if (facts.text_of("pyproject.toml") != nullptr) {
    command = "archgrid audit dist/*.whl --matrix pyproject.toml";
  } else if (facts.text_of("CMakeLists.txt") != nullptr && !facts.cmake.targets.empty()) {
    command = "ctest --test-dir build --label-regex fatbin --no-tests=error --output-on-failure";
  } else {
    command = fmt::format("archgrid audit build --matrix {}", matrix.path);
  }
  return fmt::format("  - name: Audit for GPUs without code\n    run: {}", command);
}

}  // namespace

void propose_workflow(const ProjectFacts& facts, const ProposedMatrix& matrix, Proposal& proposal) {
  bool has_workflow = false;
  for (const auto& file : facts.files) {
    const bool is_ours =
        file.path.starts_with(".github/workflows/") || file.path.starts_with(".gitlab-ci");
    has_workflow = has_workflow || is_ours;
    if (is_ours && file.text.find("archgrid") != std::string::npos) {
      proposal.kept.push_back(file.path);
      return;
    }
  }
  const bool has_cells = std::filesystem::path(matrix.path).has_parent_path();
  if (has_workflow || facts.exists(kWorkflow) || !has_cells) {
    proposal.notes.push_back(
        fmt::format("workflows stay as they are: with archgrid installed, add this step to the one "
                    "that releases\n{}",
                    step_text(facts, matrix)));
    return;
  }
  const bool is_old =
      std::any_of(matrix.toolkits.begin(), matrix.toolkits.end(),
                  [](const ProposedToolkit& toolkit) { return toolkit.cuda.major < 13; });
  if (is_old) {
    proposal.notes.push_back(fmt::format(
        "{}: PyPI has CUDA 13 alone: let the job run where the older toolkits are", kWorkflow));
  }
  add_file(proposal, kWorkflow, workflow_text(matrix));
}

}  // namespace archgrid::project
