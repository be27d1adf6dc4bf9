// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reverses each of `parts` parts of `part_size` numbers in device memory.
void reverse(float* numbers, int parts, int part_size, bool forgets_to_wait);
