// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores measurements over months in an SQLite database.
#ifndef ARCHGRID_PERF_RECORDS_HISTORY_HPP
#define ARCHGRID_PERF_RECORDS_HISTORY_HPP

#include <archgrid/perf_records/files.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace archgrid::perf {

class History {
 public:
  enum class Open { for_reading, for_writing };

  /// Opens the database; for writing, creates it if it does not exist. Throws FileError if it
  /// cannot be opened or is not a history.
  History(const std::string& path, Open how);

  /// Stores all of the files or, if one cannot be stored, none. Does not store a run twice. Returns
  /// the number of new runs. Throws FileError.
  std::size_t keep(const std::vector<File>& files);

  /// Returns everything: one record per key, with the runs of a benchmark by date. Throws
  /// FileError.
  [[nodiscard]] std::vector<Record> records() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace archgrid::perf

#endif
