// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "audit_notes.hpp"

#include <utility>

namespace archgrid::coverage {

void add_note(const fatbin::File& file, const char* code, Facts facts, Audit& result) {
  result.notes.push_back({code, file.path, std::move(facts)});
}

Finding& find_in(const fatbin::File& file, std::string code, Facts facts, Audit& result) {
  auto& finding = find_in_all(std::move(code), std::move(facts), result);
  finding.path = file.path;
  return finding;
}

Finding& find_in_all(std::string code, Facts facts, Audit& result) {
  auto& finding = result.findings.emplace_back();
  finding.code = std::move(code);
  finding.cell = result.cell;
  finding.facts = std::move(facts);
  return finding;
}

}  // namespace archgrid::coverage
