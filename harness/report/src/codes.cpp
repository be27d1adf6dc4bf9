// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/rules.hpp>
#include <archgrid/report/codes.hpp>
#include <array>

namespace archgrid::report {
namespace {

constexpr std::array kCodes = {
    Code{"native", About::kernel, "Machine code for exactly this GPU is not accepted",
         "The kernel has machine code for exactly this device, and the promise does not accept "
         "that.",
         "Accept native."},
    Code{"compatible", About::kernel, "Only machine code of a lower minor version",
         "The device runs machine code that was compiled for a lower minor version of its "
         "architecture, and the promise wants native code.",
         "Compile for the device too, or accept compatible."},
    Code{"jit", About::kernel, "Only PTX: compiled when the program starts",
         "No machine code fits the device, so the driver compiles the kernel's PTX when it is "
         "loaded: a slow first start, and no start at all where the driver is older than the PTX.",
         "Compile for the device too, or accept jit."},
    Code{"unknown", About::kernel, "Whether it runs cannot be told",
         "Only code that cannot be judged may serve the device: LTO-IR, an image that could not "
         "be read, or machine code about which sources disagree.",
         "Compile for the device too."},
    Code{"ptx-too-new", About::kernel, "The driver does not know the PTX version",
         "Only PTX serves the device, and the driver that is promised reads older PTX versions "
         "only.",
         "Compile for the device too, or promise a newer driver."},
    Code{"wrong-suffix", About::kernel, "An architecture suffix keeps it off this GPU",
         "The code was compiled for an architecture with the suffix a or f, which runs on that "
         "architecture or family alone.",
         "Compile for the device too."},
    Code{"missing", About::kernel, "No code for this GPU",
         "No image of the kernel serves the device: a launch fails with \"no kernel image is "
         "available for execution on the device\".",
         "Compile for the device too."},
    Code{"empty", About::kernel, "The body does no work",
         "The code for this device is empty, or only waits or writes to shared memory, while the "
         "kernel does work elsewhere: launches leave the results as they were.",
         "Look at the #if __CUDA_ARCH__ guards."},
    Code{"trap", About::kernel, "The body only traps",
         "The code for these GPUs stops the program, while the kernel does work elsewhere.",
         "Look at the #if __CUDA_ARCH__ guards, or let host code not launch the kernel there."},
    Code{"stub", About::kernel, "The body only prints or asserts",
         "The code for these GPUs says that it is for others, and does no work.",
         "Look at the #if __CUDA_ARCH__ guards, or let host code not launch the kernel there."},
    Code{"not-in-image", About::kernel, "The code for a GPU lacks a kernel that host code launches",
         "The driver takes one image of a fat binary, and that image lacks the kernel: its "
         "launch fails (\"invalid device function\"). An #if __CUDA_ARCH__ around the kernel, or "
         "around what instantiates it, left it out.",
         "Remove the #if __CUDA_ARCH__, or let host code not launch the kernel on that GPU."},
    Code{"name-differs", About::kernel, "A kernel's name depends on __CUDA_ARCH__",
         "Host code launches the kernel by one name, and the code for some GPUs has it under "
         "another: its launch fails there. A type in its signature or its template arguments "
         "differs by #if __CUDA_ARCH__.",
         "Use the same types for every architecture."},
    Code{"unit-lacks-arch", About::kernel,
         "A unit was compiled for fewer architectures than its file",
         "The rest of the file has machine code for these GPUs, and this unit has none that runs "
         "there: a launch fails with \"no kernel image is available for execution on the "
         "device\".",
         "Compile the unit for the same architectures as the others."},
    Code{"file-lacks-arch", About::kernel, "A file has no code for a GPU",
         "Most kernels of this file do not run on a GPU that the rest of the package serves, or "
         "that --gpu asks about: a launch fails with \"no kernel image is available for "
         "execution on the device\".",
         "Compile the file for the GPU's architecture, too."},
    Code{"no-device-code", About::setting, "No kernel was found",
         "None of the inputs holds device code, so nothing keeps the promise.",
         "Name the files that hold the device code."},
    Code{"nothing-judged", About::setting, "A promised GPU for which no kernel was judged",
         "No kernel that was found is promised for the device.",
         "Correct the patterns of the promises."},
    Code{"stripped", About::file, "Fat binaries were stripped from the file",
         "The file registers fat binaries that it does not hold any more.",
         "Keep the section .nv_fatbin when stripping."},
    Code{"not-device-linked", About::file, "Relocatable device code was not linked",
         "Units that were compiled with -rdc=true call a function when they are loaded that only "
         "the device linker defines. Without it the file is not loaded (\"undefined symbol: "
         "__cudaRegisterLinkedBinary_...\").",
         "Link it with nvcc, or set CUDA_RESOLVE_DEVICE_SYMBOLS."},
    Code{"misnamed", About::file, "A file named for a GPU that its code does not run on",
         "Files of a set are named for the archs that they are for, and host code picks one by "
         "its name. The code of this one is for another arch.",
         "Compile it for the arch of its name."},
    Code{"other-cpu", About::file, "The files are for another CPU than the boards of the GPU have",
         "Jetson, DRIVE and DGX Spark boards have Arm CPUs, which do not run programs for x86-64.",
         "Audit the package that is built for aarch64."},
    Code{"gpu-lost", About::file, "A GPU of the baseline is not served any more",
         "By the baseline most kernels of the package, or of one of its files, ran on the GPU, "
         "and now they do not. If a promise or --gpu does not name the GPU, that is a note.",
         "Compile for its architecture, or make a new baseline (--json) if it was given up on "
         "purpose."},
    Code{"gpu-degraded", About::file, "A GPU of the baseline is served by PTX alone now",
         "By the baseline most kernels of the package, or of one of its files, had machine code "
         "for the GPU, and now the driver compiles their PTX when the program starts.",
         "Compile for its architecture, or make a new baseline (--json) if that is meant."},
    Code{"driver-too-old", About::file, "The promised driver is too old for the file",
         "A driver runs what was made with its own major release of CUDA, or with an older one: "
         "with a newer one the program fails when it starts (\"CUDA driver version is "
         "insufficient for CUDA runtime version\"). Machine code in zstd (nvcc's "
         "--compress-mode) is decompressed from driver 550 on (\"device kernel image is "
         "invalid\").",
         "Promise a newer driver, or build with an older toolkit or without that option."},
    Code{"driver-too-old-for-gpu", About::gpu, "The promised driver does not know the GPU yet",
         "The device came out after the driver, which finds no such GPU: nothing runs there, "
         "whatever code there is.",
         "Promise a newer driver for the device."},
    Code{"driver-too-new-for-gpu", About::gpu, "The promised driver does not know the GPU any more",
         "NVIDIA's drivers drop old generations: the driver finds no such GPU, and nothing runs "
         "there, whatever code there is.",
         "Promise an older driver for the device, or none there."},
    Code{"not-built", About::setting, "A cell was not built",
         "A cell that keeps no promise because there is nothing of it to audit.", "Build it."},
    Code{
        "unused-ignore", About::setting, "An ignore that matches nothing",
        "An ignore of the command line, of a CMakeLists.txt or of the matrix file covers no error: "
        "its pattern matches none, nothing fails on its GPUs, or none of these is judged. It is "
        "no error of the files.",
        "Take it out, or correct its pattern or its GPUs."},
    Code{"unused-promise", About::setting, "A promise that matches nothing",
         "A promise of the matrix file is about kernels that are not there.",
         "Take it out, or correct its pattern."},
    Code{"over-budget", About::kernel, "A kernel or an arch takes more than it may",
         "The matrix file limits what kernels take, or how large the code for an arch may be.",
         "Make it smaller, or change the budget."},
    Code{"budget-unknown", About::kernel, "A budget that cannot be judged",
         "The code does not record what the budget limits.",
         "Build it with a toolkit that records it, or name the toolkits of the budget."},
    Code{"unused-budget", About::setting, "A budget that matches nothing",
         "A budget of the matrix file is about kernels or archs that are not there.",
         "Take it out, or correct its pattern."},
    Code{"like-other-kernels", About::note, "Nothing was promised",
         "Without a promise files and kernels are held to what the rest of their package has.",
         "Say what is promised with --gpu or a matrix file."},
    Code{"baseline-of-others", About::note, "The baseline is of other files",
         "None of the audited files is in the earlier audit, so that it makes nothing known.",
         "Name an audit of the same package."},
    Code{"baseline-of-other-gpus", About::note, "The baseline is of other GPUs",
         "The earlier audit was of a promise, or this one is, but not both, and it judged nothing "
         "on some of the GPUs.",
         "Write the baseline with the same --gpu and --accept, or the same promise."},
    Code{"lost-unjudged", About::note, "A GPU of the baseline that is not judged is lost",
         "Kernels ran there in the earlier audit, and none does now. Neither the promise nor --gpu "
         "names the GPU, so that is no error.",
         "Promise the GPU if it is to stay."},
    Code{"baseline-of-other-driver", About::note, "The baseline is of another driver",
         "The earlier audit judged PTX for another driver, or for any.",
         "Write the baseline with the same --driver."},
    Code{
        "baseline-of-older-archgrid", About::note, "The baseline is of an older archgrid",
        "The archgrid that wrote the baseline did not see all bodies that do no work. Kernels that "
        "ran there by its verdicts may have had such bodies already, so the rule \"worked\" makes "
        "none of them an error.",
        "Audit the earlier files again with this archgrid, and write a new baseline (--json)."},
    Code{"promised-by-project", About::note, "A pyproject.toml makes the promise",
         "[tool.archgrid] of a pyproject.toml is the promise: --matrix names that file, or it "
         "stands beside the wheel, or in the folder above, and [project] has the wheel's name. "
         "--matrix, --gpu or --accept takes the place of the latter.",
         ""},
    Code{"project-not-used", About::note, "A pyproject.toml beside a wheel is not used",
         "The file cannot be read as TOML, is for another project, may have been written by "
         "another user, or gives way to --gpu, --accept or --matrix. Nothing in it is a promise.",
         "Correct it, or name it with --matrix."},
    Code{"served-in-part", About::note, "GPUs on which only some kernels run",
         "Without a promise a GPU is judged where more than half of a file's kernels run. Here "
         "fewer do: whether the others were forgotten, only a promise can tell (--gpu or a "
         "matrix file).",
         ""},
    Code{"gpus-without-driver", About::note, "GPUs that the driver does not know",
         "The kernels have code for GPUs that came out after the driver, or that it dropped.",
         "Name them with --gpu, and the audit holds the driver to them."},
    Code{"gpus-between", About::note, "GPUs without code between others that have it",
         "The package has code for older and for newer GPUs, and neither machine code nor PTX "
         "for these.",
         "Compile for their architecture too, or tell users that they are not supported."},
    Code{"gpus-left-out", About::note, "GPUs that the package is not for",
         "The kernels have code for GPUs that the metadata of the package leave out: "
         "variant.json of a wheel, or the dependencies of a conda package.",
         "Name the GPUs with --gpu to ask about them."},
    Code{"metadata-not-read", About::note, "Metadata that cannot be read",
         "variant.json of a wheel, or info/index.json of a conda package, is no JSON, or of a "
         "form that archgrid does not know. What it says of GPUs does not count.",
         ""},
    Code{"other-toolkit", About::note, "Made with another toolkit",
         "The audit was asked to judge what one toolkit built, and the code records another.",
         "Check --toolkit, or which file is audited."},
    Code{"newer-gpus", About::note, "What GPUs get that are newer than the machine code",
         "Machine code runs on the GPUs that it is for, and on some later ones of their "
         "generation. Newer ones need PTX, which their driver compiles when the program starts.",
         ""},
    Code{"loads-at-run-time", About::note, "Loads device code at run time",
         "The file calls functions that load or compile device code while the program runs. That "
         "code is not seen.",
         ""},
    Code{"needs-other-package", About::note, "Needs the kernels of another package",
         "A file is linked with CUDA libraries of another package, such as libtorch_cuda.so of "
         "torch, which were not audited. Whether their kernels run on a GPU is not part of this "
         "audit.",
         "Audit that package, in the version that is installed with this one."},
    Code{"chosen-wheel", About::note, "The wheel whose version pip chose",
         "The input names a package of PyPI without a version, and pip downloaded this wheel.",
         "Write pypi:NAME==VERSION for a certain version."},
    Code{"host-lto", About::note, "Made by the host compiler's link-time optimisation",
         "The object holds the host compiler's own form of the program (-flto), where data is "
         "compressed. Device code that the program has as data is not seen before it is linked.",
         "Compile with -ffat-lto-objects, too, or audit what is linked."},
    Code{"picked-by-host", About::note, "Host code picks the image",
         "Some device code is registered with nothing: host code picks what to load. Its kernels "
         "are judged over the whole file.",
         ""},
    Code{"kernels-of-other-cells", About::note, "Kernels that cells for some GPUs lack",
         "Each cell of one architecture is judged for the kernels that it holds. These are "
         "promised for a GPU, and only cells hold them that do not serve it.",
         ""},
    Code{"not-audited", About::note, "A file that was not audited",
         "The file holds device code, or cannot be read, and may ship, but it is none of what "
         "the cell's build is known to make.",
         "Name it to `archgrid audit` to have it judged."},
    Code{"targets-not-built", About::note, "Targets that were not built",
         "The build of the cell leaves these targets out, so that nothing of them is audited.",
         "If they ship, build them: they are not part of `all`, or \"targets\" of the matrix "
         "file does not name them."},
    Code{"enforced-archs", About::note, "The archs of the cell replace the project's own",
         "\"enforce_archs\" of the matrix file takes the place of the archs that the project "
         "sets. Its own build keeps those, and nothing proves what it makes.",
         ""},
    Code{"without-device-code", About::note, "A file without device code",
         "A file that was named holds no device code that archgrid can see, while others do.",
         "If it should, look whether its .cu files were compiled into it. What a program "
         "compresses or encrypts itself is not seen."},
    Code{"promised-on-fewer-devices", About::note,
         "Kernels with a promise of their own have it on fewer GPUs",
         "Promises whose \"kernels\" match a kernel take the place of those without, on every "
         "device.",
         "Name all its devices in them, or ignore what is meant to be left out."},
    Code{"driver-may-be-too-old", About::note, "Code of a newer CUDA than the driver's",
         "Host code loads machine code that was made with a newer major release of CUDA than the "
         "promised driver's, or that is compressed as only newer drivers decompress. Whether "
         "that driver loads the former is not documented.",
         ""},
    Code{"only-reports", About::note, "Kernels that only print, assert or trap",
         "None of the kernel's bodies in the file does more than that. Kernels that check "
         "something are meant so; those whose instructions need an architecture with a suffix, "
         "and that were compiled without it, are not.",
         ""},
    Code{"does-no-work", About::note, "Kernels whose bodies do no work",
         "None of the kernel's bodies in the file stores anything that outlasts its block. Where "
         "work was meant, a guard such as #if __CUDA_ARCH__ or __CUDACC_VER_MAJOR__ compiled it "
         "out of all of them, or the code needs an architecture with a suffix.",
         ""},
    Code{"unserved-variables", About::note, "Variables without code for a promised GPU",
         "A module of __device__ or __constant__ variables has no image for the device: copying "
         "to them fails there.",
         "Compile its source for the device too."},
    Code{"debug-code", About::note, "Debug code",
         "Device code that was compiled with -G, which is slow.", ""},
    Code{"obfuscated", About::note, "Hidden on purpose",
         "Device code whose content is hidden on purpose.", ""},
};

/// A rule that makes a code an error.
struct ErrorRule {
  std::string_view code;
  coverage::Rule rule;
};

constexpr std::array kErrorRules = {
    ErrorRule{"native", coverage::Rule::promised},
    ErrorRule{"compatible", coverage::Rule::promised},
    ErrorRule{"jit", coverage::Rule::promised},
    ErrorRule{"unknown", coverage::Rule::promised},
    ErrorRule{"unknown", coverage::Rule::asked},
    ErrorRule{"ptx-too-new", coverage::Rule::promised},
    ErrorRule{"ptx-too-new", coverage::Rule::driver},
    ErrorRule{"wrong-suffix", coverage::Rule::promised},
    ErrorRule{"missing", coverage::Rule::promised},
    ErrorRule{"empty", coverage::Rule::promised},
    ErrorRule{"empty", coverage::Rule::no_sibling},
    ErrorRule{"empty", coverage::Rule::worked},
    ErrorRule{"empty", coverage::Rule::asked},
    ErrorRule{"trap", coverage::Rule::promised},
    ErrorRule{"trap", coverage::Rule::no_sibling},
    ErrorRule{"trap", coverage::Rule::worked},
    ErrorRule{"trap", coverage::Rule::asked},
    ErrorRule{"stub", coverage::Rule::promised},
    ErrorRule{"stub", coverage::Rule::no_sibling},
    ErrorRule{"stub", coverage::Rule::own_generation},
    ErrorRule{"stub", coverage::Rule::worked},
    ErrorRule{"stub", coverage::Rule::asked},
    ErrorRule{"not-in-image", coverage::Rule::registered},
    ErrorRule{"name-differs", coverage::Rule::registered},
    ErrorRule{"unit-lacks-arch", coverage::Rule::unit},
    ErrorRule{"file-lacks-arch", coverage::Rule::package},
    ErrorRule{"file-lacks-arch", coverage::Rule::left_behind},
    ErrorRule{"file-lacks-arch", coverage::Rule::claimed},
    ErrorRule{"file-lacks-arch", coverage::Rule::asked},
};

}  // namespace

std::vector<Code> all_codes() {
  return {kCodes.begin(), kCodes.end()};
}

std::optional<Code> find_code(std::string_view code) {
  const auto* found = std::find_if(kCodes.begin(), kCodes.end(),
                                   [code](const Code& entry) { return entry.code == code; });
  return found == kCodes.end() ? std::nullopt : std::optional<Code>(*found);
}

Code explain(std::string_view code) {
  return find_code(code).value_or(Code{code, About::note, code, code, ""});
}

std::string help_of(const Code& code) {
  auto text = std::string(code.meaning);
  if (!code.fix.empty()) text += ' ' + std::string(code.fix);
  return text;
}

std::optional<coverage::Rule> find_rule(std::string_view name) {
  for (const auto rule : coverage::all_rules()) {
    if (coverage::name_of(rule) == name) return rule;
  }
  return std::nullopt;
}

std::vector<coverage::Rule> error_rules_of(std::string_view code) {
  std::vector<coverage::Rule> rules;
  for (const auto& entry : kErrorRules) {
    if (entry.code == code) rules.push_back(entry.rule);
  }
  return rules;
}

bool can_be_ignored(const Code& code) {
  return code.about == About::kernel || code.about == About::file || code.about == About::gpu;
}

}  // namespace archgrid::report
