// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/report/list.hpp>
#include <nlohmann/json.hpp>

#include "paths.hpp"
#include "reports.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using report::ListFilter;
using report::ListOrder;
using report::ListRequest;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

File readable(std::vector<Image> images) {
  auto file = file_of(std::move(images));
  file.format = "shared object";
  file.bytes = 4096;
  for (auto& image : file.images) {
    image.decompressed_bytes = 2048;
    image.stored = 1024;
  }
  return file;
}

fatbin::Kernel kernel_of(const std::string& name, std::uint32_t registers, std::uint32_t code) {
  auto result = kernel(name);
  result.registers = registers;
  result.code_bytes = code;
  return result;
}

std::string list(const File& file, const ListRequest& request = {}) {
  return report::list_text({file}, request, {});
}

json list_json_of(const std::vector<File>& files, const ListRequest& request = {}) {
  std::string text;
  report::list_json(files, request, [&text](std::string_view piece) { text += piece; });
  return json::parse(text);
}

std::size_t place_of(const std::string& text, const std::string& part) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part << " is not in\n" << text;
  return at;
}

TEST(ListFilter, KeepsTheArchsAndKindsThatItNames) {
  std::vector<File> files = {readable({sass("90"), sass("90a"), ptx("90"), sass("80")})};
  report::apply({{{"90", {}}}, {}, ""}, files);
  ASSERT_EQ(files[0].images.size(), 2U) << "90a is another arch";
  report::apply({{}, {Kind::ptx}, ""}, files);
  ASSERT_EQ(files[0].images.size(), 1U);
  EXPECT_EQ(files[0].images[0].kind, Kind::ptx);
  report::apply({}, files);
  EXPECT_EQ(files[0].images.size(), 1U);
}

TEST(ListFilter, KernelsMatchByMangledAndDemangledNames) {
  const std::vector<fatbin::Kernel> kernels = {kernel("_Z4tileIfEvPT_"), kernel("_Z4idlePf")};
  const auto left = [&](const std::string& pattern) {
    std::vector<File> files = {readable({sass("90", kernels), lto("90")})};
    report::apply({{}, {}, pattern}, files);
    std::vector<std::string> names;
    for (const auto& image : files[0].images) {
      for (const auto& kernel : image.kernels) names.push_back(kernel.name);
    }
    EXPECT_EQ(files[0].images.size(), names.empty() ? 0U : 1U);
    return names;
  };
  EXPECT_THAT(left("_Z4tile*"), ElementsAre("_Z4tileIfEvPT_"));
  EXPECT_THAT(left("void tile<float>"), ElementsAre("_Z4tileIfEvPT_"));
  EXPECT_THAT(left("idle(float?)"), ElementsAre("_Z4idlePf"));
  EXPECT_THAT(left("*"), ElementsAre("_Z4tileIfEvPT_", "_Z4idlePf"));
  EXPECT_THAT(left("til"), ElementsAre());
}

TEST(ListText, KernelsTellWhatEachBodyTakes) {
  auto rich = kernel_of("rich", 255, 4096);
  rich.stack = 48;
  rich.shared = 1024;
  rich.constant = 360;
  rich.spill_stores = 16;
  rich.spill_loads = 24;
  rich.max_threads = fatbin::BlockDim{256, 1, 1};
  auto poor = kernel_of("rich", 32, 128);
  poor.required_threads = fatbin::BlockDim{16, 16, 1};
  const auto lines = lines_of(list(
      readable({sass("90a", {rich}), sass("80", {poor}), ptx("90", "8.4", {kernel("rich")})})));
  ASSERT_EQ(lines.size(), 14U);
  EXPECT_EQ(lines[11], "GPUs newer than 9.0 are served by PTX compute_90 (JIT)");
  EXPECT_EQ(lines[13], "?: the image does not record it; -: the image has none");
  EXPECT_EQ(lines[6], "      kind  arch  regs  stack  shared  const  spills  threads  code  body");
  EXPECT_EQ(lines[7], "    rich");
  EXPECT_EQ(lines[8], "      sass  80      32      -       -      -       ?   =16x16   128  code")
      << "spills that are not recorded may be there";
  EXPECT_EQ(lines[9], "      sass  90a    255     48    1024    360   16/24    <=256  4096  code");
  EXPECT_EQ(lines[10], "      ptx   90       -      -       -      -       -        -     -  code");
}

TEST(ListText, SeveralFilesAreCounted) {
  auto other = readable({sass("80"), sass("80", {kernel("m")})});
  other.path = "liby.so";
  const std::vector<File> files = {readable({sass("80")}), other};
  EXPECT_THAT(report::list_text(files, {}, {}),
              HasSubstr("\n2 files with 3 images and 3 kernels (2 different names), "));
  EXPECT_THAT(list(files[0]), Not(HasSubstr("files with")));
  const auto summary = list_json_of(files).at("summary");
  EXPECT_EQ(summary.at("files"), 2);
  EXPECT_EQ(summary.at("kernels"), 3);
  EXPECT_EQ(summary.at("distinct_kernels"), 2);
  EXPECT_EQ(summary.at("images"), 3);
}

TEST(ListText, AnArchsKernelsAreCountedByName) {
  File file = readable({});
  file.modules.clear();
  for (int index = 0; index < 50; ++index) add_module(file, {sass("80")});
  EXPECT_THAT(list(file), HasSubstr(" none               1      50\n"));
}

TEST(ListText, SpillsThatAreKnownToBeNoneAreNone) {
  auto clean = kernel("clean");
  clean.spill_stores = 0;
  clean.spill_loads = 0;
  EXPECT_THAT(list(readable({sass("90", {clean})})), Not(HasSubstr("?")));
}

TEST(ListText, ImagesTellWhatIsUnusual) {
  auto debug = sass("80");
  debug.debug = true;
  auto hidden = sass("86");
  hidden.obfuscated = true;
  const auto text = list(readable({debug, hidden, unreadable(sass("90")), sass("75")}));
  EXPECT_THAT(text, HasSubstr("  1  debug\n"));
  EXPECT_THAT(text, HasSubstr("  1  obfuscated\n"));
  EXPECT_THAT(text, HasSubstr("  0  unreadable: the zstd frame is corrupt\n"));
  EXPECT_THAT(text,
              HasSubstr("sass  75    -        1.0 KiB       2.0 KiB  none               1\n"));
}

TEST(ListText, KernelsAreOrderedByWhatTakesMost) {
  auto spilling = kernel_of("spilling", 8, 500);
  spilling.spill_stores = 4;
  spilling.spill_loads = 4;
  spilling.stack = 64;
  auto sharing = kernel_of("sharing", 16, 400);
  sharing.shared = 4096;
  const auto file = readable({sass("80", {kernel_of("a", 32, 100), sharing, spilling}),
                              sass("90", {kernel_of("a", 1, 450)})});
  const auto first = [&](ListOrder order) {
    ListRequest request;
    request.kernels = true;
    request.order = order;
    request.top = 1;
    const auto lines = lines_of(list(file, request));
    EXPECT_EQ(lines.at(lines.size() - 3), "  ... and 2 more");
    return lines.at(2).substr(2);
  };
  EXPECT_EQ(first(ListOrder::name), "a");
  EXPECT_EQ(first(ListOrder::registers), "a");
  EXPECT_EQ(first(ListOrder::shared), "sharing");
  EXPECT_EQ(first(ListOrder::stack), "spilling");
  EXPECT_EQ(first(ListOrder::spills), "spilling");
  EXPECT_EQ(first(ListOrder::code), "spilling") << "the largest body";
  EXPECT_EQ(first(ListOrder::size), "a") << "the largest sum";
}

TEST(ListText, BodiesThatModulesHoldAlikeAreOneRow) {
  File file = readable({sass("80", {kernel_of("k", 8, 100)})});
  for (int index = 0; index < 3; ++index) add_module(file, {sass("80", {kernel_of("k", 8, 100)})});
  add_module(file, {sass("80", {kernel_of("k", 10, 100)})});
  ListRequest request;
  request.kernels = true;
  const auto lines = lines_of(list(file, request));
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_THAT(lines[3], HasSubstr("code  4 times"));
  EXPECT_THAT(lines[4], Not(HasSubstr("times")));
}

const std::size_t kModules = many(5000);

/// Returns a file with many modules of nine kernels in three images.
File big_file() {
  File file = readable({});
  file.modules.clear();
  for (std::size_t index = 0; index < kModules; ++index) {
    std::vector<fatbin::Kernel> kernels;
    for (int k = 0; k < 9; ++k) {
      kernels.push_back(kernel("k" + std::to_string(index) + "_" + std::to_string(k)));
    }
    add_module(file, {sass("80", kernels), sass("90a", kernels), ptx("90", "8.4", kernels)});
  }
  file.modules[0].registered = false;
  return file;
}

TEST(ListText, LargeFilesAreSummedUp) {
  const auto text = list(big_file());
  EXPECT_LT(lines_of(text).size(), 11U) << text;
  EXPECT_THAT(text, HasSubstr(fmt::format("{} modules, {} images, {} kernels\n", kModules,
                                          kModules * 3, kModules * 9)));
  EXPECT_THAT(text, HasSubstr(fmt::format("modules: {} registered, 1 picked by host code\n",
                                          kModules - 1)));
  EXPECT_THAT(text, HasSubstr(fmt::format(
                        "sass  90a   -           0 B           0 B  none     {:>11}    {:>4}\n",
                        kModules * 9, kModules)));
  EXPECT_THAT(text, HasSubstr("ptx   90    ISA 8.4 "));
  EXPECT_THAT(text, HasSubstr("--images, --kernels and --sizes tell more\n"));
  EXPECT_THAT(list(readable({sass("80")})), Not(HasSubstr("tell more")));
}

TEST(ListText, LargeFilesShowEverythingWhereAsked) {
  ListRequest request;
  request.images = true;
  EXPECT_EQ(lines_of(list(big_file(), request)).size(), 2U + 3 * kModules);
  request.images = false;
  request.kernels = true;
  EXPECT_EQ(lines_of(list(big_file(), request)).size(), 2U + 9 * kModules * 4 + 2U);
}

TEST(ListText, ImagesAreOrderedBySize) {
  auto file = readable({sass("75"), sass("80"), sass("90")});
  file.images[1].stored = 4000;
  ListRequest request;
  request.images = true;
  request.order = ListOrder::size;
  request.top = 2;
  const auto lines = lines_of(list(file, request));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[2], HasSubstr("sass  80"));
  EXPECT_THAT(lines[3], HasSubstr("sass  75"));
  EXPECT_EQ(lines[4], "  ... and 1 more");
}

TEST(ListSizes, SayWhereTheBytesGo) {
  auto file = readable({sass("80", {kernel_of("small", 8, 100), kernel_of("large", 8, 250)}),
                        sass("90", {kernel_of("large", 8, 50)})});
  file.images[1].stored = 2048;
  auto other = readable({ptx("80")});
  other.path = "liby.so";
  ListRequest request;
  request.sizes = true;
  EXPECT_EQ(report::list_text({file, other}, request, {}),
            "by arch\n"
            "  kind  arch  images   stored  of files  decompressed\n"
            "  sass  90         1  2.0 KiB    25.0 %       2.0 KiB  ######\n"
            "  sass  80         1  1.0 KiB    12.5 %       2.0 KiB  ###\n"
            "  ptx   80         1  1.0 KiB    12.5 %       2.0 KiB  ###\n"
            "  all              3  4.0 KiB    50.0 %       6.0 KiB  ############\n"
            "  rest                4.0 KiB    50.0 %                ############\n"
            "\n"
            "by kernel: 400 B of machine code in 2 different kernels\n"
            "   code  of code  archs  kernel\n"
            "  300 B   75.0 %      2  large\n"
            "  100 B   25.0 %      1  small\n"
            "\n"
            "by library\n"
            "   stored  of all  of file  decompressed  file\n"
            "  3.0 KiB  75.0 %   75.0 %       4.0 KiB  libx.so\n"
            "  1.0 KiB  25.0 %   25.0 %       2.0 KiB  liby.so\n");
  request.order = ListOrder::name;
  const auto by_name = report::list_text({file}, request, {});
  EXPECT_LT(place_of(by_name, "sass  80"), place_of(by_name, "sass  90"));
  EXPECT_THAT(by_name, Not(HasSubstr("by library")));
}

TEST(ListSizes, SayHowManyKernelsAreLeftOut) {
  std::vector<fatbin::Kernel> kernels;
  for (int index = 0; index < 60; ++index) {
    kernels.push_back(kernel_of("k" + std::to_string(index), 8, 16));
  }
  ListRequest request;
  request.sizes = true;
  EXPECT_THAT(list(readable({sass("80", kernels)}), request),
              HasSubstr("... and 40 more (--top 60 shows all)\n"));
  request.top = 60;
  EXPECT_THAT(list(readable({sass("80", kernels)}), request), Not(HasSubstr("more")));
}

TEST(ListSizes, OverlappingImagesCannotMakeARestOfLessThanNothing) {
  auto file = readable({sass("80"), sass("90")});
  file.bytes = 1024;
  ListRequest request;
  request.sizes = true;
  EXPECT_THAT(list(file, request), HasSubstr("  rest                    0 B    0.0 %\n"));
}

TEST(ListText, FilesWithoutDeviceCodeShareALine) {
  std::vector<File> files(8);
  for (auto& file : files) {
    file.path = "host.so";
    file.format = "shared object";
  }
  files.push_back(readable({sass("80")}));
  const auto text = report::list_text(files, {}, {});
  EXPECT_THAT(
      text,
      HasSubstr("\nno device code: host.so, host.so, host.so, host.so, host.so, and 3 more\n"));
  ListRequest request;
  request.filter.archs = {{"90", {}}};
  report::apply(request.filter, files);
  EXPECT_THAT(report::list_text(files, request, {}),
              HasSubstr("nothing that was asked for: host.so"))
      << "what a filter leaves out is not said to hold no device code";
}

TEST(ListText, NamesObjectsOfHostLto) {
  File object;
  object.path = "a.o";
  object.format = "object";
  object.host_lto = true;
  EXPECT_THAT(report::list_text({object}, {}, {}), HasSubstr("LTO data (-flto)"));
}

TEST(ListText, WhereNothingPassesItSaysWhatThereIs) {
  std::vector<File> files = {readable({sass("80"), sass("90a"), sass("90"), ptx("90"), lto("75")})};
  files[0].loaders = {"nvrtcCompileProgram"};
  ListRequest request;
  request.filter.archs = {{"100", {}}};
  request.there = report::archs_text(files);
  EXPECT_EQ(request.there, "sass 80, 90, 90a; ptx 90; lto 75");
  auto filtered = files;
  report::apply(request.filter, filtered);
  for (const bool sizes : {false, true}) {
    request.sizes = sizes;
    EXPECT_EQ(report::list_text(filtered, request, {}),
              "nothing that was asked for: libx.so\n\n"
              "there are images of sass 80, 90, 90a; ptx 90; lto 75\n");
  }
  request.sizes = false;
  request.filter.archs = {{"80", {}}};
  filtered = files;
  report::apply(request.filter, filtered);
  EXPECT_THAT(report::list_text(filtered, request, {}), Not(HasSubstr("there are images")));
}

TEST(ListJson, HasWhatIsKnownAndNothingElse) {
  auto rich = kernel_of("_Z4richv", 255, 4096);
  rich.spill_stores = 0;
  rich.spill_loads = 8;
  rich.max_threads = fatbin::BlockDim{256, 1, 1};
  auto debug = sass("90a", {rich});
  debug.debug = true;
  const auto document = list_json_of({readable({debug, sass("80", {kernel("k")})})});
  EXPECT_EQ(document.at("schema"), "archgrid.list/1");
  const auto& images = document.at("files").at(0).at("images");
  ASSERT_EQ(images.size(), 2U);
  EXPECT_EQ(images[0].at("debug"), true);
  EXPECT_FALSE(images[1].contains("debug"));
  const auto& kernel = images[0].at("kernels").at(0);
  EXPECT_EQ(kernel.at("demangled"), "rich()");
  EXPECT_EQ(kernel.at("code"), 4096);
  EXPECT_EQ(kernel.at("spill_stores"), 0);
  EXPECT_EQ(kernel.at("spill_loads"), 8);
  EXPECT_EQ(kernel.at("max_threads"), json({256, 1, 1}));
  EXPECT_FALSE(images[1].at("kernels").at(0).contains("spill_stores")) << "unknown is not none";
  EXPECT_EQ(document.at("by_arch").size(), 2U);
  EXPECT_EQ(document.at("by_arch").at(0).at("stored"), 1024);
}

TEST(ListJson, LeavesOutWhatIsFilteredOut) {
  File file = readable({sass("80"), sass("90")});
  add_module(file, {sass("80")});
  ListRequest request;
  request.filter.archs = {{"90", {}}};
  std::vector<File> files = {file};
  report::apply(request.filter, files);
  const auto document = list_json_of(files, request);
  EXPECT_EQ(document.at("files").at(0).at("modules").size(), 1U);
  EXPECT_EQ(document.at("files").at(0).at("images").size(), 1U);
  EXPECT_EQ(document.at("by_arch").size(), 1U);
  EXPECT_EQ(list_json_of({file}).at("files").at(0).at("modules").size(), 2U);
}

TEST(ListJson, NamesThatAreNoUtf8AreReplaced) {
  const auto document = list_json_of({readable({sass("80", {kernel("k\xff")})})});
  EXPECT_EQ(document.at("files").at(0).at("images").at(0).at("kernels").at(0).at("name"),
            "k\xef\xbf\xbd");
}

TEST(ListLoaders, ThoseThatAreOnlyNamedAreToldApart) {
  auto file = readable({sass("90")});
  file.loaders = {"cuModuleLoadData"};
  file.named_loaders = {"nvrtcCompileProgram"};
  EXPECT_THAT(list(file),
              HasSubstr("imports cuModuleLoadData: code loaded at run time is not seen here\n"
                        "names nvrtcCompileProgram in its data: it may load code with it, which is "
                        "not seen here\n"));
  EXPECT_EQ(list_json_of({file})["files"][0]["named_loaders"], json({"nvrtcCompileProgram"}));
}

TEST(ListLoaders, AFileThatOnlyNamesOneIsShown) {
  File file;
  file.format = "shared object";
  EXPECT_THAT(list(file), HasSubstr("no device code"));
  file.named_loaders = {"libnvrtc.so.13"};
  EXPECT_THAT(list(file), HasSubstr("names libnvrtc.so.13 in its data"));
}

TEST(List, ShortensNamesOfKernelsToTheWidth) {
  const std::string name =
      "_ZN2ns9own_name_ILi1EEEv" + std::string(90, 'f');  // as many parameters of type float
  const std::string full =
      "void ns::own_name_<1>(float" +
      fmt::format("{}", fmt::join(std::vector<std::string>(90, ""), ", float")) + ")";
  ASSERT_EQ(fatbin::demangle(name), full);
  const auto file = readable({sass("80", {kernel_of(name, 8, 64)})});
  const auto check = [&](ListRequest request) {
    request.columns = std::string::npos;
    EXPECT_THAT(list(file, request), HasSubstr(full + '\n'));
    request.columns = 80;
    const auto shown = list(file, request);
    EXPECT_THAT(shown, HasSubstr(" ns::own_name_<1>\n"));
    for (const auto& line : lines_of(shown)) EXPECT_LE(line.size(), 80U) << line;
  };
  check({});
  ListRequest kernels;
  kernels.kernels = true;
  check(kernels);
  ListRequest sizes;
  sizes.sizes = true;
  check(sizes);
}

TEST(List, DistinguishesOverloadsWithLongParameters) {
  const auto file = readable({sass("80", {kernel_of("_Z1k" + std::string(90, 'f') + "i", 8, 64),
                                          kernel_of("_Z1k" + std::string(90, 'f') + "d", 8, 64)})});
  ListRequest request;
  request.columns = 80;
  for (const bool sizes : {false, true}) {
    request.sizes = sizes;
    const auto shown = list(file, request);
    EXPECT_THAT(shown, ContainsRegex("k[(]float[^\n]*[.][.][.][^\n]* int[)]\n"));
    EXPECT_THAT(shown, ContainsRegex("k[(]float[^\n]*[.][.][.][^\n]* double[)]\n"));
    for (const auto& line : lines_of(shown)) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(List, KeepsTheBeginningAndTheEndOfALongName) {
  const auto name = "first" + std::string(200, 'x') + "last";
  const auto file = readable({sass("80", {kernel_of(name, 8, 64)})});
  ListRequest request;
  request.columns = 80;
  for (const bool sizes : {false, true}) {
    request.sizes = sizes;
    const auto shown = list(file, request);
    EXPECT_THAT(shown, ContainsRegex("first[x]+[.][.][.][x]+last\n"));
    for (const auto& line : lines_of(shown)) EXPECT_LE(line.size(), 80U) << line;
  }
}

}  // namespace
}  // namespace archgrid::tests
