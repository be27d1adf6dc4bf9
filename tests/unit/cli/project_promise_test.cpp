// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits of wheels whose projects promise GPUs in a pyproject.toml.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "archives.hpp"
#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kProject = "[project]\nname = \"Some.Name\"\n";

/// Returns a wheel whose kernels lack machine code for 9.0, and are stubs on 7.5.
std::string wheel_of(const std::string& distribution, const std::string& folder_name = "dist") {
  const auto name = folder_name + "/" + distribution + "-1.0-py3-none-linux_x86_64.whl";
  return wheel(name, {{"x/libx.so", contents_of(sample("libsample.so"))}}).string();
}

void write_project(const std::string& text) {
  write(folder() / "pyproject.toml", text);
}

std::vector<std::string> codes_of(const json& notes) {
  std::vector<std::string> codes;
  for (const auto& note : notes) codes.push_back(note.at("code"));
  return codes;
}

TEST(ProjectPromise, OfTheFolderAboveAWheelIsKeptOrBroken) {
  const auto path = wheel_of("some_name");
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"A100\", \"sm_90\"]\n");
  const auto broken = run({"audit", path});
  EXPECT_EQ(broken.code, 1) << broken.err;
  EXPECT_THAT(unwrapped(broken.out),
              AllOf(HasSubstr("jit: libx.so: idle and 4 more on 9.0"),
                    HasSubstr("note: promised by [tool.archgrid] of " +
                              (folder() / "pyproject.toml").string()),
                    HasSubstr("promise broken: 1 finding (1 jit), 5 of 5 kernels x 2 devices"),
                    Not(HasSubstr("nothing was promised"))));
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"A100\"]\n");
  const auto kept = run({"audit", path});
  EXPECT_EQ(kept.code, 0) << kept.out;
  EXPECT_THAT(kept.out, HasSubstr("promise holds: 5 kernels x 1 device"));
  write_project(std::string(kProject) +
                "[tool.archgrid]\ndevices = [\"9.0\"]\naccept = [\"jit\"]\n");
  EXPECT_EQ(run({"audit", path}).code, 0);
}

TEST(ProjectPromise, IsNamedInJsonRelativeToTheFolderOfTheUser) {
  wheel_of("some_name");
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.0\"]\n");
  const auto notes_in = [](const fs::path& where, const std::string& file) {
    const auto out = folder() / "out.json";
    const auto line = "cd " + quoted(where.string()) + " && " + quoted(tests::kCommand) +
                      " audit -q " + quoted(file) + " --json=" + quoted(out.string()) +
                      " >/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 1);
    return json::parse(contents_of(out)).at("notes");
  };
  const std::string name = "some_name-1.0-py3-none-linux_x86_64.whl";
  const auto above = notes_in(folder() / "dist", name);
  EXPECT_EQ(above, json::parse(R"([{"code": "promised-by-project",
    "message": "promised by [tool.archgrid] of ../pyproject.toml"}])"));
  const auto here = notes_in(folder(), "dist/" + name);
  EXPECT_EQ(here.at(0).at("message"), "promised by [tool.archgrid] of pyproject.toml");
  const auto dotted = notes_in(folder(), "./dist/" + name);
  EXPECT_EQ(dotted.at(0).at("message"), "promised by [tool.archgrid] of pyproject.toml");
}

TEST(ProjectPromise, OfTheFolderOfTheWheelIsTheNearest) {
  const auto path = wheel_of("some_name", ".");
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.0\"]\n");
  EXPECT_EQ(run({"audit", path}).code, 1);
  const auto inner = wheel_of("some_name");
  write(folder() / "dist" / "pyproject.toml",
        std::string(kProject) + "[tool.archgrid]\ndevices = [\"8.0\"]\n");
  EXPECT_EQ(run({"audit", inner}).code, 0) << "its own folder comes first";
}

TEST(ProjectPromise, GivesWayToTheCommandLine) {
  const auto path = wheel_of("some_name");
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.5\"]\n");
  const auto matrix = folder() / "m.json";
  write(matrix, R"({"name": "m", "promises": [{"devices": ["8.0"]}]})");
  for (const std::vector<std::string>& promise : {std::vector<std::string>{"--gpu", "8.0"},
                                                  {"--device", "8.0", "--accept", "native"},
                                                  {"--matrix", matrix.string()}}) {
    std::vector<std::string> arguments = {"audit", path};
    arguments.insert(arguments.end(), promise.begin(), promise.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << promise.front() << outcome.err;
    EXPECT_THAT(outcome.out,
                Says("note: [tool.archgrid] of " + (folder() / "pyproject.toml").string() +
                     " is not applied: the command line asks"));
  }
  EXPECT_THAT(run({"audit", path, "--accept", "jit"}).err, Says("devices[0]: unknown GPU"))
      << "verdicts name no GPUs";
  // Even an unreadable promise is no error.
  for (const auto* text : {"[tool.archgrid\n", "[tool.archgrid]\ndevices = [\"8.0\"]\n"}) {
    write_project(text);
    const auto outcome = run({"audit", path, "--gpu", "8.0"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr("pyproject")));
  }
  write_project(std::string(kProject) + "[tool.archgrid]\nmatrix = \"m.json\"\n");
  EXPECT_THAT(run({"audit", path, "--matrix", matrix.string()}).out, Not(HasSubstr("pyproject")))
      << "the file that it names";
}

TEST(ProjectPromise, OfAnotherProjectDoesNotCount) {
  const auto path = wheel_of("other_name");
  const auto alone = run({"audit", path});
  // An error in a table for other wheels does not affect this one.
  for (const auto* table : {"devices = [\"9.0\"]", "devices = [\"9.5\"]"}) {
    write_project(std::string(kProject) + "[tool.archgrid]\n" + table + "\n");
    const auto outcome = run({"audit", path});
    EXPECT_EQ(outcome.code, alone.code);
    EXPECT_THAT(outcome.out,
                Says("note: [tool.archgrid] of " + (folder() / "pyproject.toml").string() +
                     " is for the project some-name, and this wheel is of other-name: --matrix "));
    EXPECT_LT(outcome.out.find("note: [tool.archgrid]"), outcome.out.find("note: nothing was"));
    EXPECT_THAT(outcome.err, IsEmpty());
  }
  write_project("[project]\nname = \"other-name\"\n");
  EXPECT_EQ(run({"audit", path}).out, alone.out) << "it promises nothing";
}

TEST(ProjectPromise, IsForWheelsAlone) {
  write_project("[project]\nname = \"libx\"\n[tool.archgrid]\ndevices = [\"9.0\"]\n");
  const auto library = folder() / "dist" / "libx-1.so";
  write(library, contents_of(sample("libsample.so")));
  EXPECT_THAT(run({"audit", library.string()}).out,
              Says("pyproject.toml is for the wheels of its project: --matrix "));
  EXPECT_THAT(run({"audit", (folder() / "dist").string()}).out, Not(HasSubstr("pyproject")));
  fs::create_directories(folder() / "dist" / "libx-1.0.whl");
  fs::rename(library, folder() / "dist" / "libx-1.0.whl" / "libx.so");
  EXPECT_THAT(run({"audit", (folder() / "dist" / "libx-1.0.whl").string()}).out,
              Not(HasSubstr("pyproject")));
}

TEST(ProjectPromise, ErrorsInTheTableAreErrorsOfTheAudit) {
  const auto path = wheel_of("some_name");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"devices = [\"9.5\"]", "tool.archgrid.devices[0]: unknown GPU \"9.5\": write a name, as "},
      {"devices = [\"RTX\"]", "tool.archgrid.devices[0]: \"RTX\" is the beginning of a GPU's name"},
      {"devices = [\"8.0,9.0\"]",
       "tool.archgrid.devices[0]: \"8.0,9.0\" names several GPUs: write each in quotes of its own"},
      {"gpus = [\"9.0\"]", "tool.archgrid: unknown key \"gpus\": use one of matrix, devices,"},
      {"devices = [9.0]", "tool.archgrid.devices[0]: expected a string, found 9.0"},
      {"strict = true", "tool.archgrid: \"devices\" is missing"},
      {"devices = [\"\"]", "tool.archgrid.devices[0]: \"\" names no GPU: write one"},
      {"devices = [\", ;\"]", "tool.archgrid.devices[0]: \", ;\" names no GPU: write one"},
      {"matrix = \"\"", "tool.archgrid.matrix: the path is empty"},
      {"matrix = \"none.json\"", "tool.archgrid.matrix: no file "},
  };
  for (const auto& [table, expected] : cases) {
    write_project(std::string(kProject) + "[tool.archgrid]\n" + table + "\n");
    const auto outcome = run({"audit", path});
    EXPECT_EQ(outcome.code, 2) << table;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, Says((folder() / "pyproject.toml").string() + ": " + expected));
  }
}

TEST(ProjectPromise, GpusAreSpelledAsOnTheCommandLine) {
  const auto path = wheel_of("some_name");
  for (const auto* gpu : {"9.0", "90", "sm_90", "H100", "NVIDIA H100 80GB HBM3"}) {
    write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"" + gpu + "\"]\n");
    const auto outcome = run({"audit", path});
    EXPECT_EQ(outcome.code, 1) << gpu;
    EXPECT_THAT(outcome.out, HasSubstr("jit: libx.so: idle and 4 more on 9.0\n"));
  }
}

TEST(ProjectPromise, OfAFolderIsThatOfTheWheelsInIt) {
  wheel_of("some_name");
  const auto dist = (folder() / "dist").string();
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.0\"]\n");
  for (const auto& name : {dist, dist + "/"}) {
    const auto outcome = run({"audit", name});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, Says("note: promised by [tool.archgrid] of "));
  }
  EXPECT_THAT(run({"audit", dist, "--gpu", "8.0"}).out,
              Says("is not applied: the command line asks"));
  wheel_of("other_name");
  const auto mixed = run({"audit", dist});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err, Says("audit them apart"));
}

TEST(ProjectPromise, IsNotOverwritten) {
  const auto path = wheel_of("some_name");
  const auto project = (folder() / "pyproject.toml").string();
  const auto matrix = (folder() / "m.json").string();
  const auto around = (folder() / "dist" / ".." / "pyproject.toml").string();
  const std::string promise = R"({"name": "m", "promises": [{"devices": ["8.0"]}]})";
  const auto text = std::string(kProject) + "[tool.archgrid]\nmatrix = \"m.json\"\n";
  write_project(text);
  write(matrix, promise);
  for (const auto& file : {project, matrix, around}) {
    const std::vector<std::vector<std::string>> cases = {
        {"--markdown", file}, {"--json=" + file}, {"--markdown", file, "--matrix", project}};
    for (const auto& options : cases) {
      std::vector<std::string> arguments = {"audit", path};
      arguments.insert(arguments.end(), options.begin(), options.end());
      const auto outcome = run(arguments);
      EXPECT_EQ(outcome.code, 2) << options.front();
      EXPECT_THAT(unwrapped(outcome.err),
                  HasSubstr(file + " is an input, which this would overwrite: name another file"));
      EXPECT_EQ(contents_of(project), text);
      EXPECT_EQ(contents_of(matrix), promise);
    }
  }
  EXPECT_EQ(run({"audit", path, "--gpu", "8.0", "--markdown", project}).code, 2);
  EXPECT_EQ(contents_of(project), text);
}

TEST(ProjectPromise, OfAFileThatOthersMayWriteHasToBeNamed) {
  const auto path = wheel_of("some_name");
  const auto project = folder() / "pyproject.toml";
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.0\"]\n");
  ASSERT_EQ(run({"audit", path}).code, 1);
  ASSERT_EQ(::chmod(project.c_str(), 0666), 0);
  const auto outcome = run({"audit", path});
  EXPECT_EQ(outcome.code, 2) << "it may be meant";
  EXPECT_THAT(outcome.err, Says(project.string() + ": everybody can write it"));
  EXPECT_THAT(outcome.err, Says("write --matrix " + project.string()));
  EXPECT_EQ(run({"audit", path, "--matrix", project.string()}).code, 1);
  EXPECT_THAT(run({"audit", path, "--gpu", "8.0"}).out, Not(HasSubstr("pyproject")));
  write_project(kProject);
  EXPECT_THAT(run({"audit", path}).out, Not(HasSubstr("pyproject"))) << "nothing is lost";
  ASSERT_EQ(::chmod(project.c_str(), 0600), 0);
  write_project(std::string(kProject) + "[tool.archgrid]\nmatrix = \"m.json\"\n");
  const auto matrix = folder() / "m.json";
  write(matrix, R"({"name": "m", "promises": [{"devices": ["9.0"]}]})");
  ASSERT_EQ(run({"audit", path}).code, 1);
  ASSERT_EQ(::chmod(matrix.c_str(), 0666), 0);
  EXPECT_THAT(run({"audit", path}).err, Says("m.json: everybody can write it"));
}

TEST(ProjectPromise, OfAFileOfAnotherUserHasToBeNamed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  constexpr uid_t kOther = 12345;
  const auto path = wheel_of("some_name");
  const auto project = folder() / "pyproject.toml";
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.0\"]\n");
  ASSERT_EQ(::chown(project.c_str(), kOther, kOther), 0);
  const auto outcome = run({"audit", path});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("another user owns it, so its promise is applied only where"));
  EXPECT_EQ(run({"audit", path, "--matrix", project.string()}).code, 1);
}

TEST(ProjectPromise, IsForTheWheelsOfAFolderAlone) {
  wheel_of("some_name");
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.0\"]\n");
  const auto dist = (folder() / "dist").string();
  EXPECT_EQ(run({"audit", dist}).code, 1);
  EXPECT_EQ(run({"audit", dist + "/"}).code, 1);
  fs::create_directories(folder() / "dist" / "debug");
  fs::copy_file(sample("libsample.so"), folder() / "dist" / "debug" / "libother.so",
                fs::copy_options::overwrite_existing);
  const auto outcome = run({"audit", dist});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("libother.so is in none of the wheels that [tool.archgrid] is"));
  fs::remove_all(folder() / "dist" / "debug");
}

TEST(ProjectPromise, NotesAreMadeOnce) {
  const auto path = wheel_of("other_name");
  const auto second = folder() / "dist" / "other_name-1.1-py3-none-linux_x86_64.whl";
  fs::copy_file(path, second);
  for (const auto& text : {std::string(kProject) + "[tool.archgrid]\n", std::string("x = \n")}) {
    write_project(text);
    const auto outcome = run({"audit", path, second.string(), "--json"});
    const auto codes = codes_of(json::parse(outcome.out).at("notes"));
    EXPECT_EQ(std::count(codes.begin(), codes.end(), "project-not-used"), 1);
  }
}

TEST(ProjectPromise, ThatNobodyCanReadIsAnError) {
  const auto path = wheel_of("some_name");
  const auto project = (folder() / "pyproject.toml").string();
  for (const auto& text : {std::string(kProject) + "[tool.archgrid\ndevices = [\"9.0\"]\n",
                           std::string(kProject) + "[tool.archgrid]\ndevices = [\"9.0\"\n",
                           "[[tool.archgrid.ignore]]\n" + std::string(kProject) + "x = \n",
                           std::string("[tool.archgrid]\ndevices = [\"9.0\"]\n")}) {
    write_project(text);
    const auto outcome = run({"audit", path});
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(unwrapped(outcome.err),
                AllOf(HasSubstr(project), HasSubstr("--matrix FILE"), HasSubstr("--gpu")));
    EXPECT_EQ(run({"audit", path, "--gpu", "8.0"}).code, 0) << text;
  }
}

TEST(ProjectPromise, InvalidTomlIsANoteUnlessItIsNamed) {
  const auto path = wheel_of("some_name");
  const auto alone = run({"audit", path});
  const auto project = (folder() / "pyproject.toml").string();
  write_project(std::string(kProject) + "devices = [\"9.0\n");
  const auto outcome = run({"audit", path, "--json"});
  EXPECT_EQ(outcome.code, alone.code);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(codes_of(json::parse(outcome.out).at("notes")),
              ::testing::Contains("project-not-used"));
  EXPECT_THAT(unwrapped(run({"audit", path}).out),
              HasSubstr("note: not read: " + project + ": line 3, column "));
  const auto named = run({"audit", path, "--matrix", project});
  EXPECT_EQ(named.code, 2);
  EXPECT_THAT(named.err, Says("pyproject.toml: line 3, column "));
  fs::remove(folder() / "pyproject.toml");
  fs::create_directories(folder() / "pyproject.toml");
  EXPECT_THAT(unwrapped(run({"audit", path}).out), HasSubstr("it is a folder: name a file"));
}

TEST(ProjectPromise, AProjectWithoutANameIsAnErrorHoweverItsTableIsWritten) {
  const auto path = wheel_of("some_name");
  for (const auto* table :
       {"[tool]\narchgrid = {devices = [\"9.0\"]}\n", "[ tool.archgrid ]\ndevices = [\"9.0\"]\n"}) {
    write_project(table);
    const auto outcome = run({"audit", path});
    EXPECT_EQ(outcome.code, 2) << table;
    EXPECT_THAT(outcome.err, Says("[project] has no \"name\": add it"));
    EXPECT_EQ(run({"audit", path, "--gpu", "8.0"}).code, 0) << table;
  }
}

TEST(ProjectPromise, AFileThatMatrixNamesNeedsNoWheelAndNoName) {
  write_project("[tool.archgrid]\ndevices = [\"8.0\", \"9.0\"]\n");
  const auto project = (folder() / "pyproject.toml").string();
  const auto outcome = run({"audit", sample("libsample.so"), "--matrix", project});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(unwrapped(outcome.out), HasSubstr("promised by [tool.archgrid] of " + project));
  EXPECT_EQ(run({"audit", sample("libsample.so"), "--matrix", project, "--gpu", "8.0"}).code, 0)
      << "a part of the promise";
  EXPECT_THAT(run({"audit", sample("libsample.so"), "--matrix", project, "--gpu", "7.5"}).err,
              Says("nothing is promised there"));
  write_project(kProject);
  const auto without = run({"audit", sample("libsample.so"), "--matrix", project});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, Says("no table [tool.archgrid]: add it"));
}

TEST(ProjectPromise, MayBeThatOfAMatrixFile) {
  const auto path = wheel_of("some_name");
  write_project(std::string(kProject) + "[tool.archgrid]\nmatrix = \"matrices/release.json\"\n");
  write(folder() / "matrices" / "release.json",
        R"({"name": "m", "promises": [{"devices": ["9.0"], "toolkits": ["13.5"]}],
            "ignore": [{"kernel": "tile*", "reason": "tried"}]})");
  const auto outcome = run({"audit", path, "--toolkit", "13.5"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(unwrapped(outcome.out),
              AllOf(HasSubstr("matrices/release.json, which [tool.archgrid] of "),
                    HasSubstr("ignored: 1 finding: tried"),
                    HasSubstr("promise broken: 1 finding (1 jit), 3 of 5 kernels")));
  EXPECT_THAT(run({"audit", path}).err, Says("--toolkit 13.5"));
}

TEST(ProjectPromise, IgnoresHaveToMatch) {
  const auto path = wheel_of("some_name");
  const auto table = std::string(kProject) + "[tool.archgrid]\ndevices = [\"7.5\", \"8.0\"]\n";
  write_project(table);
  const auto broken = run({"audit", path});
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(
      unwrapped(broken.out),
      HasSubstr("to ignore one: \"empty:guarded@7.5\" in an \"ignore\" of [tool.archgrid]"));
  // The suggested pattern, and separate tables.
  write_project(table +
                "ignore = [{kernel = \"empty:guarded@7.5\", reason = \"old\"},\n"
                "{kernel = \"trapping*\", devices = [\"T4\"], reason = \"old\"}]\n");
  const auto ignored = run({"audit", path});
  EXPECT_EQ(ignored.code, 0) << ignored.out << ignored.err;
  EXPECT_THAT(ignored.out, HasSubstr("ignored: 2 findings: old ("));
  write_project(table + "[[tool.archgrid.ignore]]\nkernel = \"guarded\"\nreason = \"old\"\n" +
                "[[tool.archgrid.ignore]]\nkernel = \"trapping\"\nreason = \"old\"\n");
  EXPECT_EQ(run({"audit", path}).code, 0);
  write_project(table + "accept = [\"native\", \"empty\"]\n" +
                "[[tool.archgrid.ignore]]\nkernel = \"ghost\"\nreason = \"old\"\n");
  const auto unused = run({"audit", path});
  EXPECT_EQ(unused.code, 1);
  EXPECT_THAT(unused.out, HasSubstr("tool.archgrid.ignore[0]: \"ghost\" matches no promised"));
  EXPECT_EQ(run({"audit", path, "--allow-unused-ignores"}).code, 0);
}

TEST(ProjectPromise, ASourceDistributionIsOfTheProjectOfItsWheel) {
  const auto path = wheel_of("some_name");
  const auto source = wheel("dist/some_name-1.0.tar.gz", {{"some_name-1.0/setup.py", "x"}});
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"A100\"]\n");
  const auto both = run({"audit", source.string(), path});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("promise holds: 5 kernels x 1 device"));
}

TEST(ProjectPromise, IsOneForAllFiles) {
  const auto path = wheel_of("some_name");
  write_project(std::string(kProject) + "[tool.archgrid]\ndevices = [\"8.0\"]\n");
  const auto same = folder() / "dist" / "Some.Name-1.1-py3-none-linux_x86_64.whl";
  fs::copy_file(path, same);
  const auto both = run({"audit", path, same.string()});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_THAT(both.out, Says("promise holds: "));
  const auto other = wheel_of("other_name");
  for (const auto& pair : {std::make_pair(path, other), std::make_pair(other, path)}) {
    const auto outcome = run({"audit", pair.first, pair.second});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(Says(path + " is promised by [tool.archgrid] of "),
                                   Says(other + " has no pyproject.toml with a promise for it"),
                                   Says("audit them apart")));
  }
  EXPECT_EQ(run({"audit", path, sample("plain.o")}).code, 2);
  const auto elsewhere = wheel_of("third", "elsewhere/dist");
  write(folder() / "elsewhere" / "pyproject.toml",
        "[project]\nname = \"third\"\n[tool.archgrid]\ndevices = [\"8.0\"]\n");
  const auto outcome = run({"audit", path, elsewhere});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("elsewhere/pyproject.toml: audit them apart"));
  EXPECT_EQ(run({"audit", path, elsewhere, other, "--gpu", "8.0"}).code, 0);
}

}  // namespace
}  // namespace archgrid::tests
