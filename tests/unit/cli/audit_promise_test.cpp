// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests promises: of the matrix file, of patterns, archs and drivers.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(AuditPromise, AcceptsVerdictsInCapitals) {
  const std::vector<std::string> audit = {"audit", sample("plain.o"), "--gpu", "9.0", "--accept"};
  const auto with = [&audit](const char* verdicts) {
    auto arguments = audit;
    arguments.emplace_back(verdicts);
    return run(arguments);
  };
  EXPECT_EQ(with("native,JIT,Empty").out, with("native,jit,empty").out);
  EXPECT_EQ(with("native,JIT,Empty").err, "");
  EXPECT_NE(with("native,JIT,Empty").out, with("native").out) << "they are all read";
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
  EXPECT_THAT(outcome.out, HasSubstr("ignored: 1 finding: JIT is good enough ("));
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
  EXPECT_THAT(device.err, Says("--gpu 12.1: nothing is promised there: name one of the "
                               "promised: 8.0, 8.6\n"));
  const auto one_of_two = audit({"--device", "8.0,12.1"});
  EXPECT_EQ(one_of_two.code, 2) << "leaving 12.1 out would read as a promise kept";
  EXPECT_THAT(one_of_two.err, Says("--gpu 12.1: nothing is promised there"));
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

TEST(Audit, AMapMarksWhatTheDriverDoesNotRun) {
  const auto with = [](const std::string& driver, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"audit", sample("plain.o", "11.8"), "--devices", "6.1,8.0",
                               "--accept", "native,compatible,empty", "--driver", driver});
    return run(more).out;
  };
  constexpr auto kSign = "\n!       the driver does not run it there: an error, explained below\n";
  const auto marked = with("590");
  EXPECT_THAT(marked, HasSubstr("\n  guarded   empty!   native\n  idle      compat!  native\n"));
  EXPECT_THAT(marked, HasSubstr(kSign));
  EXPECT_THAT(with("590", {"--markdown", "/dev/stdout"}),
              AllOf(HasSubstr("| compatible! | native |\n"),
                    HasSubstr("`!` the driver does not run it there: an error, explained above")));
  for (const auto& unmarked :
       {with("580"), with("590", {"--ignore", "driver-too-new-for-gpu:6.1=a lab's driver"})}) {
    EXPECT_THAT(unmarked, AllOf(HasSubstr("  native\n"), Not(HasSubstr("compat!"))));
    EXPECT_THAT(unmarked, Not(HasSubstr(kSign)));
  }
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
      "promises": [{"devices": ["8.0"]}, {"devices": ["12.0"], "accept": ["jit"],
      "driver": ")json" +
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

}  // namespace
}  // namespace archgrid::tests
