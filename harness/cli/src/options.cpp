// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>

#include "commands.hpp"
#include "words.hpp"

namespace archgrid::cli {
namespace {

coverage::Verdict parse_verdict(const std::string& text) {
  if (const auto verdict = coverage::parse_verdict(text)) return *verdict;
  std::vector<std::string> names;
  for (int index = 0; index <= static_cast<int>(coverage::Verdict::empty); ++index) {
    names.emplace_back(coverage::name_of(static_cast<coverage::Verdict>(index)));
  }
  const auto meant = nearest(text, names);
  throw UsageError(fmt::format("--accept: \"{}\" is no verdict: write {}{}", text,
                               meant.empty() ? "" : meant + "; the verdicts are ",
                               promises::either(names)));
}

}  // namespace

std::optional<coverage::Driver> parse_driver(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto driver = coverage::parse_driver(text);
  if (!driver) {
    throw UsageError(
        fmt::format("--driver: \"{}\" is no driver that archgrid knows: write a branch "
                    "like 580 or a CUDA version like 13.0",
                    text));
  }
  if (driver->beyond) {
    const auto& newest = coverage::table().drivers.back();
    throw UsageError(fmt::format(
        "--driver: {} is newer than all that archgrid knows: the newest is {}, for CUDA {}", text,
        newest.branch, newest.cuda.text()));
  }
  return driver;
}

std::optional<coverage::Version> parse_toolkit(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto version = coverage::parse_version(text);
  if (!version || coverage::table().find_toolkit(*version) == nullptr) {
    throw UsageError(fmt::format(
        "--toolkit: \"{}\" is no CUDA toolkit that archgrid knows: write it as 13.0", text));
  }
  return version;
}

coverage::Promise promise_of(const std::vector<std::string>& devices,
                             const std::vector<std::string>& accept) {
  coverage::Promise promise;
  promise.devices = promises::read_gpus(devices);
  if (accept.empty()) return promise;
  promise.accept.clear();
  for (const auto& text : promises::split_list(accept)) promise.accept.insert(parse_verdict(text));
  return promise;
}

}  // namespace archgrid::cli
