// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/list.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/promises/spelling.hpp>
#include <array>
#include <cstdio>

#include "commands.hpp"
#include "inputs.hpp"
#include "kept.hpp"
#include "outputs.hpp"
#include "words.hpp"

namespace archgrid::cli {
namespace {

using report::ListOrder;
using report::ListRequest;

constexpr std::array<const char*, 7> kOrders = {"name", "registers", "stack", "shared",
                                                "code", "spills",    "size"};
constexpr std::array<fatbin::Kind, 5> kKinds = {fatbin::Kind::sass, fatbin::Kind::ptx,
                                                fatbin::Kind::lto, fatbin::Kind::tile,
                                                fatbin::Kind::other};

UsageError unknown_word(const char* option, const char* what, const std::string& word,
                        const std::vector<std::string>& words) {
  const auto meant = nearest(word, words);
  return UsageError(fmt::format("{}: \"{}\" is no {}: write {}{}", option, word, what,
                                meant.empty() ? "" : meant + "; there are ",
                                promises::either(words)));
}

ListOrder parse_order(const std::string& text) {
  const auto found = std::find(kOrders.begin(), kOrders.end(), text);
  if (found != kOrders.end()) return static_cast<ListOrder>(found - kOrders.begin());
  throw unknown_word("--sort", "order", text, list_orders());
}

fatbin::Kind parse_kind(const std::string& text) {
  for (const auto kind : kKinds) {
    if (fatbin::name_of(kind) == text) return kind;
  }
  throw unknown_word("--kind", "kind of image", text, list_kinds());
}

/// Accepts any number, as an image's arch may be newer than the data table.
report::WantedArch parse_arch(const std::string& text) {
  const auto spelled = promises::read_arch(text);
  if (!spelled) {
    throw UsageError(fmt::format(
        "--arch: \"{}\" is no arch of an image: write it as 90 or 90a, sm_90 for its machine code "
        "only, or compute_90 for its PTX",
        text));
  }
  report::WantedArch wanted{spelled->arch.text(), {}};
  if (spelled->code == promises::Code::machine) wanted.kind = fatbin::Kind::sass;
  if (spelled->code == promises::Code::ptx) wanted.kind = fatbin::Kind::ptx;
  return wanted;
}

void expect_one_purpose(const ListOptions& options) {
  const bool more = options.images || options.kernels || options.sizes || !options.json.empty() ||
                    !options.sort.empty() || options.top != 0;
  if (options.names && more) {
    throw UsageError("--names: a line for each kernel, sorted: leave out the other views");
  }
  const bool views = options.images || options.kernels || options.sizes;
  if (options.json == "-" && (views || !options.sort.empty() || options.top != 0)) {
    throw UsageError(
        "--json: it has every image, kernel and size, in the order of the files: leave out "
        "--images, --kernels, --sizes, --sort and --top, or name a file for it (--json=FILE)");
  }
  const bool for_kernels = options.kernels || !views;
  const bool by_size = options.sort.empty() || options.sort == "name" || options.sort == "size";
  if (!for_kernels && !by_size) {
    throw UsageError(fmt::format("--sort {}: orders kernels only: add --kernels", options.sort));
  }
}

ListRequest request_of(const ListOptions& options) {
  ListRequest request;
  for (const auto& arch : promises::split_list(options.archs))
    request.filter.archs.push_back(parse_arch(arch));
  for (const auto& kind : promises::split_list(options.kinds))
    request.filter.kinds.push_back(parse_kind(kind));
  request.filter.kernel = options.kernel;
  if (!options.sort.empty()) request.order = parse_order(options.sort);
  if (options.top != 0) request.top = options.top;
  if (request.top && !request.order) request.order = ListOrder::size;
  expect_one_purpose(options);
  request.images = options.images;
  request.sizes = options.sizes;
  // Ordering or selecting kernels implies showing them.
  const bool picks = request.order.has_value() || !options.kernel.empty();
  request.kernels = options.kernels || (picks && !options.images && !options.sizes);
  return request;
}

/// Reads PTX beside machine code only if the user asks for PTX.
fatbin::Detail detail_of(const ListOptions& options, const report::ListFilter& filter) {
  if (!options.names) return fatbin::Detail::everything;
  const auto is_ptx = [](const auto& kind) { return kind == fatbin::Kind::ptx; };
  const bool asked = std::any_of(filter.kinds.begin(), filter.kinds.end(), is_ptx) ||
                     std::any_of(filter.archs.begin(), filter.archs.end(),
                                 [&](const auto& arch) { return arch.kind && is_ptx(*arch.kind); });
  return asked ? fatbin::Detail::everything : fatbin::Detail::names;
}

int print_errors(const std::vector<fatbin::File>& files) {
  const auto errors = coverage::errors_of(files);
  for (const auto& error : errors) print(stderr, fmt::format("archgrid: {}\n", error));
  return errors.empty() ? kHolds : kTrouble;
}

/// Prints a hint if the pattern matches only parts of names: patterns match whole names.
void hint_at_pattern(const std::string& pattern, const std::vector<fatbin::File>& files) {
  if (pattern.empty() || report::count_matches(pattern, files, 1) > 0) return;
  const auto first = pattern.find_first_not_of('*');
  if (first == std::string::npos) return;
  const auto last = pattern.find_last_not_of('*');
  const auto wide = "*" + pattern.substr(first, last - first + 1) + "*";
  const auto count = report::count_matches(wide, files, std::string::npos);
  if (count == 0) return;
  fmt::print(stderr,
             "archgrid: --kernel {}: it is the whole name of no kernel: write --kernel '{}', which "
             "matches {}\n",
             fatbin::printable(pattern), fatbin::printable(wide), count);
}

}  // namespace

std::vector<std::string> list_orders() {
  return {kOrders.begin(), kOrders.end()};
}

std::vector<std::string> list_kinds() {
  std::vector<std::string> names;
  for (const auto kind : kKinds) names.emplace_back(fatbin::name_of(kind));
  return names;
}

int run_list(const ListOptions& options) {
  auto request = request_of(options);
  auto documents = json_document(options.json, options.files);
  auto& files = kept<std::vector<fatbin::File>>(
      read_inputs(options.files, detail_of(options, request.filter)));
  const int code = print_errors(files);  // from all images, shown or not
  request.there = report::archs_text(files);
  hint_at_pattern(options.kernel, files);
  report::apply(request.filter, files);
  if (options.names) {
    report::list_names(files, [](std::string_view lines) { print(stdout, lines); });
  } else if (documents.on_standard_output() == nullptr) {
    print(stdout, report::list_text(files, request, report::style_for(STDOUT_FILENO)));
  }
  const bool written = documents.write(
      "--json", [&](const report::Sink& sink) { report::list_json(files, request, sink); });
  return written ? code : kTrouble;
}

}  // namespace archgrid::cli
