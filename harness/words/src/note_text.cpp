// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <archgrid/words.hpp>
#include <stdexcept>

#include "cell_text.hpp"
#include "facts_text.hpp"

namespace archgrid::report {
namespace {

using coverage::Facts;

std::string may_be_too_old_text(const Facts& facts) {
  const auto& driver = fact(facts, "driver");
  if (!optional_fact(facts, "variant").empty()) {
    return fmt::format("too new for {}, which loads others of the package with the same kernels",
                       driver);
  }
  const auto needs = driver_needs_text(facts);
  if (!optional_fact(facts, "compression").empty()) {
    return fmt::format("{}: with {} host code has to pick other code", needs, driver);
  }
  return fmt::format("{}: whether {} loads it all the same is not documented", needs, driver);
}

std::string picked_text(const Facts& facts) {
  const auto& kernels = fact(facts, "kernels");
  const auto& all = fact(facts, "of");
  const auto& server = optional_fact(facts, "server");
  if (!server.empty()) {
    return fmt::format(
        "other files hold {} of {} kernels for GPUs that this one does not serve (the first is "
        "{}): host code picks the file, so the best one counts",
        kernels, all, server);
  }
  const auto& several = fact(facts, "several");
  return fmt::format(
      "{} of {} kernels lie in containers that no start-up code registers: host code picks from "
      "them, so the best one counts{}",
      kernels, all,
      several == "0" ? std::string()
                     : fmt::format("; {} of them are names of several programs, each of which "
                                   "counts",
                                   several));
}

/// Names the package, and ends with a command to paste, which asks about the same GPUs.
std::string other_package_text(const Facts& facts) {
  const auto option = [&facts](const char* name) {
    const auto& value = optional_fact(facts, name);
    return value.empty() ? std::string() : fmt::format(" --{} {}", name, value);
  };
  const auto& package = fact(facts, "package");
  const auto version = fatbin::printable(optional_fact(facts, "version"));
  const bool is_pinned = !version.empty();
  return fmt::format("{0}'s own kernels are not judged{1}: archgrid audit pypi:{0}{2}{3}{4}",
                     package, is_pinned ? "" : "; for its newest release",
                     is_pinned ? "==" + version : "", option("gpu"), option("driver"));
}

/// Returns "a, b and 3 more do no work in all of their code; ...".
std::string idle_text(std::string_view code, const Facts& facts) {
  const auto count = std::stoull(fact(facts, "kernels"));
  const auto more = count - std::stoull(fact(facts, "named"));
  const auto names = fact(facts, "first") + (more > 0 ? fmt::format(" and {} more", more) : "");
  const bool one = count == 1;
  std::string act = one ? "only prints, asserts or traps" : "only print, assert or trap";
  if (code == "does-no-work") act = one ? "does no work" : "do no work";
  const auto& path = optional_fact(facts, "works-in");
  const auto file = path.substr(path.find_last_of("/!") + 1);
  const auto& working = optional_fact(facts, "works");
  const bool is_told = one || fact(facts, "first") == working;
  const auto where = path.empty()
                         ? std::string()
                         : fmt::format(", but {} works in {}",
                                       is_told ? (one ? "it" : "the first") : working, file);
  const auto* they = one ? "it" : "they";
  const auto* their = one ? "its" : "their";
  return fmt::format(
      "{} {} in all of {} code{}; if {} should work, look at {} `#if __CUDA_ARCH__` guards", names,
      act, their, where, they, their);
}

/// Returns the sentence about a pyproject.toml whose promise is not applied.
std::string project_not_used_text(const Facts& facts) {
  const auto& why = fact(facts, "why");
  if (why == "not-read") return "not read: " + fact(facts, "problem");
  const auto& project = fact(facts, "project");
  if (why == "overruled") {
    return fmt::format("[tool.archgrid] of {} is not applied: the command line asks", project);
  }
  if (why == "wheels-only") {
    return fmt::format(
        "[tool.archgrid] of {0} is for the wheels of its project: --matrix {0} applies it",
        project);
  }
  return fmt::format(
      "[tool.archgrid] of {0} is for the project {1}, and this wheel is of {2}: --matrix {0} "
      "applies it",
      project, fact(facts, "name"), fact(facts, "distribution"));
}

std::string promised_by_project_text(const Facts& facts) {
  const auto& project = fact(facts, "project");
  const auto& matrix = optional_fact(facts, "matrix");
  if (matrix.empty()) return fmt::format("promised by [tool.archgrid] of {}", project);
  return fmt::format("promised by {}, which [tool.archgrid] of {} names", matrix, project);
}

}  // namespace

std::string newer_text(const coverage::NewerGpus& newer) {
  const auto newest = newer.newest.text();
  if (newer.doubt) {
    return fmt::format(
        "what GPUs newer than {} get is not known: {}", newest,
        reason_text(*newer.doubt, newer.doubtful ? newer.doubtful->text() : std::string("them")));
  }
  if (newer.kernels == 0 && newer.idle > 0) {
    return fmt::format(
        "GPUs newer than {} compile {} PTX, in which the {} of {} {} no work: nothing works there",
        newest, fmt::join(newer.ptx, ", "), newer.idle == 1 ? "body" : "bodies",
        count_text(newer.idle, "kernel"), newer.idle == 1 ? "does" : "do");
  }
  if (newer.kernels == 0) {
    const auto& suffixed = newer.suffixed_ptx;
    const auto ptx = suffixed.empty() ? std::string("no PTX")
                                      : fmt::format("no PTX but {}, for its own GPU or family",
                                                    fmt::join(suffixed, ", "));
    return fmt::format("{}: GPUs newer than {} get nothing", ptx, newest);
  }
  const auto by = newer.ptx.empty()
                      ? std::string("relocatable machine code, linked anew at load time")
                      : fmt::format("PTX {}", fmt::join(newer.ptx, ", "));
  auto text = fmt::format("GPUs newer than {} are served by {} (JIT)", newest, by);
  if (newer.kernels < newer.of_kernels) {
    text += fmt::format(" for {} of {} kernels only", newer.kernels, newer.of_kernels);
    if (newer.idle > 0) {
      text += fmt::format(", and {} more {} nothing in that PTX", newer.idle,
                          newer.idle == 1 ? "does" : "do");
    }
  }
  if (!newer.serves_future) {
    text += fmt::format(", but only {}", coverage::list_devices(newer.served));
  } else if (!newer.unserved.empty()) {
    text += fmt::format(", but {} get nothing", coverage::list_devices(newer.unserved));
  }
  return text;
}

std::string message_of(const coverage::Note& note) {
  const auto& code = note.code;
  const auto& facts = note.facts;
  const auto get = [&](const char* name) { return fact(facts, name); };
  if (note.newer) return newer_text(*note.newer);
  if (code == "no-device-code" || code == "nothing-judged") return nothing_text(code, facts);
  if (code == "driver-may-be-too-old") return may_be_too_old_text(facts);
  if (code == "picked-by-host") return picked_text(facts);
  if (code == "only-reports" || code == "does-no-work") return idle_text(code, facts);
  if (code == "promised-on-fewer-devices") {
    return fmt::format("{} of {} kernels {} promised by {} alone, and so not on {}", get("kernels"),
                       get("of"), get("kernels") == "1" ? "is" : "are", get("places"), get("gpus"));
  }
  if (code == "loads-at-run-time") {
    return fmt::format("coverage is incomplete: code that it loads at run time is not seen ({})",
                       get("loaders"));
  }
  if (code == "needs-other-package") return other_package_text(facts);
  if (code == "chosen-wheel") {
    return fmt::format("{} is {}", get("package"), fatbin::printable(get("wheel")));
  }
  if (code == "host-lto") {
    return "it holds the host compiler's LTO data (-flto) in place of machine code: device code "
           "among its data is not seen";
  }
  if (code == "debug-code") {
    return fmt::format("{} of {} images were made with -G", get("images"), get("of"));
  }
  if (code == "obfuscated") {
    return fmt::format("the content of {} of {} images is hidden on purpose", get("images"),
                       get("of"));
  }
  if (code == "unserved-variables") {
    const auto unit = get("unit");
    return fmt::format(
        "{} of its {} modules hold variables alone, and no code for {}{}: host code that uses them "
        "fails there",
        get("modules"), get("of"), get("gpus"), unit.empty() ? unit : fmt::format(" ({})", unit));
  }
  if (code == "other-toolkit") {
    return fmt::format(
        "judged for CUDA {}, but none of its code was made with that: it was made with {}",
        get("toolkit"), get("made-with"));
  }
  if (code == "without-device-code") {
    return "it holds no device code that archgrid can see, so nothing of it was judged";
  }
  if (code == "metadata-not-read") {
    return fmt::format(
        "its {} is of a form that archgrid does not know: what it says of GPUs does not count",
        get("source"));
  }
  if (code == "served-in-part") {
    return fmt::format("not judged, as no more than half of its {} kernels are {} there: {}",
                       get("of"), get("accept"), get("gpus"));
  }
  if (code == "gpus-between") {
    return fmt::format("nothing runs on {}, though older and newer GPUs are served", get("gpus"));
  }
  if (code == "gpus-left-out") {
    return fmt::format("not judged, as the package is not for them by its {}: {}", get("source"),
                       get("gpus"));
  }
  if (code == "gpus-without-driver") {
    return fmt::format("not judged, as they do not run with {}: {}", get("driver"), get("gpus"));
  }
  if (code == "like-other-kernels") {
    return "nothing was promised (--accept beside --gpu, or --matrix, would promise): files and "
           "kernels are held to what the rest of the package has";
  }
  if (code == "promised-by-project") return promised_by_project_text(facts);
  if (code == "project-not-used") return project_not_used_text(facts);
  if (code == "baseline-of-others") {
    return fmt::format("{} has none of these files: all findings are new", get("baseline"));
  }
  if (code == "baseline-of-other-gpus") {
    return fmt::format(
        "{} was written with{} promise and judged nothing on {}: errors there count as new",
        get("baseline"), get("promise").empty() ? "out a" : " a", get("gpus"));
  }
  if (code == "lost-unjudged") {
    return fmt::format("kernels of {} ran on {}, and none does now: this audit does not judge that",
                       get("baseline"), get("gpus"));
  }
  if (code == "baseline-of-other-driver") {
    const auto named = [&](const char* name) {
      const auto driver = get(name);
      return driver.empty() ? std::string("without --driver") : "with --driver " + driver;
    };
    return fmt::format(
        "{} was written {}, and this audit is {}: GPUs lost are judged as there, and errors about "
        "the driver count as new",
        get("baseline"), named("was"), named("driver"));
  }
  if (code == "baseline-of-older-archgrid") {
    const auto version = get("version");
    const bool is_one = get("kernels") == "1";
    return fmt::format(
        "{} was written by {}, which missed some bodies that do no work: {} whose {} now {} not "
        "compared with it; write it anew (--json)",
        get("baseline"), version.empty() ? "an older archgrid" : "archgrid " + version,
        is_one ? "1 kernel" : get("kernels") + " kernels",
        is_one ? "body does none" : "bodies do none", is_one ? "is" : "are");
  }
  if (code == "not-audited" || code == "leftover") return unaudited_text(facts);
  if (code == "targets-not-built") return targets_text(facts);
  if (code == "kernels-of-other-cells") return other_cells_text(facts);
  if (code == "enforced-archs") {
    return "\"enforce_archs\" replaces the archs that the project sets: what it builds without "
           "archgrid is not proved";
  }
  throw std::logic_error("no sentence for the note " + code);
}

}  // namespace archgrid::report
