// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "foreign.h"

namespace {

int exists(const char* path) {
  std::FILE* file = std::fopen(path, "r");
  if (!file) {
    std::printf("%s is not there\n", path);
    return 1;
  }
  std::fclose(file);
  return 0;
}

// Prints the variables of the project's own test and those that archgrid adds for the cell.
int environment() {
  int missing = 0;
  for (const char* name :
       {"FOREIGN", "NOTE", "ARCHGRID_CELL", "ARCHGRID_TOOLKIT", "ARCHGRID_MATRIX"}) {
    const char* value = std::getenv(name);
    std::printf("%s=%s\n", name, value ? value : "(unset)");
    missing += value == nullptr;
  }
  return missing;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--exists") == 0) return exists(argv[2]);
  if (argc == 2 && std::strcmp(argv[1], "--environment") == 0) return environment();
  if (argc > 1 && std::strcmp(argv[1], "--count") == 0) {
    std::printf("%d arguments\n", argc - 2);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--launch") == 0) {
    return scale(nullptr, 0, 2) + sum(nullptr, 0, nullptr);
  }
  std::printf("foreign %s: --exists FILE, --environment, --count ARGUMENT..., --launch\n",
              foreign_version());
  return 2;
}
