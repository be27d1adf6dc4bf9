// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the seeds of a fuzz target: seeds archive|file|image|pe FOLDER SAMPLE...
//
// The target `file` gets samples as they are. `image` gets a byte that selects what to read, and
// then only the bytes that are read this way. `pe` gets Windows files, including small handmade
// ones. `archive` gets archives of small samples.
#include <archive.h>
#include <archive_entry.h>
#include <lz4.h>
#include <lz4frame.h>
#include <zstd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../unit/contents.hpp"
#include "../unit/fatbin/made_coff.hpp"
#include "../unit/fatbin/made_fatbin.hpp"
#include "../unit/fatbin/made_stale.hpp"
#include "choice.hpp"
#include "elf.hpp"

namespace {

namespace fs = std::filesystem;
using archgrid::fuzz::Choice;

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

bool has_kernels(const std::string& cubin) {
  return !archgrid::fatbin::read_bytes(cubin, "seed").images.at(0).kernels.empty();
}

/// Adds a cubin, and versions of it from tools that leave stale tables behind.
void add_cubin(const std::string& cubin, Seeds& seeds) {
  std::vector<std::string> cubins = {cubin};
  if (has_kernels(cubin)) {
    cubins.push_back(archgrid::tests::hide_kernel_perfectly(cubin));
    for (const auto hiding : archgrid::tests::kHidings) {
      cubins.push_back(archgrid::tests::hide_kernel(cubin, hiding));
    }
  }
  for (const auto& bytes : cubins) {
    for (const auto choice :
         {Choice::cubin, Choice::cubin_start, Choice::entry_of_lz4, Choice::entry_of_zstd}) {
      seeds.add(choice, bytes);
    }
  }
}

/// Adds the same cubins in whole files, some with incomplete frames.
void add_fatbins(const std::string& cubin, Seeds& seeds) {
  using namespace archgrid::tests;
  using archgrid::fatbin::Compression;
  const auto arch = archgrid::fatbin::read_bytes(cubin, "seed").images.at(0).arch;
  for (const auto compression : {Compression::none, Compression::lz4, Compression::zstd}) {
    for (const auto hiding : kHidings) {
      auto entry =
          packed_entry(archgrid::fatbin::Kind::sass, arch, compression, hide_kernel(cubin, hiding));
      seeds.add(fatbin_of({entry}));
      entry.payload += "more";
      seeds.add(fatbin_of({entry}));
      entry.payload.resize(entry.payload.size() / 2);
      seeds.add(fatbin_of({entry}));
    }
  }
}

void add_image(const fs::path& sample, Seeds& seeds) {
  const auto text = archgrid::tests::contents_of(sample);
  if (sample.extension() == ".cubin") {
    add_cubin(text, seeds);
    add_code(text, seeds);
    add_packed(text, seeds);
  } else if (sample.extension() == ".ptx") {
    seeds.add(Choice::ptx, text);
    seeds.add(Choice::entry_of_lz4, text);
    seeds.add(Choice::entry_of_zstd, text);
    add_packed(text, seeds);
  }
}

/// Returns an archive with a text, the sample and another archive.
std::string packed(const std::string& sample, const std::string& inner, int format, int filter) {
  std::string result;
  auto* const handle = archive_write_new();
  if (format == ARCHIVE_FORMAT_AR_BSD) {
    archive_write_set_format_ar_bsd(handle);
  } else {
    archive_write_set_format(handle, format);
  }
  archive_write_add_filter(handle, filter);
  archive_write_set_bytes_in_last_block(handle, 1);
  const auto write = [](struct archive*, void* data, const void* bytes, std::size_t size) {
    static_cast<std::string*>(data)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
  };
  archive_write_open(handle, &result, nullptr, write, nullptr);
  const std::vector<std::pair<const char*, std::string>> members = {
      {"setup.py", "import os"}, {"a/long/name/of/a/library.so", sample}, {"inner", inner}};
  for (const auto& [name, bytes] : members) {
    auto* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    archive_write_header(handle, entry);
    archive_write_data(handle, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  archive_write_close(handle);
  archive_write_free(handle);
  return result;
}

void add_archives(const fs::path& sample, Seeds& seeds) {
  if (sample.extension() != ".ptx" && sample.extension() != ".cubin") return;
  const auto text = archgrid::tests::contents_of(sample);
  const auto zip = packed(text, "", ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE);
  for (const int format : {ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FORMAT_AR_BSD}) {
    seeds.add(packed(text, zip, format, ARCHIVE_FILTER_NONE));
  }
  for (const int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ,
                           ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_LZ4}) {
    seeds.add(packed(text, zip, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, filter));
  }
}

/// Adds programs and objects of a few hundred bytes, with everything that is read from them.
void add_made(Seeds& seeds) {
  using namespace archgrid::tests;
  for (const bool wide : {true, false}) {
    for (const bool delayed : {true, false}) {
      const auto imports = import_bytes({{"nvrtc64_1.dll", {"f", "cuModuleLoad"}}}, pe_address(0),
                                        delayed, wide ? 8 : 4);
      MadePe pe;
      pe.wide = wide;
      pe.sections = {
          {".rdata", imports},
          {".nv_fatbin", repeated(empty_container(), 2)},
          {wide ? ".nvFatBinSegment" : ".data", wrapper_bytes(kImageBase + pe_address(1))}};
      pe.directories[delayed ? 13 : 1] = {pe_address(0),
                                          static_cast<std::uint32_t>(imports.size())};
      pe.directories[0] = {pe_address(0), 8};
      pe.overlay = "overlay";
      seeds.add(bytes_of(pe));
    }
  }
  for (const bool big : {true, false}) {
    MadeCoff coff;
    coff.big = big;
    coff.sections = {{"__nv_relfatbin", empty_container()},
                     {".nvFatBinSegment", wrapper_bytes(), kReadableData, {{8, 2}}}};
    coff.symbols = {{".file", -2, 0, 103, "tmpxft_1-6_a.cudafe1.cpp"},
                    {"fatbinData", 1, 0, 3},
                    {"__fatbinwrap_1_4_a_cu_1", 2, 0, 2},
                    {"__imp_cuModuleLoad"}};
    coff.sections[1].relocations[0].symbol = symbol_records(coff.symbols[0]);
    seeds.add(bytes_of(coff));
  }
}

bool is_of_windows(const fs::path& sample) {
  const auto kind = sample.extension();
  return kind == ".dll" || kind == ".exe" || kind == ".obj";
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::string_view target(arguments[1]);
  Seeds seeds(arguments[2]);
  if (target == "pe") add_made(seeds);
  for (int index = 3; index < count; ++index) {
    const fs::path sample(arguments[index]);
    if (target == "image") {
      add_image(sample, seeds);
    } else if (target == "archive") {
      add_archives(sample, seeds);
    } else if (target == "file" || target == "launches" || is_of_windows(sample)) {
      seeds.add(archgrid::tests::contents_of(sample));
      if (target != "file" || sample.extension() != ".cubin") continue;
      if (has_kernels(archgrid::tests::contents_of(sample)))
        add_fatbins(archgrid::tests::contents_of(sample), seeds);
    }
  }
  std::printf("%d seeds\n", seeds.count());
  return seeds.count() > 0 ? 0 : 1;
}
