// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

int scale(float* values, int count, float factor);  // both return a cudaError_t
int sum(const float* values, int count, float* result);

#ifdef __cplusplus
extern "C"
#endif
    const char*
    foreign_version(void);
