// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests audits of real binaries: verdicts, inputs, outputs and answers.
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

TEST(Audit, OneLineSaysHowToIgnoreAnEmptyBody) {
  const std::vector<std::string> asked = {"audit", sample("plain.o"), "--gpu",
                                          "7.5",   "--accept",        "native"};
  const auto outcome = run(asked);
  EXPECT_THAT(outcome.out, Says("\nto ignore one: --ignore 'empty:guarded=REASON'\n"));
  EXPECT_EQ(outcome.out.find("--ignore"), outcome.out.rfind("--ignore")) << outcome.out;
  auto ignored = asked;
  ignored.insert(ignored.end(), {"--ignore", "empty:guarded=never launched there", "--ignore",
                                 "trapping(float*)=likewise"});
  EXPECT_EQ(run(ignored).code, 0);
  const auto matrix = folder() / "m.json";
  write(matrix, R"({"name": "m", "toolkits": [{"cuda": "13.0", "archs": ["75"]}],
    "promises": [{"devices": ["7.5"], "accept": ["native"]}]})");
  const auto by_matrix = run({"audit", sample("inert.o"), "--matrix", matrix.string()});
  EXPECT_THAT(by_matrix.out, Says("or add \"empty\" to \"accept\" in the matrix file\n"));
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

TEST(Audit, ATargetOfACallThatIsNotBuiltHasTheBuildAsItsFix) {
  const auto outcome = run({"audit", "no/such/libx.so", "--gpu", "8.0", "--audited-target", "x"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("archgrid: x is not built yet: no/such/libx.so does not exist"));
  EXPECT_THAT(outcome.err, Says("fix: cmake --build . --target x in the build tree"));
  EXPECT_THAT(
      run({"audit", "no/such/libx.so", "--gpu", "8.0", "--audited-target", "NAME x FILES"}).err,
      Says("no/such/libx.so: cannot open"));
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
      HasSubstr(
          "\ncoverage uneven: 2 errors in 2 of 5 kernels on 7.5 (T4, RTX 20); 1 file x 4 GPUs\n"));
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

TEST(AuditCommand, QuietShowsTheVerdictAlone) {
  const auto outcome = run({"audit", sample("plain.o"), "-q"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "coverage uneven: 2 errors in 2 of 5 kernels on 7.5 (T4, RTX 20); 1 file x 4 GPUs\n");
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

TEST(AuditCommand, TheAnswerNamesTheDriverThatWasAskedAbout) {
  const auto path = sample("plain.o");
  EXPECT_THAT(run({"audit", path, "--gpu", "8.0", "--driver", "580", "-q"}).out,
              HasSubstr("8.0 (A100, A30) with driver 580: "));
  EXPECT_THAT(run({"audit", path, "--gpu", "8.0", "-q"}).out, Not(HasSubstr("driver")));
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
      HasSubstr("\nruns on 8.0 (A100, A30); no kernel runs on 7.0 (V100, TITAN V): 1 error in "));
  const auto old = run({"audit", sample("ptx.o"), "--gpu", "8.0", "--driver", "450"});
  EXPECT_EQ(old.code, 1) << "the driver does not read the PTX: " << old.out;
}

TEST(AuditCommand, AFileToWriteIsNotTakenForOneToRead) {
  const auto outcome = run({"audit", sample("plain.o"), "--json", "new.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("to write there, --json=new.json"));
  EXPECT_EQ(outcome.out, "");
}

TEST(ListCommand, NamesAreALineEach) {
  const auto path = sample("libsample.so");
  const auto outcome = run({"list", "--names", path});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("_Z7guardedPf sm_75 sm_80"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 5);
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
