// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Prints the results of the functions of cuda_fp16.h, cuda_bf16.h and cuda_fp8.h for many inputs.
// Built twice, with the headers of archgrid::cpu_emulator and with those of a toolkit, whose
// functions are ordinary ones for this compiler; compare_numbers.py compares the two programs.
//
//   nvidia_numbers             prints one line per function: name, number of results, their hash
//   nvidia_numbers <function>  prints one line per input of the function, with the result

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// Before CUDA 12.2 only the functions that convert floating-point numbers exist for the host.
#ifdef ARCHGRID_CPU_EMULATOR_CUDA_FP16_H
#define HAS_EVERYTHING 1
#else
#include <cuda_runtime_api.h>
#define HAS_EVERYTHING (CUDART_VERSION >= 12020)
#endif

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

template <class To, class From>
To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Returns the bits by which results and inputs are compared and printed.
template <class Number>
std::uint64_t bits_of(const Number& number) {
  if constexpr (sizeof(Number) == 1) {
    return bits_as<std::uint8_t>(number);
  } else if constexpr (sizeof(Number) == 2) {
    return bits_as<std::uint16_t>(number);
  } else if constexpr (sizeof(Number) == 4) {
    return bits_as<std::uint32_t>(number);
  } else {
    return bits_as<std::uint64_t>(number);
  }
}

std::string asked;  // NOLINT: the function of the command line, or none

/// Calls `function` with all `inputs`. Prints its line, or its results if they are requested.
template <class Input, class Function>
void run(const std::string& name, const std::vector<Input>& inputs, Function function) {
  if (!asked.empty() && asked != name) {
    return;
  }
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, by 64 bits
  for (const auto& input : inputs) {
    const auto result = bits_of(function(input));
    hash = (hash ^ result) * 0x100000001b3U;
    hash ^= hash >> 29;
    if (!asked.empty()) {
      std::printf("%s(%0*llx) = %0*llx\n", name.c_str(), static_cast<int>(2 * sizeof input),
                  static_cast<unsigned long long>(bits_of(input)),
                  static_cast<int>(2 * sizeof(function(input))),
                  static_cast<unsigned long long>(result));
    }
  }
  if (asked.empty()) {
    std::printf("%s %zu %016llx\n", name.c_str(), inputs.size(),
                static_cast<unsigned long long>(hash));
  }
}

std::vector<std::uint16_t> codes(unsigned count) {
  std::vector<std::uint16_t> all;
  for (unsigned code = 0; code < count; ++code) {
    all.push_back(static_cast<std::uint16_t>(code));
  }
  return all;
}

__half half_of(std::uint16_t code) {
  __half_raw raw;
  raw.x = code;
  return raw;
}
__nv_bfloat16 bfloat16_of(std::uint16_t code) {
  __nv_bfloat16_raw raw;
  raw.x = code;
  return raw;
}

/// Returns floats with all upper halves. Their lower halves are ties of some type, next to one, or
/// neither.
std::vector<float> floats() {
  std::vector<float> all;
  for (const std::uint32_t high : codes(65536)) {
    for (const std::uint32_t low :
         {0x0U, 0x1U, 0xfffU, 0x1000U, 0x1001U, 0x1fffU, 0x2000U, 0x2fffU, 0x3000U, 0x3001U,
          0x7fffU, 0x8000U, 0x8001U, 0xd000U, 0xdfffU, 0xffffU}) {
      all.push_back(bits_as<float>(high << 16 | low));
    }
  }
  return all;
}

/// Returns the numbers of a type, the ties between them, the doubles next to both, and special
/// values.
template <class ToFloat>
std::vector<double> doubles(unsigned count, ToFloat to_float) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> all = {0.0,
                             -0.0,
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             -Limits::quiet_NaN(),
                             bits_as<double>(std::uint64_t{0x7ff4000000000000}),
                             bits_as<double>(std::uint64_t{0x7fffffffffffffff}),
                             Limits::max(),
                             Limits::lowest(),
                             Limits::denorm_min(),
                             std::numeric_limits<float>::max(),
                             std::numeric_limits<float>::denorm_min()};
  for (const auto code : codes(count)) {
    const double number = to_float(code);
    if (!std::isfinite(number)) {
      continue;
    }
    // Beyond the largest number the gap is that below it.
    const double next = to_float(static_cast<std::uint16_t>(code + 1));
    const double gap = std::isfinite(next) && code + 1U != count / 2
                           ? next - number
                           : number - to_float(static_cast<std::uint16_t>(code - 1));
    for (const double at : {number, number + gap / 2}) {
      all.push_back(at);
      all.push_back(std::nextafter(at, Limits::infinity()));
      all.push_back(std::nextafter(at, -Limits::infinity()));
      // Float loses these.
      all.push_back(at + gap * 0x1p-30);
      all.push_back(at - gap * 0x1p-30);
    }
  }
  return all;
}

template <class Integer>
std::vector<Integer> integers() {
  std::vector<Integer> all;
  for (int power = 0; power < std::numeric_limits<Integer>::digits; ++power) {
    const auto top = static_cast<std::uint64_t>(1) << power;
    for (int tie = 0; tie < power; ++tie) {
      for (const std::uint64_t last : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}}) {
        const std::uint64_t bits = (top | std::uint64_t{1} << tie) + last;
        const std::uint64_t odd = (top | std::uint64_t{3} << tie) + last;
        for (const auto value : {bits, odd, ~bits, ~odd}) {
          all.push_back(static_cast<Integer>(value));
        }
      }
    }
  }
  all.push_back(std::numeric_limits<Integer>::max());
  all.push_back(std::numeric_limits<Integer>::min());
  return all;
}

#define RUN(inputs, function) run(#function, inputs, [](auto input) { return function(input); })

void run_conversions_of_codes() {
  const auto all = codes(65536);
  run("__half2float", all, [](auto code) { return __half2float(half_of(code)); });
  run("__bfloat162float", all, [](auto code) { return __bfloat162float(bfloat16_of(code)); });
#if HAS_EVERYTHING
#define OF_CODES(function, number_of) \
  run(#function, all, [](auto code) { return function(number_of(code)); })
  OF_CODES(__half2short_rz, half_of);
  OF_CODES(__half2ushort_rz, half_of);
  OF_CODES(__half2int_rz, half_of);
  OF_CODES(__half2uint_rz, half_of);
  OF_CODES(__half2ll_rz, half_of);
  OF_CODES(__half2ull_rz, half_of);
  OF_CODES(__bfloat162short_rz, bfloat16_of);
  OF_CODES(__bfloat162ushort_rz, bfloat16_of);
  OF_CODES(__bfloat162int_rz, bfloat16_of);
  OF_CODES(__bfloat162uint_rz, bfloat16_of);
  OF_CODES(__bfloat162ll_rz, bfloat16_of);
  OF_CODES(__bfloat162ull_rz, bfloat16_of);
  OF_CODES(__half2char_rz, half_of);
  OF_CODES(__half2uchar_rz, half_of);
  OF_CODES(__bfloat162char_rz, bfloat16_of);
  OF_CODES(__bfloat162uchar_rz, bfloat16_of);
#undef OF_CODES
#endif
}

void run_conversions_to_sixteen_bits() {
  const auto all = floats();
  RUN(all, __float2half);
  RUN(all, __float2half_rn);
  RUN(all, __float2half_rz);
  RUN(all, __float2half_rd);
  RUN(all, __float2half_ru);
  RUN(all, __float2half2_rn);
  RUN(all, __float2bfloat16);
  RUN(all, __float2bfloat16_rn);
  RUN(all, __float2bfloat16_rz);
  RUN(all, __float2bfloat16_rd);
  RUN(all, __float2bfloat16_ru);
  RUN(all, __float2bfloat162_rn);
  run("__floats2half2_rn", all, [](float x) { return __floats2half2_rn(x, -1); });
  run("__floats2bfloat162_rn", all, [](float x) { return __floats2bfloat162_rn(-1, x); });
  const auto around_halves = doubles(65536, [](auto code) { return __half2float(half_of(code)); });
  const auto around_bfloats =
      doubles(65536, [](auto code) { return __bfloat162float(bfloat16_of(code)); });
  RUN(around_halves, __double2half);
  RUN(around_bfloats, __double2bfloat16);
#if HAS_EVERYTHING
  run("__half22float2", all, [](float x) { return __half22float2(__floats2half2_rn(x, 1)); });
  run("__bfloat1622float2", all, [](float x) {
    const float2 pair = {x, 1};
    return __bfloat1622float2(__float22bfloat162_rn(pair));
  });
  RUN(integers<short>(), __short2half_rn);
  RUN(integers<unsigned short>(), __ushort2half_rn);
  RUN(integers<int>(), __int2half_rn);
  RUN(integers<unsigned>(), __uint2half_rn);
  RUN(integers<long long>(), __ll2half_rn);
  RUN(integers<unsigned long long>(), __ull2half_rn);
  RUN(integers<short>(), __short2bfloat16_rn);
  RUN(integers<unsigned short>(), __ushort2bfloat16_rn);
  RUN(integers<int>(), __int2bfloat16_rn);
  RUN(integers<unsigned>(), __uint2bfloat16_rn);
  RUN(integers<long long>(), __ll2bfloat16_rn);
  RUN(integers<unsigned long long>(), __ull2bfloat16_rn);
  RUN(integers<int>(), __int2half_rz);
  RUN(integers<int>(), __int2half_rd);
  RUN(integers<int>(), __int2half_ru);
  RUN(integers<unsigned>(), __uint2half_rz);
  RUN(integers<unsigned>(), __uint2half_rd);
  RUN(integers<unsigned>(), __uint2half_ru);
  RUN(integers<long long>(), __ll2half_rz);
  RUN(integers<long long>(), __ll2half_rd);
  RUN(integers<long long>(), __ll2half_ru);
  RUN(integers<unsigned long long>(), __ull2half_rz);
  RUN(integers<unsigned long long>(), __ull2half_rd);
  RUN(integers<unsigned long long>(), __ull2half_ru);
#endif
}

template <class Fp8, class Fp8x2, class Fp8x4>
void run_fp8(const std::string& format, __nv_fp8_interpretation_t kind) {
  const auto all = codes(65536);
  const auto bytes = codes(256);
  const auto fp8_of = [](auto code) {
    Fp8 number;
    number.__x = static_cast<__nv_fp8_storage_t>(code);
    return number;
  };
  for (const auto saturate : {__NV_NOSAT, __NV_SATFINITE}) {
    const std::string how = "/" + format + (saturate == __NV_NOSAT ? "/nosat" : "/satfinite");
    run("__nv_cvt_float_to_fp8" + how, floats(),
        [=](float x) { return __nv_cvt_float_to_fp8(x, saturate, kind); });
    run("__nv_cvt_float2_to_fp8x2" + how, floats(), [=](float x) {
      const float2 pair = {x, 1};
      return __nv_cvt_float2_to_fp8x2(pair, saturate, kind);
    });
    run("__nv_cvt_halfraw_to_fp8" + how, all,
        [=](auto code) { return __nv_cvt_halfraw_to_fp8(half_of(code), saturate, kind); });
    run("__nv_cvt_bfloat16raw_to_fp8" + how, all,
        [=](auto code) { return __nv_cvt_bfloat16raw_to_fp8(bfloat16_of(code), saturate, kind); });
    run("__nv_cvt_double_to_fp8" + how,
        doubles(256, [=](auto code) { return static_cast<float>(fp8_of(code)); }),
        [=](double x) { return __nv_cvt_double_to_fp8(x, saturate, kind); });
  }
  run("__nv_cvt_fp8_to_halfraw/" + format, bytes, [=](auto code) {
    return __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), kind);
  });
  run("__nv_cvt_fp8x2_to_halfraw2/" + format, all,
      [=](auto code) { return __nv_cvt_fp8x2_to_halfraw2(code, kind); });
  run(format + " to float", bytes, [=](auto code) { return static_cast<float>(fp8_of(code)); });
  run(format + " to double", bytes, [=](auto code) { return static_cast<double>(fp8_of(code)); });
  run(format + " to half", bytes, [=](auto code) { return static_cast<__half>(fp8_of(code)); });
  run(format + " to bfloat16", bytes,
      [=](auto code) { return static_cast<__nv_bfloat16>(fp8_of(code)); });
  run(format + " to unsigned char", bytes,
      [=](auto code) { return static_cast<unsigned char>(fp8_of(code)); });
  run(format + " to signed char", bytes,
      [=](auto code) { return static_cast<signed char>(fp8_of(code)); });
  run(format + " to short", bytes, [=](auto code) { return static_cast<short>(fp8_of(code)); });
  run(format + " to unsigned short", bytes,
      [=](auto code) { return static_cast<unsigned short>(fp8_of(code)); });
  run(format + " to int", bytes, [=](auto code) { return static_cast<int>(fp8_of(code)); });
  run(format + " to unsigned", bytes,
      [=](auto code) { return static_cast<unsigned>(fp8_of(code)); });
  run(format + " to long long", bytes,
      [=](auto code) { return static_cast<long long>(fp8_of(code)); });
  run(format + " to unsigned long long", bytes,
      [=](auto code) { return static_cast<unsigned long long>(fp8_of(code)); });
  run(format + " to bool", bytes, [=](auto code) { return static_cast<bool>(fp8_of(code)); });
  run(format + " of int", integers<int>(), [](int x) { return Fp8(x); });
  run(format + " of unsigned", integers<unsigned>(), [](unsigned x) { return Fp8(x); });
  run(format + " of long long", integers<long long>(), [](long long x) { return Fp8(x); });
  run(format + " of unsigned long long", integers<unsigned long long>(),
      [](unsigned long long x) { return Fp8(x); });
  run(format + "x2 of float2", floats(), [](float x) {
    const float2 pair = {1, x};
    return Fp8x2(pair);
  });
  run(format + "x4 of float4", floats(), [](float x) {
    const float4 four = {1, x, 2, -x};
    return Fp8x4(four);
  });
  run(format + "x2 to float2", all, [](auto code) {
    Fp8x2 pair;
    pair.__x = code;
    return static_cast<float2>(pair);
  });
  run(format + "x4 to float4", all, [](auto code) {
    Fp8x4 four;
    four.__x = static_cast<__nv_fp8x4_storage_t>(code << 8 | code % 199);
    const auto floats_of = static_cast<float4>(four);
    return bits_of(floats_of.x) ^ bits_of(floats_of.y) << 11 ^ bits_of(floats_of.z) << 23 ^
           bits_of(floats_of.w) << 32;
  });
}

#if HAS_EVERYTHING

/// Two codes, as one input.
struct Two {
  std::uint16_t first, second;
};

/// Returns pairs of codes of all kinds: zeros, subnormal numbers, infinities, NaNs, and others.
std::vector<Two> pairs() {
  std::vector<std::uint16_t> some = {0x0000, 0x0001, 0x0002, 0x0003, 0x007f, 0x0080, 0x0081, 0x03ff,
                                     0x0400, 0x0401, 0x3c00, 0x3c01, 0x3f80, 0x3f81, 0x7bff, 0x7c00,
                                     0x7c01, 0x7e00, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff};
  for (unsigned code = 0; code < 0x8000; code += 131) {
    some.push_back(static_cast<std::uint16_t>(code));
  }
  std::vector<Two> all;
  for (const auto first : some) {
    for (const auto second : some) {
      for (const unsigned signs : {0U, 1U, 2U, 3U}) {
        all.push_back({static_cast<std::uint16_t>(first | signs << 15),
                       static_cast<std::uint16_t>(second | (signs & 2) << 14)});
      }
    }
  }
  return all;
}

template <class Number, class Pair, class NumberOf>
void run_arithmetic(const std::string& type, NumberOf number_of) {
  const auto all = pairs();
  const auto single = codes(65536);
#define OF_ONE(function) \
  run(type + #function, single, [=](auto code) { return function(number_of(code)); })
  OF_ONE(__hneg);
  OF_ONE(__habs);
  OF_ONE(__hisnan);
  OF_ONE(__hisinf);
  OF_ONE(static_cast<bool>);
#undef OF_ONE
#define OF_TWO(function)                                                                      \
  run(type + #function, all,                                                                  \
      [=](const Two& two) { return function(number_of(two.first), number_of(two.second)); }); \
  run(type + #function " of pairs", all, [=](const Two& two) {                                \
    const Number a = number_of(two.first), b = number_of(two.second);                         \
    return function##2(Pair(a, b), Pair(b, b));                                               \
  })
#define OF_TWO_ALONE(function) \
  run(type + #function, all,   \
      [=](const Two& two) { return function(number_of(two.first), number_of(two.second)); })
  OF_TWO(__hadd);
  OF_TWO(__hsub);
  OF_TWO(__hmul);
  OF_TWO_ALONE(__hdiv);
  OF_TWO_ALONE(__hadd_rn);
  OF_TWO_ALONE(__hsub_rn);
  OF_TWO_ALONE(__hmul_rn);
  OF_TWO_ALONE(__hadd_sat);
  OF_TWO_ALONE(__hsub_sat);
  OF_TWO_ALONE(__hmul_sat);
  OF_TWO(__hmax);
  OF_TWO(__hmin);
  OF_TWO_ALONE(__hmax_nan);
  OF_TWO_ALONE(__hmin_nan);
#define OF_RELATION(name)                                             \
  OF_TWO(__h##name);                                                  \
  OF_TWO_ALONE(__h##name##u);                                         \
  run(type + "__hb" #name "2", all, [=](const Two& two) {             \
    const Number a = number_of(two.first), b = number_of(two.second); \
    return __hb##name##2(Pair(a, b), Pair(b, b));                     \
  });                                                                 \
  run(type + "__hb" #name "u2", all, [=](const Two& two) {            \
    const Number a = number_of(two.first), b = number_of(two.second); \
    return __hb##name##u2(Pair(a, b), Pair(b, b));                    \
  });                                                                 \
  run(type + "__h" #name "2_mask", all, [=](const Two& two) {         \
    const Number a = number_of(two.first), b = number_of(two.second); \
    return __h##name##2_mask(Pair(a, b), Pair(b, b));                 \
  });                                                                 \
  run(type + "__h" #name "u2_mask", all, [=](const Two& two) {        \
    const Number a = number_of(two.first), b = number_of(two.second); \
    return __h##name##u2_mask(Pair(a, b), Pair(b, b));                \
  })
  OF_RELATION(eq);
  OF_RELATION(ne);
  OF_RELATION(le);
  OF_RELATION(ge);
  OF_RELATION(lt);
  OF_RELATION(gt);
#undef OF_RELATION
#define OF_OPERATOR(relation)                                                               \
  run(type + "operator" #relation, all,                                                     \
      [=](const Two& two) { return number_of(two.first) relation number_of(two.second); }); \
  run(type + "operator" #relation " of pairs", all, [=](const Two& two) {                   \
    const Number a = number_of(two.first), b = number_of(two.second);                       \
    return Pair(a, b) relation Pair(b, a);                                                  \
  })
  OF_OPERATOR(+);
  OF_OPERATOR(-);
  OF_OPERATOR(*);
  OF_OPERATOR(/);
  OF_OPERATOR(==);
  OF_OPERATOR(!=);
  OF_OPERATOR(<);
  OF_OPERATOR(>);
  OF_OPERATOR(<=);
  OF_OPERATOR(>=);
#undef OF_OPERATOR
#undef OF_TWO_ALONE
#undef OF_TWO
  run(type + "operator++", single, [=](auto code) {
    Number number = number_of(code);
    ++number;
    return number;
  });
  run(type + "operator--", single, [=](auto code) {
    Number number = number_of(code);
    --number;
    return number;
  });
}

#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    asked = argv[1];
  }
  run_conversions_of_codes();
  run_conversions_to_sixteen_bits();
  run_fp8<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>("e4m3", __NV_E4M3);
  run_fp8<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>("e5m2", __NV_E5M2);
#if HAS_EVERYTHING
  run("half of bfloat16", codes(65536), [](auto code) { return __half(bfloat16_of(code)); });
  run("bfloat16 of half", codes(65536), [](auto code) { return __nv_bfloat16(half_of(code)); });
  run_arithmetic<__half, __half2>("half ", half_of);
  run_arithmetic<__nv_bfloat16, __nv_bfloat162>("bfloat16 ", bfloat16_of);
#endif
}
