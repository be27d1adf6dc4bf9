// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

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
              AllOf(StartsWith("runs in part: what an audit shows\n\nmeans     A smaller "),
                    HasSubstr("\nto do     Read the errors: ")));
  EXPECT_EQ(run({"explain", "runs in part on 8.0"}).out, part.out) << "as the last line has it";
  EXPECT_EQ(run({"explain", "Runs in part"}).out, part.out);
  EXPECT_THAT(run({"explain", "all*"}).out, AllOf(StartsWith("all: "), HasSubstr("\n\n*: ")));
  EXPECT_THAT(run({"explain", "<1%!"}).out, AllOf(StartsWith("%: "), HasSubstr("\n\n!: ")));
  EXPECT_THAT(run({"explain", "-"}).out, StartsWith("-: "));
  const auto document = json::parse(run({"explain", "all*", "--json"}).out);
  EXPECT_EQ(document.at("words").size(), 2U);
  EXPECT_TRUE(document.at("codes").empty());
  const auto list = run({"explain"}).out;
  for (const auto& word : json::parse(run({"explain", "--json"}).out).at("words")) {
    const auto name = word.at("word").get<std::string>();
    EXPECT_THAT(list, Says(name));
    EXPECT_EQ(run({"explain", name}).code, 0) << name;
  }
}

TEST(Explain, HasBothACodeAndARuleOfOneName) {
  const auto both = run({"explain", "jit"}).out;
  EXPECT_THAT(both, StartsWith("jit: Only PTX"));
  EXPECT_THAT(both, HasSubstr("\n\njit: evidence of a suspect, which may be intended\n"));
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
