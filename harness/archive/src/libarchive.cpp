// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "libarchive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/system/utf8_locale.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

namespace archgrid::archive {
namespace {

using Handle = std::unique_ptr<::archive, decltype(&::archive_read_free)>;

int filter_of(Format format) {
  switch (format) {
    case Format::bzip2:
      return ARCHIVE_FILTER_BZIP2;
    case Format::zstd:
      return ARCHIVE_FILTER_ZSTD;
    default:
      return ARCHIVE_FILTER_LZ4;
  }
}

std::string name_of(::archive_entry* entry) {
  for (const char* name : {::archive_entry_pathname_utf8(entry), ::archive_entry_pathname(entry)}) {
    if (name != nullptr) return name;
  }
  return "?";
}

/// Returns why the current member must not be read, or an empty string.
const char* refusal_of(::archive* handle, ::archive_entry* entry) {
  if (::archive_entry_is_encrypted(entry) != 0) return "it is encrypted: audit a copy that is not";
  if (::archive_entry_size(entry) < 0) return "it is damaged: its size is negative";
  const char* format = ::archive_format_name(handle);
  const std::string_view name(format == nullptr ? "" : format);
  for (const auto* method : {"(lzma", "(xz", "(ppmd"}) {
    // libarchive does not bound the memory of these methods.
    if (name.find(method) != std::string_view::npos) {
      return "it is packed in a way that few programs read: pack it with deflate or zstd";
    }
  }
  return "";
}

/// Translates libarchive's report of damage for people.
std::string damage_text(const char* text) {
  const std::string_view said = text == nullptr ? "" : text;
  const auto says = [&](std::string_view part) {
    return said.find(part) != std::string_view::npos;
  };
  std::string what = "it is damaged";
  if (says("runcated")) {
    what = "it ends too early";
  } else if (says("CRC") || says("hecksum")) {
    what = "its content is not that of its checksum";
  } else if (says("decompress")) {
    what = "its compressed data are damaged or cut off";
  } else if (!said.empty()) {
    what += fmt::format(" ({})", said);
  }
  return what + ": fetch or pack it again";
}

}  // namespace

/// The input of libarchive's callbacks. Exceptions must not pass through libarchive, so `failure`
/// stores them.
struct LibArchive::Source {
  Stream& stream;
  BytesStream* seekable;
  Budget& budget;
  bool is_tar = false;  ///< never unpacks to more bytes than its input, except for holes
  Handle handle{::archive_read_new(), &::archive_read_free};
  std::exception_ptr failure = nullptr;

  /// Throws if `code` is an error: the stored exception, Broken if libarchive cannot go on, else
  /// Problem.
  void check(int code) const {
    if (code == ARCHIVE_OK || code == ARCHIVE_EOF) return;
    rethrow();
    const auto message = damage_text(::archive_error_string(handle.get()));
    if (code == ARCHIVE_FATAL) throw Broken(message);
    throw Problem(message);
  }

 private:
  void rethrow() const {
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const Problem& problem) {
      throw Broken(problem.what());
    }
  }
};

/// The bytes of one member, including holes.
class LibArchive::Data : public Stream {
 public:
  Data(Source& source, la_int64_t size) : source_(source), size_(size) {}

  std::string_view next() override {
    while (hole_ == 0 && block_.empty() && !ended_) read();
    const bool in_hole = hole_ > 0;
    const auto bytes = in_hole ? zeros() : std::exchange(block_, {});
    position_ += static_cast<la_int64_t>(bytes.size());
    if (in_hole || !source_.is_tar) source_.budget.add_bytes(bytes.size());
    return bytes;
  }

 private:
  void read() {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int code = ::archive_read_data_block(source_.handle.get(), &block, &size, &offset);
    ended_ = code != ARCHIVE_OK;
    source_.check(code);
    if (ended_) {
      if (source_.is_tar) hole_ = std::max<la_int64_t>(size_ - position_, 0);
      return;
    }
    if (offset < position_) throw Problem("the parts of the sparse file are out of order");
    hole_ = offset - position_;
    block_ = {static_cast<const char*>(block), size};
  }

  std::string_view zeros() {
    static constexpr std::array<char, std::size_t{64}* 1024> kZeros = {};
    const auto size = std::min(hole_, static_cast<la_int64_t>(kZeros.size()));
    hole_ -= size;
    return {kZeros.data(), static_cast<std::size_t>(size)};
  }

  Source& source_;
  la_int64_t size_;
  std::string_view block_;
  la_int64_t hole_ = 0;  ///< zeros before `block_`
  la_int64_t position_ = 0;
  bool ended_ = false;
};

namespace {

template <typename SourceType>
la_ssize_t read_more(::archive* handle, void* data, const void** bytes) {
  auto& source = *static_cast<SourceType*>(data);
  try {
    const auto chunk = source.stream.next();
    *bytes = chunk.data();
    return static_cast<la_ssize_t>(chunk.size());
  } catch (...) {
    source.failure = std::current_exception();
    ::archive_set_error(handle, EIO, "the input ends here");
    return -1;
  }
}

template <typename SourceType>
la_int64_t skip(::archive* /*handle*/, void* data, la_int64_t size) {
  auto& stream = *static_cast<SourceType*>(data)->seekable;
  const auto before = stream.position();
  stream.seek(before + static_cast<std::uint64_t>(std::max<la_int64_t>(size, 0)));
  return static_cast<la_int64_t>(stream.position() - before);
}

template <typename SourceType>
la_int64_t seek(::archive* /*handle*/, void* data, la_int64_t offset, int whence) {
  auto& stream = *static_cast<SourceType*>(data)->seekable;
  const auto base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? stream.position() : stream.size();
  const auto position = static_cast<la_int64_t>(base) + offset;
  if (position < 0 || static_cast<std::uint64_t>(position) > stream.size()) return ARCHIVE_FATAL;
  stream.seek(static_cast<std::uint64_t>(position));
  return position;
}

}  // namespace

LibArchive::LibArchive(Stream& stream, BytesStream* seekable, Budget& budget)
    : source_(new Source{stream, seekable, budget}) {
  if (!source_->handle) throw std::bad_alloc();
}

LibArchive::LibArchive(LibArchive&&) noexcept = default;
LibArchive::~LibArchive() = default;

void LibArchive::open() {
  auto* const handle = source_->handle.get();
  ::archive_read_set_read_callback(handle, read_more<Source>);
  if (source_->seekable != nullptr) {
    ::archive_read_set_skip_callback(handle, skip<Source>);
    ::archive_read_set_seek_callback(handle, seek<Source>);
  }
  ::archive_read_set_callback_data(handle, source_.get());
  source_->check(::archive_read_open1(handle));
}

LibArchive LibArchive::tar(Stream& stream, Budget& budget) {
  LibArchive result(stream, nullptr, budget);
  result.source_->is_tar = true;
  ::archive_read_support_format_tar(result.source_->handle.get());
  result.open();
  return result;
}

LibArchive LibArchive::zip(BytesStream& stream, Zip how, Budget& budget) {
  LibArchive result(stream, &stream, budget);
  auto* const handle = result.source_->handle.get();
  if (how == Zip::by_directory) {
    ::archive_read_support_format_zip_seekable(handle);
  } else {
    ::archive_read_support_format_zip_streamable(handle);
  }
  result.open();
  return result;
}

LibArchive LibArchive::compressed(Format format, Stream& stream, Budget& budget) {
  LibArchive result(stream, nullptr, budget);
  auto* const handle = result.source_->handle.get();
  ::archive_read_support_format_raw(handle);
  result.source_->check(::archive_read_append_filter(handle, filter_of(format)));
  result.open();
  return result;
}

bool LibArchive::next(Member& member) {
  // libarchive converts names to the locale of its thread and loses those that do not fit.
  const system::Utf8Locale locale;
  data_.reset();
  ::archive_entry* entry = nullptr;
  const int code = ::archive_read_next_header(source_->handle.get(), &entry);
  if (code == ARCHIVE_EOF) return false;
  source_->budget.add_member();
  if (code != ARCHIVE_WARN) source_->check(code);
  member.name = name_of(entry);
  member.is_file =
      ::archive_entry_filetype(entry) == AE_IFREG && ::archive_entry_hardlink(entry) == nullptr;
  member.refusal = refusal_of(source_->handle.get(), entry);
  data_ = std::make_unique<Data>(*source_, ::archive_entry_size(entry));
  return true;
}

std::uint64_t LibArchive::position() const {
  return static_cast<std::uint64_t>(::archive_read_header_position(source_->handle.get()));
}

Stream& LibArchive::data() {
  return *data_;
}

}  // namespace archgrid::archive
