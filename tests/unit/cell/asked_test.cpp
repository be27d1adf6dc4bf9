// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

namespace archgrid::tests {
namespace {

/// Returns the code that one compile command of CUDA 13.5 asks for.
std::string asked(const std::string& flags) {
  const auto commands = cell::parse_commands("/x/bin/nvcc " + flags + " -c a.cu -o a.o\n");
  const auto units = cell::asked_units(commands, {13, 5});
  return units.size() == 1 ? codes(units[0]) : "no unit";
}

TEST(Asked, CMakesFlags) {
  EXPECT_EQ(asked(R"("--generate-code=arch=compute_80,code=[compute_80,sm_80]")"),
            "ptx 80, sass 80");
  EXPECT_EQ(asked(R"("--generate-code=arch=compute_90a,code=[sm_90a]")"), "sass 90a");
}

TEST(Asked, FlagsOfProjects) {
  EXPECT_EQ(asked("-gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=compute_90"),
            "sass 80, ptx 90");
  EXPECT_EQ(asked(R"(-gencode arch=compute_70,code=\"sm_70,compute_70\")"), "sass 70, ptx 70");
  EXPECT_EQ(asked("-arch=sm_80"), "sass 80, ptx 80");
  EXPECT_EQ(asked("-arch compute_80 -code sm_80,sm_86"), "sass 80, sass 86");
  EXPECT_EQ(asked("--gpu-architecture=compute_80"), "ptx 80");
  EXPECT_EQ(asked("-gencode arch=compute_90,code=lto_90"), "lto 90");
  EXPECT_EQ(asked("-arch=sm_$arch"), "");
  EXPECT_EQ(asked("$FLAGS"), "");
  EXPECT_EQ(asked("-gencode arch=compute_$a,code=sm_$a -gencode arch=compute_80,code=sm_80"),
            "sass 80");
}

TEST(Asked, WordsForManyArchs) {
  const auto majors = asked("-arch=all-major");
  EXPECT_EQ(majors.find("sass 86"), std::string::npos) << majors;
  EXPECT_EQ(majors.find("sass 75, sass 80, sass 90, sass 100"), 0U) << majors;
  EXPECT_NE(asked("-arch=all").find("sass 86"), std::string::npos);
}

TEST(Asked, NoFlagIsTheDefaultOfTheToolkit) {
  EXPECT_EQ(asked(""), "sass 75, ptx 75");
  const auto commands = cell::parse_commands("nvcc -c a.cu -o a.o");
  EXPECT_EQ(codes(cell::asked_units(commands, {11, 8}).at(0)), "sass 52, ptx 52");
}

TEST(Asked, TheTargetAndWhoseFlagsTheyAre) {
  const auto commands = cell::parse_commands(
      "ccache /x/bin/nvcc --generate-code=arch=compute_80,code=[sm_80] -x cu -c 'a b.cu' -o "
      "sub/CMakeFiles/mine.dir/a.cu.o\n"
      "cd /y && /x/bin/nvcc -arch=native -cubin k.cu -o k.cubin && touch z\n");
  const auto units = cell::asked_units(commands, {13, 0});
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[0].target, "mine");
  EXPECT_FALSE(units[0].flags_of_project);
  EXPECT_FALSE(units[1].flags_of_project) << "CMake writes that, too";
  EXPECT_TRUE(units[1].native);
}

TEST(Asked, ProgramsAndLibrariesInOneStep) {
  const auto one = [](const std::string& command) {
    const auto units = cell::asked_units(cell::parse_commands(command), {13, 5});
    return units.size() == 1 ? units[0].output + ": " + codes(units[0]) : "no unit";
  };
  EXPECT_EQ(one("/x/bin/nvcc -gencode=arch=compute_80,code=sm_80 app.cu -o app"), "app: sass 80");
  EXPECT_EQ(one("ccache /x/bin/nvcc -shared -arch=sm_80 -o l.so a.cu"), "l.so: sass 80, ptx 80");
  EXPECT_EQ(one("cmake -E env A=b nvcc -lib -arch=sm_80 a.cu -o l.a"), "l.a: sass 80, ptx 80");
  EXPECT_EQ(one("/x/bin/nvcc -shared a.cu.o -o l.so"), "no unit") << "a link";
  EXPECT_EQ(one("/x/bin/nvcc -M a.cu -o a.d"), "no unit");
  EXPECT_EQ(one("/x/bin/nvcc -E a.cu -o a.ii"), "no unit");
}

TEST(Asked, TheOutputIsWhereTheCommandWritesIt) {
  const auto output = [](const std::string& command) {
    return cell::asked_units(cell::parse_commands(command), {13, 5}, "/b").at(0).output;
  };
  EXPECT_EQ(output("nvcc -c a.cu -o sub/../a.o"), "a.o");
  EXPECT_EQ(output("nvcc -c a.cu -o /b/a.o"), "a.o");
  EXPECT_EQ(output("cd /b/sub && nvcc -c a.cu -o a.o"), "sub/a.o");
  EXPECT_EQ(output("cd /s && nvcc -c a.cu -o a.o"), "/s/a.o");
  EXPECT_EQ(output("cd /s && nvcc -cubin a.cu"), "/s/");
  EXPECT_EQ(output("nvcc -shared a.cu -o ../l.so"), "../l.so");
  EXPECT_EQ(output("nvcc -cubin a.cu"), "");
  EXPECT_EQ(output("cd /s && nvcc -cubin a.cu -o=/b/a.cubin"), "a.cubin");
  EXPECT_EQ(output("cd /s && nvcc -cubin a.cu --output-file=/b/a.cubin"), "a.cubin");
  EXPECT_EQ(output("cd /s && nvcc -cubin a.cu -odir /b/sub"), "sub/");
  EXPECT_EQ(output("cd /s && nvcc -cubin a.cu --output-directory=/b"), ".");
  EXPECT_EQ(output("cd /s && nvcc -cubin a.cu -odir /b -o a.cubin"), "/s/a.cubin")
      << "as nvcc does";
}

TEST(Asked, FlagsInFilesOfOptions) {
  const auto build = folder();
  const auto read = [&](const std::string& command) {
    const auto units = cell::asked_units(cell::parse_commands(command), {13, 5}, build);
    return units.size() == 1 ? codes(units[0]) : "no unit";
  };
  write(build / "a.opt", "-I/x\n\"-gencode=arch=compute_90,code=[sm_90]\"\n");
  write(build / "b.opt", "-arch=sm_80 -c");
  write(build / "sub/c.opt", "--options-file ../b.opt");
  EXPECT_EQ(read("nvcc --options-file a.opt -c a.cu -o a.o"), "sass 90");
  EXPECT_EQ(read("nvcc --options-file=a.opt -c a.cu -o a.o"), "sass 90");
  EXPECT_EQ(read("nvcc -optf b.opt a.cu -o a.o"), "sass 80, ptx 80");
  EXPECT_EQ(read("cd " + build.string() + "/sub && nvcc -optf ../a.opt,c.opt a.cu"),
            "sass 90, sass 80, ptx 80");
  EXPECT_EQ(read("nvcc -optf later.opt -c a.cu -o a.o"), "no unit") << "the build is to write it";
  write(build / "loop.opt", "-optf loop.opt");
  EXPECT_EQ(read("nvcc -optf loop.opt -c a.cu -o a.o"), "no unit");
  EXPECT_EQ(read("nvcc -c a.cu -o a.o"), "sass 75, ptx 75");
}

TEST(Asked, OtherCommandsAskForNothing) {
  const auto commands = cell::parse_commands(
      "g++ -o app a.cu.o -L/x/lib -lcudart\n/x/bin/nvcc --version\n/x/bin/nvcc -c host.cpp\n"
      "python gen.py --nvcc /x/bin/nvcc kernels.cu\n");
  EXPECT_TRUE(cell::asked_units(commands, {13, 0}).empty());
}

TEST(Asked, WordsAreSplitAsAShellDoes) {
  const auto commands = cell::parse_commands(R"(a "b c" 'd"e' f\ g && cd "/h i" && j)");
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].words, (std::vector<std::string>{"a", "b c", "d\"e", "f g"}));
  EXPECT_EQ(commands[1].folder, "/h i");
}

TEST(Asked, FoldersThatCommandsEnter) {
  const auto folder = [](const std::string& line) {
    std::string text;
    for (const auto& command : cell::parse_commands(line)) {
      text += command.folder.string() + ": " + command.words[0] + "\n";
    }
    return text;
  };
  EXPECT_EQ(folder("cd /a && cd b && j"), "/a/b: j\n");
  EXPECT_EQ(folder("cd /a && cd /b && j"), "/b: j\n");
  EXPECT_EQ(folder("cd a && /x/cmake -E chdir b j && k"), "a/b: j\na: k\n");
  EXPECT_EQ(folder("cmake -E env A=b cmake -E chdir /s j"), "/s: cmake\n");
  EXPECT_EQ(folder("/usr/bin/env -C /s j && env --chdir=/t A=b k && env -u A --chdir /u l"),
            "/s: /usr/bin/env\n/t: env\n/u: env\n");
  EXPECT_EQ(folder("cd /a && sh -ec \"cd 'b c' && j; k\" x && l"), "/a/b c: j\n/a/b c: k\n/a: l\n");
  EXPECT_EQ(folder("A=b bash -c 'cd /s; j'"), "/s: j\n");
  EXPECT_EQ(folder("cmake -E echo chdir && env j && sh s.sh -c x"), ": cmake\n: env\n: sh\n");
  EXPECT_EQ(
      folder("bash -eo pipefail -c 'cd /s; j' && sh -ce k && sh --posix -o errexit s.sh -c l"),
      "/s: j\n: k\n: sh\n");
}

TEST(Asked, FoldersThatSubshellsAndBlocksEnter) {
  const auto folder = [](const std::string& line) {
    std::string text;
    for (const auto& command : cell::parse_commands(line)) {
      text += command.folder.string() + ": " + command.words.back() + "\n";
    }
    return text;
  };
  EXPECT_EQ(folder("cd /a; (cd b && (cd c; j) && k) && l"), "/a/b/c: j\n/a/b: k\n/a: l\n");
  EXPECT_EQ(folder("if test -d b; then cd b; j; fi"), ": b\nb: j\nb: fi\n");
  EXPECT_EQ(folder("{ cd b; j; }"), "b: j\nb: }\n");
  EXPECT_EQ(folder("cd b > /dev/null && j"), "b: j\n");
  EXPECT_EQ(folder("j -o $(basename (x)) && (k) && j ')'"), ": (x))\n: k\n: )\n");
  EXPECT_EQ(folder("case x in a) j;; esac"), ": a\n: j\n: esac\n");
}

}  // namespace
}  // namespace archgrid::tests
