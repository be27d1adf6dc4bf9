// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks of the GEMM variants, beside cuBLAS in the same run if its library is installed. Each
// test checks some rows of the timed result before it reports the time. No test judges a time.
#include "gemm_perf.hpp"

#include <algorithm>
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/arithmetic.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "cublas.hpp"
#include "mma_perf.hpp"

namespace archgrid::gemm {
namespace {

constexpr Size kSizes[] = {
    {"square_1024", 1024, 1024, 1024},
    {"square_2048", 2048, 2048, 2048},
    {"square_4096", 4096, 4096, 4096},
    {"square_8192", 8192, 8192, 8192},
    {"square_16384", 16384, 16384, 16384},
    // The projections of a layer of Llama 3 8B (hidden 4096, feed-forward 14336) for 2048 tokens.
    {"attention_2048", 2048, 4096, 4096},
    {"mlp_up_2048", 2048, 14336, 4096},
    {"mlp_down_2048", 2048, 4096, 14336},
    // The same while a model decodes: one token for each of some users.
    {"decode_1", 1, 4096, 4096},
    {"decode_4", 4, 4096, 4096},
    {"decode_16", 16, 4096, 4096},
    {"decode_64", 64, 4096, 4096},
};

/// Returns the rates of kernels that do nothing but the variant's multiplications.
std::vector<perf::Ceiling> ceilings_of(const Variant& variant) {
  const std::string instruction = variant.instruction;
  if (instruction == "FFMA") return {perf::fp32_ceiling()};
  if (instruction == "DFMA") return {perf::fp64_ceiling()};
  return {mma_sync_ceiling(variant.is_tf32 ? "tf32" : name(variant.input))};
}

struct Benchmark {
  const Variant* variant;
  Size size;
};

void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << benchmark.variant->name << " " << benchmark.size.name;
}

/// Returns the first variant of each source, for every size; the largest only for types that fit.
std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  std::string last;
  for (const Variant& variant : variants()) {
    if (variant.launch == nullptr || variant.source == last) continue;
    last = variant.source;
    for (const Size& size : kSizes) {
      const bool is_small_type = bytes_of(variant.input) <= 2;
      const bool is_double = variant.input == Type::f64;
      if (size.n >= 16384 && !is_small_type) continue;
      if (is_double && (size.n > 4096 || size.k > 4096)) continue;
      all.push_back({&variant, size});
    }
  }
  return all;
}

class GemmPerf : public ::testing::TestWithParam<Benchmark> {};

INSTANTIATE_TEST_SUITE_P(Variants, GemmPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) {
                           return std::string(tested.param.variant->source) + "_" +
                                  tested.param.size.name;
                         });

// Measures gemm()'s choice with its preferred workspace, or the first variant of a source if gemm()
// picks another source.
TEST_P(GemmPerf, IsMeasured) {
  const Size& size = GetParam().size;
  const Variant& first = *GetParam().variant;
  Device device;
  ASSERT_EQ(current_device(&device), cudaSuccess);
  if (device.capability < first.first_device) {
    GTEST_SKIP() << first.name << " needs a device from " << first.first_device << " on";
  }
  Data data(first, size);
  const DeviceBuffer<unsigned char> a(data.a, {"A"});
  const DeviceBuffer<unsigned char> b(data.b, {"B"});
  const DeviceBuffer<unsigned char> c(data.c, {"C"});
  const Problem p = problem(first, size, a.data(), b.data(), c.data());
  const std::size_t workspace_bytes = useful_workspace(p);
  const DeviceBuffer<unsigned char> workspace(std::max<std::size_t>(workspace_bytes, 1));
  Options options;
  options.workspace = workspace.data();
  options.workspace_bytes = workspace_bytes;
  Choice choice = choose(p, workspace_bytes);
  // Also measure a source that gemm() would not pick for this device.
  if (choice.variant == nullptr || std::string(choice.variant->source) != first.source) {
    options.variant = &first;
    choice = choose(p, workspace_bytes, first);
  }
  ASSERT_NE(choice.variant, nullptr) << choice.reason;

  const perf::Measurement timing = perf::time([&](cudaStream_t stream) {
    Options on_stream = options;
    on_stream.stream = stream;
    return gemm(p, on_stream);
  });
  data.c = c.to_host();
  ASSERT_TRUE(has_right_rows(first, choice.splits, size, data)) << choice.variant->name;
  const std::string name = std::string(first.source) + "/" + size.name;
  perf::report("gemm." + name, timing, work_of(first, size), ceilings_of(first));
  RecordProperty("variant", choice.variant->name);
  RecordProperty("splits", choice.splits);
  RecordProperty("choice", choice.reason);

  std::string reason;
  const std::unique_ptr<Peer> peer = peer_for(p, &reason);
  if (peer == nullptr) {
    RecordProperty("cublas", reason);
    return;
  }
  // Erase our own result, which is right.
  ASSERT_EQ(cudaMemset(c.data(), 0xff, c.bytes()), cudaSuccess);
  const int status = peer->multiply(p, nullptr);
  if (status == Peer::not_supported) {
    RecordProperty("cublas", "does not multiply these");
    return;
  }
  ASSERT_EQ(status, 0) << peer->name();
  RecordProperty("cublas", peer->name() + " " + std::to_string(peer->version()));
  const perf::Measurement of_peer = perf::time([&](cudaStream_t stream) {
    return peer->multiply(p, stream) == 0 ? cudaSuccess : cudaErrorUnknown;
  });
  data.c = c.to_host();
  ASSERT_TRUE(has_right_rows(first, 64, size, data)) << peer->name();
  perf::report(peer->name() + "." + name, of_peer, work_of(first, size), ceilings_of(first));
}

}  // namespace
}  // namespace archgrid::gemm
