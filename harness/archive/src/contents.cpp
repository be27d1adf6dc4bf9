// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/system/temporary_file.hpp>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "keep.hpp"
#include "problem.hpp"

namespace archgrid::archive {
namespace {

[[noreturn]] void fail(const std::runtime_error& error) {
  throw Problem(fmt::format(
      "it cannot be unpacked to {}: make room there, or set TMPDIR to a folder that has some",
      error.what()));
}

/// A temporary file, whose errors are those of the archive.
class Spool {
 public:
  Spool() try {
  } catch (const std::runtime_error& error) {
    fail(error);
  }

  void add(std::string_view bytes) {
    try {
      file_.add(bytes);
    } catch (const std::runtime_error& error) {
      fail(error);
    }
  }

  Contents take() {
    try {
      return Contents(file_.map());
    } catch (const std::runtime_error& error) {
      throw Problem(error.what());
    }
  }

 private:
  system::TemporaryFile file_;
};

/// Bytes in memory up to the limit; beyond it, all of them are in a file.
class Store {
 public:
  explicit Store(std::uint64_t in_memory) : in_memory_(in_memory) {}

  void add(std::string_view bytes) {
    if (!spool_ && memory_.size() + bytes.size() > in_memory_) {
      spool_.emplace();
      spool_->add(memory_);
      memory_ = {};
    }
    if (spool_) {
      spool_->add(bytes);
    } else {
      memory_ += bytes;
    }
  }

  Contents take() { return spool_ ? spool_->take() : Contents(std::move(memory_)); }

 private:
  std::uint64_t in_memory_;
  std::string memory_;
  std::optional<Spool> spool_;
};

}  // namespace

Contents::Contents(std::string bytes)
    : memory_(std::make_shared<const std::string>(std::move(bytes))) {
  bytes_ = *memory_;
}

Contents::Contents(std::shared_ptr<const system::MappedFile> file)
    : bytes_(file->bytes()), file_(std::move(file)) {}

bool Contents::contains(std::string_view part) const {
  const std::less_equal<> ordered;
  return !part.empty() && ordered(bytes_.data(), part.data()) &&
         ordered(part.data() + part.size(), bytes_.data() + bytes_.size());
}

Contents Contents::slice(std::string_view part) const {
  auto result = *this;
  result.bytes_ = part;
  return result;
}

std::uint64_t free_space() {
  return system::free_temporary_space();
}

Contents keep(Stream& stream, const Contents& kept, const Limits& limits) {
  std::string_view in_place;
  auto chunk = stream.next();
  while (kept.contains(chunk) &&
         (in_place.empty() || in_place.data() + in_place.size() == chunk.data())) {
    in_place = {in_place.empty() ? chunk.data() : in_place.data(), in_place.size() + chunk.size()};
    chunk = stream.next();
  }
  if (chunk.empty() && !in_place.empty()) return kept.slice(in_place);
  Store store(limits.in_memory);
  store.add(in_place);
  for (; !chunk.empty(); chunk = stream.next()) store.add(chunk);
  return store.take();
}

}  // namespace archgrid::archive
