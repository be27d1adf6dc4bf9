// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "shadow.hpp"

#include <algorithm>

namespace archgrid::cpu_emulator::detail {

void Clocks::begin_block(unsigned threads) {
  count_ = threads;
  phase_ = 0;
  clocks_.assign(threads, 1);
  known_.assign(threads, {});
}

void Clocks::met(const std::vector<unsigned>& threads) {
  if (threads.size() < count_) {
    met_with(threads, {});
    return;
  }
  ++phase_;
  std::fill(clocks_.begin(), clocks_.end(), 1u);
  for (auto& known : known_) known.clear();
}

std::vector<std::uint32_t> Clocks::arrived(unsigned thread) {
  std::vector<std::uint32_t> known = known_[thread];
  known.resize(count_, 0);
  known[thread] = clocks_[thread]++;
  return known;
}

void Clocks::met_with(const std::vector<unsigned>& threads,
                      const std::vector<std::vector<std::uint32_t>>& arrivals) {
  std::vector<std::uint32_t> joined(count_, 0);
  const auto join = [&](const std::vector<std::uint32_t>& known) {
    for (unsigned u = 0; u < known.size(); ++u) joined[u] = std::max(joined[u], known[u]);
  };
  for (const auto& arrival : arrivals) join(arrival);
  for (unsigned t : threads) {
    join(known_[t]);
    joined[t] = std::max(joined[t], clocks_[t]);
  }
  for (unsigned t : threads) {
    known_[t] = joined;
    ++clocks_[t];
  }
}

bool Clocks::is_before(const Event& event, unsigned thread) const {
  if (event.phase < phase_ || event.thread == thread) return true;
  const std::vector<std::uint32_t>& known = known_[thread];
  return !known.empty() && known[event.thread] >= event.clock;
}

}  // namespace archgrid::cpu_emulator::detail
