// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads inputs in parallel: each thread unpacks an input, or reads a file that any thread has
// unpacked. The queue of unpacked files is bounded: a thread that has filled it reads files first.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "walk.hpp"

namespace archgrid::archive {
namespace {

constexpr std::uint64_t kMaxWaiting = std::uint64_t{128} << 20;
// Files of one path that keep their errors. An archive of a few kB can contain a million unreadable
// files.
constexpr std::size_t kMaxTroubles = 64;
constexpr auto kWatchPeriod = std::chrono::milliseconds(200);

using Slot = std::unique_ptr<fatbin::File>;

/// A file that was named, or that lies in a named folder.
struct Input {
  std::string path;
  std::size_t index = 0;     ///< among all inputs
  std::size_t argument = 0;  ///< index of the path it belongs to
  bool named = false;
  std::shared_ptr<fatbin::DecompressionLimit> decompression_limit =
      std::make_shared<fatbin::DecompressionLimit>(0);
  std::deque<Slot> slots;  ///< one for each file found in it, in order
};

fatbin::File file_of(const Found& found, const fatbin::ReadOptions& options) {
  fatbin::File file;
  if (found.error.empty()) {
    file = fatbin::read_bytes(found.contents.bytes(), found.path, options);
    const auto change = found.contents.change();
    if (change.empty()) return file;
    file = {};
    file.errors.push_back({0, change});
  } else {
    file.errors.push_back({0, found.error});
  }
  file.path = found.path;
  return file;
}

bool says_something(const fatbin::File& file) {
  return !file.modules.empty() || !file.images.empty() || !file.errors.empty() ||
         !file.dangling.empty() || !file.loaders.empty() || file.host_lto;
}

/// The files of one path that have errors. The first files keep their errors; the errors of the
/// others are only counted. The order in which files are read does not matter.
class Troubles {
 public:
  /// Adds a file with its place in the results. A file beyond the limit loses its errors, and its
  /// slot is emptied if nothing else is left to report.
  void add(std::pair<std::size_t, std::size_t> order, Slot& slot) {
    if (!slot || slot->errors.empty()) return;
    slots_.emplace(order, &slot);
    if (slots_.size() <= kMaxTroubles) return;
    const auto last = std::prev(slots_.end());
    leave_out(*last->second);
    slots_.erase(last);
  }

  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  void leave_out(Slot& slot) {
    left_out_ += slot->errors.size();
    slot->errors = {};
    if (!says_something(*slot)) slot.reset();
  }

  std::map<std::pair<std::size_t, std::size_t>, Slot*> slots_;
  std::size_t left_out_ = 0;
};

/// Returns the cost of a file in the queue: its memory, or at least 1 MiB for the mapping and the
/// descriptor of one stored in a file.
std::uint64_t weight_of(const Found& found) {
  constexpr std::uint64_t kMapping = std::uint64_t{1} << 20;
  return std::max<std::uint64_t>(found.contents.memory(), kMapping);
}

class Reading {
 public:
  Reading(const std::vector<std::string>& paths, const Options& options)
      : paths_(paths), options_(options), troubles_(paths.size()) {
    for (std::size_t argument = 0; argument < paths.size(); ++argument) add(argument);
  }

  std::vector<fatbin::File> run() {
    start();
    try {
      watch();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      fail();
    }
    for (auto& thread : threads_) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return take();
  }

 private:
  struct Task {
    Found found;
    Input* input = nullptr;
    std::size_t slot = 0;  ///< index in the input's slots
    bool named = false;
  };

  void add(std::size_t argument) {
    const auto& path = paths_[argument];
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      add_input(path, argument, true);
      return;
    }
    const auto report = [&](const Found& found) {
      auto& slots = add_input("", argument, false).slots;
      slots.push_back(std::make_unique<fatbin::File>(file_of(found, options_.reading)));
      troubles_[argument].add({inputs_.back().index, 0}, slots.back());
    };
    for (auto& file : files_in(path, report)) {
      add_input(std::move(file), argument, false);
    }
  }

  Input& add_input(std::string path, std::size_t argument, bool named) {
    auto& input = inputs_.emplace_back();
    input.path = std::move(path);
    input.index = inputs_.size() - 1;
    input.argument = argument;
    input.named = named;
    return input;
  }

  void start() {
    const auto wanted =
        options_.threads > 0 ? options_.threads : std::thread::hardware_concurrency();
    std::unique_lock lock(mutex_);
    threads_.reserve(std::max(wanted, 1U));  // an exception while threads run would end the process
    try {
      for (unsigned index = 0; index < std::max(wanted, 1U); ++index) {
        ++working_;
        threads_.emplace_back([this] { work(); });
      }
    } catch (const std::exception&) {
      // If no more threads can be started, those already running do the work.
      const bool alone = --working_ == 0 && threads_.empty();
      lock.unlock();
      if (!alone) return;
      ++working_;
      work();
    }
  }

  void watch() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kWatchPeriod, [this] { return working_ == 0; })) {
      const auto progress = progress_;
      lock.unlock();
      if (options_.watch) options_.watch(progress);
      lock.lock();
    }
  }

  /// Stores the current exception; the first one ends all work.
  void fail() {
    if (!failure_) failure_ = std::current_exception();
    changed_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    try {
      while (!failure_ && step(lock)) {
      }
    } catch (...) {
      if (!lock) lock.lock();
      fail();
    }
    --working_;
    changed_.notify_all();
  }

  /// Does one piece of work; returns false when there is none and no more can follow.
  bool step(std::unique_lock<std::mutex>& lock) {
    if (!tasks_.empty()) {
      read_one(lock);
    } else if (next_ < inputs_.size()) {
      auto& input = inputs_[next_++];
      if (!input.path.empty()) unpack(input, lock);
    } else if (unpacking_ > 0) {
      changed_.wait(lock);
    } else {
      return false;
    }
    return true;
  }

  void unpack(Input& input, std::unique_lock<std::mutex>& lock) {
    progress_.path = input.path;
    ++unpacking_;
    lock.unlock();
    try {
      walk_file(
          input.path, input.named ? "" : paths_[input.argument], options_.limits,
          [&](Found found) {
            if (found.is_metadata) {
              take_metadata(found);
            } else {
              submit(std::move(found), input);
            }
          },
          options_.wants);
    } catch (...) {
      lock.lock();
      fail();
      lock.unlock();
    }
    lock.lock();
    --unpacking_;
    changed_.notify_all();
  }

  void take_metadata(const Found& found) {
    constexpr std::size_t kLargest = std::size_t{1} << 20;
    const auto bytes = found.contents.bytes();
    if (!options_.take || bytes.size() > kLargest) return;
    const std::lock_guard lock(mutex_);
    options_.take(found.path, bytes);
  }

  void keep(const fatbin::File& file, const Contents& contents) {
    if (!options_.keep) return;
    const std::lock_guard lock(mutex_);
    options_.keep(file, contents);
  }

  void submit(Found found, Input& input) {
    const auto weight = weight_of(found);
    const auto& limits = options_.limits;
    input.decompression_limit->grow_to(limits.unpacked + limits.unpacked_times * found.input);
    std::unique_lock lock(mutex_);
    while (waiting_ > 0 && waiting_ + weight > kMaxWaiting && !failure_) {
      if (tasks_.empty()) {
        changed_.wait(lock);  // for the threads that read them
      } else {
        read_one(lock);
      }
    }
    waiting_ += weight;
    ++progress_.found;
    input.slots.emplace_back();
    const bool named = input.named && found.path == fatbin::printable(input.path);
    tasks_.push_back({std::move(found), &input, input.slots.size() - 1, named});
    changed_.notify_all();
  }

  void read_one(std::unique_lock<std::mutex>& lock) {
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    const auto weight = weight_of(task.found);
    const auto bytes = task.found.contents.bytes().size();
    lock.unlock();
    Slot read;
    try {
      auto options = options_.reading;
      options.decompression_limit = task.input->decompression_limit;
      auto file = file_of(task.found, options);
      if (task.named || says_something(file)) {
        read = std::make_unique<fatbin::File>(std::move(file));
      }
      system::release(task.found.contents.bytes());
      if (read && !read->modules.empty()) keep(*read, task.found.contents);
      task.found = {};
    } catch (...) {
      lock.lock();
      fail();
      lock.unlock();
    }
    lock.lock();
    auto& slot = task.input->slots[task.slot];
    slot = std::move(read);
    troubles_[task.input->argument].add({task.input->index, task.slot}, slot);
    waiting_ -= weight;
    ++progress_.read;
    progress_.bytes += bytes;
    changed_.notify_all();
  }

  std::vector<fatbin::File> take() {
    std::vector<fatbin::File> files;
    std::size_t next = 0;
    for (std::size_t argument = 0; argument < paths_.size(); ++argument) {
      const auto before = files.size();
      for (; next < inputs_.size() && inputs_[next].argument == argument; ++next) {
        for (auto& slot : inputs_[next].slots) {
          if (slot) files.push_back(std::move(*slot));
        }
      }
      if (files.size() == before) files.push_back(nothing_in(paths_[argument]));
      if (const auto count = troubles_[argument].left_out(); count > 0) {
        files.push_back(left_out_of(paths_[argument], count));
      }
    }
    return files;
  }

  static fatbin::File left_out_of(const std::string& path, std::size_t count) {
    fatbin::File file;
    file.path = fatbin::printable(path);
    file.errors.push_back({0, fmt::format("and {} more places in it could not be read", count)});
    return file;
  }

  static fatbin::File nothing_in(const std::string& path) {
    std::error_code error;
    fatbin::File file;
    file.path = fatbin::printable(path);
    file.format = std::filesystem::is_directory(path, error) ? "folder" : "archive";
    return file;
  }

  const std::vector<std::string>& paths_;
  const Options& options_;
  std::deque<Input> inputs_;
  std::vector<Troubles> troubles_;  ///< by path
  std::vector<std::thread> threads_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;     ///< to be read
  std::uint64_t waiting_ = 0;  ///< total weight of files queued or being read
  std::size_t next_ = 0;       ///< index of the next input to unpack
  std::size_t unpacking_ = 0;  ///< inputs being unpacked
  std::size_t working_ = 0;    ///< running threads
  Progress progress_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<fatbin::File> read(const std::vector<std::string>& paths, const Options& options) {
  return Reading(paths, options).run();
}

}  // namespace archgrid::archive
