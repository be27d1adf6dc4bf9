// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes archives in the folder of the running test.
#ifndef ARCHGRID_TESTS_ARCHIVES_HPP
#define ARCHGRID_TESTS_ARCHIVES_HPP

#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <utility>
#include <vector>

#include "command.hpp"

namespace archgrid::tests {

/// Names and contents of members.
using Members = std::vector<std::pair<std::string, std::string>>;

inline fs::path archive_of(const std::string& name, const Members& members, int format,
                           int filter) {
  const auto path = folder() / name;
  fs::create_directories(path.parent_path());
  auto* const handle = archive_write_new();
  archive_write_set_format(handle, format);
  archive_write_add_filter(handle, filter);
  EXPECT_EQ(archive_write_open_filename(handle, path.c_str()), ARCHIVE_OK);
  for (const auto& [member, bytes] : members) {
    auto* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    archive_write_header(handle, entry);
    archive_write_data(handle, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  EXPECT_EQ(archive_write_close(handle), ARCHIVE_OK);
  archive_write_free(handle);
  return path;
}

/// Makes a wheel with these members, deflated.
inline fs::path wheel(const std::string& name, const Members& members) {
  return archive_of(name, members, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE);
}

}  // namespace archgrid::tests

#endif
