// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests with cells of CUDA 13.0 whose linked files contain device code from outside the build's own
// commands.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "cells.hpp"

namespace archgrid::tests {
namespace {

using std::chrono::seconds;

using Strings = std::vector<std::string>;

/// A configured cell that links code of CUDA 13.5 for 7.5 and 8.0.
struct LinkingCell {
  fs::path root = folder();
  fs::path build = root / "tree/cells/id";
  fs::path source = root / "source";
  fs::file_time_type now = fs::file_time_type::clock::now();

  LinkingCell() {
    write(build / "archgrid.signature", "");
    write(build / "build.ninja", "build lib.a: LINKER__lib main.o\n");
    age(build / "archgrid.signature", 40);
    age(build / "build.ninja", 30);
    fs::create_directories(source);
    pack(build / "lib.a", 0);
  }

  void age(const fs::path& file, int by) const { fs::last_write_time(file, now - seconds(by)); }

  /// Makes an object with the linked code that is `old` seconds old.
  fs::path put(const fs::path& to, int old) const {
    fs::create_directories(to.parent_path());
    fs::copy_file(fs::path(kSamples) / "13.5/plain.o", to, fs::copy_options::overwrite_existing);
    age(to, old);
    return to;
  }

  /// Makes a static library of that object that is `old` seconds old.
  fs::path pack(const fs::path& archive, int old) const {
    const auto object = put(root / "packed/plain.o", 0);
    fs::create_directories(archive.parent_path());
    const auto command = fmt::format("ar rcs '{}' '{}'", archive.string(), object.string());
    EXPECT_EQ(std::system(command.c_str()), 0);
    fs::remove_all(object.parent_path());
    age(archive, old);
    return archive;
  }

  cell::Linked linked(const std::string& commands = "", const std::string& toolkit = "13.0",
                      const Strings& archs = {"75", "80"},
                      const std::vector<cell::Unit>& units = {}) const {
    return cell::linked_code(spec(toolkit, archs), {root / "toolkit", build, ""}, source, {"lib.a"},
                             units, cell::parse_commands(commands));
  }
};

/// Returns the judged files and the notes.
Strings found(const cell::Linked& linked) {
  Strings found;
  for (const auto& unit : linked.made) found.push_back(unit.output);
  found.insert(found.end(), linked.notes.begin(), linked.notes.end());
  return found;
}

const std::string kHeld = "lib.a holds device code for 75 80 by CUDA 13.5, of ";

TEST(Linked, AnObjectThatAScriptMade) {
  const LinkingCell cell;
  cell.put(cell.build / "ext/ext.o", 0);
  EXPECT_EQ(found(cell.linked()), Strings{"ext/ext.o"});
  const auto made = cell.linked().made.at(0);
  EXPECT_EQ(codes(made), "sass 75, sass 80, ptx 80");
  EXPECT_NE(cell::judge_toolkit(spec("13.0", {"75", "80"}), {made}), "");
}

TEST(Linked, CodeThatTheCellMayHold) {
  const LinkingCell cell;
  cell.put(cell.build / "ext/ext.o", 0);
  EXPECT_EQ(found(cell.linked("", "13.5", {"75", "80"})), Strings{});
  EXPECT_EQ(found(cell.linked("", "13.5", {"80"})), Strings{"ext/ext.o"});
  EXPECT_EQ(found(cell.linked("", "13.5", {"75-virtual", "80"})), Strings{"ext/ext.o"});
  const auto units = cell.linked().made;
  EXPECT_EQ(found(cell.linked("", "13.0", {"75", "80"}, units)), Strings{});
}

TEST(Linked, AStaticLibraryMayBeADownload) {
  const LinkingCell cell;
  cell.pack(cell.build / "ext/libext.a", 0);
  EXPECT_EQ(found(cell.linked()),
            Strings{kHeld + "ext/libext.a, which no command of the build is known to make"});
  cell.put(cell.build / "ext/ext.o", 0);
  EXPECT_EQ(found(cell.linked()), Strings{"ext/ext.o"});
}

TEST(Linked, CodeOfUnknownOrigin) {
  const LinkingCell cell;
  cell.put(cell.source / "new.o", 0);
  EXPECT_EQ(found(cell.linked()),
            Strings{kHeld + "which no file of the build or of its sources is the origin"});
}

TEST(Linked, FilesFromBeforeTheBuild) {
  const LinkingCell cell;
  const auto object = cell.put(cell.build / "ext/ext.o", 50);
  EXPECT_EQ(found(cell.linked()), Strings{});
  cell.age(object, 35);  // between the first and the last configuration
  EXPECT_EQ(found(cell.linked()), Strings{"ext/ext.o"});
  fs::remove(object);
  cell.put(cell.build / "_deps/ext-src/ext.o", 35);
  EXPECT_EQ(found(cell.linked()), Strings{});
  cell.put(cell.build / "_deps/ext-src/ext.o", 20);
  EXPECT_EQ(found(cell.linked()), Strings{"_deps/ext-src/ext.o"});
}

TEST(Linked, ObjectsOfPrebuiltLibraries) {
  for (const std::string command :
       {"sh merge.sh VENDOR/libext.a", "g++ -LVENDOR -lext", "g++ -L VENDOR -l:libext.a",
        "g++ -Wl,--start-group,VENDOR/libext.a"}) {
    const LinkingCell cell;
    cell.put(cell.build / "unpacked/plain.o", 0);
    const auto vendor = cell.pack(cell.root / "vendor/libext.a", 0).parent_path().string();
    auto named = command;
    named.replace(named.find("VENDOR"), 6, vendor);
    EXPECT_EQ(found(cell.linked()), Strings{"unpacked/plain.o"});
    EXPECT_EQ(found(cell.linked(named)), Strings{}) << command;
  }
}

TEST(Linked, LibrariesThatBuildNinjaNames) {
  const LinkingCell cell;
  const auto vendor = cell.pack(cell.root / "a vendor/libext.a", 0);
  EXPECT_EQ(found(cell.linked()).size(), 1U);
  write(cell.build / "build.ninja", "build lib.a: LINKER__lib main.o\n  LINK_LIBRARIES = \"" +
                                        (cell.root / "a$ vendor/libext.a").string() + "\"\n");
  EXPECT_EQ(found(cell.linked("g++ @CMakeFiles/lib.rsp")), Strings{});
}

TEST(Linked, ObjectsOfOtherCellsAndBuildsAreNoSources) {
  for (const auto* file : {"tree/cells/other/ext.o", "build/ext.o"}) {
    LinkingCell cell;
    cell.source = cell.root;
    write(cell.root / "build/CMakeCache.txt", "");
    cell.put(cell.build / "ext/ext.o", 0);
    cell.put(cell.root / file, 50);
    EXPECT_EQ(found(cell.linked()), Strings{"ext/ext.o"}) << file;
  }
}

TEST(Linked, LibrariesOfTheToolkitAndOfTheSources) {
  for (const auto* file : {"toolkit/lib64/libcublas_static.a", "source/vendor/libext.a"}) {
    const LinkingCell cell;
    cell.put(cell.build / "unpacked/plain.o", 0);
    cell.pack(cell.root / file, 50);
    EXPECT_EQ(found(cell.linked()), Strings{}) << file;
  }
}

}  // namespace
}  // namespace archgrid::tests
