// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes made-up audits in every format, for other programs to read: pages FOLDER.
#include <exception>
#include <fstream>
#include <iostream>
#include <utility>

#include "reports.hpp"

namespace {

using namespace archgrid;

void write(const std::string& path, const std::string& text) {
  std::ofstream stream;
  stream.exceptions(std::ios::failbit | std::ios::badbit);
  stream.open(path, std::ios::binary);
  stream << text << std::flush;
}

void write_all(const std::string& stem, const report::AuditReport& audited) {
  write(stem + ".html", tests::html_of(audited));
  write(stem + ".json", tests::json_of(audited));
  write(stem + ".xml", tests::junit_of(audited));
  write(stem + ".sarif", tests::sarif_of(audited));
  write(stem + ".md", tests::markdown_of(audited));
}

/// Returns an audit without a promise: two kernels with one short name lack 9.0.
report::AuditReport package_report() {
  auto file = tests::file_of_many(3, {tests::sass("80"), tests::sass("90")});
  tests::add_module(
      file, {tests::sass("80", {tests::kernel("_ZN1a4tileEPf"), tests::kernel("_ZN1b4tileEPf")})});
  coverage::Request wanted;
  wanted.accept_without_promise = coverage::default_verdicts();
  report::AuditReport audited;
  audited.without_promise = true;
  audited.audits.push_back(coverage::audit({std::move(file)}, wanted));
  return audited;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: pages FOLDER\n";
    return 2;
  }
  constexpr int kKernels = 20000;
  const std::string folder = argv[1];
  try {
    write_all(folder + "/package", package_report());
    write_all(folder + "/hostile", tests::hostile_report());
    write_all(folder + "/big", tests::big_report(kKernels));
  } catch (const std::exception& error) {
    std::cerr << folder << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
