// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/promises/lists.hpp>
#include <archgrid/promises/spelling.hpp>
#include <archgrid/report/list.hpp>
#include <archgrid/system/terminal.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "commands/commands.hpp"
#include "inputs.hpp"
#include "kept.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

using report::ListOrder;
using report::ListRequest;

constexpr const char* kListExamples = R"(Examples:
  archgrid list build/libx.so
      an overview, with every kernel where there are few
  archgrid list build/libx.so --sizes
      where the bytes go: by arch, by kernel and, of several files, by file
  archgrid list build/libx.so --sort registers --top 10 --arch 90a
      the kernels that take the most registers in the machine code for 90a
  archgrid list some.whl build/lib
      everything in a wheel and a folder
  archgrid list libx.so --identity > now.txt && diff before.txt now.txt
      which kernels another build changed
  archgrid list gemm.o app --kernel '*gemm*' --json

In tables of kernels a ? stands for what the image does not record, a - for what it does not have.

Exit codes: 0 all was read; 2 usage, or an input that could not be read (on standard error; the
other inputs are listed all the same).)";

struct ListOptions {
  std::vector<std::string> files;
  bool names = false;
  bool identity = false;
  bool images = false;
  bool kernels = false;
  bool sizes = false;
  bool all = false;
  std::vector<std::string> archs;
  std::vector<std::string> kinds;
  std::string kernel;
  std::string sort;
  std::size_t top = 0;  ///< 0: all
  std::string json;     ///< destination; "-": standard output
};

constexpr std::array<const char*, 7> kOrders = {"name", "registers", "stack", "shared",
                                                "code", "spills",    "size"};
constexpr std::array<fatbin::Kind, 5> kKinds = {fatbin::Kind::sass, fatbin::Kind::ptx,
                                                fatbin::Kind::lto, fatbin::Kind::tile,
                                                fatbin::Kind::other};

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto kind : kKinds) names.emplace_back(fatbin::name_of(kind));
  return names;
}

/// Returns the place of an order in kOrders, which lists it.
ListOrder parse_order(const std::string& text) {
  return static_cast<ListOrder>(std::find(kOrders.begin(), kOrders.end(), text) - kOrders.begin());
}

fatbin::Kind parse_kind(const std::string& text) {
  for (const auto kind : kKinds) {
    if (fatbin::name_of(kind) == text) return kind;
  }
  throw UsageError("--kind: " + promises::unknown_word(text, "kind", kind_names()));
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
  if (options.names && (more || options.identity)) {
    throw UsageError("--names: a line for each kernel, sorted: leave out the other views");
  }
  const bool views = options.images || options.kernels || options.sizes;
  if (options.identity && (views || !options.sort.empty() || options.top != 0)) {
    throw UsageError(
        "--identity: a line for each kernel and arch, sorted: leave out the other views");
  }
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
  // Scripts look for names in pipes and files.
  const bool shortens =
      system::is_terminal(system::kStandardOutput) || std::getenv("COLUMNS") != nullptr;
  if (!options.all && shortens) request.columns = columns_of(system::kStandardOutput);
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
  for (const auto& error : errors) print(stderr, error_lines(error));
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
  print(stderr,
        error_lines(fmt::format("--kernel {}: it is the whole name of no kernel: write --kernel "
                                "'{}', which matches {}",
                                pattern, wide, count)));
}

int run_list(const ListOptions& options) {
  auto request = request_of(options);
  auto documents = json_document(options.json, options.files);
  fatbin::ReadOptions reading(detail_of(options, request.filter));
  if (options.identity) reading.wants_identities = [](const fatbin::Image&) { return true; };
  auto& files = kept<std::vector<fatbin::File>>(read_inputs(options.files, reading));
  const int code = print_errors(files);  // from all images, shown or not
  request.there = report::archs_text(files);
  hint_at_pattern(options.kernel, files);
  report::apply(request.filter, files);
  if (options.names) {
    report::list_names(files, [](std::string_view lines) { print(stdout, lines); });
  } else if (documents.on_standard_output() != nullptr) {
    // The document is written below.
  } else if (options.identity) {
    report::list_identities(files, [](std::string_view lines) { print(stdout, lines); });
  } else {
    print(stdout, report::list_text(files, request, report::style_for(system::kStandardOutput)));
  }
  const bool written = documents.write(
      "--json", [&](const report::Sink& sink) { report::list_json(files, request, sink); });
  return written ? code : kTrouble;
}

}  // namespace

void add_list(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("list", "Show what is inside: modules, images, kernels");
  auto& options = options_of(*command, run, run_list);
  command->footer(kListExamples);
  command->add_option("FILE", options.files, "Files, archives and folders to read")->required();
  command->add_flag("--names", options.names,
                    "Mangled names and archs of kernels, a line each, and nothing else: fast, "
                    "since PTX in a module with machine code is left out");
  command->add_flag("--identity", options.identity,
                    "A hash of what the GPU executes, for each kernel and arch: changes with "
                    "machine code, constants and resources, and with nothing else; also in --json");
  command->add_flag("--images", options.images, "Every image");
  command->add_flag("--kernels", options.kernels,
                    "Every kernel, with what each of its bodies takes");
  command->add_flag("--sizes", options.sizes, "Bytes by arch, by kernel and by file");
  command->add_flag("--all", options.all,
                    "Names of kernels in full on a terminal, too, as in pipes and files");
  auto* arch = add_values(
      *command, "--arch", options.archs, "ARCH,...",
      "Only images for these archs, as 90a; of sm_90a the machine code, of compute_90a the PTX");
  complete_by(arch, arch_names());
  auto* kind = add_values(*command, "--kind", options.kinds, "KIND,...",
                          "Only images of these kinds: sass, ptx, lto, tile");
  complete_by(kind, kind_names());
  command
      ->add_option("--kernel", options.kernel,
                   "Only kernels whose whole name matches, mangled, demangled or as the map shows "
                   "it; * and ? "
                   "stand for others")
      ->option_text("PATTERN");
  auto* sort = command->add_option(
      "--sort", options.sort,
      "name, or the largest first: registers, stack, shared, code, spills, size");
  accept_only(sort->option_text("ORDER"), "order", {kOrders.begin(), kOrders.end()});
  command->add_option("--top", options.top, "Only the first N of each table, by size unless sorted")
      ->option_text("N")
      ->check(positive("rows"));
  add_json(*command, options.json, "archgrid.list/1");
  add_color(*command);
}

}  // namespace archgrid::cli
