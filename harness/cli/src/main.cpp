// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments and exit codes: 0 the promise holds, 1 findings, 2 usage or an unreadable input.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "command_line.hpp"
#include "commands.hpp"
#include "perf.hpp"
#include "version.hpp"
#include "words.hpp"

namespace {

using namespace archgrid::cli;

/// An option whose value may be left out stands in the help as "--json[=FILE]".
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    auto name = CLI::Formatter::make_option_name(option, is_positional);
    return name.substr(0, name.find('{'));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const auto& text = option->get_option_text();
    if (option->get_positional()) return option->get_items_expected_max() > 1 ? " ..." : "";
    return text.rfind("[=", 0) == 0 ? text : CLI::Formatter::make_option_opts(option);
  }
};

constexpr const char* kAuditExamples = R"(Examples:
  archgrid audit libx.so --matrix matrices/default.json --toolkit 13.0
      every kernel for every device that the matrix promises for CUDA 13.0
  archgrid audit libx.so --device 8.0,9.0 --accept native
      without a matrix file
  archgrid audit some.whl build/lib --device 8.0,9.0
      everything in a wheel and a folder
  archgrid audit --tree build/matrix
      every cell that was built there
  archgrid audit libx.so --device 9.0 --html audit.html --json=audit.json
      the map here, and what programs and people read in files; FILE may be - for standard output

Exit codes: 0 the promise holds; 1 findings (on standard output); 2 usage, or an input that could
not be read (on standard error; the other inputs are audited all the same).)";

constexpr const char* kListExamples = R"(Examples:
  archgrid list build/libx.so
      an overview, with every kernel where there are few
  archgrid list build/libx.so --sizes
      where the bytes go: by arch, by kernel and, of several files, by file
  archgrid list build/libx.so --sort registers --top 10 --arch 90a
      the kernels that take the most registers in the machine code for 90a
  archgrid list some.whl build/lib
      everything in a wheel and a folder
  archgrid list gemm.o app --kernel '*gemm*' --json

In tables of kernels a ? stands for what the image does not record, a - for what it does not have.

Exit codes: 0 all was read; 2 usage, or an input that could not be read (on standard error; the
other inputs are listed all the same).)";

constexpr const char* kDiffExamples = R"(Examples:
  archgrid diff libx.so.1.0 libx.so.1.1
      for every device that archgrid knows
  archgrid diff dist-1.0 dist-1.1 --devices 8.0,8.6,9.0 --driver 580
      folders: their files are paired by name, whatever versions are in the names
  archgrid diff old.so new.so --strict --markdown comment.md
      for a pull request that is to keep every kernel

Exit codes: 0 no coverage lost; 1 kernels are served no longer, or less well (compiled when they are
loaded instead of native), or no kernel runs on a device any more; 2 usage, an input that could not
be read (the comparison is then not whole), or nothing to compare.)";

constexpr const char* kMatrixExamples = R"(Examples:
  archgrid matrix matrices/quick.json
  archgrid matrix matrices/default.json --json    the plan, archgrid.plan/1

The expansion is done by CMake with archgrid's modules: beside the installed command, where it was
built from, or where the environment variable ARCHGRID_MODULES says.)";

constexpr const char* kPlanExamples = R"(Examples:
  archgrid plan --device 7.5,8.0,8.6,8.9,9.0,10.0,12.0 --toolkit 13.0
      the fewest archs whose machine code serves these devices
  archgrid plan --matrix matrices/default.json --ptx
      for each toolkit of a matrix file, with PTX for GPUs newer than promised
  archgrid plan --device 8.0,9.0 --from libx.so
      what each arch of libx.so costs, and which of them nobody needs

Exit codes: 0 the promise can be kept, and FILE keeps it; 1 a device is not served; 2 usage, or an
input that could not be read.)";

constexpr const char* kGateExitCodes = R"(
Exit codes: 0 no benchmark is SLOWER; 1 one is, or one has NO_DATA (unless --allow-no-data); 2 usage,
or a file or a run that failed. AMBIGUOUS and NO_BASELINE do not fail.)";

constexpr const char* kCompareExamples = R"(Examples:
  archgrid perf compare base.json new.json
      files that archgrid perf run saved, or that archgrid perf merge put together
  archgrid perf compare base.json new.json --tolerance 5 --negligible 1
      for benchmarks in which a small change does not matter
  archgrid perf compare base.json new.json --by-order
      files of runs that something else has interleaved
)";

constexpr const char* kMergeExamples = R"(Examples:
  archgrid perf merge h200.json monday.json tuesday.json
  archgrid perf merge h200.json h200.json today.json
      OUT may be one of the files

Exit codes: 0 merged; 2 usage, a file that could not be read, or files of different keys.)";

constexpr const char* kRunExamples = R"(Examples:
  archgrid perf run --base old/gemm_perf --new new/gemm_perf
  archgrid perf run --base old/gemm_perf --new new/gemm_perf --pairs 60 -- --gtest_filter='Gemm*'
      ARG are arguments of both programs
  archgrid perf run --base old/gemm_perf --new new/gemm_perf --save-base base.json --save-new new.json

Each run gets the name of a file in ARCHGRID_PERF_RECORD and writes archgrid.perf/1 to it. The order
is base, new, new, base, and so on.
)";

constexpr const char* kCompletionExamples = R"(Examples:
  source <(archgrid completion bash)
  archgrid completion zsh > ~/.zfunc/_archgrid
  archgrid completion fish > ~/.config/fish/completions/archgrid.fish)";

constexpr const char* kEnvironment = R"(Environment:
  NO_COLOR             any value: no colours, on a terminal either
  GITHUB_STEP_SUMMARY  the file that --github appends the summary to; GitHub Actions sets it
  ARCHGRID_MODULES     where archgrid's CMake modules are, if not beside the command

Exit codes: 0 all is well; 1 findings; 2 usage, or an input or an output that failed.)";

/// Several values, between commas.
CLI::Option* add_list(CLI::App& command, const char* names, std::vector<std::string>& values,
                      const char* text, const char* what) {
  return command.add_option(names, values, what)
      ->option_text(text)
      ->delimiter(',')
      ->allow_extra_args(false);
}

CLI::Option* add_devices(CLI::App& command, std::vector<std::string>& devices, const char* what) {
  return add_list(command, "--device,--devices", devices, "DEVICE,...", what);
}

CLI::Option* add_accept(CLI::App& command, std::vector<std::string>& verdicts) {
  return add_list(command, "--accept", verdicts, "VERDICT,...",
                  "Verdicts to accept without --matrix (native,compatible)");
}

CLI::Option* add_matrix_file(CLI::App& command, std::string& matrix) {
  return command.add_option("--matrix", matrix, "Matrix file whose promises are to be kept")
      ->option_text("FILE");
}

CLI::Option* add_driver(CLI::App& command, std::string& driver, const std::string& what) {
  return command.add_option("--driver", driver, what + ": a branch (580) or a CUDA version (13.0)")
      ->option_text("DRIVER");
}

CLI::Option* add_json(CLI::App& command, std::string& path, const std::string& schema) {
  return command.add_flag("--json{-}", path, "Write " + schema + " instead, or to a file")
      ->option_text("[=FILE]");
}

/// Takes whole numbers from 1 on.
CLI::Validator positive() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const bool digits = !text.empty() && text.size() < 10 &&
                            text.find_first_not_of("0123456789") == std::string::npos;
        if (digits && text.find_first_not_of('0') != std::string::npos) return {};
        return fmt::format("\"{}\" is no number of rows: write 1 or more", text);
      },
      "");
}

void add_outputs(CLI::App& command, AuditOptions& options) {
  const auto add = [&command](const char* name, std::string& path, const char* what) {
    command.add_option(name, path, what)->option_text("FILE")->group("Output");
  };
  command.add_flag("--all", options.all, "Show every kernel and finding, however many")
      ->group("Output");
  add_json(command, options.json, "archgrid.audit/1")->group("Output");
  add("--html", options.html, "Write one HTML page: the coverage as a picture, to be searched");
  add("--markdown", options.markdown, "Write Markdown");
  add("--junit", options.junit, "Write JUnit's XML");
  add("--sarif", options.sarif, "Write SARIF 2.1.0");
  command
      .add_flag("--github", options.github,
                "In GitHub Actions: annotate the run, and write its step summary")
      ->group("Output");
}

CLI::App* add_audit(CLI::App& app, AuditOptions& options) {
  auto* command = app.add_subcommand(
      "audit", "Judge every kernel of the files for every promised device, without a GPU");
  command->footer(kAuditExamples);
  command->add_option("FILE", options.files,
                      "What holds device code: executables, libraries, objects, .cubin, .fatbin, "
                      ".ptx, wheels, packages, other archives, or folders");
  add_matrix_file(*command, options.matrix);
  command
      ->add_option("--tree", options.tree,
                   "Build tree of a matrix: audit every cell its plan names")
      ->option_text("FOLDER");
  command
      ->add_option("--toolkit", options.toolkit,
                   "CUDA toolkit that built the files, as 13.0: one that the matrix file lists")
      ->option_text("TOOLKIT");
  command->add_flag("--like-other-kernels", options.like_other_kernels,
                    "Instead of a promise: a kernel must have what most kernels of its file have; "
                    "so it is where nothing is promised");
  command->add_flag("--every-byte", options.every_byte,
                    "Decompress what no verdict depends on, too, so that damage there is an error");
  add_devices(*command, options.devices,
              "Only these devices, as 9.0 or sm_90; without --matrix, the promised ones");
  add_accept(*command, options.accept);
  command
      ->add_option("--arch", options.arch,
                   "Only the devices that this arch serves, as 90a, sm_90a or 120-virtual")
      ->option_text("ARCH");
  command
      ->add_option("--cell", options.cell,
                   "Cell that findings name; with --tree, the only one to audit")
      ->option_text("CELL");
  add_driver(*command, options.driver, "Oldest driver that must do, for machine code and PTX");
  add_outputs(*command, options);
  return command;
}

CLI::App* add_list(CLI::App& app, ListOptions& options) {
  auto* command = app.add_subcommand("list", "Show what is inside: modules, images, kernels");
  command->footer(kListExamples);
  command->add_option("FILE", options.files, "Files, archives and folders to read")->required();
  command->add_flag("--names", options.names,
                    "Mangled names and archs of kernels, a line each, and nothing else: fast, "
                    "since PTX in a module with machine code is left out");
  command->add_flag("--images", options.images, "Every image");
  command->add_flag("--kernels", options.kernels,
                    "Every kernel, with what each of its bodies takes");
  command->add_flag("--sizes", options.sizes, "Bytes by arch, by kernel and by file");
  add_list(
      *command, "--arch", options.archs, "ARCH,...",
      "Only images for these archs, as 90a; of sm_90a the machine code, of compute_90a the PTX");
  add_list(*command, "--kind", options.kinds, "KIND,...",
           "Only images of these kinds: sass, ptx, lto, tile");
  command
      ->add_option("--kernel", options.kernel,
                   "Only kernels whose whole name matches, mangled, demangled or as the map shows "
                   "it; * and ? "
                   "stand for others")
      ->option_text("PATTERN");
  command
      ->add_option("--sort", options.sort,
                   "name, or the largest first: registers, stack, shared, code, spills, size")
      ->option_text("ORDER");
  command->add_option("--top", options.top, "Only the first N of each table, by size unless sorted")
      ->option_text("N")
      ->check(positive());
  add_json(*command, options.json, "archgrid.list/1");
  return command;
}

CLI::App* add_diff(CLI::App& app, DiffOptions& options) {
  auto* command =
      app.add_subcommand("diff", "Show what changed: coverage, kernels, what they take, and sizes");
  command->footer(kDiffExamples);
  command->add_option("OLD", options.before, "What was shipped")->required();
  command->add_option("NEW", options.after, "What is to be")->required();
  add_devices(*command, options.devices,
              "Only coverage of these devices, as 9.0 (all that archgrid knows)");
  add_driver(*command, options.driver, "Judge PTX for this driver");
  command->add_flag("--strict", options.strict, "Kernels and files that are gone are lost too");
  command->add_flag("--all", options.all, "Every kernel a row, in text and Markdown");
  add_json(*command, options.json, "archgrid.diff/1");
  command->add_option("--markdown", options.markdown, "Write Markdown")->option_text("FILE");
  return command;
}

CLI::App* add_matrix(CLI::App& app, MatrixOptions& options) {
  auto* command =
      app.add_subcommand("matrix", "Show a matrix file's cells, jobs and what each needs");
  command->footer(kMatrixExamples);
  command->add_option("FILE", options.file, "Matrix file")->required();
  add_json(*command, options.json, "archgrid.plan/1");
  return command;
}

CLI::App* add_plan(CLI::App& app, PlanOptions& options) {
  auto* command =
      app.add_subcommand("plan", "Find the shortest list of archs that keeps a promise");
  command->footer(kPlanExamples);
  add_matrix_file(*command, options.matrix);
  command
      ->add_option("--toolkit", options.toolkit,
                   "CUDA toolkit that is to build it, as 13.0 (each of the matrix file)")
      ->option_text("TOOLKIT");
  add_devices(*command, options.devices, "The promised devices, as 9.0; with --matrix, only these");
  add_accept(*command, options.accept);
  add_list(*command, "--with", options.with, "ARCH,...",
           "Archs to build in any case, as 90a: kernels need their instructions");
  add_driver(*command, options.driver, "Oldest driver that must do");
  auto* ptx = command->add_flag("--ptx", options.ptx, "PTX too, for GPUs newer than promised");
  command->add_flag("--no-ptx", options.no_ptx, "No PTX, not even where jit is accepted")
      ->excludes(ptx);
  command->add_option("--from", options.from, "Measure archs in these files, and who needs them")
      ->option_text("FILE...");
  add_json(*command, options.json, "archgrid.arch-plan/1");
  return command;
}

void add_gate(CLI::App& command, GateOptions& gate) {
  command
      .add_option("--negligible", gate.negligible,
                  "A change that is surely bigger is SLOWER or FASTER, in percent (0.1)")
      ->option_text("PERCENT");
  command
      .add_option("--tolerance", gate.tolerance,
                  "A change that is surely smaller, and not one of those, is SAME, in percent (2)")
      ->option_text("PERCENT");
  command.add_flag("--allow-no-data", gate.allow_no_data,
                   "Do not fail where a benchmark has NO_DATA");
  add_json(command, gate.json, "archgrid.perf-compare/1");
  command.add_option("--markdown", gate.markdown, "Write Markdown")->option_text("FILE");
  command.add_flag("--github", gate.github,
                   "In GitHub Actions: annotate the run, and write its step summary");
}

struct PerfOptions {
  PerfKeepOptions keep;
  PerfReportOptions report;
  PerfCompareOptions compare;
  PerfMergeOptions merge;
  PerfRunOptions run;
};

void add_perf_compare(CLI::App& perf, PerfCompareOptions& options) {
  auto* command =
      perf.add_subcommand("compare", "Decide whether a new build is slower than its base");
  command->footer(std::string(kCompareExamples) + kGateExitCodes);
  command->add_option("BASE", options.base, "What was measured of the base, archgrid.perf/1")
      ->required();
  command->add_option("NEW", options.fresh, "What was measured of the new build")->required();
  command->add_flag("--by-order", options.by_order,
                    "Take the runs of both for pairs in their order: they were interleaved so");
  add_gate(*command, options.gate);
}

void add_perf_merge(CLI::App& perf, PerfMergeOptions& options) {
  auto* command = perf.add_subcommand("merge", "Put files of one key together");
  command->footer(kMergeExamples);
  command->add_option("OUT", options.out, "File to write; - for standard output")->required();
  command->add_option("FILE", options.files, "Files to read, archgrid.perf/1")->required();
}

void add_perf_run(CLI::App& perf, PerfRunOptions& options) {
  auto* command = perf.add_subcommand("run", "Run two builds of a benchmark in turn, and decide");
  command->footer(std::string(kRunExamples) + kGateExitCodes);
  command->add_option("--base", options.base, "The base's program")
      ->option_text("PROGRAM")
      ->required();
  command->add_option("--new", options.fresh, "The new build's program")
      ->option_text("PROGRAM")
      ->required();
  command->add_option("--pairs", options.pairs, "How often each is run (30)")
      ->option_text("N")
      ->check(positive());
  command->add_option("--save-base", options.save_base, "Write what was measured of the base")
      ->option_text("FILE");
  command->add_option("--save-new", options.save_new, "Write what was measured of the new build")
      ->option_text("FILE");
  add_gate(*command, options.gate);
  command->add_option("ARG", options.arguments, "Arguments of both programs, after --");
}

void add_perf_keep(CLI::App& perf, PerfKeepOptions& options) {
  auto* command = perf.add_subcommand("keep", "Add measurements to a history");
  command->footer(
      "Examples:\n  archgrid perf keep history.db today.json\n\n"
      "Exit codes: 0 kept; 2 usage, or a file that could not be read or written.");
  command->add_option("HISTORY", options.history, "SQLite database; made where there is none")
      ->required();
  command->add_option("FILE", options.files, "Files to keep, archgrid.perf/1")->required();
}

void add_perf_report(CLI::App& perf, PerfReportOptions& options) {
  auto* command =
      perf.add_subcommand("report", "Draw distributions, history and roofline of measurements");
  command->footer(
      "Examples:\n  archgrid perf report base.json new.json --html perf.html\n"
      "  archgrid perf report --history history.db --html perf.html --markdown perf.md\n\n"
      "Exit codes: 0 written; 2 usage, or a file that could not be read or written.");
  command->add_option("FILE", options.files, "Files to draw, archgrid.perf/1");
  command->add_option("--history", options.history, "History to draw, of archgrid perf keep")
      ->option_text("HISTORY");
  command->add_option("--html", options.html, "Write one HTML page that needs nothing else")
      ->option_text("FILE");
  command->add_option("--markdown", options.markdown, "Write Markdown")->option_text("FILE");
}

CLI::App* add_perf(CLI::App& app, PerfOptions& options) {
  auto* command = app.add_subcommand("perf", "Compare measurements of two builds, and decide");
  command->require_subcommand(1);
  add_perf_compare(*command, options.compare);
  add_perf_merge(*command, options.merge);
  add_perf_run(*command, options.run);
  add_perf_report(*command, options.report);
  add_perf_keep(*command, options.keep);
  return command;
}

int run_perf(const CLI::App& perf, const PerfOptions& options) {
  if (perf.got_subcommand("compare")) return run_perf_compare(options.compare);
  if (perf.got_subcommand("merge")) return run_perf_merge(options.merge);
  if (perf.got_subcommand("report")) return run_perf_report(options.report);
  if (perf.got_subcommand("keep")) return run_perf_keep(options.keep);
  return run_perf_run(options.run);
}

/// Not for people, and so in no help text: ctest calls it (CTEST_CUSTOM_POST_TEST).
CLI::App* add_after_tests(CLI::App& app, std::string& tree) {
  auto* command = app.add_subcommand("after-tests", "What ctest closes with in a matrix tree");
  command->group("");
  command->add_option("TREE", tree, "Build tree of a matrix")->required();
  return command;
}

CLI::App* add_completion(CLI::App& app, std::string& shell) {
  auto* command = app.add_subcommand("completion", "Write what completes this command in a shell");
  command->footer(kCompletionExamples);
  command->add_option("SHELL", shell, "bash, zsh or fish")->required();
  return command;
}

CLI::App* add_man(CLI::App& app) {
  auto* command = app.add_subcommand("man", "Write the manual page");
  command->footer("Examples:\n  archgrid man | man -l -");
  return command;
}

CLI::App* add_help(CLI::App& app, std::string& topic) {
  auto* command = app.add_subcommand("help", "Show this, or the help of a command");
  command->add_option("COMMAND", topic, "Command to explain");
  return command;
}

/// The commands that people call.
std::vector<std::string> commands_of(CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

std::string commands_for(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".json") return "archgrid matrix " + file;
  return fmt::format("archgrid audit {} --device 8.0,9.0, or archgrid list {}", file, file);
}

UsageError no_command(CLI::App& app, const std::string& word) {
  const auto names = commands_of(app);
  std::error_code error;
  if (std::filesystem::is_regular_file(word, error)) {
    return UsageError(
        fmt::format("{} is a file, and a command comes before it: {}", word, commands_for(word)));
  }
  const auto meant = nearest(word, names);
  return UsageError(fmt::format("\"{}\" is no command: write {}{}", word,
                                meant.empty() ? "" : meant + "; the commands are ", either(names)));
}

int show_help(CLI::App& app, const std::string& topic) {
  const auto names = commands_of(app);
  app.clear();  // or the help of `help` is shown
  if (topic.empty()) {
    fmt::print("{}", app.help());
  } else if (std::find(names.begin(), names.end(), topic) != names.end()) {
    fmt::print("{}", app.get_subcommand(topic)->help(app.get_name()));
  } else {
    throw no_command(app, topic);
  }
  return kHolds;
}

/// "perf compare"
std::string name_of(const CLI::App& command) {
  const auto* outer = command.get_parent();
  const bool is_inner = outer != nullptr && outer->get_parent() != nullptr;
  return (is_inner ? name_of(*outer) + " " : "") + command.get_name();
}

/// What cannot be understood after a command.
UsageError no_option(const CLI::App& command, const std::string& word) {
  if (word.empty() || word[0] != '-') {
    return UsageError(fmt::format("{} is one too many: archgrid {} --help shows what it takes",
                                  word, name_of(command)));
  }
  std::vector<std::string> names;
  for (const auto* option : command.get_options({})) {
    for (const auto& name : option->get_lnames()) {
      if (name != "help") names.push_back("--" + name);  // who means that gets it in any case
    }
  }
  const auto typed = word.substr(0, word.find('='));
  const auto meant = nearest(typed, names);
  return UsageError(fmt::format("{}: \"{}\" is no option: {}archgrid {} --help shows all",
                                name_of(command), typed,
                                meant.empty() ? "" : "write " + meant + "; ", name_of(command)));
}

/// "FILE" of --html; "a value" where the option does not say.
std::string value_of(const CLI::App& command, const std::string& name) {
  const auto* option = command.get_option_no_throw(name);
  const auto value = option == nullptr ? std::string() : option->get_option_text();
  return value.empty() ? "a value" : value;
}

/// What CLI11 says, in words for people. It begins with the option, or with the FILE that lacks.
std::string in_words(const CLI::App& command, const CLI::ParseError& error) {
  const std::string said = error.what();
  const auto name = said.substr(0, said.find_first_of(": "));
  const auto kind = error.get_name();
  if (kind == "ArgumentMismatch" && said.find("At Most") != std::string::npos) {
    return fmt::format("{} is given more than once: give it once", name);
  }
  if (kind == "ArgumentMismatch") {
    return fmt::format("{} needs a value: write {} {}", name, name, value_of(command, name));
  }
  if (kind == "RequiredError") {
    return fmt::format("{} is missing: archgrid {} --help has examples", name, name_of(command));
  }
  if (kind == "ExcludesError") {
    const auto other = said.substr(said.rfind(' ') + 1);
    return fmt::format("{} and {} exclude each other: leave out one of the two", name, other);
  }
  return said;
}

/// `--html --json` has lost the value of --html.
void refuse_options_as_values(CLI::App& app) {
  for (auto* command : app.get_subcommands({})) {
    refuse_options_as_values(*command);
    for (auto* option : command->get_options({})) {
      if (option->get_positional() || option->get_items_expected_min() == 0) continue;
      option->check(CLI::Validator(
          [command, option](const std::string& text) -> std::string {
            const bool is_option =
                text.rfind("--", 0) == 0 && command->get_option_no_throw(text) != nullptr;
            if (!is_option) return {};
            return fmt::format("it takes a value, and {} is an option: write {} {}", text,
                               option->get_name(), value_of(*command, option->get_name()));
          },
          ""));
    }
  }
}

/// A command of commands was given none that it has.
void expect_inner_command(const CLI::App& command, const std::vector<std::string>& left) {
  std::vector<std::string> names;
  for (const auto* inner : command.get_subcommands({})) names.push_back(inner->get_name());
  if (names.empty()) return;
  const auto choice = either(names);
  if (left.empty()) throw UsageError(fmt::format("{}: write {}", name_of(command), choice));
  throw UsageError(
      fmt::format("\"{}\" is no command of {}: write {}", left.front(), name_of(command), choice));
}

/// The command whose arguments were read last: `perf compare` rather than `perf`.
CLI::App* innermost(CLI::App* command) {
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

int refuse(CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  auto commands = app.get_subcommands();
  if (!commands.empty()) {
    commands.front() = innermost(commands.front());
    expect_inner_command(*commands.front(), app.remaining(true));
    // Whatever else lacks may be what a mistyped option was to give.
    const auto left = app.remaining(true);
    const auto option = std::find_if(left.begin(), left.end(),
                                     [](const auto& word) { return word.rfind("-", 0) == 0; });
    if (option != left.end()) throw no_option(*commands.front(), *option);
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !left.empty()) {
      throw no_option(*commands.front(), left.front());
    }
    const auto& command = *commands.front();
    throw UsageError(fmt::format("{}: {}", name_of(command), in_words(command, error)));
  }
  if (error.get_name() != "RequiredError") throw UsageError(error.what());
  const auto words = app.remaining();
  if (!words.empty()) throw no_command(app, words.front());
  fmt::print(stderr, "{}", app.help());
  return kTrouble;
}

int dispatch(int argc, char** argv) {
  CLI::App app("Builds, audits and tests CUDA code for every GPU that it promises to support.",
               "archgrid");
  app.set_version_flag("--version", std::string("archgrid ") + archgrid::cli::kVersion);
  app.require_subcommand(1);
  AuditOptions audit;
  ListOptions list;
  DiffOptions diff;
  MatrixOptions matrix;
  PlanOptions plan;
  PerfOptions perf;
  std::string tested_tree;
  std::string shell;
  std::string topic;
  app.formatter(std::make_shared<Formatter>());
  app.footer(kEnvironment);
  const auto* audit_command = add_audit(app, audit);
  const auto* list_command = add_list(app, list);
  const auto* diff_command = add_diff(app, diff);
  add_matrix(app, matrix);
  const auto* plan_command = add_plan(app, plan);
  const auto* perf_command = add_perf(app, perf);
  const auto* after_tests_command = add_after_tests(app, tested_tree);
  const auto* completion_command = add_completion(app, shell);
  const auto* man_command = add_man(app);
  const auto* help_command = add_help(app, topic);
  refuse_options_as_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return refuse(app, error);
  }
  if (help_command->parsed()) return show_help(app, topic);
  if (completion_command->parsed()) {
    fmt::print("{}", completion_script(read_command_line(app), shell));
    return kHolds;
  }
  if (man_command->parsed()) {
    fmt::print("{}", manual_page(read_command_line(app), kVersion));
    return kHolds;
  }
  if (audit_command->parsed()) return run_audit(audit);
  if (list_command->parsed()) return run_list(list);
  if (diff_command->parsed()) return run_diff(diff);
  if (plan_command->parsed()) return run_plan(plan);
  if (perf_command->parsed()) return run_perf(*perf_command, perf);
  if (after_tests_command->parsed()) return run_after_tests(tested_tree);
  return run_matrix(matrix);
}

/// What went wrong, harmless for a terminal. A fix may stand on a line of its own.
std::string error_lines(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines += archgrid::fatbin::printable(text.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return lines;
}

// What is freed stays with the process: memory that goes back to the system is zeroed when it is
// taken again, and large files take and free hundreds of megabytes.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestThatItTakes = 32 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargestThatItTakes);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too big is an error like a full disk
  try {
    const int outcome = dispatch(argc, argv);
    // A report that a full disk has cut is none.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw std::runtime_error(fmt::format("cannot write the output: {}", std::strerror(errno)));
    }
    return outcome;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "archgrid: there is not enough memory: name fewer files at once\n");
    return archgrid::cli::kTrouble;
  } catch (const std::exception& error) {
    fmt::print(stderr, "archgrid: {}", error_lines(error.what()));
    return archgrid::cli::kTrouble;
  }
}
