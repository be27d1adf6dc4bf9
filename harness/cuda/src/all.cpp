// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// archgrid::cuda as one translation unit: headers are read once per cell instead of five times.
// CMake's UNITY_BUILD would write this file into each cell's tree, where a compiler cache would not
// recognise it.
#include "cuda/src/error.cpp"
#include "cuda/src/guarded_memory.cpp"
#include "cuda/src/launched.cpp"
#include "cuda/src/launches.cpp"
#include "cuda/src/stream.cpp"
