// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes up promises for tests, and audits one file.
#ifndef ARCHGRID_TESTS_REQUESTS_HPP
#define ARCHGRID_TESTS_REQUESTS_HPP

#include <archgrid/coverage.hpp>
#include <archgrid/words.hpp>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"

namespace archgrid::tests {

inline coverage::Promise promise(std::vector<std::string> devices,
                                 coverage::Verdicts accept = coverage::default_verdicts()) {
  coverage::Promise result;
  result.place = "promises[0]";
  for (const auto& text : devices) result.devices.push_back(device(text));
  result.accept = std::move(accept);
  return result;
}

inline coverage::Request request(std::vector<std::string> devices) {
  coverage::Request result;
  result.promises = {promise(std::move(devices))};
  return result;
}

inline coverage::Audit audit_one(File file, const coverage::Request& wanted) {
  std::vector<File> files;
  files.push_back(std::move(file));
  return coverage::audit(std::move(files), wanted);
}

}  // namespace archgrid::tests

#endif
