// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Records in files of archgrid.perf/1: reading, merging.
#ifndef ARCHGRID_PERF_FILES_HPP
#define ARCHGRID_PERF_FILES_HPP

#include <archgrid/perf/record.hpp>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid::perf {

/// A file that is no archgrid.perf/1, or files that cannot be put together. Names the file, the
/// place in it and the fix.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct File {
  std::string path;  ///< as it was named
  Record record;
};

/// Everything in the file is understood and allowed, or nothing is taken from it. Throws FileError,
/// and coverage::JsonError where it is no JSON.
File read_file(const std::string& path);

/// "NVIDIA H200 (9.0), driver 580.65.06, CUDA 13.0, clocks locked 1980 MHz"
std::string text_of(const Key& key);

/// "the driver (580.65.06 and 590.10), the clocks (...)"; empty for equal keys.
std::string difference(const Key& left, const Key& right);

/// All runs of all files; one that several of them have stays one. Of a ceiling that was measured
/// several times the highest is kept. Throws FileError, with both files' names, where keys differ
/// or a benchmark's work does, and std::invalid_argument for no files.
Record merge(const std::vector<File>& files);

}  // namespace archgrid::perf

#endif
