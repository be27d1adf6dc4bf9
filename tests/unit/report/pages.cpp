// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes audits that were made up, in every format, for others to read: pages FOLDER.
#include <exception>
#include <fstream>
#include <iostream>

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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: pages FOLDER\n";
    return 2;
  }
  constexpr int kKernels = 20000;
  const std::string folder = argv[1];
  try {
    write_all(folder + "/hostile", tests::hostile_report());
    write_all(folder + "/big", tests::big_report(kKernels));
  } catch (const std::exception& error) {
    std::cerr << folder << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
