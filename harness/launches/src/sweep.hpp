// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_SWEEP_HPP
#define ARCHGRID_LAUNCHES_SWEEP_HPP

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "program.hpp"

namespace archgrid::launches {

/// Counts of calls that identify a function of a stripped CUDA runtime.
struct Evidence {
  std::uint32_t major = 0;    ///< calls with attribute 75, or reads of `major` behind an argument
  std::uint32_t minor = 0;    ///< calls with attribute 76, or reads of `minor` behind an argument
  std::uint32_t both = 0;     ///< functions with calls for both attributes
  std::uint64_t largest = 0;  ///< largest number passed as an attribute
};

struct Sweep {
  std::vector<Edges::Pair> edges;  ///< callee and caller
  std::unordered_map<std::uint64_t, Evidence> attributes;
  std::unordered_map<std::uint64_t, Evidence> properties;
  bool is_complete = true;  ///< false where the file has more code than is read
};

/// Decodes every function once. Adds registrations and uses to `program`.
Sweep sweep(Program& program);

/// Finds the functions of a CUDA runtime that was linked statically and stripped.
void infer_roles(const Sweep& sweep, Program& program);

}  // namespace archgrid::launches

#endif
