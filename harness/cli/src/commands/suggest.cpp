// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/promises/matrix.hpp>
#include <archgrid/promises/spelling.hpp>
#include <archgrid/report/suggest.hpp>
#include <archgrid/system/terminal.hpp>

#include "commands/commands.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kSuggestExamples = R"(Examples:
  archgrid suggest --gpu 7.5,8.0,8.6,8.9,9.0,10.0,12.0 --toolkit 13.0
      the fewest archs whose machine code serves these devices
  archgrid suggest --matrix matrices/default.json --ptx
      for each toolkit of a matrix file, with PTX for GPUs newer than promised
  archgrid suggest --gpu 8.0,9.0 --from libx.so
      what each arch of libx.so costs, and which of them nobody needs

Exit codes: 0 the promise can be kept, and FILE keeps it; 1 a device is not served; 2 usage, or an
input that could not be read.)";

struct SuggestOptions {
  std::string matrix;
  std::string toolkit;
  std::string driver;
  std::vector<std::string> devices;
  std::vector<std::string> accept;
  std::vector<std::string> with;
  std::vector<std::string> from;
  bool ptx = false;
  bool no_ptx = false;
  std::string json;  ///< destination; "-": standard output
};

using coverage::Promise;
using coverage::Version;
using report::SuggestReport;

/// The promises, independent of the toolkit.
struct Promised {
  std::optional<coverage::Matrix> matrix;
  std::optional<Promise> promise;  ///< without a matrix file
  std::vector<coverage::ComputeCapability> devices;
  std::optional<coverage::Driver> driver;
};

Promised read_promised(const SuggestOptions& options) {
  Promised promised;
  promised.driver = parse_driver(options.driver);
  if (options.matrix.empty()) {
    if (options.devices.empty()) {
      throw UsageError(
          "suggest: what is promised? Name a matrix file (--matrix M) or the devices "
          "(--gpu 8.0,9.0)");
    }
    promised.promise = promises::promise_of(options.devices, options.accept);
    return promised;
  }
  if (!options.accept.empty()) {
    throw UsageError("--accept: the matrix file says what is accepted: leave out one of the two");
  }
  promised.matrix = coverage::read_matrix(options.matrix);
  promised.devices = promises::read_gpus(options.devices);
  return promised;
}

/// Returns the promises for code built by `toolkit`, restricted to the requested devices.
std::vector<Promise> promises_of(const Promised& promised, Version toolkit) {
  std::vector<Promise> promises;
  if (promised.matrix) {
    promises = coverage::promises_for(*promised.matrix, toolkit);
  } else {
    promises = {*promised.promise};
  }
  const auto& asked = promised.devices;
  for (auto& promise : promises) {
    auto& devices = promise.devices;
    const auto is_outside = [&](coverage::ComputeCapability device) {
      return !asked.empty() && std::find(asked.begin(), asked.end(), device) == asked.end();
    };
    devices.erase(std::remove_if(devices.begin(), devices.end(), is_outside), devices.end());
    if (promised.driver) promise.driver = promised.driver;
  }
  return promises;
}

bool promises_anything(const std::vector<Promise>& promises) {
  return std::any_of(promises.begin(), promises.end(),
                     [](const Promise& promise) { return !promise.devices.empty(); });
}

/// Returns the toolkits of a matrix file that have promises.
std::vector<Version> toolkits_of(const Promised& promised) {
  std::vector<Version> toolkits;
  for (const auto toolkit : promised.matrix->toolkits) {
    const auto& promises = promised.matrix->promises;
    const bool meant = std::any_of(promises.begin(), promises.end(), [&](const Promise& promise) {
      const auto& only = promise.toolkits;
      return only.empty() || std::find(only.begin(), only.end(), toolkit) != only.end();
    });
    if (meant && promises_anything(promises_of(promised, toolkit))) toolkits.push_back(toolkit);
  }
  if (toolkits.empty()) {
    throw UsageError(fmt::format(
        "{}: nothing is promised for {}: promise it, or name a toolkit", promised.matrix->path,
        promised.devices.empty() ? std::string("any of its toolkits")
                                 : coverage::list_devices(promised.devices)));
  }
  return toolkits;
}

/// Returns the toolkits of the table that the files' machine code records, ascending.
std::vector<Version> recorded_in(const std::vector<fatbin::File>& files) {
  std::set<Version> found;
  for (const auto& file : files) {
    for (const auto& image : file.images) {
      const auto version = coverage::parse_version(image.toolkit);
      if (version && coverage::table().find_toolkit(*version) != nullptr) found.insert(*version);
    }
  }
  return {found.begin(), found.end()};
}

/// Returns the newest toolkit that the files record, and says so in `notes`.
Version toolkit_of(const std::vector<fatbin::File>& files, std::vector<std::string>& notes) {
  const auto recorded = recorded_in(files);
  if (recorded.empty()) {
    throw UsageError(
        "--from: no toolkit of archgrid's table is recorded in what was read: say which is to "
        "build it (--toolkit 13.0)");
  }
  const auto newest = recorded.back();
  notes.push_back(
      fmt::format("suggested for CUDA {}, {} that the files were built with (--toolkit "
                  "names another)",
                  newest.text(), recorded.size() == 1 ? "the one" : "the newest of those"));
  return newest;
}

std::vector<fatbin::Arch> parse_archs(const std::vector<std::string>& texts) {
  std::vector<fatbin::Arch> archs;
  for (const auto& text : promises::split_list(texts)) {
    const auto spelled = promises::read_known_arch(text);
    if (!spelled || text.find('-') != std::string::npos) {
      throw UsageError(
          fmt::format("--with: \"{}\" is no architecture: write it as 90, 90a or 100f", text));
    }
    if (spelled->code == promises::Code::ptx) {
      throw UsageError(fmt::format("--with: \"{}\" is PTX: --ptx adds some", text));
    }
    const auto arch = spelled->arch;
    if (std::find(archs.begin(), archs.end(), arch) == archs.end()) archs.push_back(arch);
  }
  return archs;
}

coverage::PtxWish ptx_wish(const SuggestOptions& options) {
  if (options.ptx) return coverage::PtxWish::fallback;
  return options.no_ptx ? coverage::PtxWish::never : coverage::PtxWish::where_accepted;
}

report::SuggestedList plan_toolkit(const SuggestOptions& options,
                                   const std::vector<Promise>& promises, Version toolkit) {
  report::SuggestedList planned;
  auto& request = planned.request;
  request.toolkit = toolkit;
  request.devices = coverage::wanted_devices(promises);
  request.with = parse_archs(options.with);
  request.ptx = ptx_wish(options);
  try {
    planned.plan = coverage::plan_archs(request);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--with: {}", error.what()));
  }
  return planned;
}

/// Throws for a requested device without a promise, which would otherwise be dropped silently.
void expect_promised(const Promised& promised, const std::vector<Version>& toolkits) {
  std::set<coverage::ComputeCapability> devices;
  for (const auto toolkit : toolkits) {
    for (const auto& promise : promises_of(promised, toolkit)) {
      devices.insert(promise.devices.begin(), promise.devices.end());
    }
  }
  const auto missing = promises::unpromised(promised.devices, devices);
  if (!devices.empty() && missing.empty()) return;
  throw UsageError(
      fmt::format("--gpu {}: nothing is promised there", coverage::list_devices(missing)));
}

/// Returns the size of the files on disk; nothing if one is a member of another.
std::optional<std::uint64_t> size_of(const std::vector<fatbin::File>& files) {
  std::uint64_t sum = 0;
  for (const auto& file : files) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file.path, error);
    if (error) return std::nullopt;
    sum += size;
  }
  return sum;
}

report::MeasuredFiles measure(std::vector<fatbin::File> files, const Promised& promised,
                              const std::vector<Promise>& promises,
                              const coverage::ArchPlan& plan) {
  report::MeasuredFiles measured;
  for (const auto& file : files) measured.paths.push_back(file.path);
  measured.file_bytes = size_of(files);
  measured.uses = coverage::arch_use(files, promises, plan.archs);
  coverage::Request request;
  request.promises = promises;
  if (promised.matrix) request.ignores = promised.matrix->ignores;
  request.toolkit = plan.toolkit;
  auto audit = coverage::audit(std::move(files), request);
  measured.findings = std::move(audit.findings);
  measured.errors = std::move(audit.errors);
  return measured;
}

SuggestReport make_report(const SuggestOptions& options) {
  const auto promised = read_promised(options);
  auto files = read_inputs(options.from);
  SuggestReport report;
  std::vector<Version> toolkits;
  if (const auto named = parse_toolkit(options.toolkit)) {
    toolkits = {*named};
  } else if (!files.empty()) {
    toolkits = {toolkit_of(files, report.notes)};
  } else if (promised.matrix) {
    toolkits = toolkits_of(promised);
  } else {
    throw UsageError("suggest: which toolkit is to build it? Name one (--toolkit 13.0)");
  }
  expect_promised(promised, toolkits);
  for (const auto toolkit : toolkits) {
    if (!promised.matrix || promises::is_listed(*promised.matrix, toolkit)) continue;
    report.notes.push_back(fmt::format("{} does not list CUDA {}, but {}", promised.matrix->path,
                                       toolkit.text(), promises::list_toolkits(*promised.matrix)));
  }
  for (const auto toolkit : toolkits) {
    report.toolkits.push_back(plan_toolkit(options, promises_of(promised, toolkit), toolkit));
  }
  if (!files.empty()) {
    report.measured = measure(std::move(files), promised, promises_of(promised, toolkits.front()),
                              report.toolkits.front().plan);
  }
  return report;
}

int run_suggest(const SuggestOptions& options) {
  auto inputs = options.from;
  if (!options.matrix.empty()) inputs.push_back(options.matrix);
  auto documents = json_document(options.json, inputs);
  const auto report = make_report(options);
  if (documents.on_standard_output() == nullptr) {
    print(stdout, report::suggest_text(report, report::style_for(system::kStandardOutput),
                                       columns_of(system::kStandardOutput)));
  }
  const bool written = documents.write(
      "--json", [&](const report::Sink& sink) { sink(report::suggest_json(report)); });
  if (report.measured) {
    for (const auto& error : report.measured->errors) print(stderr, error_lines(error));
    if (!report.measured->errors.empty()) return kTrouble;
  }
  if (!written) return kTrouble;
  return report.findings().empty() ? kHolds : kFindings;
}

}  // namespace

void add_suggest(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("suggest", "Find the shortest list of archs that keeps a promise");
  auto& options = options_of(*command, run, run_suggest);
  command->footer(kSuggestExamples);
  add_matrix_file(*command, options.matrix);
  add_toolkit(*command, options.toolkit,
              "CUDA toolkit that is to build it, as 13.0 (each of the matrix file)");
  add_gpus(*command, options.devices,
           "The promised GPUs, as H100 or 9.0; with --matrix, only these");
  add_accept(*command, options.accept);
  auto* with = add_values(*command, "--with", options.with, "ARCH,...",
                          "Archs to build in any case, as 90a: kernels need their instructions");
  complete_by(with, arch_names());
  add_driver(*command, options.driver, "Oldest driver that must do");
  auto* ptx = command->add_flag("--ptx", options.ptx, "PTX too, for GPUs newer than promised");
  command->add_flag("--no-ptx", options.no_ptx, "No PTX, not even where jit is accepted")
      ->excludes(ptx);
  command->add_option("--from", options.from, "Measure archs in these files, and who needs them")
      ->option_text("FILE...");
  add_json(*command, options.json, "archgrid.suggest/1");
  add_color(*command);
}

}  // namespace archgrid::cli
