// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)

/// Return what a container holds about a device, or null.
EXPORTED bool* find_flag();
EXPORTED int* find_number(int key);
EXPORTED bool* insert_flag();
EXPORTED int* insert_number(int key);

ALONE static int capability() {
  if (const int* found = find_number(0)) return *found;
  return *insert_number(0) = queried_capability();
}

ALONE static bool is_new() {
  if (const bool* found = find_flag()) return *found;
  return *insert_flag() = capability() >= 80;
}

// The compute capability decides between two tiles, and between two alignments.
ALONE static int tile() {
  if (const int* found = find_number(1)) return *found;
  return *insert_number(1) = capability() >= 80 ? 128 : 64;
}

ALONE static bool is_aligned(int size) {
  if (capability() >= 80) return size % 16 == 0;
  return size % 4 == 0;
}

EXPORTED void launch(int size) {
  if (is_new()) guarded(size);
  if (tile() > 32 && is_aligned(size)) kernel(size);
}
