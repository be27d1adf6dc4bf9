// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "image_reader.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "body.hpp"
#include "cubin_start.hpp"
#include "host_image.hpp"

namespace archgrid::fatbin {
namespace {

// Contains the names of most cubins.
constexpr std::uint64_t kFirstLook = 12 * 1024;
// Size that zstd decodes at once.
constexpr std::uint64_t kZstdBlock = 128 * 1024;
// A cubin that needs more mostly needs all; the longest start seen has 1.8 MB.
constexpr std::uint64_t kMaxStart = std::uint64_t{16} << 20;

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
// for them (CUDA_ERROR_INVALID_PTX). TensorFlow 2.6 has entries for compute_80 with a text for
// sm_75, which drivers compile for every newer GPU.
Arch checked_ptx_arch(Bytes content, Arch entry, Arch ptx) {
  const bool one_has_suffix = entry.suffix == '\0' || ptx.suffix == '\0';
  if (ptx == entry || (ptx.number == entry.number && one_has_suffix)) {
    return ptx.suffix == '\0' ? entry : ptx;
  }
  if (ptx.suffix == '\0' && ptx.number < entry.number) return entry;
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
  if (ptx.needs_suffix && image.arch.suffix == '\0') image.arch.suffix = 'a';
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

std::string error_text(const Unreadable& error) {
  return fmt::format("at offset {:#x}: {}", error.offset, error.what());
}

void refuse(Image& image, std::string error) {
  image.kernels = {};
  image.error = std::move(error);
}

bool read_whole(Bytes content, const Wanted& wanted, Image& image) {
  const bool all = wanted.detail == Detail::everything || wanted.stores == StoresOf::all;
  if (image.kind == Kind::ptx) {
    read_ptx(content, all ? Detail::everything : wanted.detail, wanted.externals, image);
  } else {
    read_cubin(content, wanted.detail, wanted.stores, image);
  }
  return all;
}

/// Returns what the first bytes contain, if that is all that was requested.
std::optional<CubinStart> start_in(std::string_view bytes, std::uint64_t size, Detail detail) {
  auto start = read_cubin_start(bytes, size);
  const bool all = start && start->suffix && !start->toolkit.empty();
  const bool told = detail == Detail::names ? start.has_value() : all;
  return told ? std::move(start) : std::nullopt;
}

bool take_start(const CubinStart& start, Detail detail, Image& image) {
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

}  // namespace

void ImageReader::check(const Payload& payload, Image& image) {
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

bool ImageReader::read(const Payload& payload, const Wanted& wanted, Image& image) {
  try {
    return read_content({read(payload.bytes), payload.unpacked_size}, wanted, image);
  } catch (const Unreadable& error) {
    refuse(image, error_text(error));
  } catch (const std::bad_alloc&) {
    refuse(image, "there is not enough memory to read it");
  }
  return true;
}

Bytes ImageReader::read(Bytes bytes) {
  return Bytes(file_.read(bytes.text()), bytes.base());
}

bool ImageReader::read_content(const Payload& payload, Wanted wanted, Image& image) {
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

bool ImageReader::read_start(const Payload& payload, Detail detail, Image& image) {
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

Decompressor& ImageReader::decompressor() {
  if (!decompressor_) decompressor_ = std::make_unique<Decompressor>();
  return *decompressor_;
}

}  // namespace archgrid::fatbin
