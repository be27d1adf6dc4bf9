// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archgrid/coverage.hpp>
#include <archgrid/promises/pyproject.hpp>
#include <fstream>
#include <tuple>
#include <utility>

namespace archgrid::promises {
namespace {

using coverage::ComputeCapability;
using coverage::Matrix;
using coverage::MatrixError;
using coverage::Verdict;
using coverage::Verdicts;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A folder that is removed at the end of the program.
class ProjectFolder {
 public:
  ProjectFolder() { std::filesystem::create_directories(path_); }
  ProjectFolder(const ProjectFolder&) = delete;
  ProjectFolder& operator=(const ProjectFolder&) = delete;
  ~ProjectFolder() { std::filesystem::remove_all(path_); }

  /// Returns the folder of the running test.
  [[nodiscard]] std::filesystem::path of_test() const {
    auto path = path_ / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(path);
    return path;
  }

 private:
  std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) /
                                ("archgrid-pyproject-" + std::to_string(::getpid()));
};

std::filesystem::path test_folder() {
  static const ProjectFolder folder;
  return folder.of_test();
}

Pyproject project_of(const std::string& text) {
  const auto path = test_folder() / "pyproject.toml";
  std::ofstream(path) << text;
  return Pyproject(path);
}

/// Reads compute capabilities and one name.
ComputeCapability read_gpu(const std::string& text) {
  if (text == "H100") return {9, 0};
  if (const auto device = coverage::parse_device(text)) return *device;
  throw std::runtime_error("unknown GPU \"" + text + "\": write H100");
}

Matrix promise_of(const std::string& table) {
  return project_of("[tool.archgrid]\n" + table).promise(read_gpu);
}

std::string refusal_of_table(const std::string& table) {
  try {
    promise_of(table);
  } catch (const MatrixError& error) {
    return error.what();
  }
  return "accepted";
}

std::string toml_error(const std::filesystem::path& path) {
  try {
    Pyproject project(path);
  } catch (const TomlError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Pyproject, PromisesAsAnEntryOfAMatrixFile) {
  const auto matrix = promise_of(R"(
    devices = ["8.0", "H100"]
    accept = ["native", "jit"]
    driver = "580"
    strict = false
    [[tool.archgrid.ignore]]
    kernel = "*_debug*"
    devices = ["H100"]
    reason = "not shipped"
    [[tool.archgrid.ignore]]
    kernel = "stub:k"
    reason = "tried"
  )");
  EXPECT_EQ(matrix.path, (test_folder() / "pyproject.toml").string());
  ASSERT_EQ(matrix.promises.size(), 1U);
  const auto& promise = matrix.promises[0];
  EXPECT_EQ(promise.place, "tool.archgrid");
  EXPECT_THAT(promise.devices, ElementsAre(ComputeCapability{8, 0}, ComputeCapability{9, 0}));
  EXPECT_EQ(promise.accept, (Verdicts{Verdict::native, Verdict::jit}));
  ASSERT_TRUE(promise.driver);
  EXPECT_EQ(promise.driver->name, coverage::parse_driver("580")->name);
  EXPECT_FALSE(promise.strict);
  ASSERT_EQ(matrix.ignores.size(), 2U);
  EXPECT_EQ(matrix.ignores[0].place, "tool.archgrid.ignore[0]");
  EXPECT_EQ(matrix.ignores[0].kernel, "*_debug*");
  EXPECT_THAT(matrix.ignores[0].devices, ElementsAre(ComputeCapability{9, 0}));
  EXPECT_EQ(matrix.ignores[1].reason, "tried");
  EXPECT_EQ(matrix.ignores[1].code, "stub");
  EXPECT_EQ(matrix.ignores[1].kernel, "k");
}

TEST(Pyproject, DefaultsAreThoseOfAMatrixFile) {
  const auto matrix = promise_of("devices = ['9.0']");
  ASSERT_EQ(matrix.promises.size(), 1U);
  EXPECT_EQ(matrix.promises[0].accept, coverage::default_verdicts());
  EXPECT_TRUE(matrix.promises[0].strict);
  EXPECT_FALSE(matrix.promises[0].driver);
  EXPECT_TRUE(matrix.ignores.empty());
}

TEST(Pyproject, NamesAMatrixFileInItsFolder) {
  std::filesystem::create_directories(test_folder() / "matrices");
  std::ofstream(test_folder() / "matrices" / "m.json")
      << R"({"name": "m", "promises": [{"devices": ["7.5"]}, {"devices": ["8.0"]}]})";
  const auto matrix = promise_of("matrix = 'matrices/m.json'");
  EXPECT_EQ(matrix.path, (test_folder() / "matrices" / "m.json").string());
  EXPECT_EQ(matrix.promises.size(), 2U);
  std::ofstream(test_folder() / "matrices" / "m.json") << R"({"name": "m", "promise": []})";
  EXPECT_THAT(refusal_of_table("matrix = 'matrices/m.json'"),
              HasSubstr("m.json: the top level: unknown key \"promise\""));
}

TEST(Pyproject, RefusesWithFileKeyAndFix) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "tool.archgrid: \"devices\" is missing: name the promised GPUs"},
      {"devices = []", "tool.archgrid.devices: no device is named"},
      {"devices = '9.0'", "tool.archgrid.devices: expected a list [ ], found \"9.0\""},
      {"devices = [9.0]", "tool.archgrid.devices[0]: expected a string, found 9.0: write it in"},
      {"devices = ['9.0', 'H1000']", "tool.archgrid.devices[1]: unknown GPU \"H1000\": write H100"},
      {"devices = ['9.0']\naccept = ['fine']",
       "tool.archgrid.accept[0]: \"fine\" is no verdict: use one of native"},
      {"devices = ['9.0']\naccept = []", "tool.archgrid.accept: no verdict is accepted"},
      {"devices = ['9.0']\ndriver = 580",
       "tool.archgrid.driver: expected a string, found 580: write it in quotes"},
      {"devices = ['9.0']\ndriver = 'new'", "tool.archgrid.driver: \"new\" is no driver"},
      {"devices = ['9.0']\nstrict = 'no'",
       "tool.archgrid.strict: expected true or false, found \"no\""},
      {"gpus = ['9.0']",
       "tool.archgrid: unknown key \"gpus\": use one of matrix, devices, accept,"},
      {"devices = ['9.0']\nkernels = 'k'", "tool.archgrid: unknown key \"kernels\""},
      {"devices = ['9.0']\ntoolkits = ['13.0']", "tool.archgrid: unknown key \"toolkits\""},
      {"matrix = 'm.json'", "tool.archgrid.matrix: no file "},
      {"matrix = ''", "tool.archgrid.matrix: the path is empty: write the path of a file"},
      {"matrix = '/dev/null'", "tool.archgrid.matrix: /dev/null: not a regular file: name a file"},
      {"matrix = '.'", "it is a folder: name a file"},
      {"matrix = 1", "tool.archgrid.matrix: expected a string, found 1"},
      {"matrix = 'm.json'\nstrict = true",
       "tool.archgrid: \"matrix\" makes the whole promise: leave out the other keys"},
      {"devices = ['9.0']\n[tool.archgrid.ignore]\nkernel = 'k'",
       "tool.archgrid.ignore: expected a list of tables: write [[tool.archgrid.ignore]]"},
      {"devices = ['9.0']\nignore = ['k']",
       "tool.archgrid.ignore[0]: a reason is missing: write {kernel = \"k\", reason = \"...\"}"},
      {"devices = ['9.0']\n[[tool.archgrid.ignore]]\nkernel = 'k'",
       "tool.archgrid.ignore[0]: \"reason\" is missing"},
      {"devices = ['9.0']\n[[tool.archgrid.ignore]]\nkernel = 'stbu:k'\nreason = 'r'",
       "tool.archgrid.ignore[0].kernel: \"stbu\" is no code of errors about kernels, files or "
       "GPUs: "
       "write "
       "stub"},
      {"devices = ['9.0']\n[[tool.archgrid.ignore]]\nkernel = 'k'\nreason = ' '",
       "tool.archgrid.ignore[0].reason: the reason is empty"},
      {"devices = ['9.0']\n[[tool.archgrid.ignore]]\nkernel = 'k'\nreason = 'REASON'",
       "tool.archgrid.ignore[0].reason: \"REASON\" is no reason: say why the finding may be "
       "ignored"},
      {"devices = ['9.0']\n[[tool.archgrid.ignore]]\nkernel = 'k'\nreason = 'r'\nwhy = 'w'",
       "tool.archgrid.ignore[0]: unknown key \"why\": use one of kernel, devices, reason"},
      {"devices = ['9.0']\n[[tool.archgrid.ignore]]\nkernel = 'k'\nreason = 'r'\ndevices = ['9']",
       "tool.archgrid.ignore[0].devices[0]: unknown GPU \"9\""},
      {"devices = ['9.0']\n[[tool.archgrid.ignore]]\nkernel = 'k'\nreason = 2026-01-01",
       "tool.archgrid.ignore[0].reason: a date or a time is not expected: write it in quotes"},
      {"devices = ['9.0']\nstrict = inf", "tool.archgrid.strict: expected true or false"},
  };
  for (const auto& [table, expected] : cases) {
    EXPECT_THAT(refusal_of_table(table), AllOf(HasSubstr("pyproject.toml: "), HasSubstr(expected)))
        << table;
  }
}

TEST(Pyproject, ATableIsATable) {
  for (const auto* text : {"[tool]\narchgrid = 3", "[[tool.archgrid]]\ndevices = ['9.0']"}) {
    const auto project = project_of(text);
    EXPECT_TRUE(project.has_promise());
    try {
      std::ignore = project.promise(read_gpu);
      FAIL() << text;
    } catch (const MatrixError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr("tool.archgrid: expected a table: write [tool.archgrid]"));
    }
  }
}

TEST(Pyproject, FilesWithoutTheTablePromiseNothing) {
  for (const auto* text : {"", "tool = 3", "[tool.other]\narchgrid = 1", "[project]\nname = 'x'",
                           "[project.tool.archgrid]\ndevices = ['9.0']"}) {
    const auto project = project_of(text);
    EXPECT_FALSE(project.has_promise()) << text;
    EXPECT_THROW(std::ignore = project.promise(read_gpu), MatrixError);
  }
}

TEST(Pyproject, NamesAreThoseOfPep503) {
  EXPECT_EQ(normalised_distribution("Some.Name"), "some-name");
  EXPECT_EQ(normalised_distribution("some__.-name"), "some-name");
  EXPECT_EQ(normalised_distribution("some_name"), normalised_distribution("SOME-NAME"));
  EXPECT_NE(normalised_distribution("somename"), normalised_distribution("some-name"));
  EXPECT_EQ(project_of("[project]\nname = 'Some_Name'").name(), "some-name");
  for (const auto* text : {"", "project = 1", "[project]\nversion = '1'", "[project]\nname = 1"}) {
    EXPECT_EQ(project_of(text).name(), "") << text;
  }
}

TEST(Pyproject, InvalidTomlIsRefusedWithItsPlace) {
  const auto path = test_folder() / "pyproject.toml";
  std::ofstream(path) << "[project]\nname = 'x\n";
  EXPECT_THAT(toml_error(path),
              AllOf(HasSubstr("pyproject.toml: line 2, column "), HasSubstr("invalid TOML: ")));
  std::ofstream(path) << "[tool.archgrid]\ndevices = ['9.0']\ndevices = ['8.0']\n";
  EXPECT_THAT(toml_error(path), HasSubstr("line 3, column "));
  std::ofstream(path) << "x = '\xff\x1b[31m'\n";
  EXPECT_THAT(toml_error(path), AllOf(HasSubstr("line 1, "), Not(HasSubstr("\x1b"))));
  std::ofstream(path) << "x = " << std::string(100000, '[');
  EXPECT_THAT(toml_error(path), HasSubstr("invalid TOML")) << "depth is limited";
}

TEST(Pyproject, OnlyRegularFilesAreRead) {
  EXPECT_THAT(toml_error(test_folder() / "none.toml"),
              HasSubstr("none.toml: cannot open: No such"));
  EXPECT_THAT(toml_error(test_folder()), HasSubstr("it is a folder: name a file"));
  EXPECT_EQ(toml_error(""), "the path is empty: name a file");
  const auto fifo = test_folder() / "fifo.toml";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(toml_error(fifo), HasSubstr("fifo.toml: not a regular file")) << "it would block";
  const auto large = test_folder() / "large.toml";
  std::ofstream(large).close();
  std::filesystem::resize_file(large, (std::uintmax_t{1} << 20U) + 1);
  EXPECT_THAT(toml_error(large), HasSubstr("large.toml: larger than 1 MiB"));
}

TEST(Pyproject, AMatrixFileIsRegular) {
  const auto fifo = test_folder() / "m.json";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(refusal_of_table("matrix = 'm.json'"),
              AllOf(HasSubstr("tool.archgrid.matrix: "), HasSubstr("m.json: not a regular file")))
      << "it would block";
}

/// Returns "a.a.a", with this many segments.
std::string dotted(std::size_t segments, const std::string& segment = "a") {
  auto text = segment;
  for (std::size_t count = 1; count < segments; ++count) text += "." + segment;
  return text;
}

TEST(Pyproject, DeepKeysAreRefused) {
  const auto path = test_folder() / "pyproject.toml";
  const auto error_of = [&](const std::string& text) {
    std::ofstream(path) << text;
    return toml_error(path);
  };
  for (const std::size_t segments : {65U, 100000U}) {
    const auto deep = dotted(segments);
    const auto table = ", {" + deep + " = 1}]";
    for (const auto& text :
         {deep + " = 1", "[" + deep + "]", "[[" + deep + "]]", "x = {" + deep + " = 1}",
          "x = [1" + table, dotted(segments, " 'a' ") + " = 1",
          dotted(segments, R"("\"")") + " = 1", "'a' . " + deep + " = 1", "x = ['''it'''''" + table,
          R"(x = ["""it"""")" + table, R"(x = ["""\"""")" + table,
          "x = '\\' # '\n" + deep + " = 1"}) {
      EXPECT_THAT(error_of(text), HasSubstr("a key has more than 64 segments: make it shorter"))
          << text.substr(0, 60);
    }
  }
  EXPECT_THAT(error_of("# 1\n\n" + dotted(65) + " = 1"),
              HasSubstr("pyproject.toml: line 3: a key"));
}

TEST(Pyproject, DotsOutsideKeysDoNotCount) {
  const auto path = test_folder() / "pyproject.toml";
  const auto dots = dotted(1000);
  std::string numbers = "1.0";
  for (int count = 0; count < 200; ++count) numbers += ", 1.0";
  for (const auto& text :
       {dotted(64) + " = 1", "[" + dotted(64) + "]", "# " + dots, "x = 1 # " + dots,
        "x = '" + dots + "'", R"(x = "\")" + dots + "\"", "x = '''\n" + dots + "'\n" + dots + "'''",
        R"(x = """ \")" + dots + R"("""")", "x = [" + numbers + "]"}) {
    std::ofstream(path) << text;
    EXPECT_EQ(toml_error(path), "accepted") << text.substr(0, 60);
  }
}

TEST(Pyproject, TheDeepestFileIsReadAndRefused) {
  std::string text;
  std::string end;
  for (int depth = 0; depth < 30; ++depth) {
    text += (depth == 0 ? "" : "{") + dotted(64) + " = ";
    end += depth == 0 ? "" : "}";
  }
  const auto project = project_of("[tool.archgrid." + dotted(60) + "]\n" + text + "1" + end);
  EXPECT_TRUE(project.has_promise());
  EXPECT_THROW(std::ignore = project.promise(read_gpu), MatrixError);
}

TEST(Pyproject, MessagesQuoteLittle) {
  const std::string name(300000, 'x');
  for (const auto& table :
       {"devices = ['" + name + "']", "matrix = '" + name + "'",
        "devices = ['9.0']\ndriver = '" + name + "'", name + " = 1",
        "devices = ['9.0']\n" + name + " = 2026-01-01", "devices = {" + name + " = 1}"}) {
    EXPECT_LT(refusal_of_table(table).size(), 1000U) << table.substr(0, 40);
  }
  EXPECT_THAT(refusal_of_table(R"(devices = ["\u001b[31m"])"),
              AllOf(HasSubstr("unknown GPU"), Not(HasSubstr("\x1b"))));
}

TEST(Pyproject, InvalidTomlThatNamesArchgridMayPromise) {
  const auto path = test_folder() / "pyproject.toml";
  const auto may_promise = [&](const std::string& text) {
    std::ofstream(path) << text;
    try {
      const Pyproject project(path);
    } catch (const TomlError& error) {
      return error.may_promise;
    }
    ADD_FAILURE() << text;
    return false;
  };
  for (const auto* text : {"[tool.archgrid]", "[ tool . archgrid ]", "[tool]\narchgrid.devices = 1",
                           "[tool]\n\"archgrid\" = {}"}) {
    EXPECT_TRUE(may_promise(std::string(text) + "\nx = ")) << text;
  }
  EXPECT_TRUE(may_promise("# " + std::string(2U << 20U, 'x'))) << "too large to be read";
  EXPECT_FALSE(may_promise("[tool.other]\nx = "));
}

}  // namespace
}  // namespace archgrid::promises
