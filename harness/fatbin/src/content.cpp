// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "content.hpp"

#include <algorithm>
#include <archgrid/mapped_file.hpp>
#include <archgrid/parallel.hpp>
#include <atomic>
#include <memory>
#include <new>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "body.hpp"
#include "compression.hpp"
#include "cubin.hpp"
#include "cubin_start.hpp"
#include "ptx.hpp"

namespace archgrid::fatbin {
namespace {

// Holds the names of most cubins.
constexpr std::uint64_t kFirstLook = 64 * 1024;
constexpr std::uint64_t kLookFurther = 4;
// Memory of a mapped file is given back batch by batch, which costs every thread a little.
constexpr std::uint64_t kLargestBatch = 4 * 1024 * 1024;

// The driver trusts the entry, and so do readers of the image: content that contradicts it is
// refused. Not every cubin records its suffix, so one without contradicts none.
void check_cubin_arch(Bytes content, Arch entry, Arch cubin) {
  if (cubin.suffix == '\0') cubin.suffix = entry.suffix;
  if (cubin == entry) return;
  content.fail(0,
               fmt::format("the entry says sm_{} but the cubin sm_{}", entry.text(), cubin.text()));
}

void check_ptx_arch(Bytes content, Arch entry, Arch ptx) {
  if (ptx == entry) return;
  content.fail(
      0, fmt::format("the entry says compute_{} but the PTX sm_{}", entry.text(), ptx.text()));
}

void read_cubin(Bytes content, Detail detail, Image& image) {
  auto cubin = parse_cubin(content, detail);
  check_cubin_arch(content, image.arch, cubin.arch);
  image.toolkit = std::move(cubin.toolkit);
  if (!cubin.options.empty()) image.options = std::move(cubin.options);
  image.kernels = std::move(cubin.kernels);
}

void read_ptx(Bytes content, Detail detail, Image& image) {
  auto ptx = parse_ptx(content, detail);
  check_ptx_arch(content, image.arch, ptx.arch);
  image.ptx_isa = std::move(ptx.isa);
  image.toolkit = std::move(ptx.toolkit);
  image.kernels = std::move(ptx.kernels);
}

bool is_idle(const Kernel& kernel) {
  return kernel.body == Body::empty || kernel.body == Body::trap;
}

/// Reads one image after the other, as one thread does.
class ImageReader {
 public:
  /// Whether everything was read, though less was asked for.
  bool read(const Payload& payload, Detail detail, Image& image) {
    try {
      return read_content(payload, detail, image);
    } catch (const Unreadable& error) {
      refuse(image, fmt::format("at offset {:#x}: {}", error.offset, error.what()));
    } catch (const std::bad_alloc&) {
      refuse(image, "there is not enough memory to read it");
    }
    return true;
  }

 private:
  static void refuse(Image& image, std::string error) {
    image.kernels = {};
    image.error = std::move(error);
  }

  bool read_content(const Payload& payload, Detail detail, Image& image) {
    if (image.obfuscated) payload.bytes.fail(0, "the image is obfuscated");
    const bool packed = image.compression != Compression::none;
    if (packed) {
      if (!decompressor_) decompressor_ = std::make_unique<Decompressor>();
      decompressor_->begin(image.compression, payload.bytes, payload.unpacked_size);
    }
    if (!packed) return read_whole(payload.bytes, detail, image);
    if (detail != Detail::everything && image.kind == Kind::sass &&
        read_start(payload, detail, image)) {
      return false;
    }
    // What had to be decompressed is read whole: it may spare other images that.
    if (image.kind == Kind::sass && detail == Detail::bodies) detail = Detail::everything;
    const Bytes content(decompressor_->first(payload.unpacked_size));
    try {
      return read_whole(content, detail, image);
    } catch (const Unreadable& error) {
      payload.bytes.fail(
          0, fmt::format("at {:#x} of the decompressed image: {}", error.offset, error.what()));
    }
  }

  static bool read_whole(Bytes content, Detail detail, Image& image) {
    if (image.kind == Kind::ptx) {
      read_ptx(content, detail, image);
    } else {
      read_cubin(content, detail, image);
    }
    return detail == Detail::everything;
  }

  /// Whether the start of a compressed cubin told all that was asked for.
  bool read_start(const Payload& payload, Detail detail, Image& image) {
    const auto size = payload.unpacked_size;
    for (auto look = kFirstLook; look < size; look *= kLookFurther) {
      const auto start = read_cubin_start(decompressor_->first(look), size);
      const bool told = start && (detail == Detail::names || !start->toolkit.empty());
      if (told) return start->arch == image.arch.number && take_start(*start, detail, image);
    }
    return false;
  }

  static bool take_start(const CubinStart& start, Detail detail, Image& image) {
    const auto idle = largest_idle_body(start.arch);
    const bool may_idle =
        std::any_of(start.kernels.begin(), start.kernels.end(),
                    [&](const auto& kernel) { return kernel.code == 0 || kernel.code <= idle; });
    if (detail == Detail::bodies && may_idle) return false;
    image.toolkit = start.toolkit;
    image.kernels.reserve(start.kernels.size());
    for (const auto& found : start.kernels) {
      auto& kernel = image.kernels.emplace_back();
      kernel.name = std::string(found.name);
      if (found.code > idle) kernel.body = Body::code;
    }
    return true;
  }

  std::unique_ptr<Decompressor> decompressor_;
};

std::uint64_t bytes_of(const std::vector<Kernel>& kernels) {
  std::uint64_t bytes = kernels.capacity() * sizeof(Kernel);
  for (const auto& kernel : kernels) bytes += kernel.name.capacity();
  return bytes;
}

/// Images that lie one after the other in their file.
struct Batch {
  std::vector<std::size_t> images;
  std::uint64_t bytes = 0;  ///< when decompressed
};

/// Reads images until the kernels take too much.
class ContentsReader {
 public:
  ContentsReader(std::vector<Image>& images, const std::vector<Payload>& payloads, Detail detail,
                 std::uint64_t most_kernel_bytes)
      : images_(images),
        payloads_(payloads),
        detail_(detail),
        most_kernel_bytes_(most_kernel_bytes),
        whole_(images.size()) {}

  void read() {
    if (detail_ == Detail::archs) return;
    read(readable_images(), detail_);
    if (detail_ != Detail::bodies) return;
    for (auto images = doubtful_images(); !images.empty(); images = doubtful_images()) {
      read(images, Detail::everything);
    }
  }

 private:
  void read(const std::vector<std::size_t>& wanted, Detail detail) {
    const auto batches = batches_of(wanted);
    std::vector<ImageReader> readers(threads_for(batches.size()));
    parallel_for(batches.size(), [&](std::size_t index, std::size_t thread) {
      for (const auto image : batches[index].images) {
        images_[image].kernels = {};
        whole_[image] = readers[thread].read(payloads_[image], detail, images_[image]) ? 1 : 0;
        bound(images_[image]);
      }
      release(batches[index]);
    });
  }

  /// The images, in the order of the file, in batches that are worth to be done by a thread on its
  /// own; those that take longest first, so that no thread is left alone with one at the end.
  [[nodiscard]] std::vector<Batch> batches_of(const std::vector<std::size_t>& wanted) const {
    std::vector<Batch> batches;
    for (const auto image : wanted) {
      if (batches.empty() || batches.back().bytes >= kLargestBatch) batches.emplace_back();
      batches.back().images.push_back(image);
      batches.back().bytes += images_[image].bytes;
    }
    std::stable_sort(batches.begin(), batches.end(),
                     [](const auto& left, const auto& right) { return left.bytes > right.bytes; });
    return batches;
  }

  void release(const Batch& batch) const {
    const auto first = payloads_[batch.images.front()].bytes.text();
    const auto last = payloads_[batch.images.back()].bytes.text();
    fatbin::release({first.data(), static_cast<std::size_t>(last.end() - first.begin())});
  }

  [[nodiscard]] std::vector<std::size_t> readable_images() const {
    std::set<std::size_t> with_sass;
    for (const auto& image : images_) {
      if (image.kind == Kind::sass) with_sass.insert(image.module);
    }
    std::vector<std::size_t> wanted;
    for (std::size_t index = 0; index < images_.size(); ++index) {
      const auto& image = images_[index];
      const bool names_known = detail_ == Detail::names && with_sass.count(image.module) != 0;
      const bool readable = image.kind == Kind::sass || (image.kind == Kind::ptx && !names_known);
      if (readable && image.error.empty()) wanted.push_back(index);
    }
    return wanted;
  }

  /// The kernels that are idle in some image, and were not yet seen to work in another.
  [[nodiscard]] std::unordered_set<std::string_view> doubtful_kernels() const {
    std::unordered_set<std::string_view> doubtful;
    for (const auto& image : images_) {
      for (const auto& kernel : image.kernels) {
        if (is_idle(kernel)) doubtful.insert(kernel.name);
      }
    }
    for (const auto& image : images_) {
      for (const auto& kernel : image.kernels) {
        if (kernel.stores) doubtful.erase(kernel.name);
      }
    }
    return doubtful;
  }

  /// Of the images not wholly read, the smallest that holds each doubtful kernel: mostly it works
  /// there, and the others need not be read.
  [[nodiscard]] std::vector<std::size_t> doubtful_images() const {
    const auto doubtful = doubtful_kernels();
    std::unordered_map<std::string_view, std::size_t> smallest;
    if (doubtful.empty()) return {};
    for (std::size_t index = 0; index < images_.size(); ++index) {
      if (whole_[index] != 0) continue;
      for (const auto& kernel : images_[index].kernels) {
        if (doubtful.count(kernel.name) == 0) continue;
        const auto [found, fresh] = smallest.try_emplace(kernel.name, index);
        if (!fresh && images_[index].bytes < images_[found->second].bytes) found->second = index;
      }
    }
    std::set<std::size_t> wanted;
    for (const auto& [name, index] : smallest) wanted.insert(index);
    return {wanted.begin(), wanted.end()};
  }

  void bound(Image& image) {
    if (kernel_bytes_ += bytes_of(image.kernels); kernel_bytes_ <= most_kernel_bytes_) return;
    image.kernels = {};
    image.error =
        fmt::format("at offset {:#x}: the file's kernels take more than {} bytes: refused",
                    image.offset, most_kernel_bytes_);
  }

  std::vector<Image>& images_;
  const std::vector<Payload>& payloads_;
  Detail detail_;
  std::uint64_t most_kernel_bytes_;
  std::atomic<std::uint64_t> kernel_bytes_ = 0;
  std::vector<char> whole_;  ///< by image; chars, since threads set them side by side
};

}  // namespace

void read_contents(std::vector<Image>& images, const std::vector<Payload>& payloads, Detail detail,
                   std::uint64_t most_kernel_bytes) {
  ContentsReader(images, payloads, detail, most_kernel_bytes).read();
}

}  // namespace archgrid::fatbin
