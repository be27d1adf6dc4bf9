// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Checks that the defect that planted.cmake plants in the kernels' sources is found and has one of
// the names in the environment variable ARCHGRID_DEFECTS.
#include <gmock/gmock.h>

#include <archgrid/cpu_emulator.hpp>
#include <cstdlib>
#include <sstream>

#include "../../gpu/gemm_cases.hpp"

namespace archgrid::gemm {
namespace {

std::vector<std::string> expected_defects() {
  std::vector<std::string> defects;
  const char* const names = std::getenv("ARCHGRID_DEFECTS");
  std::istringstream text(names == nullptr ? "" : names);
  for (std::string defect; std::getline(text, defect, '|');) defects.push_back(defect);
  return defects;
}

TEST(Planted, DefectIsFound) {
  const Variant& variant = *find_variant("mma_s8_64x64");
  Case c{65, 66, 5 * variant.tile_k + 9};
  c.b = Layout::column;
  // Cases with edges and unaligned rows, and without.
  std::vector<Case> cases = {c, c, c};
  cases[2].is_padded = true;
  cases[1].m = cases[1].n = 64;
  cases[1].k = 5 * variant.tile_k;
  for (const Case& tried : cases) {
    std::string found;
    std::string message;
    try {
      const auto result = computes(variant, tried);
      if (!result) {
        found = "wrong result";
        message = result.message();
      }
    } catch (const cpu_emulator::Defect& defect) {
      found = cpu_emulator::name(defect.kind());
      message = defect.what();
      // The message names the kernel's own line, not only that of an instruction's wrapper.
      EXPECT_THAT(message, ::testing::ContainsRegex("\n  (called )?at [^\n]*/gemm/[a-z]+[.]cuh:"));
    }
    if (found.empty()) continue;
    EXPECT_THAT(expected_defects(), ::testing::Contains(found)) << message;
    RecordProperty("message", message);
    return;
  }
  FAIL() << "nothing was found";
}

}  // namespace
}  // namespace archgrid::gemm
