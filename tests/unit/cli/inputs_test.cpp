// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests archives and folders as inputs.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "../fatbin/made.hpp"
#include "archives.hpp"
#include "command.hpp"

namespace archgrid::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kText = "Metadata-Version: 2.1\n";

TEST(Inputs, AWheelIsWhatIsInIt) {
  const auto path =
      wheel("x.whl", {{"x/METADATA", kText}, {"x/libx.so", contents_of(sample("libsample.so"))}});
  const std::vector<std::string> promise = {"--device", "7.5,9.0", "--accept", "native,compatible"};
  const auto audit = [&promise](const std::string& file) {
    std::vector<std::string> arguments = {"audit", file};
    arguments.insert(arguments.end(), promise.begin(), promise.end());
    return run(arguments);
  };
  const auto alone = audit(sample("libsample.so"));
  const auto outcome = audit(path.string());
  EXPECT_EQ(outcome.code, alone.code);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("jit: libx.so: "));
  const auto list = run({"list", path.string()});
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.out, HasSubstr("x.whl!x/libx.so: shared object, "));
  EXPECT_THAT(list.out, Not(HasSubstr("METADATA")));
}

TEST(Inputs, APatternNamesTheFilesThatExistWhenTheAuditRuns) {
  const auto good = contents_of(sample("plain.o"));
  wheel("dist/a-1.whl", {{"one.o", good}});
  wheel("dist/a-2.whl", {{"two.o", good}});
  wheel("dist/b-1.whl", {{"other.o", good}});
  write(folder() / "dist/[x].o", good);
  const auto matching = [](const std::string& pattern) {
    return run({"audit", "--match", (folder() / pattern).string(), "--gpu", "8.0", "--json"});
  };
  const auto found = matching("dist/a-[0-9]*.whl");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("one.o"));
  EXPECT_THAT(found.out, HasSubstr("two.o"));
  EXPECT_THAT(found.out, Not(HasSubstr("other.o")));
  EXPECT_EQ(matching("dist/[x].o").code, 0) << "an existing path matches itself";
  write(folder() / "build [1]*/lib/a.o", good);
  write(folder() / "build 1/lib/b.o", good);
  for (const std::string pattern : {"build [1]*/lib/*.o", "build [1]*/l?b/?.o",
                                    "build \\[1\\]\\*/lib/*.o", "build [1]*/[l]ib/a.o"}) {
    const auto below = matching(pattern);
    EXPECT_EQ(below.code, 0) << pattern << below.err;
    EXPECT_THAT(below.out, HasSubstr("a.o")) << "an existing folder matches itself";
    EXPECT_THAT(below.out, Not(HasSubstr("b.o"))) << pattern;
  }
  EXPECT_THAT(matching("build [1]/lib/*.o").out, HasSubstr("b.o")) << "no such folder";
  for (const std::string pattern : {"dist/c-*.whl", "absent/*.whl", "dist/a-1.whl/*"}) {
    const auto none = matching(pattern);
    EXPECT_EQ(none.code, 2) << pattern;
    EXPECT_THAT(none.err, HasSubstr(pattern + ": no file matches"));
  }
}

TEST(Inputs, ADamagedMemberIsTwoAndTheOthersAreAudited) {
  const auto good = contents_of(sample("plain.o"));
  const auto path = wheel("x.whl", {{"good.o", good}, {"bad.o", good}, {"last.o", good}});
  auto bytes = contents_of(path);
  const auto at = bytes.find("bad.o") + 200;
  for (std::size_t index = 0; index < 8; ++index) bytes.at(at + index) ^= '\x55';
  write(path, bytes);
  const auto outcome = run({"audit", path.string(), "--device", "8.0", "--json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("x.whl!bad.o: "));
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_FALSE(document.at("holds").get<bool>());
  EXPECT_EQ(document.at("unreadable").size(), 1U);
  EXPECT_EQ(document.at("summary").at("unreadable"), 1);
  EXPECT_EQ(document.at("summary").at("errors"), 1);
  for (const std::string name : {"good.o", "last.o"}) {
    bool judged = false;
    for (const auto& file : document.at("files")) {
      const bool this_one = file.at("path") == path.string() + "!" + name;
      judged = judged || (this_one && !file.at("kernels").empty());
    }
    EXPECT_TRUE(judged) << name;
  }
  write(path, contents_of(wheel("whole.whl", {{"good.o", good}})));
  EXPECT_EQ(run({"audit", path.string(), "--device", "8.0"}).code, 0);
}

/// Returns an object with two overlapping sections of this name.
std::string object_with_sections(const std::string& name) {
  MadeElf elf;
  elf.sections = {{name, 1, std::string(64, 'x')}, {name, 1, "", 0, 0, 0, {{64, 32}}}};
  return bytes_of(elf);
}

TEST(Inputs, WhatTheySayReachesNoTerminalAsACommand) {
  const std::string evil =
      "\x1b[31m\a\xc2\x9b"
      "2J\xe2\x80\xae::error";
  const auto ptx = ".version 8.0\n.target " + evil + "\n.address_size 64\n";
  const auto path = archive_of("x.tar",
                               {{"plain.ptx", ptx},
                                {"section.o", object_with_sections("s\n::error::" + evil)},
                                {"member\n::error::" + evil,
                                 "\x7f"
                                 "ELF"}},
                               ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_NONE)
                        .string();
  const std::vector<std::vector<std::string>> commands = {
      {"audit", path, "--device", "8.0"},
      {"audit", path, "--device", "8.0", "--github"},
      {"list", path},
      {"diff", path, sample("plain.o")},
      {"suggest", "--from", path, "--devices", "8.0", "--toolkit", "13.0"}};
  for (const auto& command : commands) {
    const auto outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_THAT(outcome.err, Says("PTX target '?[31m??2J?::error'")) << command[0];
    EXPECT_THAT(outcome.err, Says("section s?::error::?[31m??2J?::error lies over"));
    EXPECT_THAT(outcome.err, Says("x.tar!member?::error::?[31m??2J?::error: "));
    for (const auto& text : {outcome.err, outcome.out}) {
      for (const std::string bad : {"\x1b", "\a", "\xc2\x9b", "\xe2\x80\xae", "\n::error::"}) {
        EXPECT_THAT(text, Not(HasSubstr(bad))) << command[0];
      }
    }
  }
}

TEST(Inputs, ErrorsAreBounded) {
  const auto self = folder() / "self.a";
  const auto name = folder().string() + "/" + std::string(100, '/') + "self.a/\n";
  const auto header = [](std::string field, std::size_t size) {
    const auto digits = std::to_string(size);
    field.resize(48, ' ');
    return field + digits + std::string(10 - digits.size(), ' ') + "`\n";
  };
  write(self, "!<thin>\n" + header("//", name.size()) + name + (name.size() % 2 != 0 ? "\n" : "") +
                  header("/0", 10) + header("/0", 10));
  const Members cut(20000, {std::string(90, 'n'),
                            "\x7f"
                            "ELF"});
  auto nested = archive_of("deep.tar.bz2", cut, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_BZIP2);
  for (int depth = 0; depth < 5; ++depth) {
    nested = archive_of("deep.tar.bz2", {{std::string(1000, 'n'), contents_of(nested)}},
                        ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_BZIP2);
  }
  for (const auto& path : {self, nested}) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"audit", path.string(), "--device", "8.0"},
          {"list", path.string()}}) {
      const auto outcome = run(command);
      EXPECT_EQ(outcome.code, 2);
      EXPECT_LT(outcome.err.size(), 300000U);
      EXPECT_LT(outcome.out.size(), 300000U);
    }
  }
  EXPECT_THAT(run({"list", nested.string()}).err, Says("and 19936 more places"));
  EXPECT_THAT(run({"list", self.string()}).err, Says("the thin archive names itself"));
}

TEST(Inputs, AFolderIsWhatIsInIt) {
  const auto lib = folder() / "lib";
  write(lib / "sub/a.o", contents_of(sample("plain.o")));
  write(lib / "README", kText);
  write(lib / "host.so", contents_of("/proc/self/exe"));
  fs::create_directory_symlink("..", lib / "up");
  const auto list = run({"list", lib.string()});
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.err, IsEmpty());
  EXPECT_THAT(list.out, HasSubstr("lib/sub/a.o: object"));
  EXPECT_THAT(list.out, Not(HasSubstr("host.so")));
  EXPECT_EQ(run({"audit", lib.string(), "--device", "8.0"}).code, 0);
}

TEST(Inputs, AnAuditOpensMoreFilesThanAProcessMayHoldOpen) {
  constexpr int kFiles = 200;
  const auto many = folder() / "many";
  fs::create_directories(many);
  for (int number = 0; number < kFiles; ++number) {
    fs::copy_file(sample("plain.o"), many / (std::to_string(number) + ".o"));
  }
  const auto outcome = run({"audit", "-q", many.string()}, "ulimit -n 100;");
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, Says("200 files"));
}

TEST(Inputs, NoDeviceCodeInAnyIsAFinding) {
  const auto path = wheel("x.whl", {{"x/METADATA", kText}});
  const auto lib = folder() / "lib";
  write(lib / "README", kText);
  const auto outcome = run({"audit", path.string(), lib.string(), "--device", "8.0"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, Says("no-device-code: "));
  EXPECT_THAT(outcome.out, Says("/lib no kernel was found"));
  const auto document = nlohmann::json::parse(run({"list", path.string(), "--json"}).out);
  EXPECT_EQ(document.at("files").at(0).at("format"), "archive");
}

/// Returns the text that the command writes to standard error, a terminal of this kind.
std::string on_a_terminal(const char* kind, const std::string& argument) {
  int terminal = -1;
  const auto child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_WRONLY);
    ::dup2(nothing, STDOUT_FILENO);
    ::setenv("TERM", kind, 1);
    ::execl(tests::kCommand, "archgrid", "list", argument.c_str(), nullptr);
    ::_exit(127);
  }
  std::string text;
  char buffer[1024];
  for (ssize_t size = 0; (size = ::read(terminal, buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return text;
}

TEST(Inputs, LongWorkShowsOnATerminalAndNowhereElse) {
  // Large but empty archives. gzip unpacks them before the progress line appears, so they use xz.
  const std::string zeros(std::size_t{16} << 20, '\0');
  const auto packed =
      archive_of("zeros.txz", {{"zeros", zeros}}, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_XZ);
  const Members members(50, {"zeros.txz", contents_of(packed)});
  const auto path = archive_of("x.tar", members, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE);
  const auto text = on_a_terminal("xterm", path.string());
  EXPECT_THAT(text, HasSubstr("\r\x1b[Kreading "));
  EXPECT_THAT(text, HasSubstr(" files, "));
  const auto last = text.rfind("reading ");
  EXPECT_NE(text.find("\r\x1b[K", last), std::string::npos) << "not erased";
  EXPECT_EQ(on_a_terminal("dumb", path.string()), "");
  EXPECT_THAT(run({"list", path.string()}).err, Not(HasSubstr("reading ")));
}

}  // namespace
}  // namespace archgrid::tests
