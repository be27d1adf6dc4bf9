// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "digest.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <archgrid/fatbin.hpp>

namespace archgrid::fatbin {

struct Digest::State {
  XXH3_state_t xxh3;
};

Digest::Digest() : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->xxh3);
  XXH3_128bits_reset(&state_->xxh3);
}

Digest::~Digest() = default;

void Digest::add(std::string_view field) {
  add(std::uint64_t{field.size()});
  XXH3_128bits_update(&state_->xxh3, field.data(), field.size());
}

void Digest::add(std::uint64_t number) {
  unsigned char bytes[8];
  for (auto& byte : bytes) {
    byte = static_cast<unsigned char>(number & 0xff);
    number >>= 8;
  }
  XXH3_128bits_update(&state_->xxh3, bytes, sizeof(bytes));
}

std::string Digest::text() const {
  const auto hash = XXH3_128bits_digest(&state_->xxh3);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string hash_of(const std::vector<std::string>& texts) {
  Digest digest;
  for (const auto& text : texts) digest.add(text);
  return digest.text();
}

}  // namespace archgrid::fatbin
