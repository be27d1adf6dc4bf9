// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for CUDA's header of this name.
#ifndef ARCHGRID_CPU_EMULATOR_CUDA_VECTOR_TYPES_H
#define ARCHGRID_CPU_EMULATOR_CUDA_VECTOR_TYPES_H

#include <archgrid/cpu_emulator/vector_types.hpp>

#endif
