// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <gmock/gmock.h>

#include <archgrid/launches.hpp>
#include <filesystem>

#include "contents.hpp"

namespace archgrid::launches {
namespace {

using tests::kNew;
using tests::kOld;

/// Host code of one shape by each compiler at hand.
class Shapes : public testing::TestWithParam<std::string> {
 protected:
  void load(const std::string& name) {
    bytes_ = tests::shape(GetParam(), name);
    code_ = std::make_unique<HostCode>(bytes_);
  }
  Launch on(Gpu gpu, const std::string& kernel = "_Zkerneli") {
    return code_->launch_of(kernel, gpu);
  }
  bool is_guarded(const std::string& kernel = "_Zkerneli") {
    return code_->is_guarded(kernel, {{6, 1}, kOld}, {kNew});
  }
  bool is_guarded_on_some_paths(const std::string& kernel = "_Zkerneli") {
    return code_->is_guarded_on_some_paths(kernel, kOld, {kNew});
  }
  void expect_guarded(const std::string& kernel = "_Zkerneli") {
    EXPECT_EQ(on(kOld, kernel), Launch::never);
    EXPECT_EQ(on(kNew, kernel), Launch::reachable);
    EXPECT_TRUE(is_guarded(kernel));
  }
  void expect_reachable(const std::string& kernel = "_Zkerneli") {
    EXPECT_EQ(on(kOld, kernel), Launch::reachable);
    EXPECT_EQ(on(kNew, kernel), Launch::reachable);
    EXPECT_FALSE(is_guarded(kernel));
  }

 private:
  std::string bytes_;
  std::unique_ptr<HostCode> code_;
};

INSTANTIATE_TEST_SUITE_P(Compilers, Shapes, testing::ValuesIn(tests::compilers()),
                         [](const auto& info) { return "By" + info.param; });

TEST_P(Shapes, Unguarded) {
  load("unguarded");
  expect_reachable();
}

TEST_P(Shapes, GuardedByAnAttribute) {
  load("attribute");
  expect_guarded();
}

TEST_P(Shapes, GuardedByAGetter) {
  load("getter");
  expect_guarded();
}

TEST_P(Shapes, GuardedByProperties) {
  load("properties");
  expect_guarded();
  EXPECT_EQ(on({7, 2}), Launch::never);
  EXPECT_EQ(on({7, 5}), Launch::reachable);
}

TEST_P(Shapes, GuardedByACachedGlobal) {
  load("cached");
  expect_guarded();
}

TEST_P(Shapes, GuardedByAMember) {
  load("member");
  expect_guarded();
}

TEST_P(Shapes, GuardedByAMemberThatAnotherFunctionStores) {
  load("constructed");
  expect_guarded();
}

TEST_P(Shapes, AMemberOfAnUnrelatedObject) {
  load("unrelated");
  expect_reachable();
}

TEST_P(Shapes, GuardedByAVirtualSibling) {
  load("virtual");
  expect_guarded();
}

TEST_P(Shapes, GuardedInTheCallerOfTheCaller) {
  load("above");
  expect_guarded();
}

TEST_P(Shapes, GuardedByAnException) {
  load("thrown");
  expect_guarded();
}

TEST_P(Shapes, GuardedByASwitch) {
  load("chosen");
  expect_guarded("_Zguardedi");
  EXPECT_EQ(on(kOld), Launch::reachable);
  EXPECT_EQ(on(kNew), Launch::never);
  EXPECT_FALSE(is_guarded());
}

TEST_P(Shapes, GuardedByALargeFunction) {
  load("refused");
  expect_guarded("_Zguardedi");
  expect_reachable();
}

TEST_P(Shapes, GuardedInALargeFunction) {
  load("large");
  expect_guarded("_Zguardedi");
  expect_reachable();
}

TEST_P(Shapes, GuardedWhereTheAddressIsTakenBefore) {
  load("taken");
  expect_guarded("_Zguardedi");
  expect_reachable("_Zpassedi");
  expect_reachable("_Zloggedi");
  expect_reachable("_Zdescribedi");
  expect_reachable("_Ztunedi");
  expect_reachable("_Zheapedi");
  expect_reachable("_Zkepti");
  expect_reachable("_Zsavedi");
  expect_reachable();
}

TEST_P(Shapes, AQueryOfTheTileAlone) {
  load("tile");
  expect_reachable();
}

TEST_P(Shapes, AGuardOfAnotherKernel) {
  load("other");
  expect_reachable();
  expect_guarded("_Zguardedi");
}

TEST_P(Shapes, ASecondCallerWithoutAGuard) {
  load("callers");
  expect_reachable();
  EXPECT_TRUE(is_guarded_on_some_paths());
}

TEST_P(Shapes, NoPathIsGuardedWithoutACheck) {
  for (const auto* name : {"unguarded", "tile", "output", "unrelated"}) {
    load(name);
    EXPECT_FALSE(is_guarded_on_some_paths()) << name;
  }
  load("inner");
  EXPECT_FALSE(is_guarded_on_some_paths()) << "an entry point launches it, checked or not";
  load("branches");
  EXPECT_FALSE(is_guarded_on_some_paths()) << "either branch launches it";
  load("other");
  EXPECT_FALSE(is_guarded_on_some_paths()) << "the check is for another kernel";
  EXPECT_TRUE(is_guarded_on_some_paths("_Zguardedi"));
  EXPECT_FALSE(is_guarded_on_some_paths("_Z5otheri")) << "unknown";
}

TEST_P(Shapes, ReachableThroughAPointer) {
  load("pointer");
  expect_reachable();
  expect_guarded("_Zguardedi");
}

TEST_P(Shapes, ExportedWithoutAGuard) {
  load("exported");
  expect_reachable();
  // C++ functions that the library calls itself are assumed to be its own.
  expect_guarded("_Zguardedi");
}

TEST_P(Shapes, ExceptionHandlersAreAssumedToRun) {
  load("caught");
  expect_reachable();
  // GCC moves handlers to parts that nothing calls or jumps to.
  if (GetParam() == "clang") expect_reachable("_Zotheri");
}

TEST_P(Shapes, AResultThatCannotBeComputedIsAssumed) {
  load("assumed");
  EXPECT_EQ(on(kOld), Launch::reachable);
  EXPECT_EQ(on(kNew), Launch::reachable);
  EXPECT_TRUE(is_guarded());
}

TEST_P(Shapes, AStoredResultIsAssumed) {
  load("stored");
  EXPECT_EQ(on(kOld, "_Zguardedi"), Launch::reachable);
  EXPECT_TRUE(is_guarded("_Zguardedi"));
  expect_reachable();
}

TEST_P(Shapes, AFlagThatOnlyCheckedCodeSetsIsAssumedToBeClear) {
  load("flag");
  EXPECT_EQ(on(kOld, "_Zguardedi"), Launch::reachable);
  EXPECT_TRUE(is_guarded("_Zguardedi"));
  EXPECT_TRUE(is_guarded("_Zownedi"));
  EXPECT_TRUE(is_guarded("_Zsharedi"));
  expect_reachable("_Zotheri");
  expect_reachable("_Zoptionali");
  expect_reachable();
}

TEST_P(Shapes, PropertiesThatAConstructorFillsInAreAssumedInLoadedObjects) {
  load("filled");
  EXPECT_EQ(on(kOld, "_Zguardedi"), Launch::reachable);
  EXPECT_TRUE(is_guarded("_Zguardedi"));
  expect_reachable("_Zotheri");
  expect_reachable();
}

TEST_P(Shapes, AVariableThatACallOverwrites) {
  load("reused");
  expect_reachable();
  expect_reachable("_Zotheri");
}

TEST_P(Shapes, ReachableThroughATableOfStubs) {
  load("table");
  expect_reachable();
  expect_guarded("_Zguardedi");
}

TEST_P(Shapes, ASwitchWithCasesInAnotherPartOfTheFunction) {
  load("cases");
  expect_reachable();
  expect_guarded("_Zguardedi");
}

TEST_P(Shapes, ReachableFromCodeOutsideOfText) {
  load("sections");
  expect_reachable();
  expect_reachable("_Zotheri");
  expect_guarded("_Zguardedi");
}

TEST_P(Shapes, AnOutputIsNoMember) {
  load("output");
  expect_reachable();
}

TEST_P(Shapes, ComputedResultsAreNotAssumed) {
  load("computed");
  expect_reachable();
  expect_reachable("_Zotheri");
  expect_reachable("_Zthirdi");
  expect_reachable("_Zfourthi");
}

TEST_P(Shapes, APointerIsNotAssumed) {
  load("handle");
  expect_reachable();
}

TEST_P(Shapes, AnUnknownKernel) {
  load("attribute");
  EXPECT_EQ(on(kOld, "_Z5otheri"), Launch::unknown);
  EXPECT_FALSE(is_guarded("_Z5otheri"));
}

TEST_P(Shapes, GuardedOnAllFailingGpusAlone) {
  const auto bytes = tests::shape(GetParam(), "attribute");
  HostCode code(bytes);
  EXPECT_TRUE(code.is_guarded("_Zkerneli", {kOld}, {{7, 5}, kNew}));
  EXPECT_FALSE(code.is_guarded("_Zkerneli", {kOld, kNew}, {{9, 0}}));
  EXPECT_FALSE(code.is_guarded("_Zkerneli", {kOld}, {{7, 5}}));
  EXPECT_FALSE(code.is_guarded("_Zkerneli", {kOld}, {}));
  EXPECT_FALSE(code.is_guarded("_Zkerneli", {}, {kNew}));
}

TEST_P(Shapes, MayBeMoved) {
  const auto bytes = tests::shape(GetParam(), "attribute");
  HostCode code(bytes);
  HostCode moved(std::move(code));
  EXPECT_EQ(moved.launch_of("_Zkerneli", kOld), Launch::never);
  code = std::move(moved);
  EXPECT_EQ(code.launch_of("_Zkerneli", kNew), Launch::reachable);
}

// Functions look up in vain what the first GPU does not keep: later GPUs may keep it.
TEST_P(Shapes, KeptForOtherGpusOnly) {
  load("kept");
  EXPECT_EQ(on(kOld), Launch::reachable);
  EXPECT_EQ(on(kNew), Launch::never);
}

// Evaluations of an earlier GPU are reused where the GPU does not matter.
TEST_P(Shapes, AnswersDoNotDependOnEarlierGpus) {
  const std::vector<Gpu> gpus = {kOld, {5, 0}, kNew, {9, 0}};
  for (const auto& name : tests::shapes(GetParam())) {
    const auto bytes = tests::shape(GetParam(), name);
    for (const auto& first : gpus) {
      HostCode both(bytes);
      both.is_guarded("_Zkerneli", {first}, {first});
      for (const auto& gpu : gpus) {
        SCOPED_TRACE(testing::Message() << name << ": " << first.major << '.' << first.minor
                                        << " before " << gpu.major << '.' << gpu.minor);
        EXPECT_EQ(both.launch_of("_Zkerneli", gpu), HostCode(bytes).launch_of("_Zkerneli", gpu));
        EXPECT_EQ(both.is_guarded("_Zkerneli", {gpu}, {{9, 0}}),
                  HostCode(bytes).is_guarded("_Zkerneli", {gpu}, {{9, 0}}));
      }
    }
  }
}

}  // namespace
}  // namespace archgrid::launches
