// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes what a fuzz target starts from: seeds file|image FOLDER SAMPLE...
//
// The target `file` takes samples as they are; `image` takes a byte that chooses what to read, and
// then only the bytes that are read so.
#include <lz4.h>
#include <lz4frame.h>
#include <zstd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "choice.hpp"
#include "elf.hpp"

namespace {

namespace fs = std::filesystem;
using archgrid::fuzz::Choice;

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class Seeds {
 public:
  explicit Seeds(fs::path folder) : folder_(std::move(folder)) {}

  void add(std::string_view bytes) {
    std::ofstream stream(folder_ / std::to_string(count_++), std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) throw std::runtime_error("cannot write a seed");
  }

  void add(Choice choice, std::string_view bytes) {
    add(std::string(1, static_cast<char>(choice)).append(bytes));
  }

  [[nodiscard]] int count() const { return count_; }

 private:
  fs::path folder_;
  int count_ = 0;
};

std::string lz4(const std::string& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))),
                     '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()))));
  return packed;
}

std::string lz4_frame(const std::string& text) {
  std::string packed(LZ4F_compressFrameBound(text.size(), nullptr), '\0');
  packed.resize(
      LZ4F_compressFrame(packed.data(), packed.size(), text.data(), text.size(), nullptr));
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

void add_packed(std::string text, Seeds& seeds) {
  text.resize(archgrid::fuzz::kUnpackedSize, '\0');
  seeds.add(Choice::lz4, lz4(text));
  seeds.add(Choice::lz4_frame, lz4_frame(text));
  seeds.add(Choice::zstd, zstd(text));
}

void add_code(const std::string& cubin, Seeds& seeds) {
  for (const auto& section : archgrid::fatbin::parse_elf(archgrid::fatbin::Bytes(cubin)).sections) {
    if (section.name.substr(0, 6) != ".text.") continue;
    seeds.add(Choice::narrow_code, section.data.text());
    seeds.add(Choice::wide_code, section.data.text());
  }
}

void add_image(const fs::path& sample, Seeds& seeds) {
  const auto text = contents(sample);
  if (sample.extension() == ".cubin") {
    seeds.add(Choice::cubin, text);
    add_code(text, seeds);
    add_packed(text, seeds);
  } else if (sample.extension() == ".ptx") {
    seeds.add(Choice::ptx, text);
    add_packed(text, seeds);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const bool images = std::string_view(arguments[1]) == "image";
  Seeds seeds(arguments[2]);
  for (int index = 3; index < count; ++index) {
    const fs::path sample(arguments[index]);
    if (images) {
      add_image(sample, seeds);
    } else {
      seeds.add(contents(sample));
    }
  }
  std::printf("%d seeds\n", seeds.count());
  return seeds.count() > 0 ? 0 : 1;
}
