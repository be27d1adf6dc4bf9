// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <archgrid/fatbin.hpp>
#include <string>

namespace archgrid::fatbin {
namespace {

TEST(Printable, LetsTextPass) {
  for (const std::string text :
       {"", "void tile<3>(float*, int)", "\xc3\xa4\xc3\x9f", "\xc2\xa0", "\xe6\xa0\xb8",
        "\xe2\x80\x99\xe2\x80\xa6", "\xe2\x81\xa5", "\xf0\x9f\x8c\x8d", "\xef\xbf\xbd"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ReplacesControlCharacters) {
  EXPECT_EQ(printable("a\x1b[31m\a\n\r\t\x7fz"), "a?[31m?????z");
  EXPECT_EQ(printable(std::string("a\0z", 3)), "a?z");
  EXPECT_EQ(printable("a\xc2\x80z\xc2\x9b"
                      "31m\xc2\x9f"),
            "a?z?31m?");
}

TEST(Printable, ReplacesWhatTurnsTheDirectionOfWriting) {
  for (const std::string turn :
       {"\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac",
        "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8",
        "\xe2\x81\xa9", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    EXPECT_EQ(printable("a" + turn + "z"), "a?z");
  }
}

TEST(Printable, ReplacesWhatIsNoUtf8) {
  for (const std::string bytes : {"\x80", "\xff", "\xc1\x9b", "\xe2\x80", "\xed\xa0\x80",
                                  "\xe0\x80\x9b", "\xf4\x90\x80\x80"}) {
    EXPECT_EQ(printable("a" + bytes + "z"), "a" + std::string(bytes.size(), '?') + "z");
  }
  EXPECT_EQ(printable("\xc2"), "?");
}

TEST(Printable, IsWhatDemanglingIs) {
  EXPECT_EQ(demangle("_Z3f\xc2\x9bv"), "f?()");
  EXPECT_EQ(demangle("k\xc2\x9b"
                     "31m\xe2\x80\xae"),
            "k?31m?");
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghijk", 10), "abcd...ijk");
  EXPECT_EQ(shortened("abc\xc3\xa4"
                      "efghijk",
                      10),
            "abc...ijk");
}

}  // namespace
}  // namespace archgrid::fatbin
