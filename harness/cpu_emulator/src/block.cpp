// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>

#include "names.hpp"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
// A dim3 has a constructor, which cannot run for __thread variables; they are zero until set.
constinit __thread dim3 blockDim(0, 0, 0);
constinit __thread dim3 gridDim(0, 0, 0);

namespace archgrid::cpu_emulator::detail {
namespace {

constexpr unsigned warp_threads = 32;
constexpr std::size_t shared_alignment = 1024;
// NaN in every floating-point type, so that reads of unwritten memory are visible.
constexpr int rubbish = 0xff;

uint3 position(unsigned linear, dim3 extents) {
  return {linear % extents.x, linear / extents.x % extents.y, linear / extents.x / extents.y};
}

std::string text(Site site) {
  return site.file == nullptr ? std::string() : fmt::format("{}:{}", site.file, site.line);
}

bool is_same(const char* a, const char* b) {
  return a == b || std::strcmp(a, b) == 0;
}

bool is_same(Site a, Site b) {
  return a.line == b.line && is_same(a.file, b.file);
}

std::string at(uint3 v) {
  return fmt::format("({},{},{})", v.x, v.y, v.z);
}

}  // namespace

Checker* checker = nullptr;

__thread Block* current_block;

Block::Block(const Launch& launch, const Options& options)
    : launch_(launch),
      options_(options),
      count_(launch.block.x * launch.block.y * launch.block.z),
      meetings_((count_ + warp_threads - 1) / warp_threads),
      present_(meetings_.size()),
      shared_memory_(launch.dynamic_shared_bytes + shared_alignment),
      order_(count_),
      shuffler_(options.seed) {
  for (unsigned t = 0; t < count_; ++t) threads_.emplace_back(options.stack_bytes);
  void* aligned = shared_memory_.data();
  std::size_t room = shared_memory_.size();
  shared_ = static_cast<std::byte*>(
      std::align(shared_alignment, launch.dynamic_shared_bytes, aligned, room));
  std::iota(order_.begin(), order_.end(), 0u);
  if (options.order == Order::descending) std::reverse(order_.begin(), order_.end());
}

void Block::run(uint3 index, std::uint64_t number, const std::function<void()>& body) {
  index_ = index;
  blockIdx = index;
  blockDim = launch_.block;
  gridDim = launch_.grid;
  begin(body);
  if (checker != nullptr) {
    std::vector<Extent> stacks;
    for (const Thread& t : threads_)
      stacks.push_back({t.fiber.stack().bottom(), t.fiber.stack().top()});
    checker->begin_block(number, stacks, dynamic_shared());
  }
  while (!complaint_ && ended_ < count_) {
    if (!let_all_go_on() && !complaint_) throw deadlock();
  }
  if (complaint_) throw complaint_();
}

void Block::begin(const std::function<void()>& body) {
  std::memset(shared_, rubbish, launch_.dynamic_shared_bytes);
  barriers_.fill({});
  for (auto& meetings : meetings_) meetings.clear();
  ended_ = 0;
  std::fill(present_.begin(), present_.end(), 0u);
  for (unsigned t = 0; t < count_; ++t) {
    present_[t / warp_threads] |= 1u << t % warp_threads;
    Thread& thread = threads_[t];
    thread.index = position(t, launch_.block);
    thread.state = Thread::State::ready;
    thread.waits_for = nullptr;
    thread.barrier = -1;
    thread.uncommitted.clear();
    thread.committed.clear();
    thread.fiber.begin([this, &body] {
      body();
      thread_ended();
    });
  }
}

bool Block::let_all_go_on() {
  if (options_.order == Order::shuffled) std::shuffle(order_.begin(), order_.end(), shuffler_);
  bool some = false;
  for (unsigned thread : order_) {
    if (threads_[thread].state != Thread::State::ready) continue;
    some = true;
    resume(thread);
    if (complaint_) break;
  }
  return some;
}

void Block::resume(unsigned thread) {
  running_ = thread;
  threadIdx = threads_[thread].index;
  Block* const outer = std::exchange(current_block, this);
  is_in_kernel_ = false;  // until the thread enters the kernel, or continues in it
  threads_[thread].fiber.resume();
  current_block = outer;
}

void Block::thread_ended() {
  is_in_kernel_ = false;
  Thread& ending = thread();
  ending.state = Thread::State::ended;
  present_[running_ / warp_threads] &= ~(1u << running_ % warp_threads);
  ++ended_;
  for (const Meeting& meeting : meetings_[running_ / warp_threads]) {
    if ((meeting.mask >> running_ % warp_threads & 1u) != 0) {
      const std::string message =
          fmt::format("left the kernel while {} waits for it at {} with mask {:#010x}",
                      described(meeting.first), meeting.name, meeting.mask);
      complain(
          DefectKind::divergent_warp, running_, [message] { return message; },
          threads_[meeting.first].site);
      return;
    }
  }
  Barrier& all = barriers_[0];
  if (all.first && all.expected == 0) {
    if (!options_.exited_threads_may_miss_barriers) {
      const std::string message =
          fmt::format("left the kernel while {} waits at {}", described(*all.first),
                      threads_[*all.first].waits_for);
      complain(
          DefectKind::divergent_barrier, running_, [message] { return message; },
          threads_[*all.first].site);
      return;
    }
    open_if_complete(all, 0);
  }
}

void Block::stop(DefectKind kind, std::function<std::string()> message, Site site) {
  calls_ = calls_under_way();
  complain(kind, running_, std::move(message), site);
  thread().fiber.leave();
}

void Block::complain(DefectKind kind, unsigned thread, std::function<std::string()> message,
                     Site site) {
  complaint_ = [=, this, message = std::move(message)] {
    return defect(kind, thread, message(), site);
  };
}

void Block::wait(const char* name, int barrier, Site site) {
  Thread& waiting = thread();
  waiting.state = Thread::State::waiting;
  waiting.waits_for = name;
  waiting.barrier = barrier;
  waiting.site = site;
  waiting.fiber.suspend();
}

// --- barriers ------------------------------------------------------------------------------------

Barrier& Block::come_to_barrier(int number, int threads, const char* name, Site site) {
  if (number < 0 || number > 15) {
    stop(
        DefectKind::invalid_argument,
        [=, this] { return fmt::format("barrier {} is none of 0 to 15", number); }, site);
  }
  if (threads < 0 || threads % static_cast<int>(warp_threads) != 0 ||
      threads > static_cast<int>((count_ + warp_threads - 1) / warp_threads * warp_threads)) {
    stop(
        DefectKind::invalid_argument,
        [=, this] {
          return fmt::format(
              "{} threads at a barrier: must be a multiple of 32, up to the block's {}", threads,
              count_);
        },
        site);
  }
  Barrier& barrier = barriers_[static_cast<std::size_t>(number)];
  if (barrier.first) {
    const unsigned first = *barrier.first;
    const Site first_site = threads_[first].site;
    if (barrier.expected != threads) {
      const int expected = barrier.expected == 0 ? static_cast<int>(count_) : barrier.expected;
      stop(
          DefectKind::divergent_barrier,
          [=, this] {
            return fmt::format("comes to barrier {} for {} threads, to which {} came for {}",
                               number, threads == 0 ? count_ : static_cast<unsigned>(threads),
                               described(first), expected);
          },
          site);
    }
    // Parts of a block may meet from different places at barriers with a thread count: producers
    // and consumers do.
    if (threads == 0 && !is_same(first_site, site)) {
      stop(
          DefectKind::divergent_barrier,
          [=, this] {
            return fmt::format("is at {} while {} waits at {} of {}", name, described(first),
                               threads_[first].waits_for, text(first_site));
          },
          site);
    }
  } else {
    barrier.first = running_;
    barrier.expected = threads;
    barrier.arrived = 0;
    barrier.predicates = 0;
    thread().site = site;
    thread().waits_for = name;
  }
  barrier.arrived += 1;
  return barrier;
}

void Block::wait_at_barrier(int number, int threads, bool predicate, const char* name, Site site) {
  Barrier& barrier = come_to_barrier(number, threads, name, site);
  if (threads == 0 && ended_ > 0 && !options_.exited_threads_may_miss_barriers) {
    const auto gone = std::find_if(threads_.begin(), threads_.end(),
                                   [](const Thread& t) { return t.state == Thread::State::ended; });
    const auto first_gone = static_cast<unsigned>(gone - threads_.begin());
    stop(
        DefectKind::divergent_barrier,
        [=, this] {
          return fmt::format("is at {}, but {} has left the kernel", name, described(first_gone));
        },
        site);
  }
  barrier.waiting.push_back(running_);
  barrier.predicates += predicate;
  Thread& waiting = thread();
  waiting.state = Thread::State::waiting;
  waiting.waits_for = name;
  waiting.barrier = number;
  waiting.site = site;
  open_if_complete(barrier, number);
  if (waiting.state == Thread::State::waiting) waiting.fiber.suspend();
}

void Block::arrive_at_barrier(int number, int threads, Site site) {
  if (threads == 0) {
    stop(
        DefectKind::invalid_argument,
        [=, this] { return std::string("an arrival at a barrier must say for how many threads"); },
        site);
  }
  Barrier& barrier = come_to_barrier(number, threads, "bar.arrive", site);
  if (checker != nullptr) checker->arrived(number);
  open_if_complete(barrier, number);
}

void Block::open_if_complete(Barrier& barrier, int number) {
  const unsigned expected =
      barrier.expected == 0 ? count_ - ended_ : static_cast<unsigned>(barrier.expected);
  if (!barrier.first || static_cast<unsigned>(barrier.arrived) < expected) return;
  if (checker != nullptr) checker->opened(number, barrier.waiting);
  for (unsigned met : barrier.waiting) {
    Thread& t = threads_[met];
    if (t.state == Thread::State::waiting && t.barrier == number) {
      t.state = Thread::State::ready;
      t.barrier = -1;
    }
  }
  barrier.counted = barrier.predicates;
  barrier.first.reset();
  barrier.waiting.clear();
}

// --- warps ---------------------------------------------------------------------------------------

void Block::meet_warp(unsigned mask, const char* name, Convergence convergence,
                      WarpOperation operation, void* mine, Site site) {
  const unsigned warp = running_ / warp_threads;
  const unsigned own_lane = running_ % warp_threads;
  if ((mask >> own_lane & 1u) == 0) {
    stop(
        DefectKind::divergent_warp,
        [=, this] {
          return fmt::format("{} with mask {:#010x}, which does not name the calling lane {}", name,
                             mask, own_lane);
        },
        site);
  }
  if (const unsigned lacking = mask & ~present_[warp]; lacking != 0) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lacking));
    const bool exists = warp * warp_threads + lane < count_;
    stop(
        DefectKind::divergent_warp,
        [=] {
          return fmt::format("{} with mask {:#010x} names lane {}, which {}", name, mask, lane,
                             exists ? "has left the kernel" : "the block does not have");
        },
        site);
  }
  std::vector<Meeting>& meetings = meetings_[warp];
  auto meeting = std::find_if(meetings.begin(), meetings.end(),
                              [&](const Meeting& m) { return (m.mask & mask) != 0; });
  if (meeting == meetings.end()) {
    Meeting begun;
    begun.mask = mask;
    begun.name = name;
    begun.first = running_;
    thread().site = site;
    thread().waits_for = name;
    meetings.push_back(begun);
    meeting = meetings.end() - 1;
  } else {
    const Site first_site = threads_[meeting->first].site;
    const bool is_other = meeting->mask != mask || !is_same(meeting->name, name) ||
                          (convergence == Convergence::aligned && !is_same(first_site, site));
    if (is_other) {
      stop(
          DefectKind::divergent_warp,
          [=, this, met = *meeting] {
            return fmt::format(
                "is at {} with mask {:#010x}, while {} of the same warp waits at {} with "
                "mask {:#010x} of {}",
                name, mask, described(met.first), met.name, met.mask, text(first_site));
          },
          site);
    }
  }
  meeting->arrived |= 1u << own_lane;
  meeting->lanes[own_lane] = mine;
  if (meeting->arrived != mask) {
    wait(name, -1, site);
    return;
  }
  const Meeting complete = *meeting;
  meetings.erase(meeting);
  operation(complete.lanes);
  const bool is_checked = checker != nullptr && convergence == Convergence::ordering;
  std::vector<unsigned> met;
  for (unsigned l = 0; l < warp_threads; ++l) {
    if ((mask >> l & 1u) == 0) continue;
    const unsigned thread = warp * warp_threads + l;
    threads_[thread].state = Thread::State::ready;
    if (is_checked) met.push_back(thread);
  }
  if (is_checked) checker->met(met);
}

// --- asynchronous copies -------------------------------------------------------------------------

void Block::begin_async_copy(const AsyncCopy& copy) {
  if (checker != nullptr) {
    checker->access(copy.from, copy.source_bytes, Access::read, copy.pc);
    checker->access(copy.to, copy.bytes, Access::write, copy.pc);
    checker->begin_async_copy(extent_of(copy.to, copy.bytes),
                              extent_of(copy.from, copy.source_bytes));
  }
  std::memset(copy.to, rubbish, copy.bytes);
  thread().uncommitted.push_back(copy);
}

void Block::commit_async_copies() {
  thread().committed.push_back(std::exchange(thread().uncommitted, {}));
}

void Block::wait_async_copies(std::size_t pending) {
  auto& groups = thread().committed;
  while (groups.size() > pending) {
    finish(groups.front());
    groups.pop_front();
  }
}

void Block::finish(const std::vector<AsyncCopy>& copies) {
  for (const AsyncCopy& copy : copies) {
    if (checker != nullptr) {
      checker->end_async_copy(extent_of(copy.to, copy.bytes),
                              extent_of(copy.from, copy.source_bytes));
      checker->access(copy.to, copy.bytes, Access::write, copy.pc);
    }
    // The source counts as read until now, whenever the copy began.
    if (checker != nullptr) checker->access(copy.from, copy.source_bytes, Access::read, copy.pc);
    std::memcpy(copy.to, copy.from, copy.source_bytes);
    std::memset(copy.to + copy.source_bytes, 0, copy.bytes - copy.source_bytes);
  }
}

// --- defect messages -----------------------------------------------------------------------------

std::string Block::described(unsigned thread) const {
  return "thread " + at(threads_[thread].index);
}

Defect Block::defect(DefectKind kind, unsigned thread, const std::string& message,
                     Site site) const {
  const std::string kernel = function_name(launch_.kernel);
  std::string place = calls_of_kernel(calls_, launch_.kernel);
  if (place.empty() && site.file != nullptr) place = "\n  at " + text(site);
  return Defect(kind, kernel, index_, threads_[thread].index,
                fmt::format("{}: kernel {}, block {}, thread {}: {}{}", name(kind), kernel,
                            at(index_), at(threads_[thread].index), message, place));
}

Defect Block::deadlock() const {
  std::map<std::string, std::pair<unsigned, unsigned>> waiting;  // place -> first thread, count
  unsigned first = count_;
  for (unsigned t = 0; t < count_; ++t) {
    if (threads_[t].state != Thread::State::waiting) continue;
    first = std::min(first, t);
    auto [place, is_new] = waiting.try_emplace(
        fmt::format("{} of {}", threads_[t].waits_for, text(threads_[t].site)), t, 0u);
    ++place->second.second;
  }
  std::string message = "no thread can go on:";
  for (const auto& [place, who] : waiting) {
    message += fmt::format("\n  {} ({} in all) at {}", described(who.first), who.second, place);
  }
  if (ended_ > 0) message += fmt::format("\n  {} have left the kernel", ended_);
  return defect(DefectKind::deadlock, first, message, {});
}

}  // namespace archgrid::cpu_emulator::detail
