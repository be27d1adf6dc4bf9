// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests packages of PyPI as inputs, with a python3 that stands for the real one and its pip.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "archives.hpp"
#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Puts a python3 first on PATH that runs this shell code, in which $dest is pip's folder and
/// $package its last argument.
class FakePip {
 public:
  explicit FakePip(const std::string& code) : before_(std::getenv("PATH")) {
    const auto program = folder() / "bin" / "python3";
    write(program, "#!/bin/sh\necho \"$@\" >> '" + log().string() +
                       "'\nfor word; do\n  [ \"$last\" = --dest ] && dest=$word\n  last=$word\n"
                       "done\npackage=$last\n" +
                       code);
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("PATH", (program.parent_path().string() + ":" + before_).c_str(), 1);
  }
  ~FakePip() { ::setenv("PATH", before_.c_str(), 1); }
  FakePip(const FakePip&) = delete;
  FakePip& operator=(const FakePip&) = delete;

  [[nodiscard]] static std::string calls() { return fs::exists(log()) ? contents_of(log()) : ""; }

 private:
  static fs::path log() { return folder() / "calls"; }

  std::string before_;
};

/// Returns a wheel with the sample library.
std::string sample_wheel() {
  return wheel("x-1.0-py3-none-any.whl", {{"x/libx.so", contents_of(sample("libsample.so"))}})
      .string();
}

TEST(Pypi, APackageIsDownloadedAndAudited) {
  const FakePip pip("cp " + quoted(sample_wheel()) + " \"$dest\"");
  const auto outcome = run({"audit", "pypi:x==1.0", "--gpu", "7.5"});
  EXPECT_THAT(outcome.out, HasSubstr("libx.so"));
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(pip.calls(), HasSubstr("-m pip download"));
  EXPECT_THAT(pip.calls(), AllOf(HasSubstr(" --no-deps "), HasSubstr(" --only-binary=:all: ")));
  EXPECT_THAT(pip.calls(), HasSubstr(" x==1.0\n"));
  const auto begin = pip.calls().find("--dest ") + 7;
  const auto dest = pip.calls().substr(begin, pip.calls().find(' ', begin) - begin);
  EXPECT_FALSE(fs::exists(dest)) << "the download is still there";
  EXPECT_THAT(run({"list", "pypi:x"}).out,
              ::testing::StartsWith("x-1.0-py3-none-any.whl!x/libx.so:"))
      << "reports do not name the temporary folder";
}

TEST(Pypi, AnAuditNamesTheVersionThatPipChose) {
  const FakePip pip("cp " + quoted(sample_wheel()) + " \"$dest\"");
  const auto outcome = run({"audit", "pypi:x"});
  EXPECT_THAT(outcome.out, HasSubstr("note: pypi:x is x-1.0-py3-none-any.whl\n"));
  EXPECT_THAT(run({"audit", "pypi:x", "--json"}).out,
              HasSubstr("\"pypi:x is x-1.0-py3-none-any.whl\""));
  EXPECT_THAT(run({"audit", "pypi:x==1.0"}).out, Not(HasSubstr("pypi:x")));
}

TEST(Pypi, AFileThatIsMissingAndNamedAsAPackageMayBeOne) {
  for (const std::string name : {"torch", "torch==2.9.0", "flash_attn", "nvidia-cublas-cu12"}) {
    const auto outcome = run({"audit", name});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(
        outcome.err,
        Says("No such file or directory; for the package on PyPI, write pypi:" + name + "\n"));
  }
  for (const std::string name : {"lib/torch", "torch.so", "torch-2.9.0-cp312.whl", "9x"}) {
    EXPECT_THAT(run({"audit", name}).err, Not(HasSubstr("pypi:"))) << name;
  }
}

TEST(Pypi, PipRunsInANewFolderAndAsksNothing) {
  // python3 -m pip would run a pip.py of the current folder.
  const FakePip pip("pwd >> '" + (folder() / "where").string() + "'; read answer && exit 1; cp " +
                    quoted(sample_wheel()) + " \"$dest\"");
  EXPECT_EQ(run({"list", "pypi:x"}).code, 0);
  EXPECT_THAT(contents_of(folder() / "where"), HasSubstr("archgrid-"));
  EXPECT_THAT(pip.calls(), HasSubstr("--no-input"));
}

TEST(Pypi, AWheelForAnotherPythonWillDo) {
  const FakePip pip(
      "case \"$*\" in *'--python-version 3.11'*) cp " + quoted(sample_wheel()) +
      " \"$dest\";; *) echo 'ERROR: Could not find a version (from versions: 3)' >&2; "
      "echo 'ERROR: No matching distribution found for x' >&2; exit 1;; esac");
  EXPECT_EQ(run({"list", "pypi:x"}).code, 0);
  EXPECT_THAT(pip.calls(), HasSubstr("--python-version 3.12 --platform manylinux"));
  EXPECT_THAT(pip.calls(), Not(HasSubstr("--python-version 3.10")));
}

TEST(Pypi, PipsErrorIsSaid) {
  const FakePip absent("echo 'ERROR: No matching distribution found for y' >&2; exit 1");
  auto outcome = run({"audit", "pypi:y"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              Says("pypi:y: pip cannot download it: No matching distribution found for y"));
}

TEST(Pypi, APackageWithoutWheelsIsToldFromNone) {
  const FakePip pip(
      "case \"$*\" in *'pip index versions'*) echo 'y (1.0)';; *) echo 'ERROR: No matching "
      "distribution found for y' >&2; exit 1;; esac");
  EXPECT_THAT(run({"audit", "pypi:y"}).err,
              AllOf(Says("pypi:y: it has releases, but no wheel for Linux on "),
                    Says("build one (pip wheel --no-deps y), and name its file")));
  EXPECT_THAT(run({"audit", "pypi:y==2.0"}).err, Says("pip cannot download it: No matching"));
}

TEST(Pypi, OtherErrorsEndTheSearch) {
  const FakePip broken("echo 'ERROR: the network is down' >&2; exit 1");
  const auto outcome = run({"audit", "pypi:y"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("pip cannot download it: the network is down"));
  EXPECT_THAT(broken.calls(), Not(HasSubstr("--python-version")));
}

TEST(Pypi, PythonWithoutPipIsExplained) {
  const FakePip none("echo '/usr/bin/python3: No module named pip' >&2; exit 1");
  const auto outcome = run({"audit", "pypi:y"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("python3 has no pip to download it with: install it"));
}

/// Returns the code of a pip that lists these releases for its own Python. Each has the file of a
/// wheel, or a dash if it cannot be downloaded.
std::string pip_with(const std::vector<std::pair<std::string, std::string>>& releases) {
  std::string versions;
  std::string downloads;
  for (const auto& [version, file] : releases) {
    versions += (versions.empty() ? "" : ", ") + version;
    if (file != "-") downloads += "*==" + version + ") cp " + quoted(file) + " \"$dest\";; ";
  }
  const std::string absent = "echo 'ERROR: No matching distribution found for x' >&2; exit 1;; ";
  const auto listing = [&](const std::string& of) {
    return "echo 'ERROR: Could not find a version that satisfies the requirement x (from "
           "versions: " +
           of + ")' >&2; " + absent;
  };
  return "case \"$*\" in *--python-version*==0.0.0.dev*) " + listing("none") + "*==0.0.0.dev*) " +
         listing(versions) + downloads + "*) " + absent + " esac";
}

std::string wheel_with(const std::string& version, const std::string& library) {
  return wheel("x-" + version + "-py3-none-any.whl", {{"x/libx.so", contents_of(sample(library))}})
      .string();
}

std::string wheel_without_code(const std::string& version) {
  return wheel("x-" + version + "-py3-none-any.whl", {{"x/__init__.py", "import os\n"}}).string();
}

/// Returns the code of a pip with releases 1.0 to 4.0, of which those from 3.0 on have code for
/// 7.5, and 2.0 cannot be downloaded.
std::string pip_with_releases() {
  return pip_with({{"1.0", wheel_with("1.0", "suffixed.o")},
                   {"2.0", "-"},
                   {"3.0", wheel_with("3.0", "plain.o")},
                   {"4.0", wheel_with("4.0", "plain.o")}});
}

Outcome history(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"audit", "pypi:x", "--gpu", "T4", "--history"};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

TEST(Pypi, HistoryFindsTheReleaseFromWhichOnItRuns) {
  const FakePip pip(pip_with_releases());
  const auto outcome = history();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "4.0: runs on T4 (7.5), but some kernels fail\n"
            "1.0: no kernel runs on T4 (7.5)\n"
            "3.0: runs on T4 (7.5), but some kernels fail\n"
            "2.0: not audited: pypi:x==2.0: pip cannot download it: No matching distribution\n"
            "  found for x\n"
            "\n"
            "x runs on T4 (7.5) since 3.0; 1.0 does not\n"
            "audited: 3 of 4 releases, 1 could not be\n");
  const auto document = json::parse(history({"--json"}).out);
  EXPECT_EQ(document["gpus"], json::parse(R"({"7.5": {"newest_runs": true, "first": "3.0",
                                                      "last": "4.0", "fails": "1.0"}})"));
  EXPECT_EQ(document["releases"], 4);
  EXPECT_EQ(document["audited"].size(), 4U);
  EXPECT_FALSE(document.contains("driver"));
}

TEST(Pypi, HistoryListsReleasesWithWheelsForAnyPython) {
  // `pip index versions` ignores --only-binary: 0.9 and 0.8 have no wheel.
  const FakePip pip(
      "case \"$*\" in *'index versions'*) echo 'Available versions: 2.0, 1.0, 0.9, 0.8'; exit;; "
      "*'--python-version 3.9 '*==0.0.0.dev*) of='1.0, 1.1rc1';; "
      "*--python-version*==0.0.0.dev*) of=none;; "
      "*==0.0.0.dev*) of='1.0, 2.0, 3.0.dev5, 3.0a1';; "
      "*) cp " +
      quoted(wheel_with("2.0", "plain.o")) +
      " \"$dest\"; exit;; esac; echo \"ERROR: Could not find a version (from versions: $of)\" >&2; "
      "echo 'ERROR: No matching distribution found for x' >&2; exit 1");
  const auto outcome = history();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("in each audited release, from 1.0 to 2.0, except some kernels\n"
                        "audited: 2 of 2 releases\n"));
}

TEST(Pypi, HistorySurvivesALongList) {
  std::string versions = "1.0";
  for (int patch = 1; patch < 20000; ++patch) versions += ", 1.0." + std::to_string(patch);
  const auto list = folder() / "list";
  write(list, "ERROR: Could not find a version (from versions: " + versions +
                  ")\nERROR: No matching distribution found for x\n");
  const FakePip pip("case \"$*\" in *==0.0.0.dev*) cat " + quoted(list.string()) +
                    " >&2; exit 1;; *) cp " + quoted(wheel_with("1.0", "plain.o")) +
                    " \"$dest\";; esac");
  EXPECT_THAT(
      history().out,
      HasSubstr("from 1.0 to 1.0.19999, except some\nkernels\naudited: 5 of 20000 releases; "));
}

TEST(Pypi, HistoryIsOfTheDriver) {
  const FakePip pip(pip_with_releases());
  const auto outcome = history({"--driver", "580"});
  EXPECT_THAT(outcome.out, ::testing::StartsWith(
                               "4.0: runs on T4 (7.5) with driver 580, but some kernels fail\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("\nx runs on T4 (7.5) with driver 580 since 3.0; 1.0 does not\n"));
  EXPECT_EQ(json::parse(history({"--driver", "580", "--json"}).out)["driver"], "580");
  EXPECT_THAT(history({"--driver", "new"}).err, Says("\"new\" is no driver"));
}

TEST(Pypi, HistoryOfOneRelease) {
  const FakePip pip(pip_with({{"0.4.2", wheel_with("0.4.2", "plain.o")}}));
  EXPECT_THAT(history().out, HasSubstr("\nx runs on T4 (7.5) in its one release 0.4.2\n"
                                       "audited: 1 of 1 release\n"));
}

TEST(Pypi, HistoryEndsAtWheelsWithoutCode) {
  std::vector<std::pair<std::string, std::string>> releases;
  for (int minor = 0; minor < 9; ++minor) {
    const auto version = "1." + std::to_string(minor);
    releases.emplace_back(version, wheel_without_code(version));
  }
  const FakePip pip(pip_with(releases));
  const auto outcome = history();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out,
              ::testing::StartsWith("1.8: not audited: no CUDA code was found in it\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("\n\nx has no CUDA code for this system: none was found in 1.8, 1.7, 1.6, "
                        "1.2, 1.1\nand 1.0\n"
                        "audited: 0 of 9 releases, 6 could not be; the others were not tried\n"));
  const auto as_json = history({"--json"});
  EXPECT_EQ(as_json.code, 2);
  EXPECT_THAT(as_json.err, HasSubstr("x has no CUDA code for this system"));
  EXPECT_EQ(json::parse(as_json.out)["gpus"], json::parse(R"({"7.5": {}})"));
}

TEST(Pypi, HistoryOfAnUnreadableWheelIsUnknown) {
  const auto damaged = folder() / "x-1.0-py3-none-any.whl";
  write(damaged, contents_of(wheel_with("2.0", "plain.o")).substr(0, 3000));
  const FakePip pip(pip_with({{"1.0", damaged.string()}}));
  const auto outcome = history();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, ::testing::StartsWith("1.0: not audited: it cannot be read: x-1.0-"));
  EXPECT_THAT(outcome.out,
              HasSubstr("\nwhether x runs on T4 (7.5) is unknown: no release could be audited\n"
                        "audited: 0 of 1 release, 1 could not be\n"));
}

TEST(Pypi, PipWithoutANetworkFindsNothing) {
  // pip only warns of it, and then reports what it reports of missing packages.
  const FakePip pip(
      "echo \"WARNING: Retrying (Retry(total=0)) after connection broken by 'x': /simple/x/\" >&2; "
      "echo 'ERROR: Could not find a version that satisfies the requirement x (from versions: "
      "none)' >&2; echo 'ERROR: No matching distribution found for x' >&2; exit 1");
  EXPECT_THAT(history().err,
              Says("pip cannot list its releases: it cannot reach the package index"));
  EXPECT_THAT(run({"audit", "pypi:x"}).err,
              Says("pip cannot download it: it cannot reach the package index"));
  EXPECT_THAT(pip.calls(), Not(HasSubstr("--python-version"))) << "each would wait for the network";
}

TEST(Pypi, HistoryWithoutARunningReleaseFails) {
  const FakePip pip(pip_with_releases());
  const auto outcome = run({"audit", "pypi:x", "--gpu", "GTX 1080", "--history"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\nno audited release of x runs on GTX 1080 (6.1)\n"));
}

TEST(Pypi, HistoryRefusesWhatItCannotAnswer) {
  const FakePip down("echo 'ERROR: the network is down' >&2; exit 1");
  EXPECT_THAT(run({"audit", "pypi:x", "--gpu", "7.5", "--history"}).err,
              Says("pypi:x: pip cannot list its releases: the network is down"));
  EXPECT_THAT(run({"audit", "pypi:x", "--history"}).err, Says("--history needs --gpu"));
  for (const auto* file : {"pypi:x==1.0", "x.so"}) {
    EXPECT_THAT(run({"audit", file, "--gpu", "7.5", "--history"}).err,
                Says("--history is about all releases of a package: write pypi:NAME"));
  }
  const std::vector<std::vector<std::string>> other_options = {{"--html", "x.html"},
                                                               {"--junit", "x.xml"},
                                                               {"--sarif", "x.sarif"},
                                                               {"--markdown", "x.md"},
                                                               {"--toolkit", "13.0"},
                                                               {"--cell", "cu130-fat"},
                                                               {"--arch", "90"},
                                                               {"--target", "x"},
                                                               {"--ignored-in", "x"},
                                                               {"--audited-target", "x"},
                                                               {"--accept", "native"},
                                                               {"--ignore", "x=y"},
                                                               {"--baseline", "x"},
                                                               {"--matrix", "x.json"},
                                                               {"--match", "*.so"},
                                                               {"--tree", "build"},
                                                               {"--strict"},
                                                               {"--github"},
                                                               {"--brief"},
                                                               {"--quiet"},
                                                               {"--all"},
                                                               {"--suspects"},
                                                               {"--every-byte"},
                                                               {"--allow-unused-ignores"}};
  for (const auto& more : other_options) {
    std::vector<std::string> words = {"audit", "pypi:x", "--gpu", "7.5", "--history"};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << more.front();
    EXPECT_THAT(outcome.err, Says("excludes")) << more.front();
    EXPECT_THAT(outcome.err, Says(more.front())) << more.front();
    EXPECT_THAT(outcome.err, Says("--history")) << more.front();
  }
}

TEST(Pypi, HistoryNeedsAWheel) {
  const FakePip pip(pip_with({{"none", "-"}}));
  const auto outcome = history();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("pypi:x: pip finds no release with a wheel for Linux on "));
}

TEST(Pypi, HistoryEndsWithTheNetwork) {
  const FakePip pip(
      "case \"$*\" in *==0.0.0.dev*) echo 'ERROR: Could not find a version (from versions: 1.0, "
      "2.0)' >&2; echo 'ERROR: No matching distribution found for x' >&2;; *) echo 'ERROR: the "
      "network is down' >&2;; esac; exit 1");
  const auto outcome = history();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("pip cannot download it: the network is down"));
}

/// Starts the command, with a new folder for temporary files.
pid_t start(const std::vector<std::string>& arguments, const fs::path& temporary) {
  fs::create_directories(temporary);
  const auto child = ::fork();
  if (child != 0) return child;
  ::setenv("TMPDIR", temporary.c_str(), 1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  std::vector<std::string> words = {tests::kCommand};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(pointers[0], pointers.data());
  std::_Exit(127);
}

/// Waits up to 20 s.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int moment = 0; moment < 400 && !condition(); ++moment) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return condition();
}

TEST(Pypi, AKilledCommandLeavesNoFolderAndNoPip) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    const auto started = folder() / ("started-" + std::to_string(signal));
    const auto temporary = folder() / ("tmp-" + std::to_string(signal));
    const FakePip pip("touch \"$dest/part.whl\" \"$TMPDIR/unpacked\"; sleep 60 & echo $$ $! > '" +
                      started.string() + "-'; mv '" + started.string() + "-' '" + started.string() +
                      "'; exec sleep 60");
    const auto command = start({"audit", "pypi:x"}, temporary);
    ASSERT_TRUE(comes_true([&] { return fs::exists(started); }));
    ASSERT_FALSE(fs::is_empty(temporary));
    ASSERT_EQ(::kill(command, signal), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(command, &status, 0), command);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_TRUE(comes_true([&] { return fs::is_empty(temporary); })) << signal;
    std::istringstream processes(contents_of(started));
    pid_t pip_process = 0;
    pid_t child = 0;
    ASSERT_TRUE(processes >> pip_process >> child);
    const auto has_ended = [](pid_t process) { return ::kill(process, 0) != 0; };
    EXPECT_TRUE(comes_true([&] { return has_ended(pip_process); })) << "pip goes on: " << signal;
    EXPECT_TRUE(comes_true([&] { return has_ended(child); })) << "pip's child goes on: " << signal;
  }
}

/// Returns the processes whose command line contains `text`.
std::string processes_with(const std::string& text) {
  std::string found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string line(std::istreambuf_iterator<char>(file), {});
    if (line.find(text) != std::string::npos) found += entry.path().string() + ' ' + line + '\n';
  }
  return found;
}

TEST(Pypi, ACommandKilledAtTheStartLeavesNoFolderAndNoPip) {
  // Each pip and its child have a command line with the folder of their temporary files.
  const FakePip pip("sh -c 'sleep 60; exit 1' \"$dest\" & sh -c 'sleep 60; exit 1' \"$dest\"");
  const auto parent = folder() / "early";
  for (const int signal : {SIGKILL, SIGTERM}) {
    for (int step = 0; step < 36; ++step) {
      const auto temporary = parent / (std::to_string(signal) + '-' + std::to_string(step));
      const auto command = start({"audit", "pypi:x"}, temporary);
      std::this_thread::sleep_for(std::chrono::microseconds(1000 + 333 * step));
      ASSERT_EQ(::kill(command, signal), 0);
      ASSERT_EQ(::waitpid(command, nullptr, 0), command);
    }
  }
  // Guards that are not yet shells have no command line.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto prefix = parent.string() + '/';
  EXPECT_TRUE(comes_true([&] { return processes_with(prefix).empty(); })) << processes_with(prefix);
  for (const auto& temporary : fs::directory_iterator(parent)) {
    EXPECT_TRUE(fs::is_empty(temporary)) << temporary.path();
  }
}

TEST(Pypi, NamesThatPipCouldTakeForOptionsAreRefused) {
  const FakePip pip("exit 1");
  for (const std::string name :
       {"pypi:", "pypi:--index-url=x", "pypi:x @ file:///etc", "pypi:./x", "pypi:x>1"}) {
    const auto outcome = run({"audit", name});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_THAT(outcome.err, Says("not a package: write pypi:NAME")) << name;
  }
  EXPECT_EQ(pip.calls(), "");
}

TEST(Pypi, AUrlIsNoFileAndPipDownloadsThoseOfPypi) {
  const FakePip pip("exit 1");
  const std::string files = "https://files.pythonhosted.org/packages/ab/cd/0123/";
  const std::vector<std::pair<std::string, std::string>> advice = {
      {"https://pypi.org/project/torch/", "write pypi:torch, which pip downloads"},
      {"https://pypi.org/project/nvidia-nccl-cu12/2.27.3/#files",
       "write pypi:nvidia-nccl-cu12==2.27.3, which pip downloads"},
      {files + "torch_geo-2.6.0+cu124-cp311-cp311-manylinux1_x86_64.whl",
       "write pypi:torch_geo==2.6.0+cu124, which pip downloads"},
      {files + "torch-2.6.0.tar.gz", "download it first, and name the file"},
      {"https://example.org/pypi.org/project/x/", "download it first, and name the file"},
      {"s3://bucket/libx.so", "download it first, and name the file"}};
  for (const auto& [url, text] : advice) {
    for (const std::string command : {"audit", "list"}) {
      const auto outcome = run({command, url});
      EXPECT_EQ(outcome.code, 2) << url;
      EXPECT_THAT(outcome.err, Says("archgrid: " + url + ": a URL, not a file: " + text + "\n"));
    }
  }
  EXPECT_THAT(run({"audit", "https:/x.so"}).err, Says("cannot open: No such file"));
  EXPECT_EQ(pip.calls(), "");
}

TEST(Pypi, ALongNameIsNoPackage) {
  const FakePip pip("exit 1");
  const auto file = run({"audit", std::string(80000, 'a'), "--gpu", "8.0"});
  EXPECT_EQ(file.code, 2) << "not a crash";
  EXPECT_THAT(file.err, AllOf(Says("File name too long"), Not(HasSubstr("pypi:"))));
  const auto package = run({"audit", "pypi:" + std::string(120000, 'a')});
  EXPECT_EQ(package.code, 2) << "not a crash";
  EXPECT_THAT(package.err, Says("aaa...: not a package: write pypi:NAME"));
  EXPECT_LT(package.err.size(), 1000U);
  EXPECT_EQ(pip.calls(), "");
}

}  // namespace
}  // namespace archgrid::tests
