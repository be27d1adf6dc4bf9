// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the reader on files that real toolkits write.
#include "samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace archgrid::tests {
namespace {

using fatbin::Body;
using fatbin::Compression;
using fatbin::File;
using fatbin::Image;
using fatbin::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(Toolkits, AnOldAndANewOneAreAtHand) {
  const auto found = toolkits();
  EXPECT_GE(std::count_if(found.begin(), found.end(), is_13), 1) << "run ./setup --dev";
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const auto& v) { return !is_13(v); }))
      << "run ./setup --dev";
}

class Samples : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] File read(const std::string& name) const {
    return fatbin::read(sample_path(GetParam(), name));
  }
  [[nodiscard]] std::string sass_archs() const { return is_13(GetParam()) ? "75 80" : "60 75 80"; }
};

std::string sorted(std::string archs) {
  std::istringstream stream(archs);
  std::set<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::set<std::string> distinct_names(const Image& image) {
  std::set<std::string> names;
  for (const auto& kernel : image.kernels) names.insert(kernel.name);
  return names;
}

const fatbin::Kernel& kernel_of(const Image& image, const std::string& name) {
  for (const auto& kernel : image.kernels) {
    if (kernel.name == name) return kernel;
  }
  throw std::runtime_error(name + " is missing");
}

const std::set<std::string> kSampleKernels = {"_Z4tileILi3EEvPfi", "_Z4tileILi4EEvPfi",
                                              "_Z7guardedPf", "_Z8trappingPf", "_Z4idlePf"};

TEST_P(Samples, EveryContainerFileHoldsTheSameKernelsHoweverItIsPacked) {
  std::vector<std::string> names = {"plain.o", "packed.o", "raw.o", "libsample.so",
                                    "sample.fatbin"};
  if (is_13(GetParam())) {
    for (const auto* mode : {"none.o", "speed.o", "size.o", "balance.o", "default.o"}) {
      names.emplace_back(mode);
    }
  }
  for (const auto& name : names) {
    const auto file = read(name);
    EXPECT_EQ(complaints(file), "") << name;
    EXPECT_EQ(sorted(archs(file, Kind::sass)), sass_archs()) << name;
    EXPECT_EQ(archs(file, Kind::ptx), "80") << name;
    for (const auto& module : file.modules)
      EXPECT_EQ(module.registered, name != "sample.fatbin") << name;
    std::size_t holding = 0;
    for (const auto& image : file.images) {
      if (image.kernels.empty()) continue;
      EXPECT_EQ(distinct_names(image), kSampleKernels) << name;
      ++holding;
    }
    EXPECT_EQ(holding, is_13(GetParam()) ? 3U : 4U) << name;
  }
}

TEST_P(Samples, CompressionIsWhatTheToolkitWrites) {
  const auto all_of = [](const File& file) {
    std::set<Compression> found;
    for (const auto& image : file.images) found.insert(image.compression);
    return found;
  };
  const auto packing = is_13(GetParam()) ? Compression::zstd : Compression::lz4;
  EXPECT_THAT(all_of(read("packed.o")), ElementsAre(packing));
  EXPECT_THAT(all_of(read("raw.o")), ElementsAre(Compression::none));
  if (!is_13(GetParam())) return;
  EXPECT_THAT(all_of(read("none.o")), ElementsAre(Compression::none));
  EXPECT_THAT(all_of(read("size.o")), ElementsAre(Compression::zstd));
  EXPECT_EQ(all_of(read("speed.o")).count(Compression::lz4), 1U);
}

TEST_P(Samples, SuffixesAreToldApart) {
  const auto file = read("suffixed.o");
  EXPECT_EQ(complaints(file), "");
  const bool has_a = GetParam() != "11.8";
  EXPECT_EQ(sorted(archs(file, Kind::sass)), is_13(GetParam()) ? "100f 120 80 90a"
                                             : has_a           ? "80 90a"
                                                               : "80");
  EXPECT_EQ(sorted(archs(file, Kind::ptx)), is_13(GetParam()) ? "100f 90a" : has_a ? "90a" : "");
}

TEST_P(Samples, ToolkitAndIsaAreKnown) {
  const std::map<std::string, std::string> isa = {
      {"11.8", "7.8"}, {"12.4", "8.4"}, {"13.0", "9.0"}, {"13.5", "9.5"}};
  for (const auto& image : read("plain.o").images) {
    EXPECT_EQ(image.kind == Kind::ptx ? image.ptx_isa : image.toolkit,
              image.kind == Kind::ptx ? isa.at(GetParam()) : GetParam());
  }
}

TEST_P(Samples, UnitIsNamedByTheHostSymbols) {
  EXPECT_EQ(read("plain.o").modules.at(0).unit, "sample.cu");
  std::set<std::string> units;
  for (const auto& module : read("libsample.so").modules) units.insert(module.unit);
  EXPECT_EQ(units.count("sample.cu"), 1U);
}

TEST_P(Samples, EmptyAndTrappingBodiesAreSeen) {
  for (const auto& image : read("plain.o").images) {
    const bool low = image.arch.number < 80;
    EXPECT_EQ(kernel_of(image, "_Z7guardedPf").body, low ? Body::empty : Body::code)
        << image.arch.text();
    EXPECT_EQ(kernel_of(image, "_Z8trappingPf").body, low ? Body::trap : Body::code)
        << image.arch.text();
    EXPECT_EQ(kernel_of(image, "_Z4idlePf").body, Body::empty) << image.arch.text();
    EXPECT_EQ(kernel_of(image, "_Z4tileILi3EEvPfi").body, Body::code);
    EXPECT_TRUE(kernel_of(image, "_Z4tileILi3EEvPfi").stores);
  }
}

TEST_P(Samples, EveryWayToStoreIsSeen) {
  const auto file = read("stores.o");
  EXPECT_EQ(complaints(file), "");
  for (const auto& image : file.images) {
    EXPECT_EQ(image.kernels.size(), 12U);
    for (const auto& kernel : image.kernels) {
      const bool to_stack = kernel.name == "_Z8to_localPii";
      EXPECT_EQ(kernel.stores, !to_stack)
          << fatbin::name_of(image.kind) << image.arch.text() << " " << kernel.name;
    }
  }
}

TEST_P(Samples, BodiesOfWhichNothingOutlastsTheirBlockAreInert) {
  const auto file = read("inert.o");
  EXPECT_EQ(complaints(file), "");
  std::size_t inert = 0;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      const auto name = fatbin::demangle(kernel.name);
      SCOPED_TRACE(std::string(fatbin::name_of(image.kind)) + image.arch.text() + " " + name);
      const bool works = image.arch.number == 80 || name.rfind("inert", 0) != 0;
      EXPECT_EQ(kernel.body, works ? Body::code : Body::inert);
      if (!works) ++inert;
    }
  }
  EXPECT_EQ(inert, 15U) << "machine code for 7.5 and 9.0, and PTX for 7.5";
}

/// Returns the body that the kernel's name in stubs.cu implies on archs other than 8.0.
Body body_of_stub(const std::string& kernel) {
  const std::map<std::string, Body> bodies = {
      {"stub_prints", Body::print},
      {"stub_prints_values", Body::print},
      {"stub_prints_and_traps", Body::print_trap},
      {"stub_prints_once_and_traps", Body::print_trap},
      {"stub_breaks", Body::print_trap},
      {"stub_asserts_and_breaks", Body::assertion},
      {"stub_asserts", Body::assertion},
      {"stub_asserts_condition", Body::assertion},
      {"stub_calls_guard", Body::print_trap},
      {"stub_calls_guards", Body::print_trap},
      {"stub_calls_another_unit", Body::print},
      {"reports_everywhere", Body::print},
      {"reports_everywhere_by_name", Body::print},
      {"reports_everywhere_by_a_call", Body::print_trap},
      {"reports_everywhere_if_wrong", Body::assertion},
      {"reports_everywhere_by_another_unit", Body::print},
  };
  return bodies.at(kernel);
}

/// Returns "stub_prints" for "_Z11stub_printsPi".
std::string plain_name(const std::string& mangled) {
  const auto name = fatbin::demangle(mangled);
  return name.substr(0, name.find('('));
}

bool begins_with(const std::string& text, const std::string& beginning) {
  return text.rfind(beginning, 0) == 0;
}

/// Checks the kernels of stubs.cu except `skipped`. Returns the number of stubs.
std::size_t check_stubs(const File& file, const std::set<std::string>& skipped = {}) {
  EXPECT_EQ(complaints(file), "");
  std::size_t stubs = 0;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      const auto name = plain_name(kernel.name);
      if (skipped.count(name) != 0) continue;
      SCOPED_TRACE(std::string(fatbin::name_of(image.kind)) + image.arch.text() + " " + name);
      const bool works =
          begins_with(name, "works") || (begins_with(name, "stub") && image.arch.number == 80);
      EXPECT_EQ(kernel.body, works ? Body::code : body_of_stub(name));
      EXPECT_EQ(kernel.stores, works);
      EXPECT_EQ(kernel.may_store, name == "works_by_a_pointer");
      if (begins_with(name, "stub") && !works) ++stubs;
    }
  }
  return stubs;
}

TEST_P(Samples, StubsAreToldFromWorkOnEveryArch) {
  EXPECT_GE(check_stubs(read("stubs.o")), 100U);
}

/// Returns the messages of stubs whose text lies in their own code.
const std::map<std::string, std::string>& texts_of_stubs() {
  static const std::map<std::string, std::string> texts = {
      {"stub_prints", "this is for 8.0"},
      {"stub_prints_and_traps", "this is for 8.0"},
      {"stub_prints_once_and_traps", "this is for 8.0"},
      {"stub_breaks",
       "Arch conditional MMA instruction used without targeting appropriate compute capability"},
      {"stub_asserts", "false"},
      {"stub_asserts_condition", "n == 3 && \"this is for 8.0\""},
      {"reports_everywhere", "hello %d"},
      {"reports_everywhere_by_name", "läuft only on %s, not on %s"}};
  return texts;
}

/// Checks the messages of a file's kernels. Returns the number of kernels that have one.
std::size_t check_texts(const File& file) {
  std::size_t texts = 0;
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      const auto name = plain_name(kernel.name);
      SCOPED_TRACE(std::string(fatbin::name_of(image.kind)) + image.arch.text() + " " + name);
      texts += kernel.message == nullptr ? 0 : 1;
      if (!fatbin::prints_or_asserts(kernel.body) || image.kind != Kind::sass) {
        EXPECT_EQ(kernel.message, nullptr);
        continue;
      }
      const auto known = texts_of_stubs().find(name);
      if (known == texts_of_stubs().end()) continue;
      if (kernel.message == nullptr) {
        ADD_FAILURE() << "nothing is known of what it says";
      } else {
        EXPECT_EQ(*kernel.message, known->second);
      }
    }
  }
  return texts;
}

TEST_P(Samples, StubsSayTheirText) {
  for (const auto* name : {"stubs.o", "stubs_packed.o", "stubs_rdc.o", "stubs_linked"}) {
    EXPECT_GE(check_texts(read(name)), 16U) << name;
  }
}

TEST_P(Samples, StubsAreToldFromWorkHoweverTheyAreCompiled) {
  EXPECT_EQ(check_stubs(read("stubs_packed.o")), 30U);
  EXPECT_EQ(check_stubs(read("stubs_lineinfo.o")), 30U);
}

TEST_P(Samples, StubsOfOneUnitAreToldFromWorkBeforeTheLink) {
  const std::set<std::string> elsewhere = {"stub_calls_another_unit",
                                           "reports_everywhere_by_another_unit"};
  const auto file = read("stubs_rdc.o");
  EXPECT_EQ(check_stubs(file, elsewhere), 30U);
  for (const auto& image : file.images) {
    for (const auto& kernel : image.kernels) {
      const auto name = plain_name(kernel.name);
      if (elsewhere.count(name) == 0) continue;
      const bool works = begins_with(name, "stub") && image.arch.number == 80;
      EXPECT_EQ(kernel.body, Body::code);
      EXPECT_TRUE(kernel.stores);
      EXPECT_EQ(kernel.may_store, !works) << "the guard is in the other unit";
    }
  }
}

TEST_P(Samples, StubsOfSeveralUnitsAreToldFromWorkBehindTheLink) {
  auto file = read("stubs_linked");
  const auto is_linked = [&](const Image& image) { return file.modules.at(image.module).linked; };
  std::vector<Image> linked;
  std::copy_if(file.images.begin(), file.images.end(), std::back_inserter(linked), is_linked);
  file.images = linked;
  EXPECT_EQ(check_stubs(file), 22U) << "machine code for 7.5 and 9.0";
}

// Debug builds pass printed values on the stack by generic addresses, which prove nothing.
TEST_P(Samples, NothingIsCertainOfDebugBuilds) {
  const auto file = read("stubs_debug.o");
  EXPECT_EQ(complaints(file), "");
  for (const auto& image : file.images) {
    if (image.kind != Kind::sass) continue;
    for (const auto& kernel : image.kernels) {
      const auto name = plain_name(kernel.name);
      SCOPED_TRACE(image.arch.text() + " " + name);
      EXPECT_TRUE(!kernel.stores || kernel.may_store);
      if (begins_with(name, "works")) {
        EXPECT_EQ(kernel.body, Body::code);
      }
    }
  }
}

TEST_P(Samples, ResourcesAreRead) {
  for (const auto& image : read("plain.o").images) {
    if (image.kind != Kind::sass) continue;
    const auto& tile = kernel_of(image, "_Z4tileILi3EEvPfi");
    EXPECT_EQ(tile.shared, 256U);
    EXPECT_EQ(tile.stack, 0U);
    EXPECT_GE(tile.registers.value_or(0), 4U);
    EXPECT_GE(tile.constant.value_or(0), 320U);
  }
}

TEST_P(Samples, PtxOnlyHoldsNoMachineCode) {
  const auto file = read("ptx.o");
  EXPECT_EQ(complaints(file), "");
  EXPECT_EQ(archs(file, Kind::sass), "");
  EXPECT_EQ(archs(file, Kind::ptx), "80");
  EXPECT_EQ(distinct_names(file.images.at(0)), kSampleKernels);
}

TEST_P(Samples, BareCubinAndPtxAreRead) {
  const auto cubin = read("sample.cubin");
  EXPECT_EQ(complaints(cubin), "");
  EXPECT_EQ(cubin.format, "cubin");
  EXPECT_EQ(archs(cubin, Kind::sass), "80");
  EXPECT_EQ(distinct_names(cubin.images.at(0)), kSampleKernels);
  const auto ptx = read("sample.ptx");
  EXPECT_EQ(complaints(ptx), "");
  EXPECT_EQ(ptx.format, "ptx");
  EXPECT_EQ(archs(ptx, Kind::ptx), "80");
  EXPECT_EQ(distinct_names(ptx.images.at(0)), kSampleKernels);
}

TEST_P(Samples, ProgramsAreToldFromSharedObjects) {
  EXPECT_EQ(read("linked").format, "executable") << "position-independent, as g++ links by default";
  EXPECT_EQ(read("libsample.so").format, "shared object");
  EXPECT_EQ(read("first.o").format, "object");
}

TEST_P(Samples, TheCpuOfHostCodeIsKnown) {
#ifdef __x86_64__
  constexpr const char* kCpu = "x86-64";
#else
  constexpr const char* kCpu = "aarch64";
#endif
  for (const auto* name : {"linked", "libsample.so", "first.o"})
    EXPECT_EQ(read(name).host_cpu, kCpu) << name;
  EXPECT_EQ(read("sample.cubin").host_cpu, "") << "device code alone";
}

TEST_P(Samples, RelocatableObjectsAreModules) {
  const auto file = read("first.o");
  EXPECT_EQ(complaints(file), "");
  ASSERT_EQ(file.modules.size(), 1U);
  EXPECT_TRUE(file.modules[0].relocatable);
  EXPECT_FALSE(file.modules[0].linked);
  EXPECT_EQ(file.modules[0].unit, "first.cu");
}

/// Expects the linked module and the two units; a toolkit's own libcudadevrt may be there, too.
void expect_linked(const File& file, bool named) {
  EXPECT_EQ(complaints(file), "");
  EXPECT_THAT(file.dangling, IsEmpty());
  EXPECT_EQ(std::count_if(file.modules.begin(), file.modules.end(),
                          [](const auto& module) { return module.linked; }),
            1);
  std::multiset<std::string> units;
  for (const auto& module : file.modules) {
    EXPECT_TRUE(module.registered);
    EXPECT_NE(module.linked, module.relocatable);
    if (module.unit == "first.cu" || module.unit == "second.cu") units.insert(module.unit);
  }
  if (!named) return;
  EXPECT_THAT(units, UnorderedElementsAre("first.cu", "second.cu"));
}

TEST_P(Samples, DeviceLinkIsSeen) {
  expect_linked(read("linked"), true);
  expect_linked(read("stripped"), false);
  const auto file = read("linked");
  for (const auto& image : file.images) {
    if (!file.modules[image.module].linked) continue;
    EXPECT_EQ(distinct_names(image), (std::set<std::string>{"_Z5firstPf", "_Z6secondPf"}));
  }
}

TEST_P(Samples, LibrariesWithoutTheirDeviceLinkAreSeen) {
  const auto unlinked = read("unlinked.so");
  EXPECT_EQ(complaints(unlinked), "");
  ASSERT_EQ(unlinked.undefined_registrations.size(), 1U);
  EXPECT_EQ(fatbin::unit_of_registration(unlinked.undefined_registrations[0]), "first.cu");
  EXPECT_THAT(unlinked.defined_registrations, IsEmpty());
  const auto linked = read("linked.so");
  EXPECT_THAT(linked.undefined_registrations, IsEmpty());
  EXPECT_FALSE(linked.defined_registrations.empty());
  EXPECT_THAT(read("first.o").undefined_registrations, IsEmpty())
      << "an object has yet to be linked";
  EXPECT_THAT(read("linked").undefined_registrations, IsEmpty());
}

TEST_P(Samples, DeviceLinkOfPtxHasAnEmptyLinkedModule) {
  const auto file = read("linked_ptx");
  expect_linked(file, true);
  for (const auto& image : file.images) EXPECT_FALSE(file.modules[image.module].linked);
}

TEST_P(Samples, RegisteredButStrippedIsSeen) {
  const auto file = read("no_fatbin.so");
  EXPECT_EQ(file.dangling.size(), read("libsample.so").modules.size());
  EXPECT_THAT(file.images, IsEmpty());
  EXPECT_THAT(read("libsample.so").dangling, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Toolkit, Samples, ::testing::ValuesIn(toolkits()), [](const auto& test) {
  auto name = test.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return "cuda" + name;
});

}  // namespace
}  // namespace archgrid::tests
