// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the outputs of an audit.
#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> audit_arguments(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"audit",   sample("plain.o"), "--device",
                                        "8.0,9.0", "--accept",        "native,compatible"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Returns the names in a folder, without the files of run().
std::vector<std::string> names_in(const fs::path& place) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(place)) {
    const auto name = entry.path().filename().string();
    if (name != "out" && name != "err") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Calls the command like run(), in a shell that first runs `before`.
Outcome run_after(const std::string& before, const std::vector<std::string>& arguments) {
  const auto out = folder() / "out";
  const auto err = folder() / "err";
  std::string inner = before + "; exec " + quoted(tests::kCommand);
  for (const auto& argument : arguments) inner += " " + quoted(argument);
  const auto line = "bash -c " + tests::quoted(inner) + " >" + quoted(out.string()) + " 2>" +
                    quoted(err.string());
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents_of(out), contents_of(err)};
}

TEST(Outputs, SeveralAtOnceBesideTheMap) {
  const auto place = folder() / "all";
  fs::create_directories(place);
  const auto at = [&](const char* name) { return (place / name).string(); };
  const auto outcome =
      run(audit_arguments({"--json=" + at("a.json"), "--junit", at("a.xml"), "--html", at("a.html"),
                           "--markdown", at("a.md"), "--sarif=" + at("a.sarif")}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\npromise broken: "));
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(names_in(place), ElementsAre("a.html", "a.json", "a.md", "a.sarif", "a.xml"));
  EXPECT_EQ(json::parse(contents_of(place / "a.json"))["schema"], "archgrid.audit/1");
  EXPECT_EQ(json::parse(contents_of(place / "a.sarif"))["version"], "2.1.0");
  EXPECT_THAT(contents_of(place / "a.html"), StartsWith("<!doctype html>"));
  EXPECT_THAT(contents_of(place / "a.xml"), StartsWith("<?xml"));
  EXPECT_THAT(contents_of(place / "a.md"), StartsWith("## :x: promise broken: "));
}

TEST(Outputs, EveryCommandWritesJsonToAFileToo) {
  const auto matrix = std::string(tests::kSource) + "/matrices/quick.json";
  const std::vector<std::vector<std::string>> commands = {
      {"list", sample("plain.o")},
      {"suggest", "--devices", "8.0", "--toolkit", "13.0"},
      {"matrix", matrix},
      {"diff", sample("plain.o"), sample("plain.o")}};
  for (auto command : commands) {
    const auto text = run(command);
    const auto path = (folder() / "x.json").string();
    command.push_back("--json=" + path);
    const auto both = run(command);
    EXPECT_EQ(both.code, 0) << command[0];
    EXPECT_EQ(both.out, text.out) << command[0];
    command.back() = "--json";
    const auto alone = run(command);
    EXPECT_EQ(alone.out, contents_of(path)) << command[0];
    EXPECT_FALSE(json::parse(alone.out)["schema"].get<std::string>().empty());
    command.back() = "--json=" + (folder() / "no" / "x.json").string();
    EXPECT_EQ(run(command).code, 2) << command[0];
  }
  EXPECT_EQ(run({"list", sample("plain.o"), "--sizes", "--json=" + (folder() / "y").string()}).code,
            0);
  EXPECT_THAT(run({"matrix", matrix, "--json=" + matrix}).err, Says("is an input"));
}

TEST(Outputs, ADashIsStandardOutputAndLeavesOutTheMap) {
  const auto outcome = run(audit_arguments({"--markdown", "-"}));
  EXPECT_THAT(outcome.out, StartsWith("## :x: "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\npromise broken: ")));
  EXPECT_EQ(json::parse(run(audit_arguments({"--json"})).out),
            json::parse(run(audit_arguments({"--json=-"})).out));
}

/// Returns PTX with enough kernels that judging them takes more memory than starting the command.
std::string many_kernels() {
  std::string text = ".version 8.4\n.target sm_80\n.address_size 64\n";
  for (int index = 0; index < 5000; ++index) {
    text +=
        ".visible .entry kernel_" + std::to_string(index) + std::string(200, 'k') + "() { ret; }\n";
  }
  return text;
}

TEST(Outputs, MemoryThatRunsOutAnywhereIsTwoAndLeavesNothing) {
  if (tests::kCommandIsSanitized) GTEST_SKIP() << "AddressSanitizer needs more of its own";
  write(folder() / "a.ptx", many_kernels());
  write(folder() / "b.ptx", many_kernels());
  const auto place = folder() / "place";
  fs::create_directories(place);
  const std::vector<std::string> arguments = {"audit",
                                              (folder() / "a.ptx").string(),
                                              (folder() / "b.ptx").string(),
                                              "--device",
                                              "8.0,9.0",
                                              "--accept",
                                              "native,compatible",
                                              "--html",
                                              (place / "x.html").string()};
  bool starved = false;
  Outcome outcome;
  for (int kib = 20000; kib < 4000000 && outcome.code != 1; kib += kib / 16) {
    outcome = run_after("ulimit -v " + std::to_string(kib), arguments);
    if (outcome.code == 1) break;
    ASSERT_THAT(outcome.code, ::testing::AnyOf(2, 127)) << kib << outcome.err;  // 127: not started
    starved = starved || outcome.err.find("not enough memory") != std::string::npos;
    for (const auto& name : names_in(place)) EXPECT_EQ(name, "x.html") << kib;
    fs::remove(place / "x.html");
  }
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(starved);
}

TEST(Outputs, OnePlaceTakesOneDocument) {
  const auto both = run(audit_arguments({"--json", "--sarif", "-"}));
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err,
              Says("--json and --sarif go to one place, standard output: name a file for one"));
  const auto file = (folder() / "x").string();
  EXPECT_THAT(run(audit_arguments({"--html", file, "--junit", file})).err,
              Says("go to one place, " + file));
  EXPECT_THAT(names_in(folder()), IsEmpty());
  EXPECT_THAT(run(audit_arguments({"--github", "--json"})).err,
              Says("name a file for --json (--json=FILE)"));
}

TEST(Outputs, OnePlaceIsOneHoweverItIsSpelled) {
  const auto at = [](const std::string& name) { return folder().string() + "/" + name; };
  fs::create_directories(at("sub"));
  write(at("there"), "as it was");
  fs::create_symlink(at("there"), at("link"));
  fs::create_hard_link(at("there"), at("twin"));
  const std::vector<std::pair<std::string, std::string>> pairs = {{at("new"), at("./new")},
                                                                  {at("new"), at("sub/../new")},
                                                                  {at("there"), at("link")},
                                                                  {at("twin"), at("there")}};
  for (const auto& [one, other] : pairs) {
    const auto outcome = run(audit_arguments({"--html", one, "--markdown", other}));
    EXPECT_EQ(outcome.code, 2) << other;
    EXPECT_THAT(outcome.err, Says("--html and --markdown go to one place, " + other));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
  EXPECT_EQ(contents_of(at("there")), "as it was");
  EXPECT_EQ(run(audit_arguments({"--html", at("there"), "--markdown", at("sub/there")})).code, 1);
  EXPECT_EQ(run(audit_arguments({"--html", "/dev/null", "--markdown", "/dev/./null"})).code, 1);
}

TEST(Outputs, NeverTakeThePlaceOfAnInput) {
  const auto at = [](const std::string& name) { return folder().string() + "/" + name; };
  write(at("a.o"), contents_of(sample("plain.o")));
  write(at("b.o"), contents_of(sample("plain.o")));
  write(at("m.json"), R"({"name": "m", "promises": [{"devices": ["8.0"]}]})");
  fs::create_symlink(at("a.o"), at("link.o"));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"audit", "--devices", "8.0", "--html", at("a.o"), at("b.o"), at("a.o")}, at("a.o")},
      {{"audit", at("link.o"), "--html", at("./a.o")}, at("./a.o")},
      {{"audit", at("a.o"), "--json=" + at("link.o")}, at("link.o")},
      {{"audit", at("a.o"), "--matrix", at("m.json"), "--json=" + at("m.json")}, at("m.json")},
      {{"diff", at("a.o"), at("b.o"), "--markdown", at("b.o")}, at("b.o")},
      {{"diff", at("a.o"), at("b.o"), "--json=" + at("link.o")}, at("link.o")},
  };
  for (const auto& [arguments, output] : cases) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << output;
    EXPECT_THAT(outcome.err, Says(": " + output + " is an input, which this would overwrite"));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
  for (const auto* name : {"a.o", "b.o"}) {
    EXPECT_EQ(contents_of(at(name)), contents_of(sample("plain.o"))) << name;
  }
  EXPECT_THAT(names_in(folder()), ElementsAre("a.o", "b.o", "link.o", "m.json"));
  EXPECT_EQ(run({"audit", at("a.o"), "--devices", "8.0", "--html", at("c.o")}).code, 0);
}

TEST(Outputs, ThatCannotBeOpenedAreToldBeforeAnythingIsRead) {
  const auto missing = (folder() / "no" / "a.html").string();
  auto outcome = run(audit_arguments({"--html", missing}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("cannot write " + missing +
                                ": No such file or directory: make its folder first\n"));
  EXPECT_THAT(outcome.out, IsEmpty());
  outcome = run(audit_arguments({"--html", folder().string()}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("it is a folder: name a file"));
  outcome = run(audit_arguments({"--junit", (folder() / "a.xml").string(), "--html", missing}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(names_in(folder()), IsEmpty());
}

TEST(Outputs, AFullDiskIsTwoAndTheOthersAreWritten) {
  const auto good = folder() / "a.json";
  const auto outcome = run(audit_arguments({"--html", "/dev/full", "--json=" + good.string()}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              Says("cannot write /dev/full: No space left on device: make room there"));
  EXPECT_FALSE(json::parse(contents_of(good))["holds"]);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(Outputs, AFileIsWrittenWholeOrStaysAsItWas) {
  const auto kept = folder() / "kept.html";
  write(kept, "as it was");
  const auto fresh = folder() / "fresh.html";
  // ulimit counts blocks of 1,024 bytes.
  for (const auto& path : {kept, fresh}) {
    const auto outcome = run_after("ulimit -f 8", audit_arguments({"--html", path.string()}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, Says("cannot write " + path.string() + ": File too large"));
  }
  EXPECT_EQ(contents_of(kept), "as it was");
  EXPECT_THAT(names_in(folder()), ElementsAre("kept.html"));
  EXPECT_EQ(run_after("ulimit -f 800", audit_arguments({"--html", kept.string()})).code, 1);
  EXPECT_THAT(contents_of(kept), StartsWith("<!doctype html>"));
}

TEST(Outputs, AnAuditThatFailsLeavesNothing) {
  const auto outcome = run({"audit", sample("plain.o"), "--matrix", "no.json", "--html",
                            (folder() / "a.html").string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(names_in(folder()), IsEmpty());
}

TEST(Outputs, LinksAndPermissionsStay) {
  const auto target = folder() / "target.md";
  const auto link = folder() / "link.md";
  write(target, "old");
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(target, link);
  EXPECT_EQ(run(audit_arguments({"--markdown", link.string()})).code, 1);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_THAT(contents_of(target), StartsWith("## :x: "));
  EXPECT_EQ(fs::status(target).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Outputs, GitHubIsToldByAnnotationsAndASummary) {
  const auto summary = folder() / "summary.md";
  write(summary, "earlier\n");
  const auto with = "GITHUB_STEP_SUMMARY=" + quoted(summary.string());
  const auto outcome = run(audit_arguments({"--github"}), with);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\npromise broken: "));
  EXPECT_THAT(outcome.out, HasSubstr("\n::error file=" + sample("plain.o") + ",title=jit%3A "));
  EXPECT_THAT(contents_of(summary), StartsWith("earlier\n## :x: promise broken: "));
  EXPECT_EQ(run(audit_arguments({"--github"}), "GITHUB_STEP_SUMMARY=").code, 1);
  const auto full = run(audit_arguments({"--github"}), "GITHUB_STEP_SUMMARY=/dev/full");
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(full.err, Says("cannot write the step summary /dev/full: No space left on device"));
}

TEST(Outputs, AStepSummaryStaysUnderItsLimitTogetherWithWhatIsThere) {
  const auto summary = folder() / "summary.md";
  write(summary, std::string(999900, '\n'));
  EXPECT_EQ(
      run(audit_arguments({"--github"}), "GITHUB_STEP_SUMMARY=" + quoted(summary.string())).code,
      1);
  EXPECT_LE(fs::file_size(summary), 1000000U);
  EXPECT_THAT(contents_of(summary), HasSubstr("## :x: promise broken: "));
}

TEST(Output, ThatASignalEndsLeavesNoPartialFile) {
  const auto place = folder();
  // The expansion of the matrix file runs cmake, which is replaced here by a wait while the output
  // is open.
  write(place / "bin" / "cmake", "#!/bin/sh\nexec sleep 5\n");
  fs::permissions(place / "bin" / "cmake", fs::perms::owner_all);
  write(place / "m.json", "{}");
  const auto script = "cd " + quoted(place.string()) + "\nPATH=\"$PWD/bin:$PATH\" " +
                      quoted(tests::kCommand) + R"( matrix m.json --json=out.json >&2 &
pid=$!
tries=0
until ls -A | grep -q partial; do
  tries=$((tries + 1))
  [ $tries -lt 500 ] || exit 9
  sleep 0.05
done
kill -TERM $pid
wait $pid 2>/dev/null  # where the shell reports "Terminated"
status=$?
ls -A | grep -q partial && exit 8
exit $status)";
  const int status = std::system(script.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM) << "8: a partial file was left, 9: there was none";
  EXPECT_FALSE(fs::exists(place / "out.json"));
}

}  // namespace
}  // namespace archgrid::tests
