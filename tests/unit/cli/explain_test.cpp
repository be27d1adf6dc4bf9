// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Explain, CodesMayBeSpelledAsMapsSpellThem) {
  EXPECT_EQ(run({"explain", "EMPTY"}).out, run({"explain", "empty"}).out);
}

TEST(Explain, ListsEveryCodeWithATitle) {
  const auto outcome = run({"explain"});
  EXPECT_EQ(outcome.code, 0);
  const auto codes = json::parse(run({"explain", "--json"}).out).at("codes");
  EXPECT_GT(codes.size(), 50U);
  for (const auto& code : codes) {
    EXPECT_THAT(outcome.out, HasSubstr(code.at("code").get<std::string>() + " "));
    EXPECT_THAT(outcome.out, Says(code.at("title").get<std::string>()));
  }
}

TEST(Explain, NamesMeaningEvidenceFixAndIgnore) {
  const auto outcome = run({"explain", "not-in-image"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("not-in-image: "));
  for (const auto* part : {"\nmeans     ", "\nevidence  registered: ", "\nfix       ",
                           "\nignore    --ignore 'not-in-image:PATTERN=REASON'"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  const auto document = json::parse(run({"explain", "not-in-image", "--json"}).out);
  ASSERT_EQ(document.at("codes").size(), 1U);
  EXPECT_TRUE(document.at("codes").at(0).at("evidence").contains("registered"));
}

TEST(Explain, NamesTheEvidenceAndTheCodesOfARule) {
  const auto outcome = run({"explain", "left-behind"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "left-behind: evidence that makes an error\n"
            "\n"
            "evidence  the file has machine code for older GPUs and none for this one, which\n"
            "          the package serves\n"
            "code      file-lacks-arch: A file has no code for a GPU\n");
  EXPECT_THAT(run({"explain", "named"}).out,
              AllOf(StartsWith("named: evidence of a suspect, which may be intended\n"),
                    HasSubstr("\nfails     only with --strict\n")));
  const auto document = json::parse(run({"explain", "left-behind", "--json"}).out);
  EXPECT_TRUE(document.at("codes").empty());
  EXPECT_EQ(document.at("rules").at(0).at("codes"), json({"file-lacks-arch"}));
}

TEST(Explain, NamesWhatWordsOfTheScreenMeanAndWhatToDo) {
  const auto part = run({"explain", "runs", "in", "part"});
  EXPECT_EQ(part.code, 0);
  EXPECT_THAT(part.out,
              AllOf(StartsWith("runs in part: what an audit shows\n\nmeans     Some kernels run "),
                    HasSubstr("\nto do     Read the errors: ")));
  EXPECT_EQ(run({"explain", "runs in part on 8.0"}).out, part.out) << "as the last line has it";
  EXPECT_EQ(run({"explain", "Runs in part"}).out, part.out);
  EXPECT_THAT(run({"explain", "all*"}).out, AllOf(StartsWith("all: "), HasSubstr("\n\n*: ")));
  EXPECT_THAT(run({"explain", "<1%!"}).out, AllOf(StartsWith("%: "), HasSubstr("\n\n!: ")));
  EXPECT_THAT(run({"explain", "-"}).out, StartsWith("-: "));
  const auto document = json::parse(run({"explain", "all*", "--json"}).out);
  EXPECT_EQ(document.at("words").size(), 2U);
  EXPECT_TRUE(document.at("codes").empty());
  const auto two = json::parse(run({"explain", "-", "--json"}).out).at("words");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].at("command"), "audit");
  EXPECT_EQ(two[1].at("command"), "list");
  const auto list = run({"explain"}).out;
  for (const auto& word : json::parse(run({"explain", "--json"}).out).at("words")) {
    const auto name = word.at("word").get<std::string>();
    EXPECT_THAT(list, Says(name));
    EXPECT_EQ(run({"explain", name}).code, 0) << name;
  }
}

/// Returns the names of the columns in the tables of a text, "made by" and "of file" among them.
std::set<std::string> columns_of_tables(const std::string& text) {
  std::set<std::string> columns;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    static const std::regex head("^ +(kind|module|stored|code) .*[a-z]$");
    const bool has_digit = line.find_first_of("0123456789") != std::string::npos;
    if (has_digit || !std::regex_match(line, head)) continue;
    static const std::regex name("[a-z]+( [a-z]+)*");
    for (std::sregex_iterator at(line.begin(), line.end(), name), end; at != end; ++at) {
      columns.insert(at->str());
    }
  }
  return columns;
}

TEST(Explain, NamesTheColumnsOfLists) {
  std::set<std::string> columns;
  for (const std::string option : {"--all", "--images", "--kernels", "--sizes"}) {
    columns.merge(columns_of_tables(run({"list", option, sample("libsample.so")}).out));
  }
  columns.merge(
      columns_of_tables(run({"list", "--sizes", sample("libsample.so"), sample("plain.o")}).out));
  EXPECT_GE(columns.size(), 20U) << ::testing::PrintToString(columns);
  for (const auto& column : columns) {
    EXPECT_THAT(run({"explain", column}).out, HasSubstr(": what archgrid list shows\n")) << column;
  }
}

TEST(Explain, NamesWhatAListShowsAfterWhatAnAuditShows) {
  EXPECT_THAT(run({"explain", "-"}).out, HasSubstr("\n\n-: what archgrid list shows\n"));
  const auto empty = run({"explain", "empty"}).out;
  EXPECT_THAT(empty, AllOf(StartsWith("empty: The body does no work\n"),
                           HasSubstr("\n\nempty: what archgrid list shows\n")));
  EXPECT_THAT(run({"explain", "zstd"}).out, StartsWith("zstd: what archgrid list shows\n"));
}

TEST(Explain, HasBothACodeAndARuleOfOneName) {
  const auto both = run({"explain", "jit"}).out;
  EXPECT_THAT(both, StartsWith("jit: Only PTX"));
  EXPECT_THAT(both, HasSubstr("\n\njit: evidence of a suspect, which may be intended\n"));
}

TEST(Explain, NamesTheWordOfTheScreenBeforeTheCodeOrRule) {
  EXPECT_THAT(run({"explain", "suffix"}).out,
              AllOf(StartsWith("suffix: what an audit shows\n\nmeans     In a map: the kernel "),
                    HasSubstr("\n\nalso a rule:\nsuffix: evidence of a suspect")));
  EXPECT_THAT(run({"explain", "native"}).out,
              AllOf(StartsWith("native: what an audit shows\n"),
                    HasSubstr("\n\nalso a code:\nnative: Machine code ")));
}

TEST(Explain, KnowsSignsAndWordsOfMaps) {
  EXPECT_THAT(run({"explain", "(missing)"}).out,
              AllOf(StartsWith("(...): "), HasSubstr("\n\nmissing: ")));
  EXPECT_THAT(run({"explain", "(compat)"}).out,
              AllOf(StartsWith("(...): "), HasSubstr("\n\ncompat: ")));
  for (const auto& [asked, word] :
       std::vector<std::pair<std::string, std::string>>{{"(...)", "(...)"},
                                                        {"CAPITALS", "CAPITALS"},
                                                        {"capitals", "CAPITALS"},
                                                        {"ptx", "PTX"},
                                                        {"served by PTX", "served by PTX"},
                                                        {"uneven", "coverage uneven"},
                                                        {"errors", "error"},
                                                        {"notes", "note"},
                                                        {"suspects", "suspect"}}) {
    const auto outcome = run({"explain", asked});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith(word + ": what an audit shows\n")) << asked;
  }
  EXPECT_EQ(run({"explain", "stubs"}).out, run({"explain", "stub"}).out);
}

TEST(Explain, KnowsGpus) {
  const auto hopper = run({"explain", "9.0"});
  EXPECT_EQ(hopper.code, 0) << hopper.err;
  EXPECT_EQ(hopper.out,
            "9.0: compute capability of Hopper GPUs\n"
            "\n"
            "products  H100, H200, GH200, H800, H20\n"
            "archs     90, 90a\n"
            "toolkits  CUDA 11.8 or newer compiles for it\n"
            "drivers   520 or newer\n"
            "to ask    archgrid audit FILE --gpu 9.0\n");
  for (const auto* name : {"sm_90", "90a", "compute_90", "H100", "h200", "NVIDIA H100 PCIe"}) {
    EXPECT_EQ(run({"explain", name}).out, hopper.out) << name;
  }
  EXPECT_THAT(run({"explain", "RTX", "6000"}).out,
              AllOf(StartsWith("7.5: "), HasSubstr("\n\n8.9: "), HasSubstr("\n\n12.0: ")));
  EXPECT_THAT(
      run({"explain", "K80"}).out,
      AllOf(Says("toolkits  CUDA 11.0 (the oldest that archgrid knows) to 11.8: newer ones do "
                 "not compile for it"),
            HasSubstr("\ndrivers   470 or older\n")));
  EXPECT_THAT(run({"explain", "A100"}).out, HasSubstr("\ndrivers   archgrid knows no limit\n"));
  const auto entry = json::parse(run({"explain", "B200", "--json"}).out).at("gpus").at(0);
  EXPECT_EQ(entry.at("gpu"), "10.0");
  EXPECT_EQ(entry.at("archs"), json({"100", "100a", "100f"}));
  EXPECT_EQ(entry.at("oldest_toolkit"), "12.8");
  EXPECT_EQ(entry.at("first_driver"), "570");
  EXPECT_FALSE(entry.contains("last_driver"));
  const auto list = run({"explain"}).out;
  for (const auto& gpu : json::parse(run({"explain", "--json"}).out).at("gpus")) {
    EXPECT_THAT(list, Says(gpu.at("gpu").get<std::string>()));
  }
}

TEST(Explain, NamesWhatAnUnknownWordResembles) {
  EXPECT_THAT(run({"explain", "not-in-imag"}).err, Says("write not-in-image; archgrid explain "));
  EXPECT_THAT(run({"explain", "lacks"}).err,
              Says("write unit-lacks-arch or file-lacks-arch; archgrid explain "));
  EXPECT_THAT(run({"explain", "H1000"}).err, Says("\"H1000\" is no code, rule, word or GPU: "));
}

TEST(Explain, AGpusNameIsTheWholeText) {
  for (const auto* text : {"RTX,H100", "foo T4 bar", "T4 RTX 5090", "H100 foo"}) {
    const auto outcome = run({"explain", text});
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_THAT(outcome.err, Says("is no code, rule, word or GPU: ")) << text;
  }
  const auto ambiguous = run({"explain", "RTX 6000"}).out;
  for (const auto* text : {"RTX6000", "rtx 6000"}) {
    EXPECT_EQ(run({"explain", text}).out, ambiguous) << text;
  }
  EXPECT_THAT(run({"explain", "Ampere"}).out,
              AllOf(HasSubstr("8.0: "), HasSubstr("\n\n8.6: "), HasSubstr("\n\n8.7: ")));
  EXPECT_THAT(run({"explain", "T4,H100"}).out, AllOf(StartsWith("7.5: "), HasSubstr("\n\n9.0: ")));
}

TEST(Explain, ListsEveryRule) {
  const auto text = run({"explain"}).out;
  const auto rules = json::parse(run({"explain", "--json"}).out).at("rules");
  EXPECT_GT(rules.size(), 30U);
  const auto list = text.substr(text.find("\nrules, "));
  for (const auto& rule : rules) {
    const auto name = rule.at("rule").get<std::string>();
    EXPECT_THAT(list, ContainsRegex("[ ]" + name + "[,\n]"));
    EXPECT_EQ(run({"explain", name}).code, 0) << name;
  }
}

TEST(Explain, KnowsEveryCodeThatAnAuditReports) {
  const auto audited = json::parse(run({"audit", sample("plain.o"), "--json"}).out);
  ASSERT_FALSE(audited.at("findings").empty());
  for (const auto* list : {"findings", "notes"}) {
    for (const auto& entry : audited.at(list)) {
      const auto code = entry.at("code").get<std::string>();
      EXPECT_EQ(run({"explain", code}).code, 0) << code;
    }
  }
}

}  // namespace
}  // namespace archgrid::tests
