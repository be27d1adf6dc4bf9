// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>
#include <cstdint>
#include <limits>

namespace archgrid::fatbin {
namespace {

const std::string kFour("\x01\x02\x03\x04", 4);

TEST(Bytes, ReadsNumbersInside) {
  const Bytes bytes(kFour, 100);
  EXPECT_EQ(bytes.at<std::uint16_t>(2, "number"), 0x0403);
  EXPECT_EQ(bytes.slice(1, 3, "part").base(), 101U);
}

TEST(Bytes, RefusesWhatLiesOutside) {
  const Bytes bytes(kFour, 100);
  constexpr auto kHuge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THROW((void)bytes.at<std::uint32_t>(1, "number"), Unreadable);
  EXPECT_THROW((void)bytes.slice(kHuge, 1, "part"), Unreadable);
  EXPECT_THROW((void)bytes.slice(1, kHuge, "part"), Unreadable);
  EXPECT_THROW((void)bytes.c_string(0, "text"), Unreadable);
  try {
    (void)bytes.at<std::uint32_t>(2, "the count");
    FAIL();
  } catch (const Unreadable& error) {
    EXPECT_EQ(error.offset, 102U);
    EXPECT_STREQ(error.what(), "the count (4 bytes) expected here, but the data ends at 0x68");
  }
}

/// Returns a name of which each part contains the last one twice.
std::string exploding_name(int parts) {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1fI1AIiiE";
  for (int part = 0; part < parts; ++part) {
    const auto last = std::string("S") + digits[static_cast<std::size_t>(part) + 1] + "_";
    name += "S0_I" + last + last + "E";
  }
  return name + "Evv";
}

TEST(Demangle, NamesThatStandForTooMuchStayMangled) {
  EXPECT_EQ(demangle(exploding_name(1)), "void f<A<int, int>, A<A<int, int>, A<int, int> > >()");
  EXPECT_EQ(demangle(exploding_name(30)), exploding_name(30));
  EXPECT_EQ(demangle("_Z4tileILi3EEvPfi"), "void tile<3>(float*, int)") << "as before";
}

/// Returns the name of a function f<T>() with a T of this many characters.
std::string name_with_type_of(std::size_t characters) {
  return "_Z1fI" + std::to_string(characters) + std::string(characters, 'T') + "Evv";
}

/// A name whose printing takes an array of templates times references on the stack.
std::string name_with_references(int groups) {
  std::string part = "1aI";
  for (int reference = 0; reference < 20; ++reference) part += "RT_";
  for (int level = 0; level < 15; ++level) part += "1aIE";
  part += 'E';
  std::string name = "_Z1fIiEv1bI";
  for (int group = 0; group < groups; ++group) name += part;
  return name + 'E';
}

TEST(Demangle, NamesThatTakeMuchStackStayMangled) {
  EXPECT_THAT(demangle(name_with_references(1)), ::testing::StartsWith("void f<int>(b<a<int&, "));
  const auto huge = name_with_references(32);
  ASSERT_LT(huge.size(), 4096U);
  EXPECT_TRUE(demangle(huge) == huge);
}

TEST(Demangle, NamesOfCutlassAreReadAndEndlessOnesStayMangled) {
  EXPECT_EQ(demangle(name_with_type_of(2)), "void f<TT>()");
  EXPECT_TRUE(demangle(name_with_type_of(4000)) == "void f<" + std::string(4000, 'T') + ">()");
  const auto endless = name_with_type_of(4090);
  EXPECT_TRUE(demangle(endless) == endless);
  const auto nested = "_Z1f" + std::string(4000, 'P') + 'i';
  EXPECT_TRUE(demangle(nested) == nested);
}

TEST(Demangle, GivesNamesForPeople) {
  EXPECT_EQ(demangle("_Z4tileILi3EEvPfi"), "void tile<3>(float*, int)");
  EXPECT_EQ(demangle("kernel"), "kernel");
  EXPECT_EQ(demangle("_Zbroken"), "_Zbroken");
  EXPECT_EQ(demangle("__nv_static_25__ea2ea626_4_k_cu_a363ab88__Z4tileILi3EEvPfi"),
            "void tile<3>(float*, int)");
  EXPECT_EQ(demangle("__nv_static_28__c21eeec3_9_sample_cu__Z1fPf__Z6hiddenPf"), "hidden(float*)")
      << "the prefix holds a mangled name too";
  EXPECT_EQ(demangle("__nv_static_27__c21eeec3_9_sample_cu__Z1fPf__Z6hiddenPf"),
            "__nv_static_27__c21eeec3_9_sample_cu__Z1fPf__Z6hiddenPf");
  EXPECT_EQ(demangle("__nv_static_18446744073709551615__Z1fv"), "f()");
  for (const auto* cut : {"__nv_static_", "__nv_static_9", "__nv_static_99999999999999999999_"}) {
    EXPECT_EQ(demangle(cut), cut);
  }
}

TEST(Read, NamesWhatIsNoInput) {
  const auto message = [](std::string_view bytes) {
    return read_bytes(bytes, "x").errors.at(0).message;
  };
  EXPECT_EQ(message(""), "the file is empty");
  EXPECT_EQ(message("text"), "not an ELF, PE or COFF file, a fat binary, a cubin or PTX");
  EXPECT_THAT(read("no/such/file").errors.at(0).message,
              ::testing::HasSubstr("cannot open: No such"));
  EXPECT_THAT(read("/tmp").errors.at(0).message, ::testing::HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace archgrid::fatbin
