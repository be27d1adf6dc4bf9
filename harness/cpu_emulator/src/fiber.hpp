// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread of a block: its own stack, entered and left at will, always on the same OS thread.
#ifndef ARCHGRID_CPU_EMULATOR_FIBER_HPP
#define ARCHGRID_CPU_EMULATOR_FIBER_HPP

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace archgrid::cpu_emulator::detail {

/// Memory for a stack, with an inaccessible page below it.
class Stack {
 public:
  explicit Stack(std::size_t bytes);
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  std::byte* bottom() const { return bottom_; }
  std::byte* top() const { return bottom_ + bytes_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* mapping_;
  std::size_t mapped_;
  std::byte* bottom_;
  std::size_t bytes_;
};

class Fiber {
 public:
  explicit Fiber(std::size_t stack_bytes) : stack_(stack_bytes) {}
  ~Fiber() { abandon(); }

  /// Makes the next resume() call `body`, which must not throw.
  void begin(std::function<void()> body);
  /// Continues the fiber until it suspends or ends.
  void resume();
  /// Returns to the caller of resume(). The fiber calls it.
  void suspend();
  /// Returns to the caller of resume() for good. The fiber calls it. Objects on its stack are not
  /// destroyed.
  [[noreturn]] void leave();
  /// Drops a fiber that has not ended.
  void abandon();

  const Stack& stack() const { return stack_; }

 private:
  void announce_return(bool is_last);

  Stack stack_;
  std::function<void()> body_;
  // Contexts that are never destroyed: boost would unwind the stack, and so continue the kernel.
  union Context {
    Context() {}
    ~Context() {}
    boost::context::fiber fiber;
  };
  Context inside_;
  Context outside_;
  // The state that AddressSanitizer needs for the switch of stacks.
  void* own_fake_stack_ = nullptr;
  const void* outer_bottom_ = nullptr;
  std::size_t outer_bytes_ = 0;
};

}  // namespace archgrid::cpu_emulator::detail

#endif
