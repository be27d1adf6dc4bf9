// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// conformance FILE [DEVICE]: applies every operation to fixed inputs. Writes one line per
// operation: its name, the number of result words, their formats (operations.cuh) and the words. In
// a build for the CPU, DEVICE (90 for 9.0) is the device to emulate. tests/bench/conformance runs
// the program on a GPU and on the CPU, and compares the results.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "operations.cuh"

namespace archgrid::conformance {
namespace {

constexpr int cases = 512;

void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "conformance: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

class Random {
 public:
  unsigned next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>(state_ >> 32);
  }

  // Returns a number with that many bits of exponent and fraction. Its exponent is near that of 1;
  // one number in sixteen has arbitrary bits.
  unsigned number(int exponent_bits, int fraction_bits) {
    const unsigned bits = next();
    const int all = 1 + exponent_bits + fraction_bits;
    const unsigned mask = all == 32 ? ~0u : (1u << all) - 1;
    if (next() % 16 == 0) return bits & mask;
    const unsigned bias = (1u << (exponent_bits - 1)) - 1;
    const unsigned exponent = bias - 3 + next() % 6;
    const unsigned fraction = bits & ((1u << fraction_bits) - 1);
    return (bits & (1u << (all - 1)) & mask) | exponent << fraction_bits | fraction;
  }

  unsigned word(Inputs inputs) {
    switch (inputs) {
      case Inputs::f16:
        return number(5, 10) | number(5, 10) << 16;
      case Inputs::bf16:
        return number(8, 7) | number(8, 7) << 16;
      case Inputs::f32:
        return number(8, 23);
      case Inputs::f64:
        return number(8, 23);
      case Inputs::e4m3:
        return number(4, 3) | number(4, 3) << 8 | number(4, 3) << 16 | number(4, 3) << 24;
      case Inputs::e5m2:
        return number(5, 2) | number(5, 2) << 8 | number(5, 2) << 16 | number(5, 2) << 24;
      default:
        return next();
    }
  }

 private:
  std::uint64_t state_ = 1;
};

// Returns an input word. Accumulators of tensor cores are f32, whatever the operands are.
template <class Operation>
unsigned input_word(Random& random, int index) {
  constexpr bool is_of_floats = Operation::inputs != Inputs::words;
  constexpr bool is_mma = Operation::in == 10 && is_of_floats;
  constexpr bool is_sparse = Operation::in == 13 && is_of_floats;
  if (is_sparse && index == 12) return random.word(Inputs::words);  // the metadata
  const bool is_sum = (is_mma && index >= 6) || (is_sparse && index >= 8);
  return random.word(is_sum ? Inputs::f32 : Operation::inputs);
}

template <class Operation>
void record(const char* name, int device, std::FILE* file) {
  if (device < Operation::first_device) return;
  constexpr std::size_t lanes = std::size_t{cases} * 32;
  std::vector<unsigned> in(lanes * Operation::in);
  Random random;
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = input_word<Operation>(random, static_cast<int>(i % Operation::in));
  }
  std::vector<unsigned> out(lanes * Operation::out);
  unsigned* device_in = nullptr;
  unsigned* device_out = nullptr;
  require(cudaMalloc(&device_in, in.size() * 4));
  require(cudaMalloc(&device_out, out.size() * 4));
  require(cudaMemcpy(device_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice));
  require(ptx::launch(apply<Operation>, dim3(cases), dim3(32), 0, nullptr,
                      static_cast<const unsigned*>(device_in), device_out));
  require(cudaDeviceSynchronize());
  require(cudaMemcpy(out.data(), device_out, out.size() * 4, cudaMemcpyDeviceToHost));
  require(cudaFree(device_in));
  require(cudaFree(device_out));
  static_assert(std::char_traits<char>::length(Operation::formats) == Operation::out);
  std::fprintf(file, "%s %zu %s", name, out.size(), Operation::formats);
  for (const unsigned word : out) std::fprintf(file, " %x", word);
  std::fprintf(file, "\n");
}

int device_to_be(int argc, char** argv) {
#ifdef ARCHGRID_CPU_EMULATOR
  if (argc > 2) cpu_emulator::set_device(std::atoi(argv[2]));
#else
  (void)argc;
  (void)argv;
#endif
  int major = 0;
  int minor = 0;
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  return major * 10 + minor;
}

}  // namespace
}  // namespace archgrid::conformance

int main(int argc, char** argv) {
  using namespace archgrid::conformance;
  std::FILE* const file = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (file == nullptr) {
    std::fprintf(stderr, "usage: conformance FILE [DEVICE]\n");
    return 2;
  }
  const int device = device_to_be(argc, argv);
  std::fprintf(file, "device %d\n", device);
  record<Warp>("warp", device, file);
  record<Arithmetic>("arithmetic", device, file);
  record<Half>("half", device, file);
  record<Bfloat>("bfloat16", device, file);
  record<Fp8>("fp8", device, file);
  record<CopyAsync>("cp.async", device, file);
  record<LoadMatrices<false>>("ldmatrix", device, file);
  record<LoadMatrices<true>>("ldmatrix.trans", device, file);
  record<MmaF16>("mma.f16", device, file);
  record<MmaBf16>("mma.bf16", device, file);
  record<MmaTf32>("mma.tf32", device, file);
  record<MmaE4m3>("mma.e4m3", device, file);
  record<MmaE5m2>("mma.e5m2", device, file);
  record<MmaS8>("mma.s8", device, file);
  record<MmaF64>("mma.f64", device, file);
  record<MmaSparseF16>("mma.sp.f16", device, file);
  record<MmaSparseBf16>("mma.sp.bf16", device, file);
  record<MmaSparseS8>("mma.sp.s8", device, file);
  if (std::fclose(file) != 0) {
    std::perror("conformance: cannot write");
    return 1;
  }
  return 0;
}
