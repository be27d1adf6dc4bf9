// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The last writes and reads of memory.
#ifndef ARCHGRID_HOST_SHADOW_HPP
#define ARCHGRID_HOST_SHADOW_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace archgrid::host::detail {

/// An access: by a thread of a block, between two meetings of the whole block (`phase`), at the
/// thread's own count of meetings of some within the phase (`clock`). Blocks count from 1, through
/// all launches.
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

/// Accesses of all launches so far. A launch needs no reset, as its blocks have numbers of their
/// own; only a large shadow is cleared.
class Shadow {
 public:
  /// Calls visit(Place&, const std::byte*) for the first byte of each place that the bytes are in.
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

  // Nearly all accesses are of whole words.
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
