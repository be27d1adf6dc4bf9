// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "content.hpp"

#include <algorithm>
#include <archgrid/fatbin/parallel.hpp>
#include <atomic>
#include <bitset>
#include <deque>
#include <iterator>
#include <memory>
#include <set>
#include <unordered_map>

#include "compression.hpp"
#include "image_reader.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::uint64_t kLargestBatch = 4 * 1024 * 1024;
// Default limit of one file. The largest libraries seen decompress to 2.2 GB, four times their
// size.
constexpr std::uint64_t kUnpacked = std::uint64_t{1} << 30;
constexpr std::uint64_t kUnpackedTimes = 200;

/// Reports whether a kernel certainly works, which settles what idle bodies of its name mean.
bool is_sure_to_store(const Kernel& kernel) {
  return kernel.stores && !kernel.may_store && !is_idle(kernel.body);
}

std::uint64_t bytes_of(const std::vector<Kernel>& kernels) {
  std::uint64_t bytes = kernels.capacity() * sizeof(Kernel);
  for (const auto& kernel : kernels) bytes += kernel.name.capacity();
  return bytes;
}

/// Images that follow one another in their file.
struct Batch {
  std::vector<std::size_t> images;
  std::uint64_t bytes = 0;  ///< decompressed size
};

}  // namespace

/// The reader of all images, which stops when the kernels take too much memory.
class ContentsReader::Work {
 public:
  Work(File& file, const std::vector<Payload>& payloads, const ReadOptions& options,
       std::uint64_t max_kernel_bytes)
      : images_(file.images),
        modules_(file.modules),
        payloads_(payloads),
        options_(options),
        max_kernel_bytes_(max_kernel_bytes),
        decompression_limit_(options.decompression_limit) {
    if (!decompression_limit_) {
      decompression_limit_ =
          std::make_shared<DecompressionLimit>(kUnpacked + kUnpackedTimes * file.bytes);
    }
  }

  void read_machine_code(const std::function<void()>& beside) {
    state_.resize(images_.size());
    std::vector<std::size_t> wanted;
    for (std::size_t index = 0; index < images_.size(); ++index) {
      const auto& image = images_[index];
      const bool is_wanted = options_.detail != Detail::archs && image.kind == Kind::sass;
      if (is_wanted && is_readable(image) && charge(index)) wanted.push_back(index);
    }
    read(wanted, StoresOf::small, beside);
  }

  void read_rest() {
    state_.resize(images_.size());
    group_by_module();
    const auto untaken = untaken_ptx();
    std::vector<std::size_t> first;
    for (std::size_t index = 0; index < images_.size(); ++index) {
      if (!is_readable(images_[index]) || state_[index] != State::unread) continue;
      if (!is_wanted(index)) {
        images_[index].unread = true;
      } else if (!charge(index)) {
        continue;
      } else if (untaken.count(index) == 0) {
        first.push_back(index);
      }
    }
    read(first, StoresOf::small);
    read_unless_superseded(untaken);
    if (options_.detail == Detail::bodies) read_doubtful();
  }

 private:
  /// State of an image. `whole`: Kernel::stores is final for all of its kernels. A byte, as threads
  /// write to adjacent elements.
  enum class State : char { unread, in_part, whole };

  void group_by_module() {
    images_of_.resize(modules_.size());
    has_sass_.resize(modules_.size());
    for (std::size_t index = 0; index < images_.size(); ++index) {
      const auto& image = images_[index];
      images_of_[image.module].push_back(index);
      if (image.kind == Kind::sass) has_sass_[image.module] = true;
    }
  }

  void read(const std::vector<std::size_t>& wanted, StoresOf stores,
            const std::function<void()>& beside = {}) {
    const auto batches = batches_of(wanted);
    const std::size_t others = beside ? 1 : 0;
    const auto count = batches.size() + others;
    provide_readers(count);
    // Only one thread starts with the largest images, as each thread needs memory for the largest
    // image it reads.
    std::atomic<std::size_t> largest = 0;
    std::atomic<std::size_t> smallest = batches.size();
    parallel_for(count, [&](std::size_t index, std::size_t thread) {
      if (index < others) {
        beside();
      } else {
        read(batches[thread == 0 ? largest++ : --smallest], stores, readers_[thread]);
      }
    });
  }

  /// Refuses an image that decompresses to more than the limit leaves. Called in the order
  /// of the file, so that the refused images do not depend on threads.
  bool charge(std::size_t index) {
    auto& image = images_[index];
    const bool decompresses = image.compression != Compression::none &&
                              image.decompressed_bytes <= kLargestImage;  // larger: refused
    if (!decompresses || decompression_limit_->take(image.decompressed_bytes)) return true;
    image.error = fmt::format(
        "at offset {:#x}: the images decompress to more than {} MB, which no honest file of this "
        "size does: this one was not read",
        image.offset, decompression_limit_->bytes() >> 20);
    return false;
  }

  void provide_readers(std::size_t count) {
    if (readers_.size() < threads_for(count)) readers_.resize(threads_for(count));
  }

  void read(const Batch& batch, StoresOf stores, ImageReader& reader) {
    for (const auto index : batch.images) {
      auto& image = images_[index];
      image.kernels = {};
      // Registered modules are not linked any more.
      const auto externals =
          modules_[image.module].registered ? Externals::unread : Externals::read;
      const bool whole = reader.read(payloads_[index], {options_.detail, stores, externals}, image);
      state_[index] = whole ? State::whole : State::in_part;
      bound(image);
    }
  }

  /// Returns the images, in the order of the file, in batches that are worth a thread's while. The
  /// largest come first, so that no thread is left alone with one at the end.
  [[nodiscard]] std::vector<Batch> batches_of(const std::vector<std::size_t>& wanted) const {
    std::vector<Batch> batches;
    for (const auto image : wanted) {
      const bool full = batches.empty() || batches.back().bytes >= kLargestBatch;
      if (full || !is_behind(image, batches.back().images.back())) batches.emplace_back();
      batches.back().images.push_back(image);
      batches.back().bytes += images_[image].decompressed_bytes;
    }
    std::stable_sort(batches.begin(), batches.end(),
                     [](const auto& left, const auto& right) { return left.bytes > right.bytes; });
    return batches;
  }

  /// Reports whether an image lies behind another one in the file.
  [[nodiscard]] bool is_behind(std::size_t image, std::size_t other) const {
    return payloads_[image].bytes.base() > payloads_[other].bytes.base();
  }

  [[nodiscard]] std::vector<const Image*> images_of(std::size_t module) const {
    std::vector<const Image*> images;
    for (const auto index : images_of_[module]) images.push_back(&images_[index]);
    return images;
  }

  static bool is_readable(const Image& image) {
    return (image.kind == Kind::sass || image.kind == Kind::ptx) && image.error.empty();
  }

  [[nodiscard]] bool is_wanted(std::size_t index) const {
    if (options_.detail == Detail::archs) return false;
    const auto& image = images_[index];
    return options_.detail != Detail::names || image.kind == Kind::sass || !has_sass_[image.module];
  }

  /// Returns the PTX of registered modules that is not needed. Containers that host code picks
  /// from, and those that the device linker made, are left out, as they may contain anything.
  [[nodiscard]] std::set<std::size_t> untaken_ptx() const {
    std::set<std::size_t> untaken;
    if (!options_.needs_ptx) return untaken;
    for (const auto& module : modules_) {
      if (!module.registered || module.linked) continue;
      if (options_.needs_ptx(images_of(module.index))) continue;
      for (const auto index : images_of_[module.index]) {
        const auto& image = images_[index];
        if (image.kind == Kind::ptx && is_readable(image)) untaken.insert(index);
      }
    }
    return untaken;
  }

  void read_unless_superseded(const std::set<std::size_t>& ptx) {
    superseded_ = superseded_ptx(images_);
    std::vector<std::size_t> wanted;
    std::vector<std::size_t> unwanted;
    for (const auto index : ptx) (superseded_[index] ? unwanted : wanted).push_back(index);
    provide_readers(unwanted.size());
    parallel_for(unwanted.size(), [&](std::size_t place, std::size_t thread) {
      const auto index = unwanted[place];
      images_[index].unread = true;
      readers_[thread].check(payloads_[index], images_[index]);
    });
    read(wanted, StoresOf::small);
  }

  /// For each kernel that is idle in some image, and is not known to store in another: the images
  /// not yet read whole that may settle it. The smallest is read first.
  using Doubts = std::unordered_map<std::string, std::vector<std::size_t>>;

  [[nodiscard]] Doubts doubts() const {
    Doubts doubts;
    std::bitset<4096> lengths;  // of their names: a cheap test that rejects nearly all others
    const auto length_of = [](const Kernel& kernel) { return kernel.name.size() % 4096; };
    for (const auto& image : images_) {
      for (const auto& kernel : image.kernels) {
        if (!is_idle(kernel.body)) continue;
        doubts.try_emplace(kernel.name);
        lengths.set(length_of(kernel));
      }
    }
    for (std::size_t index = 0; index < images_.size() && !doubts.empty(); ++index) {
      if (superseded_[index]) continue;
      for (const auto& kernel : images_[index].kernels) {
        if (!lengths[length_of(kernel)]) continue;
        if (is_sure_to_store(kernel)) doubts.erase(kernel.name);
        const auto found = doubts.find(kernel.name);
        const bool may_tell = state_[index] != State::whole && !is_idle(kernel.body);
        if (found != doubts.end() && may_tell) found->second.push_back(index);
      }
    }
    for (auto& [name, images] : doubts) {
      std::stable_sort(images.begin(), images.end(), [this](auto left, auto right) {
        return images_[left].decompressed_bytes >
               images_[right].decompressed_bytes;  // taken from the back
      });
    }
    return doubts;
  }

  /// Reads images until all doubts are settled. Mostly the smallest image is enough. If not, each
  /// round reads twice as many, so that there are few rounds.
  void read_doubtful() {
    auto doubts = this->doubts();
    for (std::size_t share = 1; !doubts.empty(); share *= 2) {
      std::set<std::size_t> wanted;
      for (auto& [name, images] : doubts) {
        for (std::size_t taken = 0; taken < share && !images.empty(); ++taken) {
          if (state_[images.back()] != State::whole) wanted.insert(images.back());
          images.pop_back();
        }
      }
      read({wanted.begin(), wanted.end()}, StoresOf::all);
      settle(wanted, doubts);
    }
  }

  /// Removes the doubts that these images settled, and those that no other image can settle.
  void settle(const std::set<std::size_t>& images, Doubts& doubts) const {
    for (const auto image : images) {
      for (const auto& kernel : images_[image].kernels) {
        if (is_sure_to_store(kernel)) doubts.erase(kernel.name);
      }
    }
    for (auto doubt = doubts.begin(); doubt != doubts.end();) {
      doubt = doubt->second.empty() ? doubts.erase(doubt) : std::next(doubt);
    }
  }

  void bound(Image& image) {
    if (kernel_bytes_ += bytes_of(image.kernels); kernel_bytes_ <= max_kernel_bytes_) return;
    image.kernels = {};
    image.error =
        fmt::format("at offset {:#x}: the file's kernels take more than {} bytes: refused",
                    image.offset, max_kernel_bytes_);
  }

  std::vector<Image>& images_;
  const std::vector<Module>& modules_;
  const std::vector<Payload>& payloads_;
  const ReadOptions& options_;
  std::uint64_t max_kernel_bytes_;
  std::shared_ptr<DecompressionLimit> decompression_limit_;
  std::vector<std::vector<std::size_t>> images_of_;  ///< by module
  std::vector<bool> has_sass_;                       ///< by module
  std::vector<bool> superseded_;                     ///< by image
  std::deque<ImageReader> readers_;                  ///< by thread
  std::atomic<std::uint64_t> kernel_bytes_ = 0;
  std::vector<State> state_;  ///< by image
};

ContentsReader::ContentsReader(File& file, const std::vector<Payload>& payloads,
                               const ReadOptions& options, std::uint64_t max_kernel_bytes)
    : work_(std::make_unique<Work>(file, payloads, options, max_kernel_bytes)) {}

ContentsReader::~ContentsReader() = default;

void ContentsReader::read_machine_code(const std::function<void()>& beside) {
  work_->read_machine_code(beside);
}

void ContentsReader::read_rest() {
  work_->read_rest();
}

}  // namespace archgrid::fatbin
