// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/report.hpp>
#include <archgrid/system/programs.hpp>
#include <archgrid/system/terminal.hpp>
#include <sstream>
#include <stdexcept>

#include "commands/commands.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kMatrixExamples = R"(Examples:
  archgrid matrix matrices/quick.json
  archgrid matrix matrices/default.json --json    the plan, archgrid.plan/1

The expansion is done by CMake with archgrid's modules: beside the installed command, where it was
built from, or where the environment variable ARCHGRID_MODULES says.)";

struct MatrixOptions {
  std::string file;
  std::string json;  ///< destination; "-": standard output
};

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

constexpr const char* kError = "CMake Error at ";
constexpr const char* kWarning = "CMake Warning at ";

/// Returns the message without its place in CMake code. Returns an empty string unless `errors` is
/// exactly one message() of the kind with indented lines, like those about matrix files.
std::string message_of(const std::string& errors, const std::string& kind) {
  std::istringstream stream(errors);
  std::string line;
  std::getline(stream, line);
  if (!starts_with(line, kind) || !ends_with(line, "(message):")) return {};
  std::string message;
  while (std::getline(stream, line) && line != "Call Stack (most recent call first):") {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    if (!starts_with(line, "    ")) return {};
    message += message.empty() ? line.substr(4) : '\n' + line.substr(2);
  }
  while (std::getline(stream, line)) {
    if (!line.empty() && !starts_with(line, "  ")) return {};
  }
  return message;
}

/// Prints what CMake wrote beside the plan: the warnings about a matrix file without their places.
void print_warnings(const std::string& errors) {
  for (std::size_t begin = 0; begin < errors.size();) {
    const auto next = errors.find(std::string("\n") + kWarning, begin);
    const auto end = next == std::string::npos ? errors.size() : next + 1;
    const auto part = errors.substr(begin, end - begin);
    const auto message = message_of(part, kWarning);
    print(stderr, message.empty() ? part : error_lines("warning: " + message));
    begin = end;
  }
}

/// Returns the standard output of CMake.
std::string expand(const std::string& matrix) {
  const auto script = find_modules("matrix") / "archgrid" / "expand.cmake";
  const auto outcome =
      system::capture({"cmake", "-DMATRIX=" + matrix, "-DWARN=ON", "-P", script.string()});
  const auto message = outcome.good ? std::string() : message_of(outcome.errors, kError);
  if (!message.empty()) throw UsageError(message);
  print_warnings(outcome.errors);
  if (!outcome.good) throw UsageError("the matrix file could not be expanded (see above)");
  return outcome.output;
}

int run_matrix(const MatrixOptions& options) {
  auto documents = json_document(options.json, {options.file});
  const auto plan = expand(options.file);
  if (documents.on_standard_output() == nullptr) {
    print(stdout, report::plan_text(plan, report::style_for(system::kStandardOutput)));
  }
  const bool written = documents.write("--json", [&](const report::Sink& sink) { sink(plan); });
  return written ? kHolds : kTrouble;
}

}  // namespace

void add_matrix(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("matrix", "Show a matrix file's cells, jobs and what each needs");
  auto& options = options_of(*command, run, run_matrix);
  command->footer(kMatrixExamples);
  command->add_option("FILE", options.file, "Matrix file")->required();
  add_json(*command, options.json, "archgrid.plan/1");
  add_color(*command);
}

}  // namespace archgrid::cli
