// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The host code of a file: who calls whom, which kernels are registered, and where the compute
// capability is queried. Independent of GPUs.
#ifndef ARCHGRID_LAUNCHES_PROGRAM_HPP
#define ARCHGRID_LAUNCHES_PROGRAM_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "binary.hpp"

namespace archgrid::launches {

/// Pairs of function indices, grouped by the first one.
class Edges {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  Edges() = default;
  /// Groups `pairs`, which must be sorted, for `count` functions.
  Edges(const std::vector<Pair>& pairs, std::size_t count);
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t function) const;

 private:
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> others_;
};

/// Ways in which other code reaches a function.
struct Uses {
  bool is_called = false;    ///< a direct call
  bool is_taken = false;     ///< code loads its address
  bool is_pointed = false;   ///< data holds its address
  bool is_exported = false;  ///< a dynamic symbol names it
  bool is_c_api = false;     ///< a dynamic symbol without C++ mangling names it
  bool is_outside = false;   ///< code outside of .text calls it or loads its address
  bool is_stub = false;      ///< it launches a kernel that is registered
  bool is_source = false;    ///< it calls a function that queries the compute capability
};

/// Host code that registers a kernel: the stub that launches it, and the registering function.
struct Registration {
  std::uint32_t stub = 0;
  std::uint32_t registrar = 0;
};

struct Program {
  Binary binary;
  Edges callers;
  Edges callees;
  /// By argument: callees, and callers that pass a place on their stack to them.
  std::array<std::vector<Edges::Pair>, 6> output_calls;
  std::vector<Uses> uses;
  std::unordered_map<std::uint64_t, Role> roles;  ///< of functions in the file, by address
  std::unordered_map<std::string_view, std::vector<Registration>> kernels;

  /// Reports whether `caller` passes a place on its stack to `callee`, as for a result.
  [[nodiscard]] bool is_output(std::uint32_t callee, std::uint32_t caller,
                               std::size_t argument) const;
  [[nodiscard]] Role role_of(const Callee& callee) const;
  [[nodiscard]] bool is_entered(std::uint32_t function) const {
    return uses[function].is_called || uses[function].is_taken || uses[function].is_pointed ||
           uses[function].is_exported;
  }
  [[nodiscard]] std::uint64_t size_of(std::uint32_t function) const {
    return binary.functions[function].end - binary.functions[function].begin;
  }
};

/// Reads the host code of a file; returns nothing where it cannot be analysed.
std::optional<Program> read_program(std::string_view bytes);

}  // namespace archgrid::launches

#endif
