// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What was measured over the months, in an SQLite database.
#ifndef ARCHGRID_PERF_HISTORY_HPP
#define ARCHGRID_PERF_HISTORY_HPP

#include <archgrid/perf/files.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace archgrid::perf {

class History {
 public:
  enum class Open { for_reading, for_writing };

  /// For writing a new one is made where there is none. Throws FileError where it cannot be opened
  /// or is no history.
  History(const std::string& path, Open how);

  /// Keeps all of the files or, where one cannot be kept, none. A run that is there already stays
  /// one. Returns how many runs are new. Throws FileError.
  std::size_t keep(const std::vector<File>& files);

  /// Everything, a record for each key, the runs of a benchmark by date. Throws FileError.
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
