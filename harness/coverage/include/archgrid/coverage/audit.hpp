// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Files against promises: the findings, and the fields of the map that shows them.
#ifndef ARCHGRID_COVERAGE_AUDIT_HPP
#define ARCHGRID_COVERAGE_AUDIT_HPP

#include <archgrid/coverage/baseline.hpp>
#include <archgrid/coverage/claims.hpp>
#include <archgrid/coverage/facts.hpp>
#include <archgrid/coverage/newer.hpp>
#include <archgrid/coverage/promise.hpp>
#include <archgrid/coverage/remedy.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace archgrid::coverage {

/// `error`: fails for certain, or breaks what was promised. `suspect`: what was meant decides
/// whether it is a defect, and no file tells that.
enum class Severity { error, suspect };

/// The rule that decided the severity of a cause, by what a file offers. The first ones make it an
/// error, the others a suspect.
enum class Rule {
  registered,      ///< host code launches the kernels, and the image that the GPU takes lacks them
  unit,            ///< nothing explains why their units lack what the rest of the file has
  package,         ///< the file has code for the GPU, but most of its kernels lack it
  left_behind,     ///< the file has code for older GPUs, and none for one that its package ships
  no_sibling,      ///< no kernel of their family works there
  own_generation,  ///< they work on another GPU of the same generation
  claimed,         ///< the metadata of the package name the GPU
  promised,        ///< a promise names them and the GPU
  asked,           ///< somebody asked about the GPU, and most of the package does not run there
  driver,          ///< their PTX is newer than the driver that was named
  host_picks,      ///< host code picks their code, and may have other code for that GPU
  not_registered,  ///< host code never names them
  suffix,          ///< all their code has a suffix, which is for one GPU or family
  named,           ///< their names or those of their units say which GPUs they are meant for
  types,           ///< they, or others that were compiled like them, use what that GPU lacks
  instructions,    ///< their unit has instructions that the GPU lacks
  arch_lists,      ///< units of the file are compiled for many different lists of archs
  nvidia,          ///< kernels of NVIDIA libraries, which pick by GPU
  compiles,        ///< host code compiles kernels at run time (NVRTC)
  sibling,         ///< others of their family work there
  complement,      ///< another kernel of the module works exactly where they refuse
  newer_generation,  ///< they work from 9.0 on alone
  older_gpus,        ///< they work on older GPUs
  says,              ///< what they print names GPUs
  python_checks,     ///< Python code asks for the compute capability, and they work on newer GPUs
  newer_gpus,        ///< the file has code for newer GPUs alone
  variant,           ///< other files of the package have most of its kernels, and serve the GPU
  minority,    ///< another file of the package serves the GPU, but few of its kernels are there
  jit,         ///< the driver compiles their PTX
  compatible,  ///< machine code runs there that is not accepted
  unknown      ///< what the GPU takes cannot be judged
};

/// "registered", "own-generation", ...
const char* name_of(Rule rule);

/// PTX that a driver does not read.
struct TooNewPtx {
  Version isa;
  Driver driver;
  int first_branch = 0;  ///< the first that reads it; 0 if none of the table does
};

/// The reason for which kernels of one file do not run on some GPUs.
struct Cause {
  Rule rule = Rule::unit;
  std::vector<Device> devices;     ///< ascending
  bool differs = false;            ///< not each kernel on all of them
  std::vector<std::string> units;  ///< source files of the kernels, where the file tells them
  std::size_t modules = 0;         ///< fat binaries: units, known by name or not
  std::string archs;               ///< "80 86 90a", of their units; empty where these differ
  std::size_t of_kernels = 0;      ///< that the file holds
  std::uint64_t kernels_hash = 0;  ///< of a broken promise: the same for the same kernels
  std::optional<Version> toolkit;  ///< the newest that compiled them, where the file tells it
  fatbin::Body body = fatbin::Body::unknown;  ///< what the body does, of those that refuse to work
  std::string says;                           ///< what the first of them prints or asserts
  std::optional<TooNewPtx> too_new_ptx;       ///< of Rule::driver
  bool says_differ = false;                   ///< others of them say something else, or nothing
};

/// The accepted verdicts of a promise, the reason for another one, and its remedy.
struct BrokenPromise {
  Reason reason;
  Verdicts accept;
  Remedy remedy;
  bool is_dispatch = false;  ///< many bodies that do no work, whatever the reason of each
};

/// A broken promise, or without a promise what no kernel of its package should lack.
struct Finding {
  /// A verdict's name, or "no-device-code", "nothing-judged", "stripped", "not-device-linked",
  /// "misnamed", "other-cpu", "gpu-lost",
  /// "driver-too-old", "driver-too-old-for-gpu", "driver-too-new-for-gpu", "not-built",
  /// "unused-ignore", "unused-promise", "over-budget", "budget-unknown", "unused-budget"; without a
  /// promise also "not-in-image", "name-differs", "unit-lacks-arch", "file-lacks-arch", "trap",
  /// "stub".
  std::string code;
  Severity severity = Severity::error;
  std::string path;
  std::string cell;
  Text kernel;  ///< mangled
  DemangledName demangled;
  std::string device;           ///< "9.0"
  std::vector<Device> devices;  ///< without a cause: the GPUs, where a finding is about several
  Facts facts;                  ///< of a finding without a cause: the names in its sentence
  std::string message;          ///< of findings of commands; audit() leaves it empty
  std::string fix;              ///< the same
  std::size_t kernels = 1;      ///< how many it stands for; above 1 `kernel` is the first of them
  /// Set where a finding is about kernels: all of one file that fail for one reason. Of a broken
  /// promise on one device.
  std::optional<Cause> cause;
  std::optional<BrokenPromise> broken;  ///< beside a cause of Rule::promised
  bool may_be_leftover = false;         ///< no command of the build names the file as its output
};

/// What a reader of an audit should know, and what breaks no promise.
struct Remark {
  std::string code = {};  ///< "loads-at-run-time", "picked-by-host", ...
  std::string path = {};
  Facts facts = {};
  std::optional<NewerGpus> newer = std::nullopt;
  std::string message = {};  ///< of findings of commands; audit() leaves it empty
};

/// A finding that an ignore or the baseline forgives.
struct Forgiven {
  Finding finding;
  std::string reason;
};

enum class State : std::uint8_t { kept, broken, forgiven, not_promised, suspect };

/// One kernel on one device.
struct Field {
  Judgement judgement;
  State state = State::not_promised;
};

struct Row {
  KernelRow kernel;
  std::vector<Field> fields;  ///< parallel to Audit::devices
};

struct FileAudit {
  fatbin::File file;
  std::vector<Row> rows;
};

struct Request {
  std::vector<Promise> promises;
  std::vector<Ignore> ignores;
  std::vector<Budget> budgets;  ///< of the toolkit that built the files
  /// Only these of the promised devices; empty: all. Without a promise: those of the answers.
  std::vector<Device> devices;
  std::string arch;                ///< "90a", "90-real", "120-virtual": only the devices it serves
  std::optional<Version> toolkit;  ///< for the advice in fixes
  Options options = Options::both;
  /// Promises and ignores come from [tool.archgrid], which fixes name in place of a matrix file.
  bool in_pyproject = false;
  std::string cell;
  /// The cell's, as CMake spells them. Fixes name the matrix file where none serves a device.
  std::vector<std::string> cell_archs;
  /// Files that a command makes without a target of CMake: fixes for them name nvcc's options, and
  /// for members of packages those of targets, too.
  std::set<std::string> handmade;
  std::map<std::string, Working> elsewhere;  ///< by path of a file, as Coverage takes it
  std::optional<Driver> driver;              ///< instead of the promises' own
  /// Instead of promises: files and kernels are held to what the others of their package have, as
  /// far as evidence tells that they should (package.hpp). These verdicts count as running.
  std::optional<Verdicts> like_other_kernels;
  bool strict = false;               ///< suspects are errors
  Claims claims;                     ///< without a promise: what packages say of GPUs
  std::optional<Baseline> baseline;  ///< what it has is forgiven
  /// What serve() accepts on a device that no promise names.
  Verdicts unpromised = default_verdicts();
};

/// The answer for most kernels of a package on a GPU.
enum class Answer {
  runs,
  runs_after_jit,
  runs_in_part,  ///< some file serves the GPU, but not the one with most kernels
  unknown,
  does_not_run
};

/// "runs", "runs-after-jit", ...
const char* name_of(Answer answer);

struct Audit {
  std::string cell;
  std::vector<Device> devices;  ///< promised, ascending
  /// With `like_other_kernels`: where some kernels of a file have an accepted verdict, but too few
  /// to hold the others to it, or the driver does not know the device.
  std::set<Device> unjudged;
  std::vector<FileAudit> files;
  std::vector<Finding> findings;     ///< errors
  std::vector<Finding> suspects;     ///< without a promise, or of one that is not strict
  std::map<Device, Answer> answers;  ///< about the devices of the request, without a promise
  std::map<std::string, std::map<Device, Answer>> package_answers;  ///< the same, by archive
  std::vector<Forgiven> forgiven;
  std::vector<Remark> remarks;
  std::vector<std::string> errors;        ///< inputs, or parts of them, that could not be read
  std::set<std::string> used;             ///< places of ignores, patterns and budgets that matched
  std::map<std::string, Finding> unused;  ///< by place, those that matched nothing
};

/// "libx.so: at offset 0x40: ...", without the offset where the whole file could not be read. Of
/// one line and harmless for a terminal, whatever the file holds.
std::string error_text(const std::string& path, const fatbin::Error& error);

/// What of a file could not be read, its images included: the first 1000 errors, and how many more.
std::vector<std::string> errors_of(const fatbin::File& file);

/// The same for all files together.
std::vector<std::string> errors_of(const std::vector<fatbin::File>& files);

/// Judges every kernel of every file for every promised device. The baseline forgives findings
/// about kernels; those about none are told apart by their sentences (forgive_known of reports).
Audit audit(std::vector<fatbin::File> files, const Request& request);

/// Adds a remark for each of the files at `paths` that holds no device code, where others of the
/// audit do: of those nobody would miss the code that was forgotten.
void note_without_code(const std::vector<std::string>& paths, Audit& audit);

/// The devices that the request is about, ascending: promised, and within its restrictions.
std::vector<Device> promised_devices(const Request& request);

/// Ignores, patterns and budgets that matched nothing in any of the audits of one matrix: findings,
/// unless only a part of what the matrix promises was audited.
std::vector<Finding> unused_in(const std::vector<Audit>& audits);

/// Whether code compiled for `arch` ("90" is SASS and PTX, "90-real", "120-virtual") gives `device`
/// a verdict that `accept` holds.
bool arch_serves(const std::string& arch, Device device, const Verdicts& accept);

/// What one kernel meets on the GPU of this machine.
struct Served {
  std::string path;
  Text kernel;
  DemangledName demangled;
  Judgement judgement;
  std::size_t modules = 0;  ///< that hold it; the verdict is that of the worst
  bool accepted = false;
  bool forgiven = false;         ///< not accepted, and ignored
  std::optional<Remedy> remedy;  ///< unset if accepted or forgiven
  std::string unit;              ///< the source file, where the file tells it
  /// Of `jit`: the PTX that the driver may compile, as 75 for compute_75.
  std::vector<int> ptx;
};

/// Every kernel of `files` on one device: what a test program asks before its first test. Of
/// `request` it uses the promises that name `device` (where none does, `unpromised`), the
/// ignores, the driver (of this machine) and, for the advice, the toolkit.
std::vector<Served> serve(const std::vector<fatbin::File>& files, Device device,
                          const Request& request);

}  // namespace archgrid::coverage

#endif
