// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests the arithmetic of tensor cores against results recorded on GPUs (recordings.txt, or the
// file in the environment variable ARCHGRID_RECORDINGS). For cases without a recording, tests
// against MMA-Sim's description of the hardware (docs/cpu-emulator.md lists the sources).
#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "warp_products.hpp"

namespace archgrid::cpu_emulator {
namespace {

using ::testing::HasSubstr;

class TensorCore : public ::testing::Test {
 protected:
  ~TensorCore() override { set_device(90); }
};

float f32(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::uint32_t bits(float value) {
  std::uint32_t code = 0;
  std::memcpy(&code, &value, sizeof(code));
  return code;
}

// --- recordings ----------------------------------------------------------------------------------

struct Recording {
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  std::uint32_t c;
  std::uint32_t d;
};

struct Set {
  std::string gpu;
  int device;
  std::string format;
  bool operator<(const Set& other) const {
    return std::tie(device, gpu, format) < std::tie(other.device, other.gpu, other.format);
  }
};

Number number_of(const std::string& format) {
  static const std::map<std::string, Number> numbers = {{"f16", Number::f16},
                                                        {"bf16", Number::bf16},
                                                        {"tf32", Number::tf32},
                                                        {"e4m3", Number::e4m3},
                                                        {"e5m2", Number::e5m2}};
  return numbers.at(format);
}

std::vector<std::uint32_t> codes_of(const std::string& text, int code_bits) {
  const auto digits = static_cast<std::size_t>(code_bits / 4);
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < text.size(); i += digits) {
    codes.push_back(static_cast<std::uint32_t>(std::stoul(text.substr(i, digits), nullptr, 16)));
  }
  return codes;
}

std::map<Set, std::vector<Recording>> read_recordings() {
  const char* const named = std::getenv("ARCHGRID_RECORDINGS");
  const std::string path = named == nullptr ? ARCHGRID_RECORDINGS_FILE : named;
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::map<Set, std::vector<Recording>> sets;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Set set;
    std::string a, b, c, d;
    fields >> set.gpu >> set.device >> set.format >> a >> b >> c >> d;
    if (!fields) {
      ADD_FAILURE() << path << ": cannot read the line: " << line;
      continue;
    }
    const int code_bits = bits_of(number_of(set.format));
    sets[set].push_back(
        {codes_of(a, code_bits), codes_of(b, code_bits), codes_of(c, 32)[0], codes_of(d, 32)[0]});
  }
  return sets;
}

// Returns products of warps with the row and column of each recording at (i, i), i < 8.
WarpProducts packed(Number type, const std::vector<Recording>& recordings) {
  const std::size_t k = recordings[0].a.size();
  const std::size_t warps = (recordings.size() + 7) / 8;
  WarpProducts products{type, static_cast<int>(k), {}, {}, {}};
  products.a.resize(warps * 16 * k);
  products.b.resize(warps * 8 * k);
  products.c.resize(warps * 128);
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      products.a[(i / 8 * 16 + i % 8) * k + j] = recordings[i].a[j];
      products.b[i * k + j] = recordings[i].b[j];
    }
    products.c[i / 8 * 128 + i % 8 * 9] = f32(recordings[i].c);
  }
  return products;
}

std::string difference(const Recording& recording, std::uint32_t model) {
  char text[80];
  std::snprintf(text, sizeof(text), "c %08x: GPU %08x, model %08x", recording.c, recording.d,
                model);
  return text;
}

TEST_F(TensorCore, AgreesWithRecordings) {
  const auto sets = read_recordings();
  std::size_t results = 0;
  std::size_t agreeing = 0;
  for (const auto& [set, recordings] : sets) {
    set_device(set.device);
    const std::vector<float> d = multiply(packed(number_of(set.format), recordings));
    std::size_t differing = 0;
    std::string first;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
      const std::uint32_t model = bits(d[i / 8 * 128 + i % 8 * 9]);
      if (model == recordings[i].d) continue;
      if (differing++ == 0) first = difference(recordings[i], model);
    }
    EXPECT_EQ(differing, 0u) << set.gpu << " " << set.format << ": " << differing << " of "
                             << recordings.size() << " differ, the first with " << first;
    results += recordings.size();
    agreeing += recordings.size() - differing;
  }
  std::printf("%zu of %zu recorded results of %zu sets agree\n", agreeing, results, sets.size());
  EXPECT_TRUE(std::getenv("ARCHGRID_RECORDINGS") != nullptr || sets.size() == 27) << sets.size();
  EXPECT_GT(results, 0u);
}

// --- underflow -----------------------------------------------------------------------------------

struct Term {
  std::uint32_t a;
  std::uint32_t b;
};

// Returns the bits of c plus the products of `terms`; the rest of K is zero.
std::uint32_t sum_of(Number type, int k, const std::vector<Term>& terms, std::uint32_t c) {
  Recording only{std::vector<std::uint32_t>(static_cast<std::size_t>(k)),
                 std::vector<std::uint32_t>(static_cast<std::size_t>(k)), c, 0};
  for (std::size_t i = 0; i < terms.size(); ++i) {
    std::tie(only.a[i], only.b[i]) = std::pair(terms[i].a, terms[i].b);
  }
  return bits(multiply(packed(type, {only}))[0]);
}

// Returns the bf16 of significand * 2^exponent, where the significand is in [1, 256).
std::uint32_t bf16(int significand, int exponent) {
  return bits(std::ldexp(static_cast<float>(significand), exponent)) >> 16;
}

constexpr int all_devices[] = {80, 86, 89, 90, 100, 120};

TEST_F(TensorCore, UnderflowsToPositiveZero) {
  for (const int device : all_devices) {
    set_device(device);
    const Term small{bf16(-1, -80), bf16(1, -80)};
    EXPECT_EQ(sum_of(Number::bf16, 8, {small}, 0), 0u) << device;
    EXPECT_EQ(sum_of(Number::bf16, 16, {small, small}, 0), 0u) << device;
    EXPECT_EQ(sum_of(Number::tf32, 4, {{small.a << 16, small.b << 16}}, 0), 0u) << device;
    EXPECT_EQ(sum_of(Number::bf16, 8, {}, 0x80000000u), 0u) << device;
  }
}

// Each sum is 2^-149, the smallest f32, unless a term is truncated first.
TEST_F(TensorCore, CutsOffAtAFixedBitBesideAZero) {
  const std::vector<Term> down_to_156 = {{bf16(127, -70), bf16(1, -86)},
                                         {bf16(1, -70), bf16(1, -86)}};
  const std::vector<Term> down_to_157 = {{bf16(255, -70), bf16(1, -87)},
                                         {bf16(1, -70), bf16(1, -87)}};
  const std::vector<Term> down_to_159 = {{bf16(11, -70), bf16(93, -89)},
                                         {bf16(1, -70), bf16(1, -89)}};
  for (const int device : all_devices) {
    set_device(device);
    EXPECT_EQ(sum_of(Number::bf16, 8, down_to_156, 0), 1u) << device;
    EXPECT_EQ(sum_of(Number::bf16, 8, down_to_157, 0), device < 90 ? 0u : 1u) << device;
    EXPECT_EQ(sum_of(Number::bf16, 8, down_to_159, 0), 0u) << device;
  }
}

// --- unsupported operations ----------------------------------------------------------------------

__global__ void multiplies(Number type, int k) {
  const std::uint32_t a[4] = {};
  float d[4] = {};
  mma(type, k, d, a, a, d, Site::here());
}

std::string refusal(int device, Number type, int k) {
  set_device(device);
  try {
    launch(multiplies, dim3(1), dim3(32), 0, type, k);
  } catch (const Defect& defect) {
    return defect.what();
  }
  return "";
}

TEST_F(TensorCore, NamesTheFirstDeviceOfAShape) {
  const auto needs = [](const std::string& shape, const char* first, const char* device) {
    return HasSubstr(shape + " needs compute capability " + first + "; the device is " + device);
  };
  EXPECT_THAT(refusal(75, Number::f16, 16), needs("mma.m16n8k16 of f16", "8.0", "7.5"));
  EXPECT_THAT(refusal(70, Number::f16, 8), needs("mma.m16n8k8 of f16", "7.5", "7.0"));
  EXPECT_THAT(refusal(75, Number::bf16, 8), needs("mma.m16n8k8 of bf16", "8.0", "7.5"));
  EXPECT_THAT(refusal(75, Number::tf32, 4), needs("mma.m16n8k4 of tf32", "8.0", "7.5"));
  EXPECT_THAT(refusal(86, Number::e4m3, 32), needs("mma.m16n8k32 of e4m3", "8.9", "8.6"));
  EXPECT_EQ(refusal(75, Number::f16, 8), "");
  EXPECT_EQ(refusal(80, Number::f16, 8), "");
}

TEST_F(TensorCore, RefusesShapesThatAreNotModelled) {
  EXPECT_THAT(refusal(90, Number::e5m2, 16), HasSubstr("mma.m16n8k16 of e5m2 is not modelled"));
  EXPECT_THAT(refusal(80, Number::f16, 32), HasSubstr("mma.m16n8k32 of f16 is not modelled"));
}

}  // namespace
}  // namespace archgrid::cpu_emulator
