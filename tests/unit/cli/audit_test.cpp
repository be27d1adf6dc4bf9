// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Audit, HoldsWithAMapAndOneClosingLine) {
  const auto outcome = run({"audit", sample("plain.o"), "--device", "8.0,8.6", "--device", "8.9",
                            "--accept", "native,compatible"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "plain.o     8.0      8.6      8.9\n"
            "  guarded   native   compat   compat\n"
            "  idle      native   compat   compat\n"
            "  tile<3>   native   compat   compat\n"
            "  tile<4>   native   compat   compat\n"
            "  trapping  native   compat   compat\n"
            "\n"
            "native  machine code for just this GPU runs\n"
            "compat  machine code for a lower minor version, or for the family, runs\n"
            "\n"
            "promise holds: 5 kernels x 3 devices, all native or compatible\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Audit, FindingsNameKernelDeviceCellReasonAndFix) {
  const auto outcome = run({"audit", sample("plain.o"), "--device", "8.0,9.0", "--accept",
                            "native,compatible", "--cell", "cu135-fat"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("jit: idle(float*) and 4 more on 9.0, cell cu135-fat"));
  EXPECT_THAT(
      outcome.out,
      Says("compute_80 PTX is compiled for 9.0 at load time; promised is native or compatible"));
  EXPECT_THAT(
      outcome.out,
      Says("fix: compile sample.cu of plain.o for 90 too: add 90 to the CUDA_ARCHITECTURES of "
           "the target that compiles it\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("promise broken: 1 finding (1 jit), 5 of 5 kernels x 2 devices\n"));
  EXPECT_THAT(outcome.out, HasSubstr("JIT"));
}

TEST(Audit, PtxOnlyFailsWhereNativeIsPromised) {
  EXPECT_EQ(
      run({"audit", sample("ptx.o"), "--device", "8.0", "--accept", "native,compatible"}).code, 1);
  EXPECT_EQ(run({"audit", sample("ptx.o"), "--device", "8.0", "--accept", "jit"}).code, 0);
  EXPECT_EQ(
      run({"audit", sample("ptx.o"), "--device", "8.0", "--accept", "jit", "--driver", "580"}).code,
      1);
}

TEST(Audit, WrongSuffixFails) {
  const auto outcome =
      run({"audit", sample("suffixed.o"), "--device", "9.0,11.0", "--accept", "native,compatible"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("wrong-suffix: suffixed.o: idle and 4 more on 11.0\n"));
  EXPECT_EQ(run({"audit", sample("suffixed.o"), "--device", "9.0,10.0,10.3,12.1", "--accept",
                 "native,compatible"})
                .code,
            0);
}

TEST(Audit, BodiesCompiledOutFail) {
  const auto outcome =
      run({"audit", sample("plain.o"), "--device", "7.5", "--accept", "native,compatible"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("empty: plain.o: guarded on 7.5\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("plain.o: idle"))) << "empty everywhere, by design";
}

TEST(Audit, TheFixOfAnEmptyBodyFitsTheCommand) {
  const std::vector<std::string> asked = {"audit", sample("plain.o"), "--gpu",
                                          "7.5",   "--accept",        "native"};
  EXPECT_THAT(run(asked).out, Says("or ignore it: --ignore 'guarded(float*)=...' "));
  auto ignored = asked;
  ignored.insert(ignored.end(), {"--ignore", "guarded(float*)=never launched there", "--ignore",
                                 "trapping(float*)=likewise"});
  EXPECT_EQ(run(ignored).code, 0);
  const auto matrix = folder() / "m.json";
  write(matrix, R"({"name": "m", "toolkits": [{"cuda": "13.0", "archs": ["75"]}],
    "promises": [{"devices": ["7.5"], "accept": ["native"]}]})");
  const auto by_matrix = run({"audit", sample("inert.o"), "--matrix", matrix.string()});
  EXPECT_THAT(by_matrix.out, Says("an \"ignore\" with that reason, or \"empty\" in \"accept\", in "
                                  "the matrix file\n"));
  EXPECT_THAT(by_matrix.out, Not(HasSubstr("--accept")));
}

TEST(Audit, DamageThatNoVerdictDependsOnIsSeenWithEveryByte) {
  const auto listed = json::parse(run({"list", "--json", sample("large.o")}).out);
  const auto& image = listed.at("files").at(0).at("images").at(0);
  ASSERT_EQ(image.at("compression"), "zstd");
  auto bytes = contents_of(sample("large.o"));
  const auto field = [&, entry = image.at("offset").get<std::size_t>()](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + entry + at, sizeof(value));
    return value;
  };
  const auto header = field(4);
  const auto packed = field(16);
  const auto end = image.at("offset").get<std::size_t>() + header + packed;
  bytes.replace(end - 16, 16, 16, '\x55');
  const auto path = folder() / "damaged.o";
  write(path, bytes);
  EXPECT_EQ(run({"audit", path.string(), "--device", "7.5"}).code, 0);
  const auto whole = run({"audit", path.string(), "--device", "7.5", "--every-byte"});
  EXPECT_EQ(whole.code, 2);
  EXPECT_THAT(whole.err + whole.out, HasSubstr("damaged.o"));
  EXPECT_EQ(run({"audit", sample("large.o"), "--device", "7.5", "--every-byte"}).code, 0);
}

TEST(Audit, StrippedFatBinariesFail) {
  const auto outcome = run({"audit", sample("no_fatbin.so"), "--device", "8.0"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("stripped: "));
  EXPECT_EQ(run({"audit", sample("libsample.so"), "--device", "8.0"}).code, 0);
}

TEST(Audit, LibrariesWithoutTheirDeviceLinkFail) {
  const auto outcome = run({"audit", sample("unlinked.so"), "--device", "8.0"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("not-device-linked: "));
  EXPECT_EQ(run({"audit", sample("linked.so"), "--device", "8.0"}).code, 0);
}

TEST(Audit, BodiesOfWhichNothingOutlastsTheirBlockFail) {
  const auto outcome = run(
      {"audit", sample("inert.o"), "--devices", "7.5,8.0,9.0", "--accept", "native,compatible"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\npromise broken: 2 findings (2 empty), 5 of 10 kernels"));
  EXPECT_EQ(
      run({"audit", sample("inert.o"), "--devices", "8.0", "--accept", "native,compatible"}).code,
      0);
}

TEST(Audit, FilesWithoutDeviceCodeFailOnlyTogether) {
  const auto alone = run({"audit", "/bin/sh", "--device", "8.0"});
  EXPECT_EQ(alone.code, 1);
  EXPECT_THAT(alone.out, HasSubstr("no-device-code: sh\n"));
  EXPECT_EQ(run({"audit", "/bin/sh", sample("plain.o"), "--device", "8.0"}).code, 0);
}

TEST(Audit, UnreadableInputsAreTwoAndTheOthersAreAuditedAllTheSame) {
  const auto cut = folder() / "cut.o";
  write(cut, contents_of(sample("plain.o")).substr(0, 5000));
  const auto outcome = run({"audit", cut.string(), sample("plain.o"), "--device", "7.5", "--accept",
                            "native,compatible"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("cut.o: at offset 0x"));
  EXPECT_THAT(outcome.err, Says("section table"));
  EXPECT_THAT(outcome.out, HasSubstr("empty: plain.o: guarded on 7.5\n"));
  const auto green = run({"audit", cut.string(), sample("plain.o"), "--device", "8.0", "--accept",
                          "native,compatible"});
  EXPECT_EQ(green.code, 2);
  EXPECT_THAT(green.out, HasSubstr("promise not proven: 1 error among "));
  const auto alone =
      run({"audit", cut.string(), "--device", "8.0", "--accept", "native,compatible"});
  EXPECT_THAT(alone.out, HasSubstr("promise not proven: 1 error, no kernel was read\n"));
  const auto beside_ptx = run({"audit", cut.string(), sample("ptx.o")});
  EXPECT_THAT(beside_ptx.out,
              HasSubstr("coverage not known: 1 error, no kernel that was read is judged\n"));
}

TEST(Audit, WholeInputsThatCannotBeReadHaveNoOffset) {
  const auto empty = folder() / "empty";
  write(empty, "");
  const auto outcome =
      run({"audit", "no/such/file", empty.string(), sample("plain.o"), "--device", "8.0"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("archgrid: no/such/file: cannot open: No such file"));
  EXPECT_THAT(outcome.err, Says("empty: the file is empty\n"));
}

TEST(Audit, TheTreeOfAMatrixIsAuditedAsOne) {
  const auto tree = folder() / "tree";
  write(tree / "plan.json", "{}");
  fs::create_directories(tree / "cells");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"list"}, {"audit", "--device", "8.0"}}) {
    auto arguments = command;
    arguments.push_back(tree.string());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, Says("archgrid audit --tree " + tree.string() + "\n"));
  }
}

TEST(Audit, PromisesComeFromTheMatrixFile) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["80"]}],
    "promises": [{"devices": ["8.0", "9.0"], "toolkits": ["13.5"]},
                 {"devices": ["8.0"], "kernels": "*tile*", "accept": ["native"]}],
    "ignore": [{"kernel": "*(float*)", "devices": ["9.0"], "reason": "JIT is good enough"}]})json");
  const auto outcome =
      run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--toolkit", "13.5"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("ignored: 1 finding: JIT is good enough\n"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("promise holds: 5 kernels x 2 devices, all native but 1 ignored finding\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  tile<3>   native   -\n"));
}

// A pattern's devices may be served by different builds: each is judged in its builds.
TEST(Audit, APatternIsJudgedOnEachDeviceOfItsBuilds) {
  const auto matrix = folder() / "patterns.json";
  write(matrix, R"json({"name": "m",
    "toolkits": [{"cuda": "13.0", "archs": ["80"]}, {"cuda": "13.5", "archs": ["80"]}],
    "promises": [{"devices": ["8.0"]},
                 {"devices": ["9.0"], "toolkits": ["13.5"], "accept": ["jit"]},
                 {"devices": ["8.0", "9.0"], "kernels": ["*tile<3>*", "*tile<4>*"]}]})json");
  const auto with = [&](const char* toolkit) {
    return run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--toolkit", toolkit});
  };
  const auto broken = with("13.5");
  EXPECT_EQ(broken.code, 1) << broken.out;
  EXPECT_THAT(broken.out, ::testing::AllOf(HasSubstr("  tile<3>   native   JIT\n"),
                                           HasSubstr("(1 jit), 2 of 5 kernels")));
  const auto kept = with("13.0");
  EXPECT_EQ(kept.code, 0) << kept.out;
  EXPECT_THAT(kept.out, HasSubstr("promise holds: 5 kernels x 1 device, all native\n"));
}

TEST(Audit, IgnoresThatMatchNothingFail) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [], "promises": [{"devices": ["8.0"]}],
    "ignore": [{"kernel": "ghost*", "reason": "none"}]})json");
  const auto outcome = run({"audit", sample("plain.o"), "--matrix", matrix.string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("unused-ignore:\n  ignore[0]: \"ghost*\" matches no promised kernel"));
  EXPECT_EQ(run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--device", "8.0"}).code,
            0)
      << "only a part of the matrix is audited";
  const auto allowed =
      run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--allow-unused-ignores"});
  EXPECT_EQ(allowed.code, 0) << allowed.out << allowed.err;
  EXPECT_THAT(allowed.out, Not(HasSubstr("ghost")));
}

TEST(Audit, UnusedPatternsOfPromisesFailThoughUnusedIgnoresAreAllowed) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [], "promises": [{"devices": ["8.0"]},
    {"devices": ["8.0"], "kernels": "ghost*"}]})json");
  const auto outcome =
      run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--allow-unused-ignores"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("unused-promise:"));
}

TEST(Audit, DevicesThatNobodyPromisedAreTwo) {
  const auto matrix = folder() / "matrix.json";
  write(matrix,
        R"json({"name": "m", "toolkits": [], "promises": [{"devices": ["8.0", "8.6"]}]})json");
  const auto audit = [&](std::vector<std::string> rest) {
    rest.insert(rest.begin(), {"audit", sample("plain.o"), "--matrix", matrix.string()});
    return run(rest);
  };
  const auto device = audit({"--device", "12.1"});
  EXPECT_EQ(device.code, 2);
  EXPECT_THAT(device.out, IsEmpty());
  EXPECT_THAT(device.err, Says("--device 12.1: nothing is promised there: name one of the "
                               "promised: 8.0, 8.6\n"));
  const auto one_of_two = audit({"--device", "8.0,12.1"});
  EXPECT_EQ(one_of_two.code, 2) << "leaving 12.1 out would read as a promise kept";
  EXPECT_THAT(one_of_two.err, Says("--device 12.1: nothing is promised there"));
  const auto arch = audit({"--arch", "60"});
  EXPECT_EQ(arch.code, 2);
  EXPECT_THAT(arch.err, Says("--arch 60: nothing is promised there"));
  EXPECT_EQ(audit({"--device", "12.1", "--arch", "60", "--cell", "c"}).code, 2);
  EXPECT_EQ(audit({"--device", "8.6"}).code, 0);
  EXPECT_EQ(audit({"--arch", "80"}).code, 0);
}

TEST(Audit, ACellWhoseArchServesNoPromisedDeviceSaysSo) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [], "promises": [{"devices": ["8.0"]}]})json");
  const auto outcome = run({"audit", sample("plain.o"), "--matrix", matrix.string(), "--toolkit",
                            "13.5", "--cell", "cu135-sm88", "--arch", "88"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("nothing is promised for the devices that 88 serves\n"));
}

TEST(Audit, ACellThatMakesNothingToAuditIsAFinding) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [], "promises": [{"devices": ["8.0"]}]})json");
  const auto outcome =
      run({"audit", "--matrix", matrix.string(), "--toolkit", "13.5", "--cell", "cu135-fat"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("no-device-code: cell cu135-fat\n"
                        "  it makes no program and no library, so nothing keeps the promise\n"));
  EXPECT_EQ(run({"audit", "--matrix", matrix.string()}).code, 2) << "neither a FILE nor a cell";
}

TEST(Audit, JudgingNothingIsAFinding) {
  const auto matrix = folder() / "matrix.json";
  write(matrix, R"json({"name": "m", "toolkits": [],
    "promises": [{"devices": ["8.0"], "kernels": "ghost*"}]})json");
  const std::vector<std::string> part = {"audit",         sample("plain.o"), "--matrix",
                                         matrix.string(), "--device",        "8.0"};
  const auto outcome = run(part);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("nothing-judged:"));
  EXPECT_THAT(outcome.out, HasSubstr("none matches \"ghost*\""));
  write(matrix, R"json({"name": "m", "toolkits": [],
    "promises": [{"devices": ["8.0"], "kernels": "*tile*"}]})json");
  EXPECT_EQ(run(part).code, 0);
}

TEST(Audit, JsonSaysTheSame) {
  const auto outcome = run({"audit", sample("plain.o"), "--device", "7.5,8.0", "--accept",
                            "native,compatible", "--json"});
  EXPECT_EQ(outcome.code, 1);
  const auto document = json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "archgrid.audit/1");
  EXPECT_EQ("archgrid " + document.at("version").get<std::string>() + "\n", run({"--version"}).out);
  EXPECT_GE(document.at("body_rules"), 1);
  EXPECT_EQ(document.at("holds"), false);
  const auto& file = document.at("files").at(0);
  EXPECT_EQ(file.at("kernels").size(), 5U);
  for (const auto& kernel : file.at("kernels")) {
    if (kernel.at("name") != "_Z7guardedPf") continue;
    EXPECT_EQ(kernel.at("demangled"), "guarded(float*)");
    EXPECT_EQ(kernel.at("verdicts"), (json{{"7.5", "empty"}, {"8.0", "native"}}));
  }
  EXPECT_EQ(document.at("findings").size(), 2U);
  EXPECT_EQ(document.at("findings").at(0).at("code"), "empty");
  EXPECT_EQ(document.at("findings").at(0).at("device"), "7.5");
}

TEST(Audit, DeviceLinkedProgramsAreJudgedWhole) {
  EXPECT_EQ(
      run({"audit", sample("linked"), "--device", "7.5,8.0", "--accept", "native,compatible"}).code,
      0);
  const auto outcome =
      run({"audit", sample("linked"), "--device", "9.0", "--accept", "native,compatible"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("jit: linked: first and 1 more on 9.0\n"));
  EXPECT_THAT(unwrapped(outcome.out),
              HasSubstr("fix: compile first.cu and 1 more .cu file of linked and what it is linked "
                        "with for 90 too"));
}

TEST(AuditCommand, WithoutAPromiseKernelsAreHeldToTheirPackage) {
  const auto path = sample("plain.o");
  const auto outcome = run({"audit", path});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("\nempty: plain.o: guarded\n  on 7.5 (T4, RTX 20) its body is"));
  EXPECT_THAT(outcome.out, HasSubstr("nothing was promised"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("\ncoverage uneven: 2 errors on 7.5 (T4, RTX 20), 2 of 5 kernels x 4 GPUs\n"));
  const auto asked = run({"audit", path, "--devices", "8.0,8.6"});
  EXPECT_EQ(asked.code, 0) << asked.out;
  EXPECT_THAT(asked.out, Not(HasSubstr("nothing was promised")));
  EXPECT_THAT(
      asked.out,
      HasSubstr("\nruns on 8.0 (A100, A30) and 8.6 (RTX 30, RTX 2050): 5 kernels x 2 GPUs\n"));
  const auto ptx = run({"audit", sample("ptx.o")});
  EXPECT_EQ(ptx.code, 0);
  EXPECT_THAT(
      ptx.out,
      HasSubstr(
          "\nnothing to judge: no machine code, but PTX for 8.0 and newer GPUs, which compile\n"
          "it when the program first starts; --gpu asks about one\n"));
}

TEST(AuditCommand, WhereNoKernelIsThatIsSaid) {
  const auto outcome = run({"audit", "/bin/sh"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\nnothing to judge: no kernel was found\n"));
  EXPECT_EQ(run({"audit", "/bin/sh", "--gpu", "H100"}).code, 1) << "nobody can answer";
}

TEST(AuditCommand, SuspectsAreNoErrorsUnlessStrict) {
  const auto path = sample("sample.fatbin");
  const auto outcome = run({"audit", path});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("\nsuspects may be intended, so they pass (--strict"));
  const auto listed = run({"audit", path, "--suspects"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_THAT(listed.out, HasSubstr("\nsuspect empty: sample.fatbin: guarded does nothing on 7.5"));
  EXPECT_EQ(run({"audit", path, "--strict"}).code, 1);
}

TEST(AuditCommand, AnUnusedIgnoreIsNoUnevenCoverage) {
  const auto path = sample("sample.fatbin");
  const auto one = run({"audit", path, "--ignore", "ghost=gone", "-q"});
  EXPECT_EQ(one.code, 1);
  EXPECT_THAT(one.out, StartsWith("unused --ignore, no other errors: "));
  const auto two = run({"audit", path, "--ignore", "ghost=gone", "--ignore", "stub:x=y", "-q"});
  EXPECT_THAT(two.out, StartsWith("2 unused --ignore, no other errors: "));
  const auto beside_others = run({"audit", path, "--strict", "--ignore", "ghost=gone", "-q"});
  EXPECT_THAT(beside_others.out, StartsWith("coverage uneven: 3 errors"));
}

TEST(AuditCommand, APromiseThatIsNotStrictLetsSuspectsPass) {
  const auto path = sample("sample.fatbin");
  const auto audited = [&](const std::string& strict, const std::vector<std::string>& more = {}) {
    const auto matrix = folder() / "matrix.json";
    write(matrix, R"({"name": "m", "toolkits": [{"cuda": ")" ARCHGRID_NEW_TOOLKIT
                  R"(", "archs": ["75"]}], "promises": [{"devices": ["7.5"])" +
                      strict + "}]}");
    std::vector<std::string> arguments = {"audit", path, "--matrix", matrix.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const auto strict = audited("");
  EXPECT_EQ(strict.code, 1);
  EXPECT_THAT(strict.out, HasSubstr("\nempty: "));
  const auto lenient = audited(R"(, "strict": false)");
  EXPECT_EQ(lenient.code, 0) << lenient.out << lenient.err;
  EXPECT_THAT(lenient.out, HasSubstr("\npromise holds: "));
  EXPECT_THAT(lenient.out, HasSubstr("; 2 suspects\n"));
  EXPECT_EQ(audited(R"(, "strict": false)", {"--strict"}).code, 1);
}

TEST(AuditCommand, ABaselineLeavesWhatIsNew) {
  const auto old = (folder() / "old.json").string();
  ASSERT_EQ(run({"audit", sample("plain.o"), "--ignore", "trapping=later", "--json=" + old}).code,
            1);
  const auto outcome = run({"audit", sample("plain.o"), "--baseline", old});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\ntrap: plain.o: trapping\n")) << "it was not a finding";
  EXPECT_THAT(outcome.out, Not(HasSubstr("empty: plain.o"))) << "it was one";
  EXPECT_THAT(outcome.out, Says("ignored: 1 finding: known from " + old));
  EXPECT_THAT(outcome.out,
              HasSubstr("1 error on 7.5 (T4, RTX 20), 2 of 5 kernels (1 new) x 4 GPUs; 1\n"));
  const auto all = (folder() / "all.json").string();
  ASSERT_EQ(run({"audit", sample("plain.o"), "--json=" + all}).code, 1);
  const auto renewed = (folder() / "renewed.json").string();
  EXPECT_EQ(run({"audit", sample("plain.o"), "--baseline", all, "--json=" + renewed}).code, 0);
  EXPECT_EQ(run({"audit", sample("plain.o"), "--baseline", renewed}).code, 0) << "it goes on";
}

TEST(AuditCommand, ABaselineOfAPromiseNamesKernelAndGpu) {
  const auto old = (folder() / "old.json").string();
  const std::vector<std::string> audit = {"audit", sample("plain.o"), "--accept", "native"};
  const auto on = [&](const std::string& gpus, const std::string& option) {
    auto arguments = audit;
    arguments.insert(arguments.end(), {"--gpu", gpus, option});
    return run(arguments);
  };
  ASSERT_EQ(on("7.5", "--json=" + old).code, 1);
  EXPECT_EQ(on("7.5", "--baseline=" + old).code, 0);
  EXPECT_EQ(on("7.5,9.0", "--baseline=" + old).code, 1) << "9.0 is new";
}

TEST(AuditCommand, ABaselineWithoutAPromiseServesAnAuditWithOne) {
  const auto old = (folder() / "old.json").string();
  ASSERT_EQ(run({"audit", sample("plain.o"), "--json=" + old}).code, 1);
  const auto on = [&](const std::string& gpus, const std::string& baseline) {
    return run({"audit", sample("plain.o"), "--accept", "native,compatible", "--gpu", gpus,
                "--baseline", baseline});
  };
  const std::string note = "judged nothing on ";
  const auto same = on("7.5", old);
  EXPECT_EQ(same.code, 0) << same.out;
  EXPECT_THAT(same.out, testing::AllOf(Says("known from " + old), Not(Says(note))));
  const auto other = on("7.0", old);
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, Says("old.json was written without a promise and judged nothing on 7.0: "
                              "errors there count as new"));
  const auto promised = (folder() / "promised.json").string();
  ASSERT_EQ(
      run({"audit", sample("plain.o"), "--accept", "native", "--gpu", "7.5", "--json=" + promised})
          .code,
      1);
  const auto reverse = run({"audit", sample("plain.o"), "--baseline", promised});
  EXPECT_EQ(reverse.code, 0) << reverse.out;
  EXPECT_THAT(reverse.out, Says("was written with a promise and judged nothing on 8.0"));
}

TEST(AuditCommand, ABaselineMissesWhatPtxServesAloneOrServedOnce) {
  const auto old = (folder() / "old.json").string();
  run({"audit", sample("plain.o"), "--json=" + old});
  EXPECT_EQ(run({"audit", sample("plain.o"), "--baseline", old}).code, 0);
  // Plants machine code for 9.0 and PTX for 6.0 into the earlier release.
  auto planted = contents_of(old);
  const std::string verdict = R"("8.9": ")";
  for (auto at = planted.find(verdict); at != std::string::npos;) {
    const std::string more = R"("9.0": "native", )";
    planted.insert(at, more);
    at = planted.find(verdict, at + more.size() + 1);
  }
  const std::string list = R"("by_ptx": [)";
  ASSERT_NE(planted.find(list), std::string::npos);
  planted.insert(planted.find(list) + list.size(), R"("6.0", )");
  write(old, planted);
  const auto outcome = run({"audit", sample("plain.o"), "--baseline", old});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("its files ran on 6.0 (P100"));
  EXPECT_THAT(outcome.out,
              Says("its files had machine code for 9.0 (H100, H200), and now only PTX"));
}

TEST(AuditCommand, ABaselineOfOtherFilesSaysSo) {
  const auto old = (folder() / "old.json").string();
  run({"audit", sample("plain.o"), "--json=" + old});
  const std::string note = "old.json has none of these files: all findings are new";
  EXPECT_THAT(run({"audit", sample("sample.fatbin"), "--baseline", old}).out, Says(note));
  EXPECT_THAT(run({"audit", sample("plain.o"), "--baseline", old}).out, Not(Says(note)));
}

TEST(AuditCommand, ABaselineHasToBeAnAudit) {
  const auto other = folder() / "other.json";
  write(other, R"({"schema": "archgrid.list/1"})");
  const auto outcome = run({"audit", sample("plain.o"), "--baseline", other.string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("--baseline: " + other.string() + ": its \"schema\" is not"));
  const auto object = run({"audit", sample("plain.o"), "--baseline", sample("plain.o")});
  EXPECT_EQ(object.code, 2);
  EXPECT_THAT(object.err, Says("plain.o: not JSON: a baseline is what an earlier audit wrote"));
  EXPECT_THAT(object.err, Says("archgrid audit " + sample("plain.o") + " --json=old.json"));
  const auto missing = run({"audit", sample("plain.o"), "--baseline", "no-such.json"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, Says("no-such.json"));
  const auto overwritten =
      run({"audit", sample("plain.o"), "--baseline", other.string(), "--json=" + other.string()});
  EXPECT_EQ(overwritten.code, 2);
  EXPECT_THAT(overwritten.err, Says("is an input, which this would overwrite"));
}

TEST(AuditCommand, QuietShowsTheVerdictAlone) {
  const auto outcome = run({"audit", sample("plain.o"), "-q"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "coverage uneven: 2 errors on 7.5 (T4, RTX 20), 2 of 5 kernels x 4 GPUs\n");
}

TEST(AuditCommand, ColoursAreThereWhereTheyAreWanted) {
  const auto path = sample("plain.o");
  EXPECT_THAT(run({"audit", path}).out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(run({"audit", path, "--color", "always"}).out, HasSubstr("\x1b["));
  EXPECT_THAT(run({"audit", path, "--color=always"}, "NO_COLOR=1").out, HasSubstr("\x1b["));
  EXPECT_THAT(run({"--color", "always", "audit", path}).out, HasSubstr("\x1b["));
  EXPECT_THAT(run({"audit", path}, "CLICOLOR_FORCE=1").out, HasSubstr("\x1b["));
  EXPECT_THAT(run({"audit", path, "--color", "never"}, "CLICOLOR_FORCE=1").out,
              Not(HasSubstr("\x1b[")));
  const auto wrong = run({"audit", path, "--color", "blue"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, Says("\"blue\" is none of auto, always and never"));
}

TEST(AuditCommand, IgnoresAreForgivenWithAReason) {
  const auto path = sample("plain.o");
  const auto outcome =
      run({"audit", path, "--ignore", "guarded=tried", "--ignore", "trapping=tried, too"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("\nignored: 1 finding: tried\n"));
  const auto unused = run({"audit", path, "--ignore", "nothing=tried"});
  EXPECT_EQ(unused.code, 1);
  EXPECT_THAT(unused.out, HasSubstr("unused-ignore"));
  const auto wrong = run({"audit", path, "--ignore", "guarded"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, Says("\"guarded\" lacks a reason"));
  const auto pasted = run({"audit", path, "--ignore", "stub:guarded=REASON"});
  EXPECT_EQ(pasted.code, 2);
  EXPECT_THAT(pasted.err, Says("--ignore stub:guarded: \"REASON\" is no reason: say why its errors "
                               "may be ignored"));
}

TEST(AuditCommand, AnIgnoreMayNameGpus) {
  const std::vector<std::string> audit = {"audit",   sample("plain.o"), "--gpu",
                                          "V100,T4", "--accept",        "native"};
  const auto ignoring = [&](const std::string& ignore) {
    auto words = audit;
    words.insert(words.end(), {"--ignore", ignore + "=tried"});
    return run(words);
  };
  ASSERT_EQ(run(audit).code, 1);
  const auto one = ignoring("*@V100");
  EXPECT_EQ(one.code, 1);
  EXPECT_THAT(one.out, AllOf(HasSubstr(" on 7.5\n"), Not(HasSubstr(" on 7.0"))));
  EXPECT_EQ(ignoring("*@7.0,T4").code, 0) << ignoring("*@7.0,T4").out;
  const auto wrong = ignoring("*@7.4");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, Says("--ignore *@7.4: after the @: unknown GPU \"7.4\""));
}

TEST(AuditCommand, AnIgnoreThatNamesNothingIsAnErrorForOneGpuToo) {
  const auto ignoring = [](const std::string& ignore) {
    return run({"audit", sample("plain.o"), "--gpu", "8.0", "--ignore", ignore + "=tried"});
  };
  EXPECT_EQ(run({"audit", sample("plain.o"), "--gpu", "8.0"}).code, 0);
  const auto unused = ignoring("stub:plain");
  EXPECT_EQ(unused.code, 1);
  EXPECT_THAT(unused.out, Says("--ignore stub:plain: \"plain\" matches no error"));
  EXPECT_THAT(unused.out, Says(", but with 1 unused --ignore"));
  EXPECT_EQ(ignoring("stub:plain.o").code, 0) << "errors on other GPUs may have this code";
}

TEST(AuditCommand, AnUnusedIgnoreUnderAPromiseNamesTheCodeThere) {
  const auto outcome = run({"audit", sample("plain.o"), "--gpu", "7.0", "--accept", "native",
                            "--ignore", "file-lacks-arch:plain*=tried"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("with a promise the code is "));
}

TEST(AuditCommand, HintsForACallOfArchgridAuditAreForCMake) {
  const auto outcome = run({"audit", sample("plain.o"), "--gpu", "7.0", "--accept", "native",
                            "--audited-target", "mylib"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("in CMakeLists.txt:\narchgrid_audit(mylib IGNORE \""));
  EXPECT_THAT(outcome.out, Not(HasSubstr("--ignore")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("-gencode")));
}

TEST(AuditCommand, TheAnswerNamesTheDriverThatWasAskedAbout) {
  const auto path = sample("plain.o");
  EXPECT_THAT(run({"audit", path, "--gpu", "8.0", "--driver", "580", "-q"}).out,
              HasSubstr("8.0 (A100, A30) with driver 580: "));
  EXPECT_THAT(run({"audit", path, "--gpu", "8.0", "-q"}).out, Not(HasSubstr("driver")));
}

TEST(AuditCommand, AnIgnoreWithACodeForgivesOnlyErrorsOfThatCode) {
  const auto path = sample("plain.o");
  const auto found = run({"audit", path});
  EXPECT_EQ(found.code, 1);
  const std::string hint = ": --ignore '";
  const auto at = found.out.find(hint);
  ASSERT_NE(at, std::string::npos) << found.out;
  const auto begin = at + hint.size();
  auto ignore = found.out.substr(begin, found.out.find('=', begin) - begin);
  const auto accepted = run({"audit", path, "--ignore", ignore + "=tried"});
  EXPECT_THAT(accepted.out, HasSubstr("\nignored: 1 finding: tried\n")) << ignore;
  EXPECT_THAT(accepted.out, Not(HasSubstr("unused-ignore")));

  const std::vector<std::string> all = {
      "audit", path, "--ignore", "empty:plain.o=tried", "--ignore", "trap:*=tried"};
  EXPECT_EQ(run(all).code, 0) << run(all).out;
  const auto other = run({"audit", path, "--ignore", "stub:*=tried"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, Says("--ignore stub:*: \"*\" matches no error with the code stub\n"));
  const auto named = run({"audit", path, "--ignore", "stub::guarded=tried"});
  EXPECT_THAT(named.out, HasSubstr("\"stub::guarded\" matches no promised kernel"));
}

TEST(AuditCommand, EveryErrorHasItsIgnore) {
  const auto path = sample("plain.o");
  const auto document = json::parse(run({"audit", path, "--json"}).out);
  const auto& findings = document.at("findings");
  ASSERT_FALSE(findings.empty());
  std::vector<std::string> arguments = {"audit", path};
  const auto text = run({"audit", path, "--all"}).out;
  for (const auto& finding : findings) {
    const auto ignore = finding.at("ignore").get<std::string>();
    EXPECT_THAT(text, HasSubstr("\n  to accept it: --ignore '" + ignore + "=REASON'\n"));
    arguments.insert(arguments.end(), {"--ignore", ignore + "=tried"});
  }
  EXPECT_EQ(run(arguments).code, 0);
}

TEST(AuditCommand, AnErrorAboutAFileIsIgnoredByItsName) {
  const std::vector<std::string> asked = {
      "audit", sample("no_fatbin.so"), "--gpu", "8.0", "--accept", "native"};
  EXPECT_THAT(run(asked).out, HasSubstr("stripped: "));
  auto ignored = asked;
  ignored.insert(ignored.end(), {"--ignore", "stripped:no_fat*=meant"});
  const auto outcome = run(ignored);
  EXPECT_THAT(outcome.out, Not(HasSubstr("stripped: ")));
  EXPECT_THAT(outcome.out, HasSubstr("ignored: 1 finding: meant\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("no-device-code")) << "no other file keeps the promise";
  ignored.insert(ignored.begin() + 1, sample("libsample.so"));
  EXPECT_EQ(run(ignored).code, 0) << run(ignored).out;
  ignored.back() = "stripped:other*=meant";
  EXPECT_THAT(run(ignored).out, HasSubstr("unused-ignore"));
  ignored.push_back("--allow-unused-ignores");
  EXPECT_THAT(run(ignored).out, Not(HasSubstr("unused-ignore")));
}

TEST(AuditCommand, AMatrixFileIgnoresByCodeToo) {
  const auto matrix = folder() / "m.json";
  const auto audit_with = [&](const std::string& ignore) {
    write(matrix, R"({"name": "m", "toolkits": [{"cuda": "13.5", "archs": ["80"]}],
      "promises": [{"devices": ["7.5"], "accept": ["native"]}],
      "ignore": [{"kernel": ")" +
                      ignore + R"(", "reason": "meant"}]})");
    return run({"audit", sample("plain.o"), "--matrix", matrix.string()});
  };
  const auto empty = audit_with("empty:plain.o");
  EXPECT_EQ(empty.code, 1);
  EXPECT_THAT(empty.out, Says("trap: plain.o: trapping on 7.5"));
  EXPECT_THAT(empty.out, Not(Says("empty: plain.o")));
  EXPECT_EQ(audit_with("*g*").code, 0) << audit_with("*g*").out;
  EXPECT_EQ(audit_with("missing:plain.o").code, 1);
  const auto wrong = audit_with("emtpy:plain.o");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, Says("ignore[0].kernel: \"emtpy\" is no code of errors about kernels, "
                              "files or GPUs: write empty"));
}

TEST(AuditCommand, AnErrorAboutADriverIsIgnoredByItsCode) {
  const std::vector<std::string> audit = {"audit", sample("plain.o"), "--driver", "590"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), audit.begin(), audit.end());
    return run(more);
  };
  const std::string code = "driver-too-new-for-gpu:";
  const auto found = with({"--gpu", "6.1", "--accept", "native,compatible,jit,missing"});
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out, Says("to accept one: --ignore '" + code + "6.1=REASON'"));
  const std::vector<std::string> promise = {"--gpu", "6.1", "--accept",
                                            "native,compatible,jit,missing", "--ignore"};
  const auto ignoring = [&](const std::string& ignore) {
    auto more = promise;
    more.push_back(ignore);
    return with(more);
  };
  EXPECT_EQ(ignoring(code + "6.1=a lab's driver").code, 0) << ignoring(code + "6.1=x").out;
  EXPECT_EQ(ignoring(code + "7.0=another GPU").code, 1);
  EXPECT_EQ(ignoring("driver-too-old-for-gpu:6.1=another code").code, 1);
  EXPECT_THAT(run({"explain", "driver-too-new-for-gpu"}).out,
              Says("--ignore 'driver-too-new-for-gpu:PATTERN=REASON', PATTERN for the GPU"));
}

TEST(AuditCommand, AnswersWhetherItRunsOnAGpu) {
  const auto runs = run({"audit", sample("plain.o"), "--gpu", "A100"});
  EXPECT_EQ(runs.code, 0) << runs.out;
  EXPECT_THAT(runs.out, HasSubstr("\nruns on A100 (8.0): 5 kernels x 1 GPU\n"));
  EXPECT_THAT(runs.out, Not(HasSubstr("promise")));
  const auto later = run({"audit", sample("ptx.o"), "--gpu", "H100", "--json"});
  EXPECT_EQ(later.code, 0);
  EXPECT_EQ(json::parse(later.out).at("answers").at("9.0"), "runs-after-jit");
  const auto never = run({"audit", sample("plain.o"), "--gpu", "7.0,8.0"});
  EXPECT_EQ(never.code, 1);
  EXPECT_THAT(never.out, HasSubstr("\nfile-lacks-arch: plain.o: "));
  EXPECT_THAT(
      never.out,
      HasSubstr("\nruns on 8.0 (A100, A30); does not run on 7.0 (V100, TITAN V): 1 error, "));
  const auto old = run({"audit", sample("ptx.o"), "--gpu", "8.0", "--driver", "450"});
  EXPECT_EQ(old.code, 1) << "the driver does not read the PTX: " << old.out;
}

TEST(AuditCommand, AFileToWriteIsNotTakenForOneToRead) {
  const auto outcome = run({"audit", sample("plain.o"), "--json", "new.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("to write there, --json=new.json"));
  EXPECT_EQ(outcome.out, "");
}

TEST(AuditCommand, AnArchIsAPartOfAPromise) {
  const auto outcome = run({"audit", sample("plain.o"), "--arch", "80"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("give --matrix, or --gpu with --accept"));
}

TEST(AuditCommand, WhereNothingIsReadNothingIsSaidOfPromises) {
  const auto outcome = run({"audit", "no-such-file.whl"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, Not(HasSubstr("nothing was promised")));
}

TEST(ListCommand, NamesAreALineEach) {
  const auto path = sample("libsample.so");
  const auto outcome = run({"list", "--names", path});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("_Z7guardedPf sm_75 sm_80"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 5);
}

TEST(Audit, ADriverOfAnOlderMajorReleaseBreaksThePromise) {
  const auto with = [](const std::string& driver) {
    return run({"audit", sample("libsample.so"), "--devices", "8.0", "--accept",
                "native,compatible", "--driver", driver});
  };
  const auto outcome = with("470");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              Says("driver-too-old: libsample.so\n  its machine code for 8.0 was made with "
                   "CUDA " ARCHGRID_NEW_TOOLKIT ", which needs driver "));
  EXPECT_THAT(outcome.out, Says(" or newer; promised is driver 470\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\npromise broken: 1 finding (1 driver-too-old) among "));
  EXPECT_EQ(with("580").code, 0);
}

TEST(Audit, ADriverThatDoesNotKnowAGpuBreaksThePromise) {
  const auto with = [](const std::string& driver) {
    return run({"audit", sample("plain.o", "11.8"), "--devices", "6.0,8.0", "--accept",
                "native,empty", "--driver", driver});
  };
  const auto outcome = with("590");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("driver-too-new-for-gpu: on 6.0\n  driver 590, which is promised, "
                                "does not know 6.0: driver 580 is the last that does\n  fix: "
                                "promise driver 580 or older for 6.0, or do not promise 6.0\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("\npromise broken: 1 finding (1 driver-too-new-for-gpu) among "));
  EXPECT_EQ(with("580").code, 0);
}

TEST(Audit, ADriverInAMatrixFileHasToKnowItsGpus) {
  const auto with = [](const std::string& driver) {
    const auto matrix = folder() / "m.json";
    write(matrix, R"json({"name": "m", "toolkits": [{"cuda": "11.8", "archs": ["80"]}],
      "promises": [{"devices": ["8.0"]}, {"devices": ["12.0"], "accept": ["jit"], "driver": ")json" +
                      driver + "\"}]}");
    return run({"audit", sample("ptx.o", "11.8"), "--matrix", matrix.string(), "--toolkit", "11.8",
                "--device", "12.0"});
  };
  const auto outcome = with("560");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      outcome.out,
      Says("driver-too-old-for-gpu: on 12.0\n  promises[1]: driver 560, which is promised, does "
           "not know 12.0: driver 570 is the first that does\n  fix: promise driver 570 or newer"));
  EXPECT_EQ(with("570").code, 0);
}

TEST(Audit, AFileThatIsNamedAndHasNoDeviceCodeIsNoted) {
  const auto host = std::string(tests::kCommand);
  const auto both =
      run({"audit", sample("plain.o"), host, "--devices", "8.0", "--accept", "native,compatible"});
  EXPECT_EQ(both.code, 0);
  EXPECT_THAT(unwrapped(both.out),
              HasSubstr("note: archgrid: it holds no device code that archgrid "
                        "can see, so nothing of it was judged "));
  write(folder() / "all" / "a.o", contents_of(sample("plain.o")));
  write(folder() / "all" / "host", contents_of(host));
  EXPECT_THAT(run({"audit", (folder() / "all").string(), "--devices", "8.0", "--accept",
                   "native,compatible"})
                  .out,
              Not(HasSubstr("no device code")));
}

}  // namespace
}  // namespace archgrid::tests
