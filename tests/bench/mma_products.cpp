// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// mma_products DEVICE FORMAT K: multiplies with archgrid::cpu_emulator's mma(), for
// tests/bench/mma_sim.
//
// Reads words of 32 bits from standard input: the number of warps; A of all warps, [row][k], one
// code per word; B, [column][k]; C, [row][column], as bits of f32. Writes D in the layout of C.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "host/warp_products.hpp"

namespace {

using namespace archgrid::cpu_emulator;

[[noreturn]] void fail(const char* message) {
  std::fprintf(stderr, "mma_products: %s\n", message);
  std::exit(2);
}

template <class Word>
void read(std::vector<Word>& words, std::size_t count) {
  static_assert(sizeof(Word) == 4);
  words.resize(count);
  if (std::fread(words.data(), 4, count, stdin) != count) fail("standard input ends too early");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: mma_products DEVICE FORMAT K");
  const std::map<std::string, Number> formats = {{"f16", Number::f16},
                                                 {"bf16", Number::bf16},
                                                 {"tf32", Number::tf32},
                                                 {"e4m3", Number::e4m3},
                                                 {"e5m2", Number::e5m2}};
  const auto format = formats.find(argv[2]);
  if (format == formats.end()) fail("unknown format");
  set_device(std::atoi(argv[1]));
  WarpProducts products;
  products.type = format->second;
  products.k = std::atoi(argv[3]);
  std::vector<std::uint32_t> warps;
  read(warps, 1);
  const std::size_t lines = warps[0] * static_cast<std::size_t>(products.k);
  read(products.a, 16 * lines);
  read(products.b, 8 * lines);
  read(products.c, 128 * static_cast<std::size_t>(warps[0]));
  const std::vector<float> d = multiply(products);
  if (std::fwrite(d.data(), 4, d.size(), stdout) != d.size()) fail("cannot write");
  return 0;
}
