// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and merges records in files of archgrid.perf/1.
#ifndef ARCHGRID_PERF_RECORDS_FILES_HPP
#define ARCHGRID_PERF_RECORDS_FILES_HPP

#include <archgrid/perf_records/record.hpp>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid::perf {

/// An invalid archgrid.perf/1 file, or files that cannot be merged. Names the file, the place in it
/// and the fix.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct File {
  std::string path;  ///< as the user named it
  Record record;
};

/// Reads a file completely, or not at all: throws FileError for anything unknown or invalid in it,
/// and coverage::JsonError if it is not JSON.
File read_file(const std::string& path);

/// Returns "NVIDIA H200 (9.0), driver 580.65.06, CUDA 13.0, clocks locked 1980 MHz".
std::string text_of(const Key& key);

/// Returns "the driver (580.65.06 and 590.10), the clocks (...)"; empty for equal keys.
std::string difference(const Key& left, const Key& right);

/// Returns all runs of all files, each once, and the highest value of each ceiling. Throws
/// FileError, with both files' names, if keys or a benchmark's work differ, and
/// std::invalid_argument for no files.
Record merge(const std::vector<File>& files);

}  // namespace archgrid::perf

#endif
