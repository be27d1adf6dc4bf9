// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes up audits without a promise to test their reports.
#ifndef ARCHGRID_TESTS_SUSPICIOUS_HPP
#define ARCHGRID_TESTS_SUSPICIOUS_HPP

#include <string>
#include <utility>
#include <vector>

#include "reports.hpp"

namespace archgrid::tests {

inline AuditReport package_report(File file, bool strict = false) {
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  wanted.strict = strict;
  std::vector<File> files;
  files.push_back(std::move(file));
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  return audited;
}

/// Returns a file with three kernels for 8.0 and 9.0, and one only for 90a.
inline File suspicious_file() {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  add_module(file, {sass("90a", {kernel("meant")})}).unit = "meant.cu";
  return file;
}

/// Returns the suspicious file with one forgotten kernel.
inline File broken_file() {
  auto file = suspicious_file();
  add_module(file, {sass("80", {kernel("forgotten")})}).unit = "forgotten.cu";
  return file;
}

/// Returns the report on two files with the same kernels, made with CUDA 13.0.
inline AuditReport report_of_two(File file, coverage::Request wanted) {
  wanted.accept_without_promise = coverage::default_verdicts();
  for (auto& image : file.images) image.toolkit = "13.0";
  for (auto& module : file.modules) module.registered = true;
  std::vector<File> files = {file, file};
  files[1].path = "libcopy.so";
  AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit(std::move(files), wanted));
  return audited;
}

/// Returns a file with three kernels for 8.0 and 9.0, and two for 8.0 and PTX.
inline File file_with_ptx() {
  auto file = file_of_many(3, {sass("80"), sass("90")});
  const std::vector<fatbin::Kernel> slow = {kernel("a"), kernel("b")};
  add_module(file, {sass("80", slow), ptx("80", "8.4", slow)}).unit = "slow.cu";
  return file;
}

/// Returns an audit without a promise of a file whose kernels lack 7.0 and 12.0, which are asked
/// about.
inline AuditReport lacking_two(const std::vector<coverage::Ignore>& ignores = {}) {
  coverage::Request request;
  request.accept_without_promise = coverage::default_verdicts();
  request.devices = {device("7.0"), device("8.0"), device("12.0")};
  request.ignores = ignores;
  AuditReport report;
  report.without_promise = true;
  std::vector<File> files;
  files.push_back(file_of({sass("80", {kernel("one"), kernel("two")})}));
  report.audits.push_back(coverage::audit(std::move(files), request));
  return report;
}

}  // namespace archgrid::tests

#endif
