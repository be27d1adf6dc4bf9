// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define ARCHGRID_CPU_EMULATOR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARCHGRID_CPU_EMULATOR_ASAN 1
#endif
#endif

#ifdef ARCHGRID_CPU_EMULATOR_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace archgrid::cpu_emulator::detail {
namespace {

// An allocator for boost that allocates nothing: our stack outlives the context.
struct Lent {
  boost::context::stack_context allocate() { return {}; }
  void deallocate(boost::context::stack_context&) {}
};

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// Stacks of completed launches, for reuse: creating one takes two system calls.
class Spares {
 public:
  std::byte* take(std::size_t mapped) {
    const std::lock_guard lock(mutex_);
    if (mapped != mapped_ || mappings_.empty()) return nullptr;
    std::byte* const mapping = mappings_.back();
    mappings_.pop_back();
    return mapping;
  }

  // Returns false if there are enough stacks, or the existing ones have another size.
  bool keep(std::byte* mapping, std::size_t mapped) {
    const std::lock_guard lock(mutex_);
    if (mappings_.empty()) mapped_ = mapped;
    if (mapped != mapped_ || mappings_.size() == most) return false;
    mappings_.push_back(mapping);
    return true;
  }

 private:
  static constexpr std::size_t most = 4096;
  std::mutex mutex_;
  std::size_t mapped_ = 0;
  std::vector<std::byte*> mappings_;
};

// Never destroyed: kernels may be launched until the program ends.
Spares& spares() {
  static Spares& kept = *new Spares;
  return kept;
}

std::byte* map_stack(std::size_t mapped, std::size_t guard) {
  void* const mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  if (mprotect(mapping, guard, PROT_NONE) != 0) {
    munmap(mapping, mapped);
    throw std::bad_alloc();
  }
  return static_cast<std::byte*>(mapping);
}

}  // namespace

Stack::Stack(std::size_t bytes) : bytes_(whole_pages(bytes)) {
  const std::size_t guard = whole_pages(1);
  mapped_ = bytes_ + guard;
  mapping_ = spares().take(mapped_);
  if (mapping_ == nullptr) mapping_ = map_stack(mapped_, guard);
  bottom_ = mapping_ + guard;
}

Stack::~Stack() {
  if (!spares().keep(mapping_, mapped_)) munmap(mapping_, mapped_);
}

void Fiber::begin(std::function<void()> body) {
  abandon();
  body_ = std::move(body);
  boost::context::stack_context context;
  context.sp = stack_.top();
  context.size = stack_.bytes();
  new (&inside_.fiber) boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(context.sp, context.size, context), Lent{},
      [this](boost::context::fiber&& outside) {
        new (&outside_.fiber) boost::context::fiber(std::move(outside));
#ifdef ARCHGRID_CPU_EMULATOR_ASAN
        __sanitizer_finish_switch_fiber(nullptr, &outer_bottom_, &outer_bytes_);
#endif
        body_();
        announce_return(true);
        return std::move(outside_.fiber);
      });
}

void Fiber::resume() {
#ifdef ARCHGRID_CPU_EMULATOR_ASAN
  void* outer_fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&outer_fake_stack, stack_.bottom(), stack_.bytes());
#endif
  boost::context::fiber back = std::move(inside_.fiber).resume();
  new (&inside_.fiber) boost::context::fiber(std::move(back));
#ifdef ARCHGRID_CPU_EMULATOR_ASAN
  __sanitizer_finish_switch_fiber(outer_fake_stack, nullptr, nullptr);
#endif
}

void Fiber::announce_return([[maybe_unused]] bool is_last) {
#ifdef ARCHGRID_CPU_EMULATOR_ASAN
  __sanitizer_start_switch_fiber(is_last ? nullptr : &own_fake_stack_, outer_bottom_, outer_bytes_);
#endif
}

void Fiber::suspend() {
  announce_return(false);
  boost::context::fiber back = std::move(outside_.fiber).resume();
  new (&outside_.fiber) boost::context::fiber(std::move(back));
#ifdef ARCHGRID_CPU_EMULATOR_ASAN
  __sanitizer_finish_switch_fiber(own_fake_stack_, &outer_bottom_, &outer_bytes_);
#endif
}

void Fiber::leave() {
  announce_return(true);
  boost::context::fiber never = std::move(outside_.fiber).resume();
  std::abort();  // a fiber that has left is never resumed
}

void Fiber::abandon() {
#ifdef ARCHGRID_CPU_EMULATOR_ASAN
  __asan_unpoison_memory_region(stack_.bottom(), stack_.bytes());
#endif
}

}  // namespace archgrid::cpu_emulator::detail
