// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Decompresses gzip and xz without libarchive, which does not verify the checksums of gzip and does
// not bound the memory of xz.
#include "decompress.hpp"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

#include "libarchive.hpp"

namespace archgrid::archive {
namespace {

constexpr std::size_t kOutput = std::size_t{256} * 1024;
constexpr std::size_t kMaxInput = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr std::uint64_t kMaxXzMemory = std::uint64_t{256} << 20;

/// A stream of the decompressed bytes of another stream.
class Decompressor : public Stream {
 public:
  Decompressor(const char* name, Stream& input, Budget& budget)
      : name_(name), input_(input), budget_(budget), output_(kOutput) {}

  std::string_view next() override {
    std::size_t size = 0;
    while (size == 0 && !ended_) {
      if (pending_.empty()) pending_ = input_.next();
      size = step(output_);
    }
    budget_.add_bytes(size);
    return {output_.data(), size};
  }

 protected:
  /// Decompresses as much of `pending` as fits into `output` and returns its size. `pending` is
  /// empty at the end of the input.
  virtual std::size_t step(std::vector<char>& output) = 0;

  [[noreturn]] void fail(const char* what) const {
    throw Broken(fmt::format("{}: {}", name_, what == nullptr ? "it is damaged" : what));
  }

  [[nodiscard]] std::string_view pending() const { return pending_.substr(0, kMaxInput); }
  void take(std::size_t size) { pending_.remove_prefix(size); }
  void end() { ended_ = true; }

 private:
  const char* name_;
  Stream& input_;
  Budget& budget_;
  std::vector<char> output_;
  std::string_view pending_;
  bool ended_ = false;
};

class Gzip : public Decompressor {
 public:
  Gzip(Stream& input, Budget& budget) : Decompressor("gzip", input, budget) {
    constexpr int kGzipOnly = 16;
    if (::inflateInit2(&state_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { ::inflateEnd(&state_); }

 protected:
  std::size_t step(std::vector<char>& output) override {
    if (between_) skip_padding();
    const auto input = pending();
    if (input.empty()) {
      if (!between_) fail("it ends too early");
      end();
      return 0;
    }
    between_ = false;
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    state_.avail_in = static_cast<uInt>(input.size());
    state_.next_out = reinterpret_cast<Bytef*>(output.data());
    state_.avail_out = static_cast<uInt>(output.size());
    const int code = ::inflate(&state_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_STREAM_END) fail(state_.msg);
    take(input.size() - state_.avail_in);
    // Concatenated gzip streams are one file.
    if (code == Z_STREAM_END) between_ = ::inflateReset(&state_) == Z_OK;
    return output.size() - state_.avail_out;
  }

 private:
  // Skips the zeros that pad gzip data on tapes, but not before the first gzip stream.
  void skip_padding() {
    if (!begun_) {
      begun_ = true;
      return;
    }
    const auto input = pending();
    take(std::min(input.find_first_not_of('\0'), input.size()));
  }

  z_stream state_ = {};
  bool between_ = true;
  bool begun_ = false;
};

const char* message_of(lzma_ret code) {
  switch (code) {
    case LZMA_MEMLIMIT_ERROR:
      return "it needs more than 256 MB of memory: pack it with a smaller dictionary";
    case LZMA_BUF_ERROR:
      return "it ends too early";
    case LZMA_OPTIONS_ERROR:
      return "it uses a filter that liblzma does not know";
    default:
      return "it is damaged";
  }
}

class Xz : public Decompressor {
 public:
  Xz(Stream& input, Budget& budget) : Decompressor("xz", input, budget) {
    if (::lzma_stream_decoder(&state_, kMaxXzMemory, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~Xz() override { ::lzma_end(&state_); }

 protected:
  std::size_t step(std::vector<char>& output) override {
    const auto input = pending();
    state_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    state_.avail_in = input.size();
    state_.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    state_.avail_out = output.size();
    const auto code = ::lzma_code(&state_, input.empty() ? LZMA_FINISH : LZMA_RUN);
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (code != LZMA_OK && code != LZMA_STREAM_END) fail(message_of(code));
    if (code == LZMA_STREAM_END) end();
    take(input.size() - state_.avail_in);
    return output.size() - state_.avail_out;
  }

 private:
  lzma_stream state_ = LZMA_STREAM_INIT;
};

/// A stream that libarchive decompresses.
class Filtered : public Stream {
 public:
  Filtered(Format format, Stream& input, Budget& budget)
      : name_(archive::name_of(format)), archive_(opened(format, input, budget)) {}

  std::string_view next() override {
    try {
      if (!begun_) holds_any_ = archive_.next(member_);
      begun_ = true;
      return holds_any_ ? archive_.data().next() : std::string_view();
    } catch (const Problem& problem) {
      throw Broken(fmt::format("{}: {}", name_, problem.what()));
    }
  }

 private:
  static LibArchive opened(Format format, Stream& input, Budget& budget) {
    try {
      return LibArchive::compressed(format, input, budget);
    } catch (const Problem&) {
      // libarchive finds no format where it cannot decompress the first bytes.
      throw Broken(fmt::format("{}: it is damaged, or ends too early", archive::name_of(format)));
    }
  }

  const char* name_;
  LibArchive archive_;
  Member member_;
  bool begun_ = false;
  bool holds_any_ = false;
};

}  // namespace

std::unique_ptr<Stream> decompressed(Format format, Stream& stream, Budget& budget) {
  if (format == Format::gzip) return std::make_unique<Gzip>(stream, budget);
  if (format == Format::xz) return std::make_unique<Xz>(stream, budget);
  return std::make_unique<Filtered>(format, stream, budget);
}

}  // namespace archgrid::archive
