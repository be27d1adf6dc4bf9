// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as a shared library, and asks whether its host code launches a kernel.
#include <archgrid/launches.hpp>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "tally.hpp"

namespace {

using archgrid::launches::Gpu;
using archgrid::launches::HostCode;
using archgrid::launches::Launch;

constexpr std::array<const char*, 3> kNames = {"reachable", "never launched", "guarded"};
constexpr Gpu kOld{7, 0};
constexpr Gpu kNew{8, 6};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static archgrid::fuzz::Tally tally(kNames);
  HostCode code(std::string_view(reinterpret_cast<const char*>(data), size));
  for (const auto* kernel : {"_Zkerneli", "_Zguardedi"}) {
    const auto on_old = code.launch_of(kernel, kOld);
    const bool is_guarded = code.is_guarded(kernel, {kOld}, {kNew});
    if (on_old == Launch::unknown && is_guarded) std::abort();
    if (on_old == Launch::reachable) tally.add(0);
    if (on_old == Launch::never) tally.add(1);
    if (is_guarded) tally.add(2);
  }
  return 0;
}
