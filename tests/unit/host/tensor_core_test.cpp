// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The arithmetic of tensor cores: against results that were recorded on GPUs (recordings.txt, or
// the file that the environment variable ARCHGRID_RECORDINGS names).
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "warp_products.hpp"

namespace archgrid::host {
namespace {

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

// Places the row and column of each recording at (i, i) of a warp's products, i < 8.
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

}  // namespace
}  // namespace archgrid::host
