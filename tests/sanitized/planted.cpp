// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// planted <defect>: reads a byte behind an allocation, or overflows an int. A sanitizer ends the
// program at the defect.
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  const std::string_view defect = argc > 1 ? argv[1] : "";
  const std::vector<char> bytes(static_cast<std::size_t>(argc) + 8, 'x');
  const bool reads_behind = defect == "heap-buffer-overflow";
  const char last = bytes.data()[reads_behind ? bytes.size() : bytes.size() - 1];
  int number = std::numeric_limits<int>::max() - 1;
  number += defect == "signed-integer-overflow" ? argc : argc - 1;
  std::printf("%d %d\n", last != 'x', number);
  if (defect != "none") std::puts("not noticed");
  return defect == "none" && number == std::numeric_limits<int>::max() ? 0 : 1;
}
