// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "limits.hpp"

#include <algorithm>

namespace archgrid::fake_cudart {
namespace {

constexpr std::size_t kKibibyte = 1024;
constexpr int kRegisters = 65536;
constexpr int kRegistersOfMobile = 32768;       // per block for 5.3 and 6.2
constexpr int kRegistersAllocatedAtOnce = 256;  // per warp

struct Row {
  int number;  // first device of a range that ends before the next row
  int threads;
  int blocks;
  std::size_t shared_kibibytes;
  std::size_t optin_kibibytes;
};

constexpr Row kRows[] = {
    {0, 2048, 16, 48, 48},    {50, 2048, 32, 64, 48},    {52, 2048, 32, 96, 48},
    {53, 2048, 32, 64, 48},   {61, 2048, 32, 96, 48},    {62, 2048, 32, 64, 48},
    {70, 2048, 32, 96, 96},   {75, 1024, 16, 64, 64},    {80, 2048, 32, 164, 163},
    {86, 1536, 16, 100, 99},  {87, 1536, 16, 164, 163},  {88, 1536, 24, 100, 99},
    {90, 2048, 32, 228, 227}, {110, 1536, 24, 228, 227}, {120, 1536, 24, 100, 99},
};

int registers_of_warp(int registers) {
  const int wanted = std::max(registers, 1) * kWarp;
  return (wanted + kRegistersAllocatedAtOnce - 1) / kRegistersAllocatedAtOnce *
         kRegistersAllocatedAtOnce;
}

}  // namespace

Limits limits_of(coverage::ComputeCapability device) {
  const int number = device.number();
  Row found = kRows[0];
  for (const auto& row : kRows) {
    if (row.number <= number) found = row;
  }
  Limits limits;
  limits.threads_per_multiprocessor = found.threads;
  limits.blocks_per_multiprocessor = found.blocks;
  limits.registers = number == 53 || number == 62 ? kRegistersOfMobile : kRegisters;
  limits.shared_per_multiprocessor = found.shared_kibibytes * kKibibyte;
  limits.shared_per_block_optin = found.optin_kibibytes * kKibibyte;
  limits.reserved_shared_per_block = number >= 80 ? kKibibyte : 0;
  return limits;
}

int threads_for_registers(const Limits& limits, int registers) {
  const int warps = limits.registers / registers_of_warp(registers);
  return std::min(kThreadsPerBlock, warps * kWarp);
}

int blocks_at_once(const Limits& limits, int threads, int registers, std::size_t shared) {
  if (threads <= 0) return 0;
  const int warps = (threads + kWarp - 1) / kWarp;
  const int by_registers = limits.registers / (registers_of_warp(registers) * warps);
  const int by_threads = limits.threads_per_multiprocessor / (warps * kWarp);
  const auto wanted = shared + limits.reserved_shared_per_block;
  const auto by_shared = wanted == 0 ? static_cast<std::size_t>(limits.blocks_per_multiprocessor)
                                     : limits.shared_per_multiprocessor / wanted;
  const int most = static_cast<int>(
      std::min(by_shared, static_cast<std::size_t>(limits.blocks_per_multiprocessor)));
  return std::min({by_registers, by_threads, most});
}

}  // namespace archgrid::fake_cudart
