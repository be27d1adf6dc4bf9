// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

#include <algorithm>

namespace archgrid::archive {
namespace {

constexpr std::size_t kStep = std::size_t{4} << 20;

/// Reports whether `next` directly follows `bytes`, with both inside `kept`.
bool goes_on(std::string_view bytes, std::string_view next, const Contents& kept) {
  return bytes.data() + bytes.size() == next.data() && kept.contains(bytes) && kept.contains(next);
}

}  // namespace

void drain(Stream& stream) {
  while (!stream.next().empty()) {
  }
}

std::string_view BytesStream::next() {
  system::release(last_);
  last_ = bytes_.substr(at_, kStep);
  at_ += last_.size();
  return last_;
}

void BytesStream::seek(std::uint64_t position) {
  at_ = std::min<std::uint64_t>(position, bytes_.size());
}

PeekedStream::PeekedStream(Stream& stream, const Contents& kept)
    : stream_(stream), first_(stream.next()) {
  while (!first_.empty() && first_.size() < fatbin::kFirstBytes) {
    // Bytes outside of `kept` are copied, as the next read may overwrite them.
    if (!kept.contains(first_) && buffer_.empty()) first_ = buffer_ = first_;
    const auto more = stream_.next();
    if (more.empty()) break;
    if (goes_on(first_, more, kept)) {
      first_ = {first_.data(), first_.size() + more.size()};
    } else {
      if (buffer_.empty()) buffer_ = first_;
      first_ = buffer_ += more;
    }
  }
}

std::string_view PeekedStream::next() {
  if (begun_) return stream_.next();
  begun_ = true;
  return first_;
}

std::string_view Cursor::some(std::uint64_t most) {
  if (rest_.empty() && most > 0) rest_ = stream_.next();
  const auto bytes = rest_.substr(0, most);
  rest_.remove_prefix(bytes.size());
  position_ += bytes.size();
  return bytes;
}

std::string Cursor::bytes(std::size_t size) {
  std::string result;
  while (result.size() < size) {
    const auto more = some(size - result.size());
    if (more.empty()) break;
    result += more;
  }
  return result;
}

}  // namespace archgrid::archive
