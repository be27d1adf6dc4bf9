// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Audits files against promises: findings, and the fields of the map that shows them.
#ifndef ARCHGRID_COVERAGE_AUDIT_HPP
#define ARCHGRID_COVERAGE_AUDIT_HPP

#include <archgrid/coverage/baseline.hpp>
#include <archgrid/coverage/claims.hpp>
#include <archgrid/coverage/facts.hpp>
#include <archgrid/coverage/image_selector.hpp>
#include <archgrid/coverage/newer.hpp>
#include <archgrid/coverage/promise.hpp>
#include <archgrid/coverage/remedy.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// `error`: certain failure, or a broken promise. `suspect`: a defect or intended; files do not
/// record the intent.
enum class Severity { error, suspect };

/// The rule that decided the severity of a cause, from evidence in the files. The first rules make
/// it an error, the others a suspect.
enum class Rule {
  registered,      ///< host code launches the kernels, and the GPU's image lacks them
  unit,            ///< no evidence explains why their units lack code that the rest of the file has
  package,         ///< the file has code for the GPU, but most of its kernels lack it
  left_behind,     ///< the file is only for older GPUs, its package also for this one
  no_sibling,      ///< no other variant works there
  own_generation,  ///< they work on another GPU of the same generation
  worked,          ///< they worked there in the baseline
  claimed,         ///< the metadata of the package name the GPU
  promised,        ///< a promise covers them and the GPU
  asked,           ///< the user asked about the GPU, and most of the package does not run there
  driver,          ///< their PTX is newer than the driver that was named
  host_picks,      ///< host code picks their code, and may have other code for the GPU
  not_registered,  ///< host code never names them
  suffix,          ///< all their code has a suffix: it is for one GPU or family
  named,           ///< their names or those of their units say which GPUs they are for
  types,           ///< they, or kernels compiled with the same archs, need what the GPU lacks
  instructions,    ///< their unit has instructions that the GPU lacks
  arch_lists,      ///< units of the file are compiled for many different lists of archs
  nvidia,          ///< kernels of NVIDIA libraries, which select by GPU
  compiles,        ///< host code compiles kernels at run time (NVRTC)
  sibling,         ///< other variants work there
  complement,      ///< another kernel of the module works exactly where they do no work
  newer_generation,     ///< they work only on 9.0 and newer
  older_gpus,           ///< they work on older GPUs
  says,                 ///< their output names GPUs
  host_checks,          ///< host code checks the GPU and does not launch them there
  host_checks_in_part,  ///< some of the functions that launch them check the GPU, others do not
  python_checks,        ///< Python code checks the compute capability, and they work on newer GPUs
  newer_gpus,           ///< the file has code only for newer GPUs
  variant,              ///< other files of the package have most of its kernels and serve the GPU
  minority,             ///< another file of the package serves the GPU, but has few of its kernels
  jit,                  ///< the driver compiles their PTX
  compatible,           ///< machine code runs there, but `compatible` is not accepted
  unknown               ///< the code for the GPU cannot be judged
};

/// Returns "registered", "own-generation", ...
const char* name_of(Rule rule);

/// PTX that a driver does not read.
struct TooNewPtx {
  Version isa;
  Driver driver;
  int first_branch = 0;  ///< the first that reads it; 0 if none of the table does
};

/// The reason why kernels of one file do not run on some GPUs.
struct Cause {
  Rule rule = Rule::unit;
  std::vector<ComputeCapability> devices;  ///< ascending
  bool differs = false;                    ///< some kernels fail only on some of the devices
  /// PTX whose bodies do no work on the devices, while code of the kernels for a newer arch works.
  std::optional<fatbin::Arch> idle_ptx;
  std::vector<std::string> units;  ///< source files of the kernels, if the file records them
  std::size_t modules = 0;         ///< fat binaries, i.e. units, named or not
  std::string archs;               ///< "80 86 90a", of their units; empty if the units differ
  std::size_t of_kernels = 0;      ///< kernels in the file
  int named_for = 0;  ///< an arch in the file's name, if it is for none of the devices; 0 for none
  std::uint64_t kernels_hash = 0;  ///< of a broken promise: equal for equal kernels of any build
  std::optional<Version> toolkit;  ///< the newest that compiled them, if the file records it
  fatbin::Body body = fatbin::Body::unknown;  ///< effect of the bodies, if they do no work
  std::string says;                           ///< text that the first of them prints or asserts
  std::optional<TooNewPtx> too_new_ptx;       ///< of Rule::driver
  bool says_differ = false;                   ///< others print or assert another text, or none
};

/// The accepted verdicts of a promise, and the reason and remedy for an unaccepted one.
struct BrokenPromise {
  Reason reason;
  Verdicts accept;
  Remedy remedy;
  bool is_dispatch = false;  ///< many bodies that do no work, for any reasons
};

/// A broken promise, or without a promise: code that no kernel of its package should lack.
struct Finding {
  /// A verdict's name, "trap" or "stub" (code_of()), or "no-device-code", "nothing-judged",
  /// "stripped", "not-device-linked", "misnamed", "other-cpu", "gpu-lost", "gpu-degraded",
  /// "driver-too-old", "driver-too-old-for-gpu", "driver-too-new-for-gpu", "not-built",
  /// "unused-ignore", "unused-promise", "over-budget", "budget-unknown", "unused-budget"; without a
  /// promise also "not-in-image", "name-differs", "unit-lacks-arch", "file-lacks-arch".
  std::string code;
  Severity severity = Severity::error;
  std::string path;
  std::string cell;
  Text kernel;  ///< mangled
  DemangledName demangled;
  std::string device;                      ///< "9.0"
  std::vector<ComputeCapability> devices;  ///< of a finding without a cause about several GPUs
  Facts facts;              ///< of a finding without a cause: the names in its sentence
  std::string message;      ///< of devices that no list of archs serves; else empty
  std::string fix;          ///< like `message`
  std::size_t kernels = 1;  ///< kernels it represents; if above 1, `kernel` is the first
  /// Set if a finding is about kernels: all kernels of one file that fail for one reason. Of a
  /// broken promise, on one device.
  std::optional<Cause> cause;
  std::optional<BrokenPromise> broken;  ///< beside a cause of Rule::promised
  bool may_be_leftover = false;         ///< no command of the build names the file as its output
};

/// A note on an audit, not a broken promise.
struct Note {
  std::string code = {};  ///< "loads-at-run-time", "picked-by-host", ...
  std::string path = {};
  Facts facts = {};
  std::optional<NewerGpus> newer = std::nullopt;
};

/// A finding that an ignore or the baseline covers.
struct Ignored {
  Finding finding;
  std::string reason;
};

enum class State : std::uint8_t { kept, broken, ignored, not_promised, suspect };

/// One kernel on one device.
struct Field {
  Verdict verdict = Verdict::missing;
  State state = State::not_promised;
  Reason reason;
  State unignored = State::not_promised;  ///< of a field that the baseline ignores: without it
  bool hides_error = false;               ///< an error that an ignore or the baseline ignores
  bool in_doubt = false;  ///< a suspect whose body does no work, by a rule of leaves_doubt()
};

struct Row {
  KernelRow kernel;
  std::vector<Field> fields;  ///< parallel to Audit::devices
};

struct FileAudit {
  fatbin::File file;
  std::vector<Row> rows;
  /// Without a promise or question: devices beyond Audit::devices on which most kernels run, some
  /// of them by PTX alone. Ascending.
  std::vector<ComputeCapability> by_ptx = {};
};

/// The finding about a check of the GPU in host code, before it launches a kernel.
enum class HostCheck {
  present,    ///< no launch on the failing device, but on one of the working devices
  partial,    ///< some of the functions that launch it check the device, others do not
  absent,     ///< a launch on the failing device
  unknown,    ///< no launch was found
  unreadable  ///< the file's host code cannot be followed
};

/// Looks for a check of the failing device before the launch of a kernel of a file.
using HostGuard = std::function<HostCheck(const std::string& path, const std::string& kernel,
                                          ComputeCapability failing,
                                          const std::vector<ComputeCapability>& working)>;

struct Request {
  std::vector<Promise> promises;
  std::vector<Ignore> ignores;
  std::vector<Budget> budgets;  ///< of the toolkit that built the files
  /// Restricts the audit to these promised devices; empty: all. Without a promise: the GPUs that
  /// get answers.
  std::vector<ComputeCapability> devices;
  std::string arch;                ///< "90a", "90-real", "120-virtual": only devices that it serves
  std::optional<Version> toolkit;  ///< for the advice in fixes
  Options options = Options::both;
  std::string target;  ///< the CMake target that compiles the files and that fixes name, if known
  PromisePlace place = PromisePlace::matrix_file;  ///< which fixes name
  std::string audited;  ///< the target that archgrid_audit() names, for the place `cmake`
  std::string cell;
  /// Archs of the cell, as CMake spells them. Fixes name the matrix file if none serves a device.
  std::vector<std::string> cell_archs;
  /// Files that a command makes without a CMake target. Fixes for them name options of nvcc; fixes
  /// for members of packages name those of targets, too.
  std::set<std::string> handmade;
  std::map<std::string, Working> elsewhere;  ///< by path of a file, for ImageSelector
  std::optional<Driver> driver;              ///< overrides the drivers of promises
  /// Replaces promises: files and kernels are compared with the rest of their package, if evidence
  /// says that they should serve the same GPUs (package.hpp). These verdicts count as running.
  std::optional<Verdicts> accept_without_promise;
  bool strict = false;               ///< suspects are errors
  Claims claims;                     ///< without a promise: GPUs that packages claim to support
  HostGuard host_check;              ///< may be empty: host code is not followed
  std::optional<Baseline> baseline;  ///< its findings are ignored
  /// Verdicts that serve() accepts on a device without a promise.
  Verdicts unpromised = default_verdicts();
};

/// The answer for a package on a GPU.
enum class Answer {
  runs,            ///< most kernels do
  runs_after_jit,  ///< most kernels do
  runs_in_part,    ///< some kernels do, but most have no code or bodies that do no work
  unknown,
  does_nothing,  ///< no kernel works there, and most of those with code have bodies that do no work
  does_not_run   ///< no kernel does, or the driver or the CPU is not for the GPU
};

/// Returns "runs", "runs-after-jit", ...
const char* name_of(Answer answer);

/// Returns the archive that contains the file, static libraries aside; empty if there is none.
std::string_view package_of(std::string_view path);

struct Audit {
  std::string cell;
  std::optional<Driver> driver;            ///< of the request
  std::vector<ComputeCapability> devices;  ///< promised, ascending
  /// With `accept_without_promise`, by path of a file: devices on which some of its kernels have an
  /// accepted verdict, but too few to expect it of the others, or which the driver does not know.
  std::map<std::string, std::set<ComputeCapability>> unjudged;
  std::vector<FileAudit> files;
  std::vector<Finding> findings;  ///< errors
  std::vector<Finding> suspects;  ///< without a promise, or of a promise that is not strict
  std::map<ComputeCapability, Answer>
      answers;  ///< about the devices of the request, without a promise
  std::map<std::string, std::map<ComputeCapability, Answer>>
      package_answers;  ///< the same, by archive
  std::vector<Ignored> ignored;
  std::vector<Note> notes;
  std::vector<std::string> errors;        ///< inputs, or parts of inputs, that could not be read
  std::set<std::string> used;             ///< places of ignores, patterns and budgets that matched
  std::map<std::string, Finding> unused;  ///< by place, of those that matched nothing
};

/// Returns "libx.so: at offset 0x40: ...", without the offset if the whole file could not be read.
/// The text is one line and safe for a terminal, whatever the file contains.
std::string error_text(const std::string& path, const fatbin::Error& error);

/// Returns errors of reading a file and its images: the first 1000, and the number of the others.
std::vector<std::string> errors_of(const fatbin::File& file);

/// Returns the errors of all files, with one limit for all.
std::vector<std::string> errors_of(const std::vector<fatbin::File>& files);

/// Judges every kernel of every file for every promised device. Findings about
/// kernels that the baseline has are ignored here, others by ignore_known() of the report library.
Audit audit(std::vector<fatbin::File> files, const Request& request);

/// Selects the detail to read for an audit. Budgets need whole images. Without a promise, the
/// report covers newer GPUs, which depends on PTX.
fatbin::ReadOptions reading_for(const Request& request);

/// Adds a note for each of the files at `paths` without device code, if others of the audit have
/// some: otherwise nobody would notice that their code is missing.
void note_without_code(const std::vector<std::string>& paths, Audit& audit);

/// Returns the promised devices within the request's restrictions, ascending.
std::vector<ComputeCapability> promised_devices(const Request& request);

/// Returns findings for ignores, patterns and budgets that matched nothing in any audit of one
/// matrix. Returns none if only a part of the matrix's promises was audited.
std::vector<Finding> unused_in(const std::vector<Audit>& audits);

/// The same for audits of a request. If it restricts a promise, returns none: the others may be for
/// what was left out. If it asks about some GPUs without a promise, returns those that are wrong
/// all the same: their pattern names nothing in the files, or they name GPUs that are not judged,
/// or have no error.
std::vector<Finding> unused_in(const std::vector<Audit>& audits, const Request& request);

/// Reports whether code compiled for `arch` ("90" is SASS and PTX, "90-real", "120-virtual") gives
/// `device` a verdict in `accept`.
bool arch_serves(const std::string& arch, ComputeCapability device, const Verdicts& accept);

/// The verdict of one kernel on the local GPU.
struct Served {
  std::string path;
  Text kernel;
  DemangledName demangled;
  LaunchPrediction prediction;
  std::size_t modules = 0;  ///< with the kernel
  bool accepted = false;
  bool ignored = false;          ///< not accepted, and ignored
  std::optional<Remedy> remedy;  ///< unset if accepted or ignored
  std::string unit;              ///< the source file, if recorded
  /// For `jit`: archs of the PTX that the driver may compile, 75 for compute_75.
  std::vector<int> ptx;
};

/// Judges every kernel of `files` on one device, for a test program before its first test. Of
/// `request` it uses the promises for `device` (`unpromised` if there are none), the ignores, the
/// local driver and, for the advice, the toolkit.
std::vector<Served> serve(const std::vector<fatbin::File>& files, ComputeCapability device,
                          const Request& request);

}  // namespace archgrid::coverage

#endif
