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
#include <new>
#include <set>
#include <unordered_map>

#include "body.hpp"
#include "compression.hpp"
#include "cubin.hpp"
#include "cubin_start.hpp"
#include "file_reader.hpp"
#include "host_image.hpp"
#include "ptx.hpp"

namespace archgrid::fatbin {
namespace {

// Contains the names of most cubins.
constexpr std::uint64_t kFirstLook = 12 * 1024;
// Size that zstd decodes at once.
constexpr std::uint64_t kZstdBlock = 128 * 1024;
// A cubin that needs more mostly needs all; the longest start seen has 1.8 MB.
constexpr std::uint64_t kMaxStart = std::uint64_t{16} << 20;
constexpr std::uint64_t kLargestBatch = 4 * 1024 * 1024;
// Default allowance of one file. The largest libraries seen decompress to 2.2 GB, four times their
// size.
constexpr std::uint64_t kUnpacked = std::uint64_t{1} << 30;
constexpr std::uint64_t kUnpackedTimes = 200;

// Reports whether the archs differ. Not every cubin records its suffix, so a missing one matches
// any.
bool contradicts(Arch entry, Arch cubin) {
  if (cubin.suffix == '\0') cubin.suffix = entry.suffix;
  return !(cubin == entry);
}

Arch arch_of(const CubinStart& start) {
  return {start.arch, start.suffix.value_or('\0')};
}

// Refuses content that contradicts the entry, which the driver and readers of the image trust.
void check_cubin_arch(Bytes content, Arch entry, Arch cubin) {
  if (!contradicts(entry, cubin)) return;
  content.fail(0,
               fmt::format("the entry says sm_{} but the cubin sm_{}", entry.text(), cubin.text()));
}

// Returns the arch with the suffix that the entry or the text has. TensorFlow 2.19 has entries for
// compute_90 with a text for sm_90a. The driver offers such PTX to newer GPUs and cannot compile it
// for them (CUDA_ERROR_INVALID_PTX).
Arch checked_ptx_arch(Bytes content, Arch entry, Arch ptx) {
  const bool one_has_suffix = entry.suffix == '\0' || ptx.suffix == '\0';
  if (ptx == entry || (ptx.number == entry.number && one_has_suffix)) {
    return ptx.suffix == '\0' ? entry : ptx;
  }
  content.fail(
      0, fmt::format("the entry says compute_{} but the PTX sm_{}", entry.text(), ptx.text()));
}

void read_cubin(Bytes content, Detail detail, StoresOf stores, Image& image) {
  auto cubin = parse_cubin(content, detail, stores);
  check_cubin_arch(content, image.arch, cubin.arch);
  image.toolkit = std::move(cubin.toolkit);
  image.compiled_from = cubin.compiled_from;
  if (!cubin.options.empty()) image.options = std::move(cubin.options);
  image.kernels = std::move(cubin.kernels);
  image.variables = cubin.variables;
  image.undefined = std::move(cubin.undefined);
  image.defined = std::move(cubin.defined);
}

void read_ptx(Bytes content, Detail detail, Externals externals, Image& image) {
  auto ptx = parse_ptx(content, detail, externals);
  image.arch = checked_ptx_arch(content, image.arch, ptx.arch);
  image.ptx_isa = std::move(ptx.isa);
  image.toolkit = std::move(ptx.toolkit);
  image.kernels = std::move(ptx.kernels);
  image.undefined = std::move(ptx.undefined);
  image.defined = std::move(ptx.defined);
}

/// Reports whether a cubin with these first bytes is an object (-rdc).
bool is_relocatable(std::string_view start) {
  constexpr std::size_t kHeader = 64;
  if (start.size() < kHeader || !is_elf(start)) return false;
  return Bytes(start).at<std::uint16_t>(16, "type") == elf::kObject;
}

/// Reports whether a kernel certainly works, which settles what idle bodies of its name mean.
bool is_sure_to_store(const Kernel& kernel) {
  return kernel.stores && !kernel.may_store && !is_idle(kernel.body);
}

/// The depth to which an image is read.
struct Wanted {
  Detail detail;
  StoresOf stores;
  Externals externals;
};

/// A reader of one image after the other, for one thread.
class ImageReader {
 public:
  /// Checks an image that is not read, without decompressing it if its frame is sufficient.
  void check(const Payload& payload, Image& image) {
    if (image.compression == Compression::none) return;
    try {
      const auto packed = read(payload.bytes);
      if (must_decode(image.compression, packed)) {
        decompressor().whole(image.compression, packed, payload.unpacked_size);
      } else {
        check_frame(image.compression, packed, payload.unpacked_size);
      }
    } catch (const Unreadable& error) {
      refuse(image, error_text(error));
    } catch (const std::bad_alloc&) {
      refuse(image, "there is not enough memory to read it");
    }
  }

  /// Reads an image; reports whether Kernel::stores is final for all of its kernels.
  bool read(const Payload& payload, const Wanted& wanted, Image& image) {
    try {
      return read_content({read(payload.bytes), payload.unpacked_size}, wanted, image);
    } catch (const Unreadable& error) {
      refuse(image, error_text(error));
    } catch (const std::bad_alloc&) {
      refuse(image, "there is not enough memory to read it");
    }
    return true;
  }

 private:
  Bytes read(Bytes bytes) { return Bytes(file_.read(bytes.text()), bytes.base()); }

  static std::string error_text(const Unreadable& error) {
    return fmt::format("at offset {:#x}: {}", error.offset, error.what());
  }

  static void refuse(Image& image, std::string error) {
    image.kernels = {};
    image.error = std::move(error);
  }

  bool read_content(const Payload& payload, Wanted wanted, Image& image) {
    if (image.obfuscated) payload.bytes.fail(0, "the image is obfuscated");
    const bool packed = image.compression != Compression::none;
    if (!packed) return read_whole(payload.bytes, wanted, image);
    decompressor().begin(image.compression, payload.bytes, payload.unpacked_size);
    const bool start_may_do = wanted.detail != Detail::everything &&
                              wanted.stores == StoresOf::small && image.kind == Kind::sass &&
                              !must_decode(image.compression, payload.bytes);
    if (start_may_do && read_start(payload, wanted.detail, image)) return false;
    // As the image had to be decompressed, read all of it: that may save decompressing others.
    if (image.kind == Kind::sass) wanted.stores = StoresOf::all;
    const Bytes content(decompressor_->first(payload.unpacked_size));
    try {
      return read_whole(content, wanted, image);
    } catch (const Unreadable& error) {
      payload.bytes.fail(
          0, fmt::format("at {:#x} of the decompressed image: {}", error.offset, error.what()));
    }
  }

  static bool read_whole(Bytes content, const Wanted& wanted, Image& image) {
    const bool all = wanted.detail == Detail::everything || wanted.stores == StoresOf::all;
    if (image.kind == Kind::ptx) {
      read_ptx(content, all ? Detail::everything : wanted.detail, wanted.externals, image);
    } else {
      read_cubin(content, wanted.detail, wanted.stores, image);
    }
    return all;
  }

  /// Reads the start of a compressed cubin; reports whether it contains all that was requested.
  bool read_start(const Payload& payload, Detail detail, Image& image) {
    const auto size = payload.unpacked_size;
    const bool is_part = is_named(image.section, kRelocatableSection);
    bool glimpses = true;
    for (auto look = kFirstLook; look < std::min(size, kMaxStart);) {
      auto bytes = glimpses ? decompressor_->glimpse(look) : std::string_view();
      glimpses = !bytes.empty();
      if (!glimpses) bytes = decompressor_->first(look);
      // The start does not list the undefined functions of relocatable code.
      if (!is_part && is_relocatable(bytes)) return false;
      if (const auto start = start_in(bytes, size, detail)) {
        return take_start(*start, detail, image);
      }
      const auto further = glimpses ? look / 2 : std::max(kZstdBlock, look / 4);
      look = std::max(likely_start(bytes), look + further);
    }
    return false;
  }

  /// Returns what the first bytes contain, if that is all that was requested.
  static std::optional<CubinStart> start_in(std::string_view bytes, std::uint64_t size,
                                            Detail detail) {
    auto start = read_cubin_start(bytes, size);
    const bool all = start && start->suffix && !start->toolkit.empty();
    const bool told = detail == Detail::names ? start.has_value() : all;
    return told ? std::move(start) : std::nullopt;
  }

  static bool take_start(const CubinStart& start, Detail detail, Image& image) {
    // A cubin that contradicts its entry is read whole, which reports the contradiction.
    if (contradicts(image.arch, arch_of(start))) return false;
    const auto works = [&](const auto& kernel) {
      return kernel.code > largest_idle_code(start.arch, kernel.may_report);
    };
    const bool all_work = std::all_of(start.kernels.begin(), start.kernels.end(), works);
    if (detail == Detail::bodies && !all_work) return false;
    image.toolkit = start.toolkit;
    image.compiled_from = start.compiled_from;
    image.variables = start.variables;
    image.kernels.reserve(start.kernels.size());
    for (const auto& found : start.kernels) {
      auto& kernel = image.kernels.emplace_back();
      kernel.name = std::string(found.name);
      if (works(found)) kernel.body = Body::code;
    }
    return true;
  }

  Decompressor& decompressor() {
    if (!decompressor_) decompressor_ = std::make_unique<Decompressor>();
    return *decompressor_;
  }

  FileReader file_;
  std::unique_ptr<Decompressor> decompressor_;
};

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
       std::uint64_t most_kernel_bytes)
      : images_(file.images),
        modules_(file.modules),
        payloads_(payloads),
        options_(options),
        most_kernel_bytes_(most_kernel_bytes),
        allowance_(options.allowance) {
    if (!allowance_) {
      allowance_ = std::make_shared<Allowance>(kUnpacked + kUnpackedTimes * file.bytes);
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

  /// Refuses an image that decompresses to more than is left of the allowance. Called in the order
  /// of the file, so that the refused images do not depend on threads.
  bool charge(std::size_t index) {
    auto& image = images_[index];
    const bool decompresses =
        image.compression != Compression::none && image.bytes <= kLargestImage;  // larger: refused
    if (!decompresses || allowance_->take(image.bytes)) return true;
    image.error = fmt::format(
        "at offset {:#x}: the images decompress to more than {} MB, which no honest file of this "
        "size does: this one was not read",
        image.offset, allowance_->bytes() >> 20);
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
      batches.back().bytes += images_[image].bytes;
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
    if (!options_.takes_ptx) return untaken;
    for (const auto& module : modules_) {
      if (!module.registered || module.linked) continue;
      if (options_.takes_ptx(images_of(module.index))) continue;
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
        return images_[left].bytes > images_[right].bytes;  // taken from the back
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
    if (kernel_bytes_ += bytes_of(image.kernels); kernel_bytes_ <= most_kernel_bytes_) return;
    image.kernels = {};
    image.error =
        fmt::format("at offset {:#x}: the file's kernels take more than {} bytes: refused",
                    image.offset, most_kernel_bytes_);
  }

  std::vector<Image>& images_;
  const std::vector<Module>& modules_;
  const std::vector<Payload>& payloads_;
  const ReadOptions& options_;
  std::uint64_t most_kernel_bytes_;
  std::shared_ptr<Allowance> allowance_;
  std::vector<std::vector<std::size_t>> images_of_;  ///< by module
  std::vector<bool> has_sass_;                       ///< by module
  std::vector<bool> superseded_;                     ///< by image
  std::deque<ImageReader> readers_;                  ///< by thread
  std::atomic<std::uint64_t> kernel_bytes_ = 0;
  std::vector<State> state_;  ///< by image
};

ContentsReader::ContentsReader(File& file, const std::vector<Payload>& payloads,
                               const ReadOptions& options, std::uint64_t most_kernel_bytes)
    : work_(std::make_unique<Work>(file, payloads, options, most_kernel_bytes)) {}

ContentsReader::~ContentsReader() = default;

void ContentsReader::read_machine_code(const std::function<void()>& beside) {
  work_->read_machine_code(beside);
}

void ContentsReader::read_rest() {
  work_->read_rest();
}

}  // namespace archgrid::fatbin
