// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// archgrid::perf as one translation unit, as archgrid::cuda is (cuda/src/all.cpp).
#include "perf/src/ceilings.cpp"
#include "perf/src/gpu.cpp"
#include "perf/src/report.cpp"
#include "perf/src/timing.cpp"
