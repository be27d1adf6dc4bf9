// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What is remembered of each byte of memory: who wrote and who read it.
#ifndef ARCHGRID_HOST_SHADOW_HPP
#define ARCHGRID_HOST_SHADOW_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace archgrid::host::detail {

/// An access: by a thread of a block, between two meetings of the whole block (`phase`), at the
/// thread's own count of meetings of some within the phase (`clock`). Blocks count from 1.
struct Event {
  std::uint64_t block = 0;
  std::uint32_t phase = 0;
  std::uint32_t clock = 0;
  std::uint16_t thread = 0;
  bool is_atomic = false;
  const void* pc = nullptr;
};

struct Byte {
  Event written;
  /// The reads that nothing later is known to come after: of one phase of one block, each thread's
  /// last, in the order of threads.
  std::vector<Event> reads;
  /// The last read of a block before that of `reads`; it stands for those before it.
  Event read_before;
  /// The block of which an asynchronous copy to here has not been waited for.
  std::uint64_t arriving_in = 0;
  /// The block of which copies from here have not been waited for, and how many.
  std::uint64_t leaving_in = 0;
  std::uint32_t leaving = 0;
};

class Shadow {
 public:
  Byte& of(std::uintptr_t address) {
    const std::uintptr_t number = address / page_bytes;
    if (number != last_number_ || last_ == nullptr) {
      std::unique_ptr<Page>& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[address % page_bytes];
  }

  void clear() {
    pages_.clear();
    last_ = nullptr;
  }

 private:
  static constexpr std::uintptr_t page_bytes = 1024;
  using Page = std::array<Byte, page_bytes>;

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t last_number_ = 0;
  Page* last_ = nullptr;
};

/// Which accesses of a block come before which, by the meetings of its threads.
class Clocks {
 public:
  void begin_block(unsigned threads);
  /// These have met: what each did before comes before what all do after.
  void met(const std::vector<unsigned>& threads);
  /// `thread` has come to a barrier that it does not wait at: what it did so far comes before what
  /// those do that wait there. Returns what met_with() is to be given.
  std::vector<std::uint32_t> arrived(unsigned thread);
  /// The same as met(), for those that waited, with what others have arrived() with.
  void met_with(const std::vector<unsigned>& threads,
                const std::vector<std::vector<std::uint32_t>>& arrivals);

  std::uint32_t phase() const { return phase_; }
  std::uint32_t clock(unsigned thread) const { return clocks_[thread]; }
  /// Whether an event of this block comes before what `thread` does now.
  bool is_before(const Event& event, unsigned thread) const;

 private:
  unsigned count_ = 0;
  std::uint32_t phase_ = 0;
  std::vector<std::uint32_t> clocks_;
  /// known_[t][u]: the clock of u up to which t has seen everything; empty where nobody met yet.
  std::vector<std::vector<std::uint32_t>> known_;
};

}  // namespace archgrid::host::detail

#endif
