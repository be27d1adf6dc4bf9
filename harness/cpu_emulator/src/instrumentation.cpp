// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that compilers call for -fsanitize=thread, alignment and bounds. They report to the
// checks, and replace the sanitizers' run-time libraries. Names, arguments and layouts are those of
// compiler-rt (lib/tsan/rtl/tsan_interface.h, lib/ubsan/ubsan_handlers.h), which GCC shares.
#include <fmt/format.h>

#include <archgrid/cpu_emulator/device_code.hpp>
#include <cstdint>
#include <functional>

#include "access_checks.hpp"
#include "block.hpp"
#include "checker.hpp"

using archgrid::cpu_emulator::Access;
using archgrid::cpu_emulator::DefectKind;

namespace {

void tell(const void* address, std::size_t bytes, Access access, const void* pc) {
  archgrid::cpu_emulator::detail::Block* const block =
      archgrid::cpu_emulator::detail::running_block();
  if (block == nullptr || !block->is_in_kernel() || bytes == 0) return;
  block->set_in_kernel(false);
  archgrid::cpu_emulator::detail::checker->access(address, bytes, access, pc);
  block->set_in_kernel(true);
}

struct SourceLocation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};
struct TypeDescriptor {
  std::uint16_t kind;
  std::uint16_t info;
  char name[1];
};
struct TypeMismatch {
  SourceLocation place;
  const TypeDescriptor* type;
  unsigned char log_alignment;
  unsigned char kind;
};
struct OutOfBounds {
  SourceLocation place;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

void stop(DefectKind kind, const SourceLocation& place, std::function<std::string()> message) {
  archgrid::cpu_emulator::detail::Block* const block =
      archgrid::cpu_emulator::detail::running_block();
  if (block != nullptr) {
    if (!block->is_in_kernel()) return;
    block->set_in_kernel(false);
    block->stop(kind, std::move(message), {place.file, static_cast<int>(place.line)});
  }
  // Host code in the same source as a kernel is instrumented, too.
  fmt::print(stderr, "{}: {}:{}: {}\n", archgrid::cpu_emulator::name(kind), place.file, place.line,
             message());
  std::abort();
}

void mismatch(const TypeMismatch& data, std::uintptr_t address) {
  const std::uintptr_t alignment = std::uintptr_t{1} << data.log_alignment;
  if (address % alignment == 0) return;  // a null pointer: the access itself is the defect
  stop(DefectKind::misaligned, data.place, [=, type = data.type] {
    return fmt::format("an access to {} at {:#x}, which is no multiple of {} bytes", type->name,
                       address, alignment);
  });
}

void out_of_bounds(const OutOfBounds& data, std::uintptr_t index) {
  stop(DefectKind::local_out_of_bounds, data.place, [=, array = data.array] {
    return fmt::format("index {} of {}", static_cast<std::intptr_t>(index), array->name);
  });
}

}  // namespace

#define RETURN_ADDRESS __builtin_return_address(0)

extern "C" {

void __tsan_init() {
  archgrid::cpu_emulator::detail::link_checks();
}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define ACCESSES(bytes)                                  \
  void __tsan_read##bytes(void* a) {                     \
    tell(a, bytes, Access::read, RETURN_ADDRESS);        \
  }                                                      \
  void __tsan_write##bytes(void* a) {                    \
    tell(a, bytes, Access::write, RETURN_ADDRESS);       \
  }                                                      \
  void __tsan_unaligned_read##bytes(void* a) {           \
    tell(a, bytes, Access::read, RETURN_ADDRESS);        \
  }                                                      \
  void __tsan_unaligned_write##bytes(void* a) {          \
    tell(a, bytes, Access::write, RETURN_ADDRESS);       \
  }                                                      \
  void __tsan_volatile_read##bytes(void* a) {            \
    tell(a, bytes, Access::read, RETURN_ADDRESS);        \
  }                                                      \
  void __tsan_volatile_write##bytes(void* a) {           \
    tell(a, bytes, Access::write, RETURN_ADDRESS);       \
  }                                                      \
  void __tsan_unaligned_volatile_read##bytes(void* a) {  \
    tell(a, bytes, Access::read, RETURN_ADDRESS);        \
  }                                                      \
  void __tsan_unaligned_volatile_write##bytes(void* a) { \
    tell(a, bytes, Access::write, RETURN_ADDRESS);       \
  }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
#undef ACCESSES

void __tsan_read_range(void* a, unsigned long bytes) {
  tell(a, bytes, Access::read, RETURN_ADDRESS);
}
void __tsan_write_range(void* a, unsigned long bytes) {
  tell(a, bytes, Access::write, RETURN_ADDRESS);
}

// harness/cpu_emulator/CMakeLists.txt redirects these calls to the checks.
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  tell(from, bytes, Access::read, RETURN_ADDRESS);
  tell(to, bytes, Access::write, RETURN_ADDRESS);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  tell(from, bytes, Access::read, RETURN_ADDRESS);
  tell(to, bytes, Access::write, RETURN_ADDRESS);
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  tell(to, bytes, Access::write, RETURN_ADDRESS);
  return __real_memset(to, value, bytes);
}

// Host code beside a kernel uses atomics, too, for example in shared_ptr.
#define ATOMICS(bits, T)                                                                    \
  T __tsan_atomic##bits##_load(const volatile T* a, int) {                                  \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                            \
  }                                                                                         \
  void __tsan_atomic##bits##_store(volatile T* a, T v, int) {                               \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                               \
  }                                                                                         \
  T __tsan_atomic##bits##_exchange(volatile T* a, T v, int) {                               \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                     \
  }                                                                                         \
  T __tsan_atomic##bits##_fetch_add(volatile T* a, T v, int) {                              \
    return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                         \
  T __tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int) {                              \
    return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                         \
  T __tsan_atomic##bits##_fetch_and(volatile T* a, T v, int) {                              \
    return __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                         \
  T __tsan_atomic##bits##_fetch_or(volatile T* a, T v, int) {                               \
    return __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST);                                       \
  }                                                                                         \
  T __tsan_atomic##bits##_fetch_xor(volatile T* a, T v, int) {                              \
    return __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST);                                      \
  }                                                                                         \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* c, T v, int, int) {   \
    return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                         \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* c, T v, int, int) {     \
    return __atomic_compare_exchange_n(a, c, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
  }                                                                                         \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T c, T v, int, int) {         \
    __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    return c;                                                                               \
  }
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
#undef ATOMICS
void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void __ubsan_handle_type_mismatch_v1(TypeMismatch* data, std::uintptr_t address) {
  mismatch(*data, address);
}
void __ubsan_handle_type_mismatch_v1_abort(TypeMismatch* data, std::uintptr_t address) {
  mismatch(*data, address);
}
void __ubsan_handle_out_of_bounds(OutOfBounds* data, std::uintptr_t index) {
  out_of_bounds(*data, index);
}
void __ubsan_handle_out_of_bounds_abort(OutOfBounds* data, std::uintptr_t index) {
  out_of_bounds(*data, index);
}

}  // extern "C"
