// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes archives for tests, and collects the files that are found in them.
#ifndef ARCHGRID_TESTS_PACKED_HPP
#define ARCHGRID_TESTS_PACKED_HPP

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/archive.hpp>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "contents.hpp"
#include "paths.hpp"

namespace archgrid::tests {

namespace fs = std::filesystem;

struct Item {
  std::string name;
  std::string bytes;
  unsigned type = AE_IFREG;
  std::string target = "";  ///< target of a link
};

/// The packing of an archive: libarchive's names of format, filter and options.
struct Packing {
  std::string name;
  int format = ARCHIVE_FORMAT_TAR_PAX_RESTRICTED;
  int filter = ARCHIVE_FILTER_NONE;
  std::string options = "";
};

inline void PrintTo(const Packing& packing, std::ostream* stream) {
  *stream << packing.name;
}

inline const Packing kZip{"zip", ARCHIVE_FORMAT_ZIP};
inline const Packing kStoredZip{"stored zip", ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE,
                                "zip:compression=store"};
inline const Packing kTar{"tar"};
inline const Packing kTarGz{"tar.gz", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_GZIP};
inline const Packing kTarXz{"tar.xz", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_XZ};
inline const Packing kTarBz2{"tar.bz2", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_BZIP2};
inline const Packing kTarZst{"tar.zst", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_ZSTD};
inline const Packing kTarLz4{"tar.lz4", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_LZ4};
inline const Packing kAr{"ar", ARCHIVE_FORMAT_AR_GNU};
inline const Packing kBsdAr{"bsd ar", ARCHIVE_FORMAT_AR_BSD};

inline const std::vector<Packing> kPackings = {kZip,    kStoredZip, kTar,    kTarGz, kTarXz,
                                               kTarBz2, kTarZst,    kTarLz4, kAr,    kBsdAr};

inline void check(int code, struct archive* handle) {
  if (code != ARCHIVE_OK) throw std::runtime_error(archive_error_string(handle));
}

inline void add(const Item& item, struct archive* handle) {
  auto* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, item.name.c_str());
  archive_entry_set_filetype(entry, item.type);
  archive_entry_set_perm(entry, 0644);
  if (item.type == AE_IFLNK) archive_entry_set_symlink(entry, item.target.c_str());
  if (item.type == AE_IFREG && !item.target.empty()) {
    archive_entry_set_hardlink(entry, item.target.c_str());
  }
  archive_entry_set_size(entry, static_cast<la_int64_t>(item.bytes.size()));
  check(archive_write_header(handle, entry), handle);
  const auto written = archive_write_data(handle, item.bytes.data(), item.bytes.size());
  if (written < 0) check(static_cast<int>(written), handle);
  archive_entry_free(entry);
}

inline std::string padded(std::string text, std::size_t size) {
  text.resize(size, ' ');
  return text;
}

inline std::string ar_header(const std::string& name, const std::string& size) {
  return padded(name, 16) + padded("0", 12) + padded("0", 6) + padded("0", 6) + padded("644", 8) +
         padded(size, 10) + "`\n";
}

inline std::string ar_member(const std::string& name, const std::string& bytes) {
  return ar_header(name, std::to_string(bytes.size())) + bytes +
         (bytes.size() % 2 != 0 ? "\n" : "");
}

/// Returns an archive as GNU ar writes it: long names are in a table.
inline std::string gnu_ar(const std::vector<Item>& items) {
  std::string names;
  std::string members;
  for (const auto& item : items) {
    auto name = item.name + '/';
    if (name.size() > 16) {
      const auto place = '/' + std::to_string(names.size());
      names += name + '\n';
      name = place;
    }
    members += ar_member(name, item.bytes);
  }
  return "!<arch>\n" + (names.empty() ? "" : ar_member("//", names)) + members;
}

/// Returns the bytes of an archive.
inline std::string packed(const std::vector<Item>& items, const Packing& packing) {
  if (packing.format == ARCHIVE_FORMAT_AR_GNU) return gnu_ar(items);
  std::string result;
  auto* const handle = archive_write_new();
  check(packing.format == ARCHIVE_FORMAT_AR_BSD ? archive_write_set_format_ar_bsd(handle)
                                                : archive_write_set_format(handle, packing.format),
        handle);
  check(archive_write_add_filter(handle, packing.filter), handle);
  check(archive_write_set_bytes_in_last_block(handle, 1), handle);
  if (!packing.options.empty()) {
    check(archive_write_set_options(handle, packing.options.c_str()), handle);
    archive_write_set_passphrase(handle, "secret");
  }
  const auto write = [](struct archive*, void* data, const void* bytes, std::size_t size) {
    static_cast<std::string*>(data)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
  };
  check(archive_write_open(handle, &result, nullptr, write, nullptr), handle);
  for (const auto& item : items) add(item, handle);
  check(archive_write_close(handle), handle);
  archive_write_free(handle);
  return result;
}

/// Returns one compressed file.
inline std::string compressed(const std::string& bytes, int filter) {
  return packed({{"data", bytes}}, {"", ARCHIVE_FORMAT_RAW, filter});
}

/// Returns PTX with the kernel `name`: the smallest file that is found.
inline std::string ptx(const std::string& name) {
  return ".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry " + name + "() { ret; }\n";
}

/// Returns bytes that no compression makes smaller.
inline std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (auto& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

struct Seen {
  std::string path;
  std::string bytes;
  std::string error;
};

inline archive::Visitor into(std::vector<Seen>& seen) {
  return [&seen](const archive::Found& found) {
    seen.push_back({found.path, std::string(found.contents.bytes()), found.error});
  };
}

/// Returns everything that is found in the bytes of a file named "x".
inline std::vector<Seen> found_in(const std::string& bytes, const archive::Limits& limits = {}) {
  std::vector<Seen> seen;
  archive::walk_bytes(bytes, "x", limits, into(seen));
  return seen;
}

inline std::vector<Seen> found_at(const fs::path& path, const archive::Limits& limits = {}) {
  std::vector<Seen> seen;
  archive::walk(path.string(), limits, into(seen));
  return seen;
}

inline std::vector<std::string> paths_of(const std::vector<Seen>& seen) {
  std::vector<std::string> paths;
  for (const auto& each : seen) {
    if (each.error.empty()) paths.push_back(each.path);
  }
  return paths;
}

/// Returns all errors, as "path: error".
inline std::vector<std::string> errors_of(const std::vector<Seen>& seen) {
  std::vector<std::string> errors;
  for (const auto& each : seen) {
    if (!each.error.empty()) errors.push_back(each.path + ": " + each.error);
  }
  return errors;
}

/// Returns the running test's own folder, which is empty at first.
inline fs::path folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path =
      fs::path(::testing::TempDir()) / "archgrid-archive" / test->test_suite_name() / test->name();
  static std::string cleaned;
  if (cleaned != path.string()) fs::remove_all(path);
  cleaned = path.string();
  fs::create_directories(path);
  return path;
}

inline fs::path file(const std::string& name, const std::string& bytes) {
  const auto path = folder() / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

inline std::string sample(const std::string& name) {
  return contents_of(fs::path(tests::kSamples) / ARCHGRID_TOOLKIT / name);
}

}  // namespace archgrid::tests

#endif
