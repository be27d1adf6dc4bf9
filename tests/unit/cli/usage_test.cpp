// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <sstream>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Help, ShowsExamples) {
  for (const auto* command : {"audit", "list", "diff", "matrix", "suggest", "explain", "cmake-dir",
                              "completion", "man"}) {
    const auto outcome = run({command, "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Examples:"));
    EXPECT_THAT(outcome.err, IsEmpty());
  }
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_THAT(run({"audit", "--help"}).out, HasSubstr("--gpu,--gpus,--device,--devices GPU,...\n"));
  EXPECT_THAT(run({"--version"}).out, StartsWith("archgrid "));
}

TEST(Help, IsACommandToo) {
  const auto help = run({"help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, run({"--help"}).out);
  EXPECT_THAT(help.err, IsEmpty());
  const auto audit = run({"help", "audit"});
  EXPECT_EQ(audit.code, 0);
  EXPECT_EQ(audit.out, run({"audit", "--help"}).out);
}

/// Returns help text as the manual page spells it, with literal hyphens.
std::string in_troff(std::string text) {
  for (auto at = text.find('-'); at != std::string::npos; at = text.find('-', at + 2)) {
    text.insert(at, 1, '\\');
  }
  return text;
}

TEST(Manual, HasEveryCommandAndOption) {
  const auto page = run({"man"});
  EXPECT_EQ(page.code, 0);
  EXPECT_THAT(page.out, StartsWith(".TH ARCHGRID 1 "));
  std::size_t options = 0;
  for (const auto* command :
       {"audit", "list", "diff", "matrix", "explain", "cmake-dir", "completion", "man", "help"}) {
    EXPECT_THAT(page.out, HasSubstr(".SS \"archgrid " + std::string(command) + "\"\n"));
    std::istringstream help(run({command, "--help"}).out);
    for (std::string word; help >> word;) {
      if (word.rfind("--", 0) != 0) continue;
      word = word.substr(0, word.find_first_of("[,.;=)"));
      EXPECT_THAT(page.out, HasSubstr(in_troff(word))) << command;
      ++options;
    }
  }
  EXPECT_GT(options, 20U);
  EXPECT_THAT(page.out, Not(HasSubstr("after\\-tests"))) << "not for people";
}

TEST(Manual, IsWhatManTakes) {
  if (std::system("command -v man >/dev/null") != 0) GTEST_SKIP() << "man is not installed";
  const auto lint = [](const std::string& page) {
    const auto path = folder() / "page.1";
    const auto complaints = folder() / "complaints";
    write(path, page);
    const auto line = "LC_ALL=C.UTF-8 man --warnings -l " + quoted(path.string()) +
                      " >/dev/null 2>" + quoted(complaints.string());
    EXPECT_EQ(std::system(line.c_str()), 0);
    return contents_of(complaints);
  };
  const auto page = run({"man"}).out;
  EXPECT_THAT(lint(page), IsEmpty());
  EXPECT_THAT(lint(page + ".XX no such macro\n"), HasSubstr("XX"));
}

TEST(Usage, AFileNamedLikeADeviceIsAFile) {
  const auto file = folder() / "9.0";
  write(file, contents_of(sample("plain.o")));
  const auto command = "cd " + quoted(folder().string()) + " && " + quoted(tests::kCommand) +
                       " audit --device 8.0 9.0 >/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(Usage, ErrorsAreTwoAndGoToStandardError) {
  const auto file = sample("plain.o");
  const auto matrix = std::string(tests::kSource) + "/matrices/default.json";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "SUBCOMMAND"},
      {{"frobnicate"},
       "\"frobnicate\" is no command: write audit, list, diff, evidence, matrix, suggest, lint, "
       "init, explain, perf, report, cmake-dir, completion, man or help\n"},
      {{"adit", file}, "\"adit\" is no command: write audit; the commands are audit, list, "},
      {{"help", "frobnicate"}, "\"frobnicate\" is no command"},
      {{file},
       file + " is a file, and a command comes before it: archgrid audit " + file +
           " --gpu 8.0,9.0, or archgrid list " + file + "\n"},
      {{matrix}, "comes before it: archgrid matrix " + matrix + "\n"},
      {{"audit", "--frobnicate"},
       "archgrid: audit: \"--frobnicate\" is no option: archgrid audit --help shows all\n"},
      {{"audit", file, "--devcies", "8.0"},
       "archgrid: audit: \"--devcies\" is no option: write --devices; archgrid audit --help"},
      {{"audit", file, "--htlm", "x"}, "\"--htlm\" is no option: write --html; "},
      {{"list", "--jsn=x"}, "list: \"--jsn\" is no option: write --json"},
      {{"suggest", "--tolkit", "13.0"}, "\"--tolkit\" is no option: write --toolkit"},
      {{"diff", file, file, file},
       "diff: The following argument was not expected: " + file +
           ": archgrid diff --help has examples\n"},
      {{"list", file, "--top", "0"}, "\"0\" is no number of rows: write 1 or more\n"},
      {{"list", file, "--top", "-1"}, "\"-1\" is no number of rows: write 1 or more\n"},
      {{"list", file, "--top", "all"}, "\"all\" is no number of rows"},
      {{"audit", file, "--devices", ""}, "--gpu: it takes a value, and \"\" is none"},
      {{"audit", file, "--devices", "8.0; 9.5"}, "unknown GPU \"9.5\""},
      {{"audit", file, "--matrix", folder().string()}, ": it is a folder: name a file\n"},
      {{"audit"}, "name a FILE, or a build tree"},
      {{"list", file, "--names", "--json"}, "leave out the other views"},
      {{"audit", file, "--device", "9.5"},
       "unknown GPU \"9.5\": write a name, as H100 or RTX 4090, or its compute capability: 3.5, "
       "3.7, "},
      {{"audit", file, "--devices", "9.5"}, ", 8.9, 9.0, 10.0, "},
      {{"audit", file, "--gpu", "RTX 6000"},
       "\"RTX 6000\" names several GPUs: write 7.5 (Quadro RTX 6000), 8.9 (RTX 6000 Ada) or 12.0 "
       "(RTX PRO 6000 Blackwell)\n"},
      {{"audit", file, "--gpu", "8.0 H100"},
       "\"8.0 H100\" has a GPU's name beside 8.0: write a comma"},
      {{"audit", file, "--gpu", "H100 80"}, "has a GPU's name beside 80: write a comma"},
      {{"audit", file, "--gpu", "T4 RTX 5090"},
       "\"T4 RTX 5090\": write a comma between the names of several GPUs"},
      {{"audit", file, "--gpu", "A100 H100"},
       "\"A100 H100\" names several GPUs: write a comma between them: A100,H100\n"},
      {{"audit", "H100", file}, "H100: no such file: to ask about this GPU, write --gpu H100\n"},
      {{"audit", file, "RTX 4090"},
       "RTX 4090: no such file: to ask about this GPU, write --gpu \"RTX 4090\"\n"},
      {{"audit", file, "--gpu", "H100 --accept native"},
       "\"H100 --accept native\": --accept is within the GPU's name: end the quotes before it"},
      {{"audit", file, "--gpu", "H100 foo"}, "\"foo\" belongs to no GPU's name"},
      {{"--gpu", "H100", "audit", file}, "\"--gpu\" goes after the command: archgrid audit"},
      {{"-q", "audit", file}, "\"-q\" goes after the command: archgrid audit"},
      {{"audit", file, "--json", "-"},
       "--json writes to standard output as it is: leave out the -"},
      {{"audit", file, "--sarif", "-q"}, "--sarif: its FILE is missing before -q"},
      {{"audit", file, "--gpu", "H1000"}, "unknown GPU \"H1000\": write a name"},
      {{"audit", file, "--device", "8.0", "--driver", "999"},
       "--driver: 999 is newer than all that archgrid knows: the newest is "},
      {{"audit", file, "--device", "8.0", "--driver", "99.0"}, "--driver: 99.0 is newer than all"},
      {{"audit", file, "--device", "8.0", "--driver", "12.22"},
       "--driver: \"12.22\" is no driver that archgrid knows"},
      {{"audit", file, "--device", "8.0", "--driver", ""},
       "--driver: it takes a value, and \"\" is none"},
      {{"audit", file, "--gpu", "5090"}, "unknown GPU \"5090\": write \"RTX 5090\""},
      {{"audit", file, "--gpu", "1080 Ti"}, "unknown GPU \"1080 Ti\": write \"GTX 1080 Ti\""},
      {{"audit", file, "--gpu", "GTX 5090"}, "unknown GPU \"GTX 5090\": write \"RTX 5090\""},
      {{"audit", file, "--gpu", "572.16"}, "\"572.16\" is a driver: write --driver 572.16"},
      {{"audit", file, "--gpu", "Hopper,5099"}, "unknown GPU \"5099\""},
      {{"audit", file, "--device", "95"},
       "unknown GPU \"95\": write a name, as H100 or RTX 4090, or its compute capability: 3.5, "
       "3.7, "},
      {{"audit", file, "--device", "80-real"}, "unknown GPU \"80-real\": write 8.0\n"},
      {{"audit", file, "--device", "9"}, "unknown GPU \"9\": write 9.0\n"},
      {{"audit", file, "--device", "12"}, "unknown GPU \"12\": write 12.0\n"},
      {{"audit", file, "--devices", "8.0", "9.0"},
       "9.0: no such file: several GPUs are written with commas: --gpu 8.0,9.0, or each after a "
       "--gpu of its own\n"},
      {{"audit", "--gpu", "A100", "H100", "sm_120", file},
       "H100: no such file: several GPUs are written with commas: --gpu A100,H100,sm_120, or "
       "each "},
      {{"audit", "--gpu", "RTX 4090", "H100", file}, "commas: --gpu \"RTX 4090,H100\", or each "},
      {{"audit", "--gpu", "RTX", "4090", file}, "\"RTX\" is the beginning of a GPU's name: "},
      {{"audit", file, "8.0", "9.0"},
       "8.0: no such file: to ask about GPUs, write --gpu 8.0,9.0\n"},
      {{"audit", file, "--devices", "sm_80", "sm_90"}, "commas: --gpu sm_80,sm_90, or each "},
      {{"audit", "--tree", "build", "--device", "8.0", "9.0"}, "commas: --gpu 8.0,9.0, or each "},
      {{"audit", file, "--device", "9.0", "--accept", "native", "jit"},
       "jit: no such file: several verdicts are written with commas: --accept native,jit, or "
       "each "},
      {{"audit", file, "--device", "9.0", "--accept", "fine"},
       "--accept: \"fine\" is no verdict: write native, compatible, jit, unknown or empty\n"},
      {{"audit", file, "--device", "9.0", "--accept", "native,missing"},
       "--accept: missing means that the kernel fails: write native, compatible, jit, unknown or "
       "empty\n"},
      {{"audit", file, "--device", "9.0", "--accept", "Wrong-Suffix"},
       "--accept: wrong-suffix means that the kernel fails: "},
      {{"suggest", "--devices", "9.0", "--toolkit", "13.0", "--accept", "ptx-too-new"},
       "--accept: ptx-too-new means that the kernel fails: "},
      {{"audit", file, "--device", "9.0", "--accept", "natve"},
       "--accept: \"natve\" is no verdict: write native; the verdicts are native, compatible, "},
      {{"audit", file, "--device", "9.0", "--driver", "new"}, "\"new\" is no driver"},
      {{"audit", file, "--device", "9.0", "--accept", "native,trap"},
       "--accept: \"trap\" is a kind of the verdict empty: write empty; the verdicts are native, "
       "compatible, jit, unknown or empty\n"},
      {{"audit", file, "--device", "9.0", "--accept", "NATVE"},
       "\"NATVE\" is no verdict: write native;"},
      {{"audit", file, "--device", "9.0", "--toolkit", "12.10"}, "\"12.10\" is no CUDA toolkit"},
      {{"audit", file, "--device", "9.0", "--arch", "90f"}, "\"90f\" is no architecture"},
      {{"audit", file, "--device", "9.0", "--arch", "90-fake"}, "\"90-fake\" is no architecture"},
      {{"audit", file, "--device", "9.0", "--arch", "9.0.0"}, "\"9.0.0\" is no architecture"},
      {{"audit", file, "--device", "9.0", "--arch", "sm_90_a"}, "\"sm_90_a\" is no architecture"},
      {{"list", file, "--arch", "nine"}, "\"nine\" is no arch of an image: write it as 90 or 90a,"},
      {{"suggest", "--devices", "8.0", "--toolkit", "13.0", "--with", "9"},
       "\"9\" is no architecture"},
      {{"audit", file, "--matrix", "no.json"}, "no.json: cannot open"},
      {{"audit", file, "--matrix", matrix}, "promises[0] is for some toolkits only"},
      {{"audit", file, "--matrix", matrix, "--toolkit", "12.9"},
       "archgrid: --toolkit 12.9: " + matrix +
           " does not list it: name one of its toolkits (11.8, "},
      {{"audit", file, "--matrix", matrix, "--accept", "jit"}, "leave out one of the two\n"},
      {{"audit", file, "--matrix", matrix, "--gpu", "9.0", "--accept", "jit"},
       "leave out one of the two\n"},
      {{"audit", file, "--tree", "build"}, "--tree: the tree says what to audit"},
      {{"audit", "--tree", "build", "--arch", "90"},
       "archgrid: audit: --tree excludes --arch: leave out one of the two\n"},
      {{"audit", "--tree", "no/such/tree", "--ignore", "*=x"},
       "--ignore: for a tree, write it into the \"ignore\" of its matrix file\n"},
      {{"audit", file, "--ignore", "stbu:*=x"},
       "--ignore: \"stbu\" is no code of errors about kernels, files or GPUs: write stub\n"},
      {{"audit", file, "--ignore", "stub:=x"}, "--ignore: \"stub:\" lacks a pattern: write stub:P"},
      {{"audit", file, "--ignore", "stub:*"}, "--ignore: \"stub:*\" lacks a reason"},
      {{"explain", "stbu"},
       "explain: \"stbu\" is no code, rule, word or GPU: write stub; archgrid explain lists "
       "them\n"},
      {{"explain", "nonsense"},
       "explain: \"nonsense\" is no code, rule, word or GPU: archgrid explain lists them\n"},
      {{"explain", "stub", "trap"}, "trap"},
      {{"audit", "--tree", "no/such/tree"},
       "no/such/tree/plan.json: cannot open: name the build tree of a configured matrix, as "
       "build/matrix after cmake --preset quick\n"},
      {{"audit", file, "--accept", "native"}, "--accept needs --gpu: it is a part of a promise\n"},
      {{"list", file, "--sort", "nme"},
       "--sort: \"nme\" is no order: write name; the orders are name, "},
      {{"completion", "cmd.exe"}, "\"cmd.exe\" is no shell: write bash, zsh or fish\n"},
      {{"list"}, "archgrid: list: FILE is required: archgrid list --help has examples\n"},
      {{"diff", file}, "archgrid: diff: NEW is required: archgrid diff --help has examples\n"},
      {{"audit", file, "--html"}, "audit: --html needs a value: write --html FILE\n"},
      {{"list", file, "--top"}, "list: --top needs a value: write --top N\n"},
      {{"audit", file, "--junit", "--html", "x"},
       "--junit: it takes a value, and --html is an option: write --junit FILE\n"},
      {{"audit", file, "--devices", "--all"}, "write --gpu GPU,...\n"},
      {{"list", file, "--kernel", "a", "--kernel", "b"},
       "--kernel: At Most 1 required but received 2"},
      {{"suggest", "--ptx", "--no-ptx"}, "--ptx excludes --no-ptx"},
      {{"diff", file, file, "--devices", "8"}, "unknown GPU \"8\": write 8.0\n"},
      {{"matrix", "no.json"}, "archgrid: no.json: there is no such file"},
  };
  for (const auto& [arguments, message] : cases) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, Says(message));
    EXPECT_THAT(outcome.out, IsEmpty()) << message;
  }
}

TEST(Usage, NoParserSpeaksForItself) {
  const auto file = sample("plain.o");
  const auto path = (folder() / "m.json").string();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{\n \"name\": \"x\"\n \"promises\": []}",
       path + ": line 3, column 2: not JSON: \"promises\" stands where a comma or } is expected\n"},
      {"{\"name\": \"x\",}",
       "line 1, column 14: not JSON: } stands where a key in double quotes is"},
      {"{\"name\" \"x\"}", "column 9: not JSON: \"x\" stands where a colon is expected"},
      {"{\"a\": [1 2]}", "column 10: not JSON: 2 stands where a comma or ] is expected"},
      {"{\"name\": nul}", "stands where a value is expected"},
      {"{\"a\": [1,]}", "] stands where a value is expected"},
      {"{\"a\": 1", "not JSON: the file ends where a comma or } is expected"},
      {"", "line 1, column 1: not JSON: the file ends where a value is expected"},
      {"{} {}", "{ stands where its end is expected"},
      {"{\"a\": \"b\nc\"}", "not JSON: a string is broken: "},
  };
  for (const auto& [text, message] : cases) {
    write(path, text);
    const auto outcome = run({"audit", file, "--matrix", path});
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_THAT(outcome.err, Says(message)) << text;
    EXPECT_THAT(outcome.err, Says("\n  fix: write JSON (")) << text;
    EXPECT_THAT(outcome.err, Not(HasSubstr("json.exception"))) << text;
  }
}

TEST(Usage, HelpFitsTheScreenAndKeepsExamplesWhole) {
  for (const std::string command :
       {"audit", "list", "diff", "matrix", "suggest", "explain", "perf", "cmake-dir", "help"}) {
    std::istringstream help(run({command, "--help"}).out);
    for (std::string line; std::getline(help, line);) {
      const bool example = line.rfind("  archgrid ", 0) == 0 || line.rfind("  cmake ", 0) == 0;
      EXPECT_TRUE(line.size() <= 80 || example) << command << ": " << line;
    }
  }
  const auto audit = run({"audit", "--help"}).out;
  EXPECT_THAT(
      audit,
      HasSubstr("\n  archgrid audit libx.so --matrix matrices/default.json --toolkit 13.0\n"));
  EXPECT_THAT(audit,
              HasSubstr("  --every-byte                Decompress what no verdict depends on, "
                        "too, so\n                              that damage there is"));
  EXPECT_THAT(audit, HasSubstr("2 usage, or an input\nthat could not be read"));
}

TEST(Usage, ListsMayHaveSpacesAndSemicolons) {
  const auto file = sample("plain.o");
  const auto wanted = run({"audit", file, "--devices", "8.0,9.0", "--accept", "native,jit"}).out;
  for (const auto* devices : {"8.0, 9.0", "8.0;9.0", " 8.0 9.0 ", "8.0 ,; 9.0,"}) {
    EXPECT_EQ(run({"audit", file, "--devices", devices, "--accept", "native; jit"}).out, wanted)
        << devices;
  }
  EXPECT_EQ(run({"list", file, "--images", "--arch", "80; 90", "--kind", "sass ptx"}).out,
            run({"list", file, "--images", "--arch", "80,90", "--kind", "sass,ptx"}).out);
  EXPECT_EQ(run({"suggest", "--devices", "8.0;9.0", "--toolkit", "13.0", "--with", "90a; 80"}).out,
            run({"suggest", "--devices", "8.0,9.0", "--toolkit", "13.0", "--with", "90a,80"}).out);
}

TEST(Usage, ArchsAndDevicesMayBeSpelledAsElsewhere) {
  const auto file = sample("plain.o");
  const auto promised = run({"audit", file, "--devices", "8.0,9.0,12.0"});
  EXPECT_EQ(run({"audit", file, "--devices", "80,sm_90,120"}).out, promised.out);
  EXPECT_EQ(run({"audit", file, "--devices", "sm80,90,sm_120"}).out, promised.out);
  // The verdict repeats the user's words.
  const auto without_verdict = [](const std::string& out) {
    return out.substr(0, out.rfind("\n\n"));
  };
  const auto expected = without_verdict(promised.out);
  for (const std::vector<std::string>& gpus :
       {std::vector<std::string>{"--gpu", "A100,H100", "--gpu", "RTX 5090"},
        {"--gpu", "A100,H100,RTX 50"},
        {"--gpus", "8.0 90; NVIDIA GeForce RTX 5090"},
        {"--gpu", "compute_80,sm_90a,sm_120f"}}) {
    std::vector<std::string> arguments = {"audit", file};
    arguments.insert(arguments.end(), gpus.begin(), gpus.end());
    EXPECT_EQ(without_verdict(run(arguments).out), expected) << gpus.back();
  }
  EXPECT_EQ(run({"diff", file, file, "--devices", "sm_80"}).out,
            run({"diff", file, file, "--devices", "8.0"}).out);
  const std::vector<std::string> audit = {"audit", file, "--devices", "8.0,9.0", "--arch"};
  const auto with = [](std::vector<std::string> words, const std::string& arch) {
    words.push_back(arch);
    return run(words);
  };
  EXPECT_EQ(with(audit, "8.0").out, with(audit, "80").out);
  EXPECT_EQ(with(audit, "sm_80").out, with(audit, "80-real").out);
  EXPECT_EQ(with(audit, "compute_80").code, 2) << "PTX alone keeps no promise of native code";
  const std::vector<std::string> list = {"list", file, "--images", "--arch"};
  EXPECT_EQ(with(list, "8.0").out, with(list, "80").out);
  EXPECT_EQ(with(list, "sm_80").out,
            run({"list", file, "--images", "--arch", "80", "--kind", "sass"}).out);
  EXPECT_EQ(with(list, "compute_80").out,
            run({"list", file, "--images", "--arch", "80", "--kind", "ptx"}).out);
  EXPECT_NE(with(list, "sm_80").out, with(list, "compute_80").out);
  const std::vector<std::string> suggest = {"suggest",   "--devices", "8.0,9.0",
                                            "--toolkit", "13.0",      "--with"};
  EXPECT_EQ(with(suggest, "sm_90a").out, with(suggest, "90a").out);
  EXPECT_EQ(with(suggest, "9.0a").out, with(suggest, "90a").out);
}

TEST(Help, NamesWhatOptionsTake) {
  for (const auto* command : {"audit", "list", "diff", "matrix", "suggest"}) {
    const auto help = run({command, "--help"}).out;
    EXPECT_THAT(help, Not(HasSubstr("TEXT"))) << command;
    EXPECT_THAT(help, HasSubstr("--json[=FILE]")) << command;
  }
  EXPECT_THAT(run({"suggest", "--help"}).out, HasSubstr("--driver DRIVER"));
  EXPECT_THAT(run({"diff", "--help"}).out, HasSubstr("--driver DRIVER"));
}

TEST(Output, ThatCannotBeWrittenIsTwo) {
  const std::vector<std::string> commands = {"list", "list --json", "audit --device 8.0",
                                             "diff " + quoted(sample("plain.o"))};
  for (const auto& command : commands) {
    const auto line = quoted(tests::kCommand) + " " + command + " " +
                      quoted(sample("sample.cubin")) + " >/dev/full 2>" +
                      quoted((folder() / "err").string());
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << line;
    EXPECT_THAT(contents_of(folder() / "err"), HasSubstr("cannot write the output"));
  }
}

}  // namespace
}  // namespace archgrid::tests
