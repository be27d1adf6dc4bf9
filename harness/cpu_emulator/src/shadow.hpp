// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the last writes and reads of memory.
#ifndef ARCHGRID_CPU_EMULATOR_SHADOW_HPP
#define ARCHGRID_CPU_EMULATOR_SHADOW_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace archgrid::cpu_emulator::detail {

/// An access by a thread of a block. `phase` counts the meetings of the whole block; `clock` counts
/// the thread's partial meetings within the phase. Block numbers count from 1 through all launches.
struct Event {
  std::uint64_t block = 0;
  const void* pc = nullptr;
  std::uint32_t phase = 0;
  std::uint32_t clock = 0;
  std::uint16_t thread = 0;
  bool is_atomic = false;
};

/// Accesses of one byte, or of neighbouring bytes that were only accessed together.
struct Place {
  Event written;
  /// The reads without a known later access: those of one phase of one block, the last of each
  /// thread, in the order of threads.
  std::vector<Event> reads;
  /// The last read of the block before that of `reads`; it stands for all earlier ones.
  Event read_before;
  /// The block with an asynchronous copy to this place that has not been waited for.
  std::uint64_t arriving_in = 0;
  /// The block with copies from this place that have not been waited for, and their number.
  std::uint64_t leaving_in = 0;
  std::uint32_t leaving = 0;
};

/// Accesses of all launches so far. A launch needs no reset, as its blocks have unique numbers;
/// only a large shadow is cleared.
class Shadow {
 public:
  /// Calls visit(Place&, const std::byte*) for the first byte of each place that contains the
  /// bytes.
  template <class Visit>
  void visit(const std::byte* begin, std::size_t bytes, Visit visit) {
    const std::byte* const end = begin + bytes;
    for (const std::byte* at = begin; at != end;) {
      const auto address = reinterpret_cast<std::uintptr_t>(at);
      const bool is_whole = address % word_bytes == 0 && end - at >= word_bytes;
      Word& word = word_of(address);
      if (is_whole && word.bytes == nullptr) {
        visit(word.whole, at);
        at += word_bytes;
      } else {
        visit(word.byte(address % word_bytes), at);
        ++at;
      }
    }
  }

  void begin_launch() {
    if (pages_.size() <= max_kept_pages) return;
    pages_.clear();
    last_ = nullptr;
  }

 private:
  static constexpr int word_bytes = 4;
  static constexpr std::uintptr_t page_bytes = 1024;
  static constexpr std::size_t max_kept_pages = 1024;

  // Almost all accesses are of whole words.
  struct Word {
    Place whole;
    std::unique_ptr<std::array<Place, word_bytes>> bytes;

    Place& byte(std::uintptr_t within) {
      if (bytes == nullptr) {
        bytes = std::make_unique<std::array<Place, word_bytes>>();
        bytes->fill(whole);
      }
      return (*bytes)[within];
    }
  };
  using Page = std::array<Word, page_bytes / word_bytes>;

  Word& word_of(std::uintptr_t address) {
    const std::uintptr_t number = address / page_bytes;
    if (number != last_number_ || last_ == nullptr) {
      std::unique_ptr<Page>& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[address % page_bytes / word_bytes];
  }

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t last_number_ = 0;
  Page* last_ = nullptr;
};

/// The order of a block's accesses, by the meetings of its threads.
class Clocks {
 public:
  void begin_block(unsigned threads);
  /// Records a meeting: accesses of these threads before it come before those of all of them after
  /// it.
  void met(const std::vector<unsigned>& threads);
  /// Records that `thread` arrives at a barrier without waiting: its accesses so far come before
  /// later accesses of the threads that wait there. Returns an argument for met_with().
  std::vector<std::uint32_t> arrived(unsigned thread);
  /// Records a meeting like met(), for the threads that waited, with the results of arrived() of
  /// others.
  void met_with(const std::vector<unsigned>& threads,
                const std::vector<std::vector<std::uint32_t>>& arrivals);

  std::uint32_t phase() const { return phase_; }
  std::uint32_t clock(unsigned thread) const { return clocks_[thread]; }
  /// Reports whether an event of this block comes before the current access of `thread`.
  bool is_before(const Event& event, unsigned thread) const;

 private:
  unsigned count_ = 0;
  std::uint32_t phase_ = 0;
  std::vector<std::uint32_t> clocks_;
  /// known_[t][u]: the clock of u up to which t has seen everything; empty before the first
  /// meeting.
  std::vector<std::vector<std::uint32_t>> known_;
};

}  // namespace archgrid::cpu_emulator::detail

#endif
