// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks every access of a kernel: whether the memory belongs to the kernel, whether it was written
// before, and whether another thread accesses it without synchronization.
#include "access_checks.hpp"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "allocations.hpp"
#include "block.hpp"
#include "names.hpp"
#include "shadow.hpp"

namespace archgrid::cpu_emulator::detail {
namespace {

std::uintptr_t number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

// The memory into which the program and its libraries are loaded.
struct Loaded {
  std::vector<Extent> thread_locals;  // of this thread: contains static shared memory
  std::vector<Extent> images;
};

int add_module(dl_phdr_info* info, std::size_t, void* loaded_modules) {
  Loaded& loaded = *static_cast<Loaded*>(loaded_modules);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_TLS && info->dlpi_tls_data != nullptr) {
      const auto* const begin = static_cast<const std::byte*>(info->dlpi_tls_data);
      loaded.thread_locals.push_back({begin, begin + header.p_memsz});
    } else if (header.p_type == PT_LOAD) {
      const auto* const begin =
          reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr);
      loaded.images.push_back({begin, begin + header.p_memsz});
    }
  }
  return 0;
}

bool any_holds(const std::vector<Extent>& extents, const std::byte* address) {
  return std::any_of(extents.begin(), extents.end(),
                     [=](const Extent& e) { return e.contains(address); });
}

enum class Space {
  unknown,
  own_stack,
  other_stack,
  constant,
  dynamic_shared,
  static_shared,
  global
};

class AccessChecks : public Checker {
 public:
  void begin_launch(const std::vector<Extent>& arguments) override {
    shadow_.begin_launch();
    before_launch_ = last_block_;
    releases_.clear();
    loaded_ = {};
    dl_iterate_phdr(add_module, &loaded_);
    constants_ = arguments;
    for (const void* builtin : {&threadIdx, &blockIdx})
      constants_.push_back(extent_of(builtin, sizeof(uint3)));
    for (const void* builtin : {&blockDim, &gridDim})
      constants_.push_back(extent_of(builtin, sizeof(dim3)));
  }

  void begin_block(std::uint64_t block, const std::vector<Extent>& stacks,
                   Extent dynamic_shared) override {
    block_ = before_launch_ + block + 1;
    last_block_ = std::max(last_block_, block_);
    stacks_ = stacks;
    dynamic_shared_ = dynamic_shared;
    acquired_.clear();
    for (auto& arrivals : arrivals_) arrivals.clear();
    clocks_.begin_block(static_cast<unsigned>(stacks.size()));
  }

  void met(const std::vector<unsigned>& threads) override { clocks_.met(threads); }

  void arrived(int barrier) override {
    arrivals_[static_cast<std::size_t>(barrier)].push_back(
        clocks_.arrived(running_block()->running()));
  }

  void opened(int barrier, const std::vector<unsigned>& threads) override {
    auto& arrivals = arrivals_[static_cast<std::size_t>(barrier)];
    if (arrivals.empty()) {
      clocks_.met(threads);
    } else {
      clocks_.met_with(threads, arrivals);
      arrivals.clear();
    }
  }

  void access(const void* address, std::size_t bytes, Access access, const void* pc) override {
    if (bytes == 0) return;
    const auto* const begin = static_cast<const std::byte*>(address);
    const Space space = space_of(begin, bytes, access);
    if (space == Space::own_stack || space == Space::constant) return;
    const Event event = now(pc);
    shadow_.visit(begin, bytes, [&](Place& place, const std::byte* at) {
      if (access == Access::write) {
        check_write(place, event, space, at, bytes);
      } else {
        check_read(place, event, space, at, bytes);
      }
    });
  }

  void atomic(const void* address, std::size_t bytes, const void* pc) override {
    const auto* const begin = static_cast<const std::byte*>(address);
    const Space space = space_of(begin, bytes, Access::write);
    if (space == Space::own_stack) return;
    if (space == Space::global) meet_blocks_at(address);
    Event event = now(pc);
    event.is_atomic = true;
    shadow_.visit(begin, bytes, [&](Place& place, const std::byte* at) {
      check_is_written(place, space, at, bytes);
      check_write(place, event, space, at, bytes);
    });
  }

  void begin_async_copy(Extent to, Extent from) override {
    visit(to, [this](Place& place) { place.arriving_in = block_; });
    visit(from, [this](Place& place) {
      place.leaving = place.leaving_in == block_ ? place.leaving + 1 : 1;
      place.leaving_in = block_;
    });
  }
  void end_async_copy(Extent to, Extent from) override {
    visit(to, [](Place& place) { place.arriving_in = 0; });
    visit(from, [](Place& place) { place.leaving -= 1; });
  }

 private:
  Event now(const void* pc) const {
    const unsigned thread = running_block()->running();
    return {block_, pc, clocks_.phase(), clocks_.clock(thread), static_cast<std::uint16_t>(thread),
            false};
  }

  template <class Change>
  void visit(Extent extent, Change change) {
    shadow_.visit(extent.begin, static_cast<std::size_t>(extent.end - extent.begin),
                  [&](Place& place, const std::byte*) { change(place); });
  }

  // --- memory spaces -----------------------------------------------------------------------------

  Space space_of(const std::byte* begin, std::size_t bytes, Access access) {
    const unsigned thread = running_block()->running();
    if (stacks_[thread].contains(begin)) return Space::own_stack;
    if (dynamic_shared_.contains(begin)) {
      check_end(dynamic_shared_, begin, bytes, access, DefectKind::shared_out_of_bounds,
                "the block's dynamic shared memory");
      return Space::dynamic_shared;
    }
    const Extent allocation = allocation_of(begin);
    if (allocation.begin != nullptr) {
      check_end(allocation, begin, bytes, access, DefectKind::global_out_of_bounds,
                "an allocation");
      return Space::global;
    }
    if (access == Access::read && any_holds(constants_, begin)) return Space::constant;
    if (any_holds(loaded_.thread_locals, begin)) return Space::static_shared;
    if (any_holds(loaded_.images, begin))
      return access == Access::read ? Space::constant : Space::global;
    complain_of_unknown(begin, bytes, access);
  }

  void check_end(const Extent& extent, const std::byte* begin, std::size_t bytes, Access access,
                 DefectKind kind, const char* what) {
    const auto room = static_cast<std::size_t>(extent.end - begin);
    if (bytes <= room) return;
    stop(kind, [=, this] {
      return fmt::format("{} {} bytes, the last {} of them beyond the {} bytes of {}", verb(access),
                         bytes, bytes - room, extent.end - extent.begin, what);
    });
  }

  [[noreturn]] void complain_of_unknown(const std::byte* begin, std::size_t bytes, Access access) {
    const Block* const block = running_block();
    for (std::size_t t = 0; t < stacks_.size(); ++t) {
      if (stacks_[t].contains(begin)) {
        stop(DefectKind::global_out_of_bounds, [=] {
          return fmt::format("{} {} bytes of the local memory of {}", verb(access), bytes,
                             block->described(static_cast<unsigned>(t)));
        });
      }
    }
    const Extent freed = freed_allocation_of(begin);
    if (freed.begin != nullptr) {
      stop(DefectKind::global_out_of_bounds, [=] {
        return fmt::format("{} {} bytes at byte {} of an allocation of {} bytes that was freed",
                           verb(access), bytes, begin - freed.begin, freed.end - freed.begin);
      });
    }
    const Extent global = nearest_allocation(begin);
    const bool is_shared = distance(dynamic_shared_, begin) < distance(global, begin);
    const Extent dynamic_shared = dynamic_shared_;
    stop(is_shared ? DefectKind::shared_out_of_bounds : DefectKind::global_out_of_bounds, [=] {
      return fmt::format("{} {} bytes at {}, which is no memory of the device: {}", verb(access),
                         bytes, static_cast<const void*>(begin),
                         is_shared
                             ? beside(dynamic_shared, begin, "the block's dynamic shared memory")
                             : beside(global, begin, "an allocation"));
    });
  }

  static std::string beside(const Extent& extent, const std::byte* address, const char* what) {
    if (number(address) < 4096) return "a null pointer";
    if (distance(extent, address) > gap_between_allocations)
      return "memory of the host, or none: nothing that cudaMalloc() gave is near it";
    const std::ptrdiff_t size = extent.end - extent.begin;
    return address < extent.begin
               ? fmt::format("{} bytes before {} of {} bytes", extent.begin - address, what, size)
               : fmt::format("{} bytes beyond the end of {} of {} bytes", address - extent.end,
                             what, size);
  }

  // Returns the distance of an address outside of an extent; UINTPTR_MAX for an empty extent.
  static std::uintptr_t distance(const Extent& extent, const std::byte* address) {
    if (extent.begin == extent.end) return UINTPTR_MAX;
    return address < extent.begin ? number(extent.begin) - number(address)
                                  : number(address) - number(extent.end);
  }

  // --- races -------------------------------------------------------------------------------------

  void check_write(Place& place, const Event& event, Space space, const std::byte* at,
                   std::size_t bytes) {
    check_has_arrived(place, Access::write, space, at, bytes);
    check_has_left(place, space, at, bytes);
    const bool both_atomic = place.written.is_atomic && event.is_atomic;
    if (!both_atomic && !is_before(place.written, event, space)) {
      complain_of_race(Access::write, place.written, Access::write, space, at, bytes);
    }
    for (const Event& read : place.reads) {
      if (!is_before(read, event, space)) {
        complain_of_race(Access::write, read, Access::read, space, at, bytes);
      }
    }
    if (!is_before(place.read_before, event, space)) {
      complain_of_race(Access::write, place.read_before, Access::read, space, at, bytes);
    }
    place.written = event;
    place.reads.clear();
    place.read_before = {};
  }

  void check_read(Place& place, const Event& event, Space space, const std::byte* at,
                  std::size_t bytes) {
    check_has_arrived(place, Access::read, space, at, bytes);
    check_is_written(place, space, at, bytes);
    if (!is_before(place.written, event, space)) {
      complain_of_race(Access::read, place.written, Access::write, space, at, bytes);
    }
    remember_read(place, event);
  }

  void check_has_arrived(const Place& place, Access access, Space space, const std::byte* at,
                         std::size_t bytes) {
    if (place.arriving_in != block_) return;
    stop(DefectKind::not_yet_arrived, [=, this] {
      return fmt::format(
          "{} {} bytes at {}, to which a cp.async is under way that its thread has not "
          "waited for",
          verb(access), bytes, described(space, at));
    });
  }

  void check_has_left(const Place& place, Space space, const std::byte* at, std::size_t bytes) {
    if (place.leaving_in != block_ || place.leaving == 0) return;
    stop(DefectKind::race, [=, this] {
      return fmt::format(
          "writes {} bytes at {}, from which a cp.async is under way that its thread has not "
          "waited for",
          bytes, described(space, at));
    });
  }

  void check_is_written(const Place& place, Space space, const std::byte* at, std::size_t bytes) {
    if (space == Space::global || place.written.block == block_) return;
    stop(DefectKind::read_before_write, [=, this] {
      return fmt::format("reads {} bytes at {}, which no thread of the block has written yet",
                         bytes, described(space, at));
    });
  }

  void remember_read(Place& place, const Event& event) const {
    if (!place.reads.empty()) {
      const Event& last = place.reads.back();
      if (last.block != event.block) {
        place.read_before = last;
        place.reads.clear();
      } else if (last.phase != event.phase) {
        place.reads.clear();  // they come before everything later in this block
      }
    }
    std::vector<Event>& reads = place.reads;
    if (reads.empty() || reads.back().thread < event.thread) {  // most threads run in order
      reads.push_back(event);
      return;
    }
    const auto known = std::lower_bound(
        reads.begin(), reads.end(), event.thread,
        [](const Event& read, std::uint16_t thread) { return read.thread < thread; });
    if (known->thread == event.thread) {
      *known = event;
    } else {
      reads.insert(known, event);
    }
  }

  bool is_before(const Event& earlier, const Event& event, Space space) const {
    if (earlier.block <= before_launch_) return true;
    if (earlier.block == block_) return clocks_.is_before(earlier, event.thread);
    // Shared memory of an earlier block at the same address.
    if (space != Space::global) return true;
    return acquired_.count(earlier.block) != 0;
  }

  // Atomic operations on one address are assumed to order blocks, as in "the last block adds up"
  // with a counter and __threadfence().
  void meet_blocks_at(const void* address) {
    std::vector<std::uint64_t>& released = releases_[address];
    acquired_.insert(released.begin(), released.end());
    if (released.empty() || released.back() != block_) released.push_back(block_);
  }

  [[noreturn]] void complain_of_race(Access access, const Event& other, Access other_access,
                                     Space space, const std::byte* at, std::size_t bytes) {
    const bool is_of_block = other.block == block_;
    const Block* const block = running_block();
    running_block()->stop(
        DefectKind::race,
        [=, this, other_block = other.block - before_launch_ - 1, other_thread = other.thread,
         other_pc = other.pc] {
          const std::string who =
              is_of_block ? block->described(other_thread)
                          : fmt::format("thread {} of block {}", other_thread, other_block);
          return fmt::format(
              "{} {} bytes at {}, which {} {} at {}: {}", verb(access), bytes, described(space, at),
              who, verb(other_access), code_place(other_pc),
              is_of_block ? "no barrier is between" : "nothing orders blocks of a grid");
        },
        {});
  }

  // --- messages ----------------------------------------------------------------------------------

  static const char* verb(Access access) { return access == Access::write ? "writes" : "reads"; }

  std::string described(Space space, const std::byte* at) const {
    switch (space) {
      case Space::dynamic_shared:
        return fmt::format("byte {} of dynamic shared memory", at - dynamic_shared_.begin);
      case Space::static_shared:
        return "a __shared__ variable";
      default:
        break;
    }
    const Extent allocation = allocation_of(at);
    if (allocation.begin == nullptr) return "a variable of the program";
    return fmt::format("byte {} of an allocation of {} bytes", at - allocation.begin,
                       allocation.end - allocation.begin);
  }

  [[noreturn]] static void stop(DefectKind kind, std::function<std::string()> message) {
    running_block()->stop(kind, std::move(message), {});
  }

  Shadow shadow_;
  Clocks clocks_;
  std::array<std::vector<std::vector<std::uint32_t>>, 16> arrivals_;  // by barrier
  Loaded loaded_;
  std::vector<Extent> constants_;
  std::uint64_t before_launch_ = 0;  // the last block of earlier launches
  std::uint64_t last_block_ = 0;
  std::uint64_t block_ = 0;
  std::vector<Extent> stacks_;
  Extent dynamic_shared_;
  std::unordered_map<const void*, std::vector<std::uint64_t>> releases_;
  std::unordered_set<std::uint64_t> acquired_;
};

}  // namespace

void link_checks() {
  static AccessChecks checks;
  checker = &checks;
}

}  // namespace archgrid::cpu_emulator::detail
