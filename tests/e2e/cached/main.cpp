// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

void launch_branches(int* out);
void launch_arch_list(int* out);
void launch_generated(int* out);
void launch_lines(int* out);
void launch_relocatable(int* out);

int main(int count, char**) {
  if (count < 2) return 0;
  launch_branches(nullptr);
  launch_arch_list(nullptr);
  launch_generated(nullptr);
  launch_lines(nullptr);
  launch_relocatable(nullptr);
}
