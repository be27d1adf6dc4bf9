// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_SOURCES_HPP
#define ARCHGRID_LAUNCHES_SOURCES_HPP

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "evaluate.hpp"
#include "knowledge.hpp"

namespace archgrid::launches {

/// An evaluation that read and stored nothing that depends on the GPU.
struct CommonEvaluation {
  Lookups lookups;
  std::uint64_t instructions = 0;
};

/// Evaluations that are the same for all GPUs with which their lookups agree.
struct CommonEvaluations {
  std::unordered_map<std::uint32_t, CommonEvaluation> by_function;
  std::size_t keys = 0;  ///< of all their lookups
};

/// Evaluates the functions that query the compute capability, and their callers, on a GPU. Finds
/// where they keep it. Leaves out evaluations in `common` that say nothing about this GPU either,
/// and adds to them.
Knowledge collect_knowledge(const Program& program, Gpu gpu, CommonEvaluations& common);

}  // namespace archgrid::launches

#endif
