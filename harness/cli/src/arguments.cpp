// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <vector>

namespace archgrid::cli {
namespace {

constexpr const char* kAuditExamples = R"(Examples:
  archgrid audit some.whl
      what in a package does not run where the package runs
  archgrid audit some.whl build/lib --gpu H100,A100
      whether it runs there, everything in a wheel and a folder
  archgrid audit libx.so --gpu 8.0,9.0 --accept native
      whether every kernel keeps this promise
  archgrid audit libx.so --matrix matrices/default.json --toolkit 13.0
      every kernel for every GPU that the matrix file promises for CUDA 13.0
  archgrid audit --tree build/matrix
      every cell that was built there
  archgrid audit some-1.1.whl --baseline some-1.0.json
      only what is new since: archgrid audit some-1.0.whl --json=some-1.0.json
  archgrid audit libx.so --html audit.html --json=audit.json
      the table here, and what programs and people read in files; FILE may be - for standard output

Exit codes: 0 no errors; 1 errors (on standard output); 2 usage, or an input that could not be read
(on standard error; the other inputs are audited all the same).)";

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

constexpr const char* kSuggestExamples = R"(Examples:
  archgrid suggest --device 7.5,8.0,8.6,8.9,9.0,10.0,12.0 --toolkit 13.0
      the fewest archs whose machine code serves these devices
  archgrid suggest --matrix matrices/default.json --ptx
      for each toolkit of a matrix file, with PTX for GPUs newer than promised
  archgrid suggest --device 8.0,9.0 --from libx.so
      what each arch of libx.so costs, and which of them nobody needs

Exit codes: 0 the promise can be kept, and FILE keeps it; 1 a device is not served; 2 usage, or an
input that could not be read.)";

constexpr const char* kCompletionExamples = R"(Examples:
  source <(archgrid completion bash)
  archgrid completion zsh > ~/.zfunc/_archgrid
  archgrid completion fish > ~/.config/fish/completions/archgrid.fish)";

/// Adds an option with several values, separated by commas.
CLI::Option* add_list(CLI::App& command, const char* names, std::vector<std::string>& values,
                      const char* text, const char* what) {
  return command.add_option(names, values, what)
      ->option_text(text)
      ->delimiter(',')
      ->allow_extra_args(false);
}

CLI::Option* add_devices(CLI::App& command, std::vector<std::string>& devices, const char* what) {
  return add_list(command, "--gpu,--gpus,--device,--devices", devices, "GPU,...", what);
}

CLI::Option* add_accept(CLI::App& command, std::vector<std::string>& verdicts) {
  return add_list(
      command, "--accept", verdicts, "VERDICT,...",
      "Verdicts to accept (native,compatible); beside `audit --gpu` they make a promise");
}

CLI::Option* add_matrix_file(CLI::App& command, std::string& matrix, const std::string& more = "") {
  return command.add_option("--matrix", matrix, "Matrix file whose promises are to be kept" + more)
      ->option_text("FILE");
}

CLI::Option* add_driver(CLI::App& command, std::string& driver, const std::string& what) {
  return command.add_option("--driver", driver, what + ": a branch (580) or a CUDA version (13.0)")
      ->option_text("DRIVER");
}

/// Sets the colour mode in the environment, so that child processes inherit it.
void set_color(const std::string& when) {
  if (when == "always") {
    ::unsetenv("NO_COLOR");
    ::setenv("CLICOLOR_FORCE", "1", 1);
  } else if (when == "never") {
    ::setenv("NO_COLOR", "1", 1);
  }
}

void add_outputs(CLI::App& command, AuditOptions& options) {
  const auto add = [&command](const char* name, std::string& path, const char* what) {
    command.add_option(name, path, what)->option_text("FILE")->group("Output");
  };
  command.add_flag("--all", options.all, "Show every kernel and finding, however many")
      ->group("Output");
  command.add_flag("--suspects", options.suspects, "Show every suspect in a line")->group("Output");
  command.add_flag("-q,--quiet", options.quiet, "Show the last line alone: the verdict")
      ->group("Output");
  add_color(command);
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

}  // namespace

void add_color(CLI::App& command) {
  const auto is_known = [](const std::string& when) -> std::string {
    if (when == "auto" || when == "always" || when == "never") return {};
    return fmt::format("\"{}\" is none of auto, always and never", when);
  };
  command
      .add_option_function<std::string>("--color,--colour", set_color,
                                        "Colours: auto (on a terminal), always or never")
      ->option_text("WHEN")
      ->check(CLI::Validator(is_known, ""))
      ->group("Output");
}

CLI::Option* add_json(CLI::App& command, std::string& path, const std::string& schema) {
  return command.add_flag("--json{-}", path, "Write " + schema + " instead, or to a file")
      ->option_text("[=FILE]");
}

CLI::Validator positive(const std::string& what) {
  return CLI::Validator(
      [what](const std::string& text) -> std::string {
        const bool digits = !text.empty() && text.size() < 10 &&
                            text.find_first_not_of("0123456789") == std::string::npos;
        if (digits && text.find_first_not_of('0') != std::string::npos) return {};
        return fmt::format("\"{}\" is no number of {}: write 1 or more", text, what);
      },
      "");
}

CLI::App* add_audit(CLI::App& app, AuditOptions& options) {
  auto* command = app.add_subcommand(
      "audit", "Find what does not run on the GPUs that a package serves, without a GPU");
  command->footer(kAuditExamples);
  command->add_option("FILE", options.files,
                      "What holds device code: executables, libraries, objects, .cubin, .fatbin, "
                      ".ptx, wheels, packages, other archives, or folders");
  add_matrix_file(*command, options.matrix,
                  ", or pyproject.toml with [tool.archgrid]; a wheel's own is found beside the "
                  "wheel, and in the folder above");
  command
      ->add_option("--tree", options.tree,
                   "Build tree of a matrix: audit every cell its plan names")
      ->option_text("FOLDER");
  command
      ->add_option("--toolkit", options.toolkit,
                   "CUDA toolkit that built the files, as 13.0: one that the matrix file lists")
      ->option_text("TOOLKIT");
  command
      ->add_option(
          "--ignore", options.ignores,
          "Forgive the kernels that match PATTERN (* and ?), for a reason; may be repeated")
      ->option_text("PATTERN=REASON")
      ->allow_extra_args(false);
  command
      ->add_option("--baseline", options.baseline,
                   "Report only findings that FILE lacks, which an earlier --json=FILE wrote")
      ->option_text("FILE");
  command->add_flag("--strict", options.strict, "Suspects are errors, too");
  command->add_flag("--allow-unused-ignores", options.allow_unused_ignores,
                    "Allow ignores of the matrix file that match no kernel: they are for files "
                    "that are audited elsewhere");
  command->add_flag("--every-byte", options.every_byte,
                    "Decompress what no verdict depends on, too, so that damage there is an error");
  add_devices(*command, options.devices,
              "Only these GPUs, as H100, 9.0 or sm_90: does it run there?");
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
      ->check(positive("rows"));
  add_json(*command, options.json, "archgrid.list/1");
  add_color(*command);
  return command;
}

CLI::App* add_diff(CLI::App& app, DiffOptions& options) {
  auto* command =
      app.add_subcommand("diff", "Show what changed: coverage, kernels, what they take, and sizes");
  command->footer(kDiffExamples);
  command->add_option("OLD", options.before, "What was shipped")->required();
  command->add_option("NEW", options.after, "What is to be")->required();
  add_devices(*command, options.devices,
              "Only coverage of these GPUs, as H100 or 9.0 (all that archgrid knows)");
  add_driver(*command, options.driver, "Judge PTX for this driver");
  command->add_flag("--strict", options.strict, "Kernels and files that are gone are lost too");
  command->add_flag("--all", options.all, "Every kernel a row, in text and Markdown");
  add_json(*command, options.json, "archgrid.diff/1");
  add_color(*command);
  command->add_option("--markdown", options.markdown, "Write Markdown")->option_text("FILE");
  return command;
}

CLI::App* add_matrix(CLI::App& app, MatrixOptions& options) {
  auto* command =
      app.add_subcommand("matrix", "Show a matrix file's cells, jobs and what each needs");
  command->footer(kMatrixExamples);
  command->add_option("FILE", options.file, "Matrix file")->required();
  add_json(*command, options.json, "archgrid.plan/1");
  add_color(*command);
  return command;
}

CLI::App* add_suggest(CLI::App& app, SuggestOptions& options) {
  auto* command =
      app.add_subcommand("suggest", "Find the shortest list of archs that keeps a promise");
  command->footer(kSuggestExamples);
  add_matrix_file(*command, options.matrix);
  command
      ->add_option("--toolkit", options.toolkit,
                   "CUDA toolkit that is to build it, as 13.0 (each of the matrix file)")
      ->option_text("TOOLKIT");
  add_devices(*command, options.devices,
              "The promised GPUs, as H100 or 9.0; with --matrix, only these");
  add_accept(*command, options.accept);
  add_list(*command, "--with", options.with, "ARCH,...",
           "Archs to build in any case, as 90a: kernels need their instructions");
  add_driver(*command, options.driver, "Oldest driver that must do");
  auto* ptx = command->add_flag("--ptx", options.ptx, "PTX too, for GPUs newer than promised");
  command->add_flag("--no-ptx", options.no_ptx, "No PTX, not even where jit is accepted")
      ->excludes(ptx);
  command->add_option("--from", options.from, "Measure archs in these files, and who needs them")
      ->option_text("FILE...");
  add_json(*command, options.json, "archgrid.suggest/1");
  add_color(*command);
  return command;
}

CLI::App* add_after_tests(CLI::App& app, std::string& tree) {
  auto* command = app.add_subcommand("after-tests", "What ctest closes with in a matrix tree");
  command->group("");
  command->add_option("TREE", tree, "Build tree of a matrix")->required();
  return command;
}

CLI::App* add_build_cells(CLI::App& app, BuildCellsOptions& options) {
  auto* command = app.add_subcommand("build-cells", "What builds the cells of a matrix tree");
  command->group("");
  command->add_option("TREE", options.tree, "Build tree of the matrix")->required();
  add_list(*command, "--cells", options.cells, "CELL,...", "Those to build")->required();
  command->add_option("--jobs", options.jobs, "Cells that build at a time")->required();
  command->add_option("--every", options.every, "Seconds between signs of life in a pipe");
  command->add_option("--ninja", options.ninja, "Ninja")->required();
  command->add_option("--cmake", options.cmake, "CMake")->required();
  command->add_option("--flock", options.flock, "flock")->required();
  command->add_option("--script", options.script, "What builds one of them")->required();
  command->add_option("--command", options.command, "This command")->required();
  command->add_flag("--must-build", options.must_build, "Fail where one of them is not built");
  return command;
}

CLI::App* add_run_tests(CLI::App& app, RunTestsOptions& options) {
  auto* command = app.add_subcommand("run-tests", "What tests a matrix tree in few words");
  command->group("");
  command->add_option("TREE", options.tree, "Build tree of the matrix")->required();
  command->add_option("--ctest", options.ctest, "CTest")->required();
  command->add_option("--every", options.every, "Seconds between signs of life in a pipe");
  return command;
}

CLI::App* add_prove_cell(CLI::App& app, ProveCellOptions& options) {
  auto* command = app.add_subcommand("prove-cell", "What the build step of a cell asks");
  command->group("");
  command->add_option("--toolkit", options.toolkit, "Its CUDA toolkit")->required();
  add_list(*command, "--archs", options.archs, "ARCH,...", "Its archs")->required();
  command->add_option("--root", options.root, "Folder of its toolkit")->required();
  command->add_option("--build", options.build, "Its build tree")->required();
  command->add_option("--source", options.source, "Source folder of its project");
  command->add_option("--commands", options.commands, "Output of ninja -t commands")->required();
  command->add_option("--deps", options.deps, "Output of ninja -t deps, when it is built");
  command->add_option("--artifacts", options.artifacts, "List of artifacts that no target makes");
  command->add_option("--packages", options.packages, "List of packages among the artifacts");
  command->add_option("--beside-packages", options.beside_packages, "List of other artifacts");
  command->add_option("--unaudited", options.unaudited, "List of members that are not audited");
  return command;
}

CLI::App* add_survey_packages(CLI::App& app, SurveyPackagesOptions& options) {
  auto* command = app.add_subcommand("survey-packages", "Sorts the packages that a cell wrote");
  command->group("");
  command->add_option("--build", options.build, "Its build tree")->required();
  command->add_option("--files", options.files, "List of its files, maybe packages")->required();
  command->add_option("--installed", options.installed, "List of installed files")->required();
  command->add_option("--artifacts", options.artifacts, "List of its other artifacts")->required();
  command->add_option("--library", options.library, "Names of libraries of NVIDIA");
  command->add_option("--package", options.package, "Names of packages of others");
  command->add_option("--project", options.project, "Name of its project");
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

}  // namespace archgrid::cli
