// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_LAUNCHES_EVALUATE_HPP
#define ARCHGRID_LAUNCHES_EVALUATE_HPP

#include <cstdint>
#include <optional>
#include <vector>

#include "knowledge.hpp"
#include "machine.hpp"
#include "state.hpp"

namespace archgrid::launches {

/// A number of instructions that may be evaluated, part of a larger one.
class Budget {
 public:
  explicit Budget(std::uint64_t limit, Budget* whole = nullptr) : left_(limit), whole_(whole) {}
  /// Takes instructions from this budget and from those it is part of.
  void spend(std::uint64_t count);
  [[nodiscard]] bool is_exhausted() const {
    return left_ == 0 || (whole_ != nullptr && whole_->is_exhausted());
  }
  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_;
  Budget* whole_;
};

/// The result of evaluating a function.
struct Outcome {
  bool returns = false;
  Value result;                  ///< of all returns together
  std::optional<Memory> memory;  ///< at all returns together
  bool is_complete = true;       ///< no limit was exceeded
  bool is_unresolved = false;    ///< a jump leads to an unknown place within the function
  bool leaves = false;           ///< an indirect jump leaves the function
  bool is_pruned = false;        ///< a branch depends on the compute capability
  bool uses_capability = false;
  std::uint64_t marks = 0;             ///< marks of the results
  bool reaches_target = false;         ///< what the call handler looks for
  std::vector<std::uint32_t> reached;  ///< functions that are called or taken; sorted
};

struct CallEffect {
  bool returns = true;
  Value result;
  bool keeps_memory = false;  ///< the state's memory is that after the call
  bool reaches_target = false;
  bool refuses = false;     ///< queries the GPU, or returns because of it
  bool may_launch = false;  ///< what it calls may launch a stub among its arguments
};

/// Decides what calls do.
class CallHandler {
 public:
  CallHandler() = default;
  virtual ~CallHandler() = default;
  CallHandler(const CallHandler&) = delete;
  CallHandler& operator=(const CallHandler&) = delete;

  virtual CallEffect call(Machine& machine, State& state, const Callee& callee) = 0;
  /// Reports whether a function is the stub of the kernel that is looked for.
  [[nodiscard]] virtual bool is_stub(std::uint32_t function) const = 0;
  /// Reports whether a function is such a stub or known to lead to one.
  [[nodiscard]] virtual bool is_in_chain(std::uint32_t function) const = 0;
};

enum class Branches : std::uint8_t {
  evaluated,  ///< those that known values decide are followed one way
  all         ///< both ways are followed
};

/// Evaluates machine code from `begin` with the values that are known at entry.
Outcome evaluate(const Program& program, Machine& machine, CallHandler& handler,
                 std::uint64_t begin, const State& entry, Branches branches, Budget& budget);

}  // namespace archgrid::launches

#endif
