// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made.hpp"
#include "samples.hpp"

namespace archgrid::tests {
namespace {

using fatbin::Bytes;
using fatbin::Unreadable;

fatbin::Ptx parse(const std::string& statements,
                  fatbin::Detail detail = fatbin::Detail::everything) {
  const auto text = ".version 8.4\n.target sm_80\n.address_size 64\n" + statements;
  return fatbin::parse_ptx(Bytes(text), detail);
}

std::string names_of(const fatbin::Ptx& ptx) {
  std::string names;
  for (const auto& kernel : ptx.kernels) names += kernel.name + " ";
  return names;
}

TEST(Ptx, InstructionsThatNeedASuffixAreFound) {
  const auto needs = [](const std::string& target, const std::string& body) {
    const auto text = ".version 8.4\n.target " + target +
                      "\n.address_size 64\n.visible .entry k()\n{" + body + "\n\tret;\n}\n";
    return fatbin::parse_ptx(Bytes(text), fatbin::Detail::everything).needs_suffix;
  };
  for (const auto* body :
       {"\n\twgmma.fence.sync.aligned;", "{ setmaxnreg.inc.sync.aligned.u32 240; }",
        "\ttcgen05.wait::ld.sync.aligned;"}) {
    EXPECT_TRUE(needs("sm_90", body)) << body;
    EXPECT_FALSE(needs("sm_90a", body)) << body;
  }
  EXPECT_FALSE(needs("sm_90", "\n\tcall uses_wgmma.x;"));
  EXPECT_FALSE(needs("sm_90", ""));
}

TEST(Ptx, AnEntryThatEndsTooEarlyIsUnreadable) {
  const std::string whole = ".visible .entry k(\n\t.param .u64 p\n)\n{\n\tret;\n}";
  EXPECT_EQ(names_of(parse(whole + whole)), "k k ");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_THROW(parse(whole + whole.substr(0, size)), Unreadable) << size;
  }
}

TEST(Ptx, NamesWhatItLacksAndWhatItOffers) {
  const std::string text =
      ".extern .func  (.param .b32 func_retval0) _Z4needf\n(\n\t.param .b32 "
      "_Z4needf_param_0\n)\n;\n"
      ".extern .func  (.param .b32 func_retval0) vprintf\n(\n)\n;\n"
      ".extern .func unused\n(\n)\n;\n"
      "// .extern .func comment;\n"
      ".extern .func both ();\n.visible .func both () {ret;}\n"
      ".extern .global .align 4 .b8 tab[16];\n.extern .shared .align 4 .b8 dyn[];\n"
      ".visible .func  (.param .b32 func_retval0) give(\n)\n{\n\tret;\n}\n"
      ".visible .global .align 4 .f32 value = 0f00000000;\n"
      ".visible .entry k()\n{\n\tcall.uni (r), _Z4needf, (p);\n\tcall vprintf;\n\tcall both;\n"
      "\tcall comment;\n\tmov.u64 %rd1, tab;\n\tmov.u64 %rd2, dyn;\n\tret;\n}\n";
  for (const auto detail : {fatbin::Detail::everything, fatbin::Detail::bodies}) {
    const auto ptx = parse(text, detail);
    EXPECT_THAT(ptx.undefined, ::testing::ElementsAre("_Z4needf", "tab"));
    EXPECT_THAT(ptx.defined, ::testing::ElementsAre("both", "give", "value"));
  }
}

// A few names are searched one by one, many or very short ones together.
TEST(Ptx, LacksNamesThatItUsesHoweverManyItDeclares) {
  for (const int declared : {1, 2, 8, 9, 30}) {
    std::string text = ".extern .func s;\n";
    std::string calls = "\tcall s;\n\tcall used_0_not_declared;\n\tcall xused_0;\n";
    std::vector<std::string> used = {"s"};
    for (int index = 0; index < declared; ++index) {
      const auto name = "used_" + std::to_string(index);
      text += ".extern .func " + name + ";\n.extern .func un" + name + ";\n";
      if (index == 0) continue;  // occurs in other words alone
      calls += "\tcall " + name + ", (p);\n";
      used.push_back(name);
    }
    std::sort(used.begin(), used.end());
    const auto kernel = ".visible .entry k()\n{\n" + calls + "\tret;\n}\n";
    EXPECT_THAT(parse(text + kernel).undefined, ::testing::ElementsAreArray(used)) << declared;
    used.erase(used.begin());
    const auto long_names = text.substr(text.find('\n') + 1);
    EXPECT_THAT(parse(long_names + kernel).undefined, ::testing::ElementsAreArray(used))
        << declared;
  }
}

// Crafted text may have many declarations. Reading all the text behind each would take minutes.
TEST(Ptx, ManyDeclarationsAreReadOnce) {
  constexpr std::size_t kMany = 200'000;
  std::string text;
  for (std::size_t index = 0; index < kMany; ++index) {
    text += ".extern .func f" + std::to_string(index) + ";\n";
  }
  EXPECT_TRUE(parse(text).undefined.empty());
  EXPECT_THROW(parse(repeated(".extern .func f\n", kMany)), Unreadable);
}

TEST(Ptx, AnEntryWhosePragmaPrecedesItsBodyIsReadByAll) {
  const auto text = ".pragma \"a\"\n.entry k()\n;\n{\n\tret;\n}\n.entry m()\n{\n\tret;\n}\n";
  EXPECT_EQ(names_of(parse(text)), "k m ");
  EXPECT_EQ(names_of(parse(text, fatbin::Detail::bodies)), "k m ");
}

// Crafted PTX may be like this. Searching back along the line for each entry would take minutes.
TEST(Ptx, EntriesOfOneLineAreReadByAll) {
  constexpr std::size_t kMany = 160'000;
  const auto text = repeated(".visible .entry k(){ret;} ", kMany);
  for (const auto detail : {fatbin::Detail::bodies, fatbin::Detail::everything}) {
    EXPECT_EQ(parse(text, detail).kernels.size(), kMany);
  }
}

TEST(Ptx, EntriesThatNeverCloseAreUnreadable) {
  EXPECT_THROW(parse(repeated(".entry k {\n", 1000)), Unreadable);
  EXPECT_THROW(parse(".entry k {ret;} }\n"), Unreadable);
}

TEST(Ptx, BracesMustMatchHoweverMuchIsAsked) {
  const std::string kernel = ".visible .entry k()\n{\n\tret;\n}\n";
  for (const auto detail : {fatbin::Detail::everything, fatbin::Detail::bodies}) {
    EXPECT_EQ(names_of(parse(kernel, detail)), "k ");
    EXPECT_THROW(parse(kernel + "}\n", detail), Unreadable);
    EXPECT_THROW(parse(".visible .entry j()\n{\n\tret;\n" + kernel, detail), Unreadable);
  }
}

TEST(Ptx, TheEndOfAWordIsNoEntryHoweverMuchIsAsked) {
  const std::string text = ".visible .maxntid.entry j(\n\t.entry k\n)\n{\n\tret;\n}\n";
  for (const auto detail : {fatbin::Detail::everything, fatbin::Detail::bodies}) {
    EXPECT_EQ(names_of(parse(text, detail)), "k ");
  }
}

// A kernel's stores must not include those of the next one.
TEST(Ptx, AStoreOfTheNextKernelIsNotTakenForOneOfThis) {
  const auto ptx = parse(
      ".visible .entry idle()\n{\n\tret;\n}\n.visible .entry works()\n{\n\tst.global.u32 [%rd1], "
      "1;\n\tret;\n}\n",
      fatbin::Detail::bodies);
  ASSERT_EQ(ptx.kernels.size(), 2U);
  EXPECT_EQ(ptx.kernels[0].body, fatbin::Body::empty);
  EXPECT_FALSE(ptx.kernels[0].stores);
  EXPECT_EQ(ptx.kernels[1].body, fatbin::Body::code);
  EXPECT_TRUE(ptx.kernels[1].stores);
}

// Damage may leave a line that looks like a store but is part of another statement.
TEST(Ptx, AStoreWithinAStatementIsNoneHoweverMuchIsAsked) {
  for (const std::string before :
       {"ld.", "bar.sync 0 // all;", "\"", ".loc 1 2 // ;\n\n", "ld.\n\t$L1:", "ld\n\tu {}"}) {
    const auto text =
        ".visible .entry k()\n{\n\t" + before + "\n\tst.global.u32 [%rd1], 1;\n\tret;\n}\n";
    const auto less = parse(text, fatbin::Detail::bodies).kernels.at(0);
    EXPECT_EQ(less.body, parse(text).kernels.at(0).body) << before;
    EXPECT_EQ(less.stores, parse(text).kernels.at(0).stores) << before;
  }
}

TEST(Ptx, APrivateStoreIsNoneHoweverMuchIsAsked) {
  const std::string text =
      ".visible .entry k()\n{\n\tmov.u32 %r1, 1;\n\tst.global.u32.param.u32 [p], %r1;\n\tret;\n}\n";
  const auto less = parse(text, fatbin::Detail::bodies).kernels.at(0);
  const auto all = parse(text).kernels.at(0);
  EXPECT_EQ(less.body, all.body);
  EXPECT_FALSE(less.stores || all.stores);
}

// The end of a body may lie within a line, too, as in damaged operands.
TEST(Ptx, AStoreBehindTheEndOfABodyIsNoneHoweverMuchIsAsked) {
  for (const std::string before : {"ld.v2.f32 {%f1, %f2}, [%rd1]; }", "mul}, [%rd4+8];"}) {
    const auto text =
        ".visible .entry k()\n{\n\t" + before + "\n\tst.global.u32 [%rd1], 1;\n\t{\n\tret;\n}\n";
    const auto less = parse(text, fatbin::Detail::bodies).kernels.at(0);
    const auto all = parse(text).kernels.at(0);
    EXPECT_EQ(less.body, all.body) << before;
    EXPECT_FALSE(less.stores || all.stores) << before;
  }
}

TEST(Ptx, AFunctionThatEndsTooEarlyIsUnreadable) {
  EXPECT_THROW(parse(".entry k {ret;}\n.func f() {\n\tret;\n"), Unreadable);
}

TEST(Ptx, ADeclarationIsNoKernel) {
  const auto ptx = parse(
      ".visible .entry later(\n\t.param .u64 p\n)\n;\n.func f() { trap; }\n"
      ".visible .entry later(\n\t.param .u64 p\n)\n{\n\tret;\n}\n");
  ASSERT_EQ(names_of(ptx), "later ");
  EXPECT_EQ(ptx.kernels[0].body, fatbin::Body::empty);
  EXPECT_EQ(names_of(parse(".visible .entry elsewhere();\n.func f() { trap; }\n")), "");
}

TEST(Ptx, APragmaMayStandBeforeTheBody) {
  EXPECT_EQ(names_of(parse(".entry k() .pragma \"nounroll\"; { ret; }\n")), "k ");
}

TEST(Ptx, BracesOfStringsAndCommentsDoNotCount) {
  EXPECT_EQ(names_of(parse(".entry k()\n{ // {\n/* } */ ret;\n}\n\t.file\t1 \"/a{b/*.cu\"\n")),
            "k ");
}

TEST(Ptx, BracesCountWhereverTheyAre) {
  for (std::size_t blanks = 0; blanks < 40; ++blanks) {
    const std::string pad(blanks, ' ');
    EXPECT_EQ(names_of(parse(pad + ".entry k()\n{" + pad + "// {\n" + pad + "/* } */" + pad +
                             "ret;\n}\n\t.file\t1 \"" + pad + "/a{b/*.cu\"\n")),
              "k ")
        << blanks;
    EXPECT_THROW(parse(pad + ".entry k()\n{" + pad + "{\nret;\n}\n"), Unreadable) << blanks;
    EXPECT_THROW(parse(pad + ".entry k()\n{" + pad + "}\nret;\n}\n"), Unreadable) << blanks;
  }
}

TEST(Ptx, CallsAreFollowedWhereverTheFunctionIs) {
  const std::string before = ".visible .entry k()\n{\n\tcall f, ();\n\tret;\n}\n";
  for (std::size_t blanks = 0; blanks < 40; ++blanks) {
    const std::string pad(blanks, ' ');
    const auto function = [&](const std::string& statement) {
      return pad + ".func f()\n{" + pad + "// }\n{" + pad + statement + pad + "}\n" + statement +
             "\n}\n";
    };
    const auto idle = parse(before + function("mov.u32 %r1, 1;"), fatbin::Detail::bodies);
    const auto storing = parse(before + function("st.global.u32 [%rd1], %r1;"));
    EXPECT_FALSE(idle.kernels.at(0).stores) << blanks;
    EXPECT_TRUE(storing.kernels.at(0).stores) << blanks;
  }
}

TEST(Ptx, OtherBlocksHoldNoEntries) {
  EXPECT_EQ(names_of(parse(".global .b8 x[2] = {1, 2};\n.entry k { .reg .b32 %r<2>; ret; }\n"
                           ".section .debug_str { .b8 1 }\n")),
            "k ");
}

class PtxSamples : public ::testing::TestWithParam<std::string> {};

/// Returns the text without line comments and trailing blanks.
std::string last_words(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += line.substr(0, line.find("//"));
  return result.substr(0, result.find_last_not_of(" \t\r\n") + 1);
}

// A truncation between two entries leaves a whole module, and one in the header a module without
// entries: nothing in the format reveals that there was more. Any other truncation is an error.
TEST_P(PtxSamples, ATruncationIsAnErrorUnlessItIsBetweenEntries) {
  const auto whole = tests::contents_of(sample_path(GetParam(), "sample.ptx"));
  ASSERT_EQ(complaints(fatbin::read_bytes(whole, "whole")), "");
  std::size_t seen = 0;
  for (std::size_t size = whole.find(".entry"); size < whole.size(); ++size) {
    const auto cut = whole.substr(0, size);
    const bool complains = !complaints(fatbin::read_bytes(cut, "cut")).empty();
    const bool between =
        last_words(cut).back() == '}' &&
        std::count(cut.begin(), cut.end(), '{') == std::count(cut.begin(), cut.end(), '}');
    EXPECT_NE(complains, between) << "cut to " << size << " bytes";
    seen += complains ? 1 : 0;
  }
  EXPECT_GT(seen, whole.size() / 2);
}

TEST(Ptx, AnEntryInABlockIsNoKernel) {
  const auto* const text = ".visible .entry k()\n{\nret;\n.visible .entry inner()\n{\nret;\n}\n}\n";
  using fatbin::Detail;
  for (const auto detail : {Detail::everything, Detail::bodies, Detail::names}) {
    const auto kernels = parse(text, detail).kernels;
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels[0].name, "k");
  }
}

INSTANTIATE_TEST_SUITE_P(Toolkit, PtxSamples, ::testing::ValuesIn(toolkits()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return "cuda" + name;
                         });

}  // namespace
}  // namespace archgrid::tests
