// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for CUDA's header of this name: the language of device code, for
// archgrid::cpu_emulator. Code that uses missing functions does not compile; for the most common
// ones, the error says that they are not modelled (at the end of this file).
#ifndef ARCHGRID_CPU_EMULATOR_CUDA_RUNTIME_H
#define ARCHGRID_CPU_EMULATOR_CUDA_RUNTIME_H

#include <archgrid/cpu_emulator/device_code.hpp>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "cuda_runtime_api.h"
#include "vector_functions.h"

// The compute capability of the compilation, which nvcc gets by -arch: define it on the command
// line for another one. Unlike with nvcc, it is also defined outside of kernels.
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __grid_constant__
// An OS thread runs one block at a time, so each block has its own copy.
#define __shared__ static thread_local

constexpr int warpSize = 32;

// --- barriers ------------------------------------------------------------------------------------

inline void __syncthreads(
    archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  archgrid::cpu_emulator::wait_at_barrier(0, 0, site);
}
inline int __syncthreads_count(
    int predicate, archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  return archgrid::cpu_emulator::count_at_barrier(predicate != 0, site);
}
inline int __syncthreads_or(
    int predicate, archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  return archgrid::cpu_emulator::count_at_barrier(predicate != 0, site) != 0;
}
inline int __syncthreads_and(
    int predicate, archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  return archgrid::cpu_emulator::count_at_barrier(predicate == 0, site) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu,
                       archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  archgrid::cpu_emulator::meet_warp(
      mask, "__syncwarp", archgrid::cpu_emulator::Convergence::ordering, [](void* const(&)[32]) {},
      &mask, site);
}
inline void __threadfence() {
  archgrid::cpu_emulator::fence();
}
inline void __threadfence_block() {}
inline void __threadfence_system() {
  __threadfence();
}
[[noreturn]] inline void __trap(
    archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  archgrid::cpu_emulator::stop(archgrid::cpu_emulator::DefectKind::trap, "__trap() was called",
                               site);
}

// --- warps ---------------------------------------------------------------------------------------

namespace archgrid::cpu_emulator::detail {

template <class T>
struct Shuffle {
  T value;
  T result;
  int source;  // source lane; outside of 0 to 31 the lane keeps its value
};

template <class T>
T shuffle(unsigned mask, T value, int source, const char* name, Site site) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 2,
                "CUDA shuffles values of 2, 4 and 8 bytes");
  Shuffle<T> mine{value, value, source};
  meet_warp(
      mask, name, Convergence::any,
      [](void* const(&lanes)[32]) {
        for (void* lane : lanes) {
          auto* taking = static_cast<Shuffle<T>*>(lane);
          if (taking == nullptr || taking->source < 0 || taking->source > 31) continue;
          const auto* giving = static_cast<const Shuffle<T>*>(lanes[taking->source]);
          // The value from a lane that does not participate is undefined.
          if (giving != nullptr) {
            taking->result = giving->value;
          } else {
            std::memset(static_cast<void*>(&taking->result), 0xff, sizeof(T));
          }
        }
      },
      &mine, site);
  return mine.result;
}

// Returns the first lane of the caller's segment of `width` lanes.
inline int segment(int width, Site site) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    stop(DefectKind::invalid_argument, "a shuffle's width must be a power of two up to 32", site);
  }
  return static_cast<int>(lane()) & ~(width - 1);
}

struct Vote {
  bool predicate;
  unsigned result;
};

inline unsigned ballot(unsigned mask, bool predicate, const char* name, Site site) {
  Vote mine{predicate, 0};
  meet_warp(
      mask, name, Convergence::any,
      [](void* const(&lanes)[32]) {
        unsigned votes = 0;
        for (unsigned i = 0; i < 32; ++i) {
          if (lanes[i] != nullptr && static_cast<const Vote*>(lanes[i])->predicate) {
            votes |= 1u << i;
          }
        }
        for (void* lane : lanes) {
          if (lane != nullptr) static_cast<Vote*>(lane)->result = votes;
        }
      },
      &mine, site);
  return mine.result;
}

template <class T>
struct Reduction {
  T value;
};

template <class T, class Combine>
T reduce(unsigned mask, T value, Combine, const char* name, Site site) {
  Reduction<T> mine{value};
  meet_warp(
      mask, name, Convergence::any,
      [](void* const(&lanes)[32]) {
        bool is_first = true;
        T total{};
        for (void* lane : lanes) {
          if (lane == nullptr) continue;
          const T next = static_cast<const Reduction<T>*>(lane)->value;
          total = is_first ? next : Combine{}(total, next);
          is_first = false;
        }
        for (void* lane : lanes) {
          if (lane != nullptr) static_cast<Reduction<T>*>(lane)->value = total;
        }
      },
      &mine, site);
  return mine.value;
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    // Unsigned, because CUDA's sum wraps around.
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }
};
struct Least {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Greatest {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct And {
  unsigned operator()(unsigned a, unsigned b) const { return a & b; }
};
struct Or {
  unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};
struct Xor {
  unsigned operator()(unsigned a, unsigned b) const { return a ^ b; }
};

}  // namespace archgrid::cpu_emulator::detail

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32,
              archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  const int first = archgrid::cpu_emulator::detail::segment(width, site);
  return archgrid::cpu_emulator::detail::shuffle(mask, value, first + (source & (width - 1)),
                                                 "__shfl_sync", site);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32,
                 archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  const int first = archgrid::cpu_emulator::detail::segment(width, site);
  const int source = static_cast<int>(archgrid::cpu_emulator::lane()) - static_cast<int>(distance);
  return archgrid::cpu_emulator::detail::shuffle(mask, value, source < first ? -1 : source,
                                                 "__shfl_up_sync", site);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32,
                   archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  const int first = archgrid::cpu_emulator::detail::segment(width, site);
  const int source = static_cast<int>(archgrid::cpu_emulator::lane() + distance);
  return archgrid::cpu_emulator::detail::shuffle(mask, value, source < first + width ? source : -1,
                                                 "__shfl_down_sync", site);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32,
                  archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  const int first = archgrid::cpu_emulator::detail::segment(width, site);
  const int source = static_cast<int>(archgrid::cpu_emulator::lane()) ^ lanes;
  return archgrid::cpu_emulator::detail::shuffle(mask, value, source < first + width ? source : -1,
                                                 "__shfl_xor_sync", site);
}

inline unsigned __ballot_sync(
    unsigned mask, int predicate,
    archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  return archgrid::cpu_emulator::detail::ballot(mask, predicate != 0, "__ballot_sync", site);
}
inline int __any_sync(unsigned mask, int predicate,
                      archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  return archgrid::cpu_emulator::detail::ballot(mask, predicate != 0, "__any_sync", site) != 0;
}
inline int __all_sync(unsigned mask, int predicate,
                      archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) {
  return archgrid::cpu_emulator::detail::ballot(mask, predicate == 0, "__all_sync", site) == 0;
}

#define ARCHGRID_CPU_EMULATOR_REDUCE(name, type, Combine)                                      \
  inline type name(unsigned mask, type value,                                                  \
                   archgrid::cpu_emulator::Site site = archgrid::cpu_emulator::Site::here()) { \
    return archgrid::cpu_emulator::detail::reduce(                                             \
        mask, value, archgrid::cpu_emulator::detail::Combine{}, #name, site);                  \
  }
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_add_sync, int, Add)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_add_sync, unsigned, Add)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_min_sync, int, Least)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_min_sync, unsigned, Least)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_max_sync, int, Greatest)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_max_sync, unsigned, Greatest)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_and_sync, unsigned, And)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_or_sync, unsigned, Or)
ARCHGRID_CPU_EMULATOR_REDUCE(__reduce_xor_sync, unsigned, Xor)
#undef ARCHGRID_CPU_EMULATOR_REDUCE

// --- atomics -------------------------------------------------------------------------------------

namespace archgrid::cpu_emulator::detail {

/// Replaces the value at `address` by change(old), and returns the old value.
template <class T, class Change>
T exchange(T* address, Change change) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
  static_assert(sizeof(T) == sizeof(Bits));
  check_alignment(address, sizeof(T), "an atomic operation", Site::here());
  check_atomic(address, sizeof(T));
  auto* place = reinterpret_cast<Bits*>(address);
  Bits old_bits = __atomic_load_n(place, __ATOMIC_RELAXED);
  for (;;) {
    T old;
    std::memcpy(static_cast<void*>(&old), &old_bits, sizeof(T));
    const T changed = change(old);
    Bits new_bits;
    std::memcpy(&new_bits, static_cast<const void*>(&changed), sizeof(T));
    if (__atomic_compare_exchange_n(place, &old_bits, new_bits, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED)) {
      return old;
    }
  }
}

template <class T>
constexpr bool is_atomic_integer = std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

}  // namespace archgrid::cpu_emulator::detail

// Integers wrap around; floating-point sums are rounded once, as on the device.
template <class T>
T atomicAdd(T* address, std::common_type_t<T> value) {
  static_assert(
      archgrid::cpu_emulator::detail::is_atomic_integer<T> || std::is_floating_point_v<T>,
      "archgrid::cpu_emulator models atomicAdd for int, unsigned, long long, float and double");
  return archgrid::cpu_emulator::detail::exchange(address, [=](T old) {
    if constexpr (std::is_floating_point_v<T>) {
      return old + value;
    } else {
      using Wrapping = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Wrapping>(old) + static_cast<Wrapping>(value));
    }
  });
}
template <class T>
T atomicSub(T* address, std::common_type_t<T> value) {
  static_assert(archgrid::cpu_emulator::detail::is_atomic_integer<T>);
  using Wrapping = std::make_unsigned_t<T>;
  return archgrid::cpu_emulator::detail::exchange(address, [=](T old) {
    return static_cast<T>(static_cast<Wrapping>(old) - static_cast<Wrapping>(value));
  });
}

#define ARCHGRID_CPU_EMULATOR_ATOMIC(name, changed)                                         \
  template <class T>                                                                        \
  T name(T* address, std::common_type_t<T> value) {                                         \
    static_assert(archgrid::cpu_emulator::detail::is_atomic_integer<T>,                     \
                  "archgrid::cpu_emulator models " #name " for integers of 4 and 8 bytes"); \
    return archgrid::cpu_emulator::detail::exchange(                                        \
        address, [=](T old) -> T { return static_cast<T>(changed); });                      \
  }
ARCHGRID_CPU_EMULATOR_ATOMIC(atomicMin, value < old ? value : old)
ARCHGRID_CPU_EMULATOR_ATOMIC(atomicMax, old < value ? value : old)
ARCHGRID_CPU_EMULATOR_ATOMIC(atomicAnd, old& value)
ARCHGRID_CPU_EMULATOR_ATOMIC(atomicOr, old | value)
ARCHGRID_CPU_EMULATOR_ATOMIC(atomicXor, old ^ value)
ARCHGRID_CPU_EMULATOR_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
ARCHGRID_CPU_EMULATOR_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef ARCHGRID_CPU_EMULATOR_ATOMIC

template <class T>
T atomicExch(T* address, std::common_type_t<T> value) {
  return archgrid::cpu_emulator::detail::exchange(address, [=](T) { return value; });
}
template <class T>
T atomicCAS(T* address, std::common_type_t<T> compare, std::common_type_t<T> value) {
  static_assert(std::is_integral_v<T>, "archgrid::cpu_emulator models atomicCAS for integers");
  return archgrid::cpu_emulator::detail::exchange(
      address, [=](T old) { return old == compare ? value : old; });
}

// --- arithmetic ----------------------------------------------------------------------------------

inline float __fmaf_rn(float a, float b, float c) {
  return std::fma(a, b, c);
}
inline double __fma_rn(double a, double b, double c) {
  return std::fma(a, b, c);
}
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fdiv_rn(float a, float b) {
  return a / b;
}
inline float __fsqrt_rn(float a) {
  return std::sqrt(a);
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}
using std::isfinite;
using std::isinf;
using std::isnan;

inline unsigned __float_as_uint(float value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline int __float_as_int(float value) {
  return static_cast<int>(__float_as_uint(value));
}
inline float __uint_as_float(unsigned bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline float __int_as_float(int bits) {
  return __uint_as_float(static_cast<unsigned>(bits));
}
inline long long __double_as_longlong(double value) {
  long long bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline double __longlong_as_double(long long bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline int __popc(unsigned value) {
  return __builtin_popcount(value);
}
inline int __popcll(unsigned long long value) {
  return __builtin_popcountll(value);
}
inline int __clz(int value) {
  return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value));
}
inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}
inline int __ffsll(long long value) {
  return __builtin_ffsll(value);
}
inline unsigned __brev(unsigned value) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= (value >> bit & 1u) << (31 - bit);
  return reversed;
}
inline unsigned long long __brevll(unsigned long long value) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(value))) << 32 |
         __brev(static_cast<unsigned>(value >> 32));
}
// Byte i of the result is the byte of y:x that the low 3 bits of nibble i of the selector name; if
// bit 3 is set, all its bits are the sign of that byte.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned permuted = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> 4 * i & 15u;
    auto byte = static_cast<unsigned>(bytes >> 8 * (nibble & 7u)) & 255u;
    if ((nibble & 8u) != 0) byte = (byte & 128u) != 0 ? 255u : 0u;
    permuted |= byte << 8 * i;
  }
  return permuted;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both << (shift & 31u) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift & 31u));
}
inline int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
inline int __ffs(int value) {
  return __builtin_ffs(value);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int min(int a, int b) {
  return b < a ? b : a;
}
inline int max(int a, int b) {
  return a < b ? b : a;
}
inline unsigned min(unsigned a, unsigned b) {
  return b < a ? b : a;
}
inline unsigned max(unsigned a, unsigned b) {
  return a < b ? b : a;
}
inline long long min(long long a, long long b) {
  return b < a ? b : a;
}
inline long long max(long long a, long long b) {
  return a < b ? b : a;
}
// Like fminf and a GPU, these return the other number if one is NaN.
inline float min(float a, float b) {
  return std::fmin(a, b);
}
inline float max(float a, float b) {
  return std::fmax(a, b);
}
inline double min(double a, double b) {
  return std::fmin(a, b);
}
inline double max(double a, double b) {
  return std::fmax(a, b);
}

// Loads and stores with cache hints.
#define ARCHGRID_CPU_EMULATOR_LOAD(name) \
  template <class T>                     \
  T name(const T* address) {             \
    return *address;                     \
  }
ARCHGRID_CPU_EMULATOR_LOAD(__ldg)
ARCHGRID_CPU_EMULATOR_LOAD(__ldca)
ARCHGRID_CPU_EMULATOR_LOAD(__ldcg)
ARCHGRID_CPU_EMULATOR_LOAD(__ldcs)
ARCHGRID_CPU_EMULATOR_LOAD(__ldcv)
ARCHGRID_CPU_EMULATOR_LOAD(__ldlu)
#undef ARCHGRID_CPU_EMULATOR_LOAD
#define ARCHGRID_CPU_EMULATOR_STORE(name) \
  template <class T>                      \
  void name(T* address, T value) {        \
    *address = value;                     \
  }
ARCHGRID_CPU_EMULATOR_STORE(__stcg)
ARCHGRID_CPU_EMULATOR_STORE(__stcs)
ARCHGRID_CPU_EMULATOR_STORE(__stwb)
ARCHGRID_CPU_EMULATOR_STORE(__stwt)
#undef ARCHGRID_CPU_EMULATOR_STORE

// --- not modelled --------------------------------------------------------------------------------

namespace archgrid::cpu_emulator::detail {
template <class...>
constexpr bool is_modelled = false;
}  // namespace archgrid::cpu_emulator::detail

#define ARCHGRID_CPU_EMULATOR_NOT_MODELLED(name, instead)                       \
  template <class... Arguments>                                                 \
  int name(Arguments...) {                                                      \
    static_assert(archgrid::cpu_emulator::detail::is_modelled<Arguments...>,    \
                  "archgrid::cpu_emulator does not model " #name ": " instead); \
    return 0;                                                                   \
  }
// The C library itself declares functions of these names.
#define ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(name, instead)               \
  template <class... Arguments>                                              \
  float archgrid_fast_##name(Arguments...) {                                 \
    static_assert(archgrid::cpu_emulator::detail::is_modelled<Arguments...>, \
                  "archgrid::cpu_emulator does not model __" #name           \
                  ": its rounding is the device's own; where "               \
                  "ARCHGRID_CPU_EMULATOR is defined, use " #instead);        \
    return 0;                                                                \
  }
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(__activemask, "pass the mask of the lanes that take part")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(__match_any_sync, "use __ballot_sync or __shfl_sync")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(__match_all_sync, "use __ballot_sync or __shfl_sync")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(__nanosleep, "threads that wait for others need a barrier")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(expf, expf)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(exp10f, exp10f)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(logf, logf)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(log2f, log2f)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(powf, powf)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(sinf, sinf)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(cosf, cosf)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH(tanf, tanf)
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(
    __fdividef,
    "its rounding is the device's own; where ARCHGRID_CPU_EMULATOR is defined, use the operator /")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(
    rsqrtf,
    "its rounding is the device's own; where ARCHGRID_CPU_EMULATOR is defined, use 1 / sqrtf")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(__frsqrt_rn, "use 1 / sqrtf")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(clock, "there is no clock of a multiprocessor")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(clock64, "there is no clock of a multiprocessor")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(__cvta_generic_to_shared,
                                   "wrap what needs the address in inline PTX")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaLaunchKernel,
                                   "launch by archgrid::cpu_emulator::launch(kernel, ...)")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaLaunchKernelEx,
                                   "launch by archgrid::cpu_emulator::launch(kernel, ...)")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaLaunchCooperativeKernel,
                                   "blocks cannot wait for each other here")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaStreamCreate, "everything is done on the default stream, 0")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaMallocManaged, "use cudaMalloc")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaMallocAsync, "use cudaMalloc")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaFreeAsync, "use cudaFree")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaMallocHost, "use malloc")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaHostAlloc, "use malloc")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaMemcpyToSymbol, "assign to the variable")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaMemcpyFromSymbol, "read the variable")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaEventCreate, "there is no time of a GPU")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(cudaGetDeviceProperties, "use cudaDeviceGetAttribute")
ARCHGRID_CPU_EMULATOR_NOT_MODELLED(tex2D, "there are no textures")
#undef ARCHGRID_CPU_EMULATOR_NOT_MODELLED
#undef ARCHGRID_CPU_EMULATOR_NOT_MODELLED_MATH
#define __expf archgrid_fast_expf
#define __exp10f archgrid_fast_exp10f
#define __logf archgrid_fast_logf
#define __log2f archgrid_fast_log2f
#define __powf archgrid_fast_powf
#define __sinf archgrid_fast_sinf
#define __cosf archgrid_fast_cosf
#define __tanf archgrid_fast_tanf

// Inline PTX. System headers use __asm__, so they still compile.
#define asm                                                                                  \
  static_assert(                                                                             \
      false,                                                                                 \
      "archgrid::cpu_emulator does not model inline PTX: put it into a function that calls " \
      "archgrid::cpu_emulator's operations where ARCHGRID_CPU_EMULATOR is defined");         \
  __asm__

#endif
