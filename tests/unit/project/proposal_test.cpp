// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <archgrid/project/proposal.hpp>
#include <archgrid/promises/pyproject.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace archgrid::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A project in a folder of its own.
class Proposal : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / "archgrid-proposal" / test->name();
    fs::remove_all(root_);
    fs::create_directories(root_);
    request_.toolkits = {{11, 8}, {13, 0}};
  }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << text;
  }

  void propose() { proposal_ = project::propose(root_, request_); }

  void write_proposal() const {
    for (const auto& file : proposal_.files) write(file.path, file.after);
  }

  [[nodiscard]] std::string text_of(const std::string& path) const {
    for (const auto& file : proposal_.files) {
      if (file.path == path) return file.after;
    }
    return {};
  }

  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const auto& file : proposal_.files) paths.push_back(file.path);
    return paths;
  }

  [[nodiscard]] std::string notes() const { return project::notes_text(proposal_, 1000); }

  /// Returns the proposed matrix, as the auditor's reader and as JSON.
  [[nodiscard]] std::pair<coverage::Matrix, json> matrix() const {
    const auto path = "matrices/archgrid.json";
    write(path, text_of(path));
    auto matrix = coverage::read_matrix(root_ / path);
    fs::remove(root_ / path);
    return {matrix, json::parse(text_of(path))};
  }

  fs::path root_;
  project::ProposalRequest request_;
  project::Proposal proposal_;
};

constexpr const char* kCMake = R"(cmake_minimum_required(VERSION 3.20)
project(mylib LANGUAGES CXX CUDA)
set(MYLIB_CUDA_ARCHS "70;80;90;120" CACHE STRING "archs")
add_library(mylib SHARED kernel.cu)
)";

TEST_F(Proposal, ACMakeProjectGetsAMatrixItsCellsAndAudits) {
  write("CMakeLists.txt", kCMake);
  propose();
  EXPECT_THAT(paths(), ElementsAre("matrices/archgrid.json", "matrices/CMakeLists.txt",
                                   "CMakeLists.txt", ".github/workflows/archgrid.yml"));
  const auto [matrix, document] = this->matrix();
  EXPECT_EQ(matrix.name, "mylib");
  EXPECT_EQ(document["toolkits"][0]["archs"], json({"70", "80", "90"}));
  EXPECT_EQ(document["toolkits"][1]["archs"], json({"80", "90", "120"})) << "as CUDA 13 has no 70";
  EXPECT_EQ(document["definitions"], json({{"MYLIB_CUDA_ARCHS", "@ARCHS@"}}));
  EXPECT_EQ(document["promises"], json::parse(R"([{"devices": ["8.0", "9.0"]},
                            {"devices": ["7.0"], "toolkits": ["11.8"]},
                            {"devices": ["12.0"], "toolkits": ["13.0"]}])"));
  const auto lists = text_of("CMakeLists.txt");
  EXPECT_EQ(lists.rfind(kCMake, 0), 0U) << "what the user wrote stays";
  EXPECT_THAT(lists, HasSubstr("    archgrid_promise(MATRIX matrices/archgrid.json)\n"));
  EXPECT_THAT(lists, HasSubstr("foreach(archgrid_target IN ITEMS mylib)"));
  const auto cells = text_of("matrices/CMakeLists.txt");
  EXPECT_THAT(cells, HasSubstr("\narchgrid_add_matrix(MATRIX archgrid.json SOURCE ..)\n"));
  for (const auto& text : {lists, cells}) {
    EXPECT_THAT(text, HasSubstr(" --output-on-failure\n")) << "else ctest hides the findings";
  }
}

TEST_F(Proposal, OnePromiseIsWrittenInCMake) {
  write("CMakeLists.txt", kCMake);
  request_.toolkits = {{13, 0}};
  propose();
  EXPECT_THAT(text_of("CMakeLists.txt"), HasSubstr("archgrid_promise(DEVICES 8.0 9.0 12.0)\n"));
  EXPECT_THAT(notes(),
              HasSubstr("7.0 is not promised: no toolkit of the matrix makes code for it"));
}

TEST_F(Proposal, TheTopLearnsTheCompilerOfAFolderBelow) {
  constexpr const char* kEnable =
      "      enable_language(CUDA) # which a folder below did for itself\n";
  write("CMakeLists.txt", kCMake);
  propose();
  EXPECT_THAT(text_of("CMakeLists.txt"), Not(HasSubstr(kEnable)));
  write("CMakeLists.txt", "project(p CXX)\nadd_subdirectory(cuda)\n");
  write("cuda/CMakeLists.txt",
        "set(CMAKE_CUDA_ARCHITECTURES 70 90)\nenable_language(CUDA)\nadd_library(p k.cu)\n");
  propose();
  EXPECT_THAT(text_of("CMakeLists.txt"), HasSubstr(kEnable));
}

TEST_F(Proposal, TwiceChangesNothing) {
  write("CMakeLists.txt", kCMake);
  write("pyproject.toml", "[project]\nname = \"mylib\"\n");
  propose();
  EXPECT_EQ(proposal_.files.size(), 5U);
  write_proposal();
  propose();
  EXPECT_THAT(paths(), IsEmpty());
  EXPECT_EQ(
      project::init_closing_line(proposal_, false),
      "nothing to do: the project has matrices/archgrid.json, archgrid_audit() in "
      "CMakeLists.txt, [tool.archgrid] in pyproject.toml and .github/workflows/archgrid.yml\n");
  // A run that ended between two files is completed by the next.
  fs::remove(root_ / "matrices/CMakeLists.txt");
  propose();
  EXPECT_THAT(paths(), ElementsAre("matrices/CMakeLists.txt"));
}

TEST_F(Proposal, PtxOfAnArchIsPromisedAsPtx) {
  write("CMakeLists.txt",
        "project(p CUDA)\nif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
        "set(CMAKE_CUDA_ARCHITECTURES 80-virtual 90-real)\nendif()\nadd_library(p k.cu)\n");
  propose();
  const auto promises = matrix().second["promises"];
  EXPECT_EQ(promises, json::parse(R"([{"devices": ["9.0"]},
      {"devices": ["8.0"], "accept": ["native", "compatible", "jit"]}])"));
}

TEST_F(Proposal, ConflictingListsAreNamed) {
  write("CMakeLists.txt",
        "project(p CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 80 90)\nadd_library(p k.cu)\n");
  write("Dockerfile", "ENV CUDAARCHS=80\n");
  propose();
  EXPECT_THAT(notes(), HasSubstr("the archs are those of CMakeLists.txt:2 "
                                 "(CMAKE_CUDA_ARCHITECTURES); other lists, which `archgrid lint` "
                                 "compares: Dockerfile:1\n"));
  EXPECT_EQ(matrix().second["enforce_archs"], true) << "as the project always sets them";
  EXPECT_EQ(matrix().second["toolkits"][0]["archs"], json({"80", "90"}));
}

TEST_F(Proposal, AListWithoutEffectIsNamed) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(p CUDA)\n"
        "if(NOT CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES 80 90)\nendif()\n"
        "add_library(p k.cu)\n");
  propose();
  EXPECT_THAT(notes(), HasSubstr("CMakeLists.txt:4 has no effect, as CMake has set "
                                 "CMAKE_CUDA_ARCHITECTURES in line 2: set it before that"));
  EXPECT_EQ(matrix().second["toolkits"][0]["archs"], json({"80", "90"})) << "as it was meant";
}

TEST_F(Proposal, RequestedGpusArePromised) {
  write("CMakeLists.txt",
        "project(p CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 80)\nadd_library(p k.cu)\n");
  request_.devices = {{8, 0}, {9, 0}};
  propose();
  EXPECT_EQ(matrix().second["promises"], json::parse(R"([{"devices": ["8.0", "9.0"]}])"));
  EXPECT_THAT(notes(), HasSubstr("no arch of CMakeLists.txt:2 (CMAKE_CUDA_ARCHITECTURES) serves "
                                 "9.0: cells build 90-real in addition, and audits of other builds "
                                 "fail for 9.0 until you add 90-real there\n"));
}

TEST_F(Proposal, ARequestedGpuNeedsAToolkit) {
  write("CMakeLists.txt", kCMake);
  request_.toolkits = {{13, 0}};
  request_.devices = {{6, 1}, {8, 0}, {12, 0}};
  EXPECT_THAT([&] { propose(); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "CUDA 13.0 cannot compile for 6.1 (CUDA 12.9 is the newest that can): let "
                  "--toolkit name one that can"));
  request_.toolkits = {{12, 4}, {13, 0}};
  propose();
  EXPECT_THAT(matrix().second["promises"].dump(), HasSubstr("\"6.1\""));
}

TEST_F(Proposal, ToolkitsOfThisMachineAreNamed) {
  write("CMakeLists.txt", kCMake);
  propose();
  EXPECT_THAT(notes(), Not(HasSubstr("of this machine")));
  request_.has_found_toolkits = true;
  propose();
  EXPECT_THAT(notes(), HasSubstr("the matrix has the toolkits of this machine: CUDA 11.8 and 13.0 "
                                 "(--toolkit names others)\n"));
}

TEST_F(Proposal, TheOptionsThatFindArchgridArePrinted) {
  constexpr const char* kConfigure = "\n  cmake -G Ninja -S matrices -B build/matrix -DX=y\n";
  write("CMakeLists.txt", kCMake);
  propose();
  EXPECT_THAT(notes(), Not(HasSubstr("-B build/matrix")));
  request_.cmake_options = "-DX=y";
  propose();
  EXPECT_THAT(notes(), HasSubstr(kConfigure));
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), Not(HasSubstr("-DX=y")))
      << "a path of this machine";
}

TEST_F(Proposal, WithoutAListTheArchsAreAssumed) {
  write("CMakeLists.txt", "project(p CUDA)\nadd_library(p k.cu)\n");
  propose();
  EXPECT_THAT(notes(), HasSubstr("no arch list was found in 1 build file of " + root_.string()));
  const auto first = matrix().first.promises.front();
  EXPECT_THAT(first.devices,
              ElementsAre(coverage::ComputeCapability{7, 5}, coverage::ComputeCapability{8, 0},
                          coverage::ComputeCapability{8, 6}, coverage::ComputeCapability{8, 9},
                          coverage::ComputeCapability{9, 0}));
}

TEST_F(Proposal, WithoutToolkitsThoseOfImagesCount) {
  write("CMakeLists.txt", kCMake);
  request_.toolkits.clear();
  propose();
  EXPECT_EQ(matrix().second["toolkits"].size(), 1U);
  EXPECT_THAT(notes(),
              HasSubstr("no CUDA toolkit is on this machine, and no build file names one"));
  write("Dockerfile", "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n");
  propose();
  EXPECT_EQ(matrix().second["toolkits"][0]["cuda"], "12.4");
}

TEST_F(Proposal, APythonProjectGetsThePromiseAndTheRepair) {
  const std::string text =
      "[build-system]\nrequires = [\"scikit-build-core\"]\n"
      "build-backend = \"scikit_build_core.build\"\n[project]\nname = \"my-lib\"\n"
      "[tool.cibuildwheel]\nbuild = \"cp311-*\"\n";
  write("CMakeLists.txt", kCMake);
  write("pyproject.toml", text);
  propose();
  const auto written = text_of("pyproject.toml");
  EXPECT_EQ(written.rfind(text, 0), 0U);
  EXPECT_THAT(written,
              HasSubstr("archgrid audit {dest_dir}/*.whl --matrix {project}/pyproject.toml"));
  write_proposal();
  const promises::Pyproject pyproject(root_ / "pyproject.toml");
  const auto promised =
      pyproject.promise([](const std::string& gpu) { return *coverage::parse_device(gpu); });
  EXPECT_EQ(coverage::list_devices(promised.promises.front().devices), "8.0, 9.0, 12.0")
      << "as the newest toolkit";
}

TEST_F(Proposal, AnExistingRepairStays) {
  write("CMakeLists.txt", kCMake);
  write("pyproject.toml",
        "[project]\nname = \"p\"\n[tool.cibuildwheel.linux]\nrepair-wheel-command = \"mine\"\n");
  propose();
  EXPECT_THAT(text_of("pyproject.toml"), Not(HasSubstr("auditwheel")));
  EXPECT_THAT(notes(), HasSubstr("cibuildwheel is set up already: add this to"));
}

TEST_F(Proposal, ProgramsBesideLibrariesAreNamed) {
  write("CMakeLists.txt", std::string(kCMake) + "add_executable(mylib_run main.cu)\n");
  propose();
  EXPECT_THAT(text_of("CMakeLists.txt"), HasSubstr("ITEMS mylib)"));
  EXPECT_THAT(notes(), HasSubstr("add archgrid_audit() for those of mylib_run that you ship"));
}

TEST_F(Proposal, GpusOfAnExistingPromiseArePromised) {
  write("CMakeLists.txt", kCMake);
  write("pyproject.toml",
        "[project]\nname = \"p\"\n[tool.archgrid]\ndevices = [\"H100\", \"10.0\"]\n");
  request_.toolkits = {{13, 0}};
  propose();
  const auto document = matrix().second;
  EXPECT_EQ(document["promises"][0]["devices"], json({"9.0", "10.0"}));
  EXPECT_THAT(notes(), HasSubstr("the GPUs are those of [tool.archgrid] in pyproject.toml"));
  request_.devices = {{8, 0}};
  propose();
  EXPECT_EQ(matrix().second["promises"][0]["devices"], json({"8.0"})) << "--gpu decides";
}

TEST_F(Proposal, AnInvalidPromiseIsNamed) {
  write("CMakeLists.txt", kCMake);
  write("pyproject.toml", "[project]\nname = \"p\"\n[tool.archgrid]\ndevices = [\"H1000\"]\n");
  propose();
  EXPECT_THAT(notes(), AllOf(HasSubstr("H1000"), HasSubstr("its promise is not used")));
}

TEST_F(Proposal, DamagedTomlGetsNothing) {
  write("CMakeLists.txt", kCMake);
  write("pyproject.toml", "[project]\nname = \n");
  propose();
  EXPECT_EQ(text_of("pyproject.toml"), "");
  EXPECT_THAT(notes(), HasSubstr("pyproject.toml"));
}

TEST_F(Proposal, SetupPyIsBuiltByACommand) {
  write(
      "setup.py",
      "from torch.utils.cpp_extension import CUDAExtension\n"
      "os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0;9.0+PTX'\nsetup(ext_modules=[CUDAExtension()])\n");
  propose();
  const auto document = matrix().second;
  EXPECT_EQ(document["toolkits"][0]["archs"], json({"80-real", "90"}));
  EXPECT_EQ(document["definitions"], json({{"TORCH_CUDA_ARCH_LIST", "@CAPABILITIES_SPACE@"}}));
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"),
              HasSubstr("SOURCE .. COMMAND python3 setup.py bdist_wheel)\n"));
}

TEST_F(Proposal, SetupPyWithoutArchsGetsThemFromTheEnvironmentOfNvcc) {
  write("setup.py",
        "from setuptools_cuda_cpp import CUDAExtension\nsetup(ext_modules=[CUDAExtension()])\n");
  propose();
  EXPECT_EQ(matrix().second["definitions"], json({{"NVCC_APPEND_FLAGS", "@GENCODE@"}}));
  EXPECT_THAT(notes(), HasSubstr("cells choose them by NVCC_APPEND_FLAGS (@GENCODE@)"));
  // Flags that are added do not replace those of setup.py.
  write("setup.py", "nvcc = ['nvcc', '-O3',\n        '-gencode=arch=compute_80,code=sm_80']\n");
  propose();
  EXPECT_FALSE(matrix().second.contains("definitions"));
  EXPECT_THAT(notes(), HasSubstr("setup.py:2 names archs, which cells cannot change"));
}

TEST_F(Proposal, SetupPyReadsArchsFromAVariableOfItsOwn) {
  write("setup.py",
        "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\n"
        "archs = os.getenv('MYLIB_CUDA_ARCHS', '80;90').split(';')\n"
        "sms = os.environ.get(\"MYLIB_NVCC_SM\", \"sm_80,sm_90\")\n"
        "hip = os.environ['PYTORCH_ROCM_ARCH']\n"
        "os.environ['OTHER_CUDA_ARCH'] = '80'\n");
  propose();
  EXPECT_EQ(matrix().second["definitions"],
            json({{"MYLIB_CUDA_ARCHS", "@ARCHS@"}, {"MYLIB_NVCC_SM", "@SM@"}}));
  EXPECT_THAT(notes(), HasSubstr("MYLIB_CUDA_ARCHS (@ARCHS@), of setup.py:3"));
}

TEST_F(Proposal, AMakefileWithoutArchsGetsThemFromTheEnvironmentOfNvcc) {
  write("Makefile", "all:\n\tnvcc -O3 -c k.cu\n");
  propose();
  EXPECT_EQ(matrix().second["definitions"], json({{"NVCC_APPEND_FLAGS", "@GENCODE@"}}));
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), HasSubstr("SOURCE .. COMMAND make)\n"));
}

TEST_F(Proposal, TheVariableThatCollectsOthersChoosesArchs) {
  write("Makefile",
        "OLD_GENCODE = -gencode=arch=compute_70,code=sm_70\n"
        "NEW_GENCODE = -gencode=arch=compute_80,code=sm_80 \\\n"
        "              -gencode=arch=compute_90,code=sm_90\n"
        "GENCODE ?= $(OLD_GENCODE) $(NEW_GENCODE)\n"
        "FLAGS := -O3 $(GENCODE)\nall:\n\tnvcc $(FLAGS) -c k.cu\n");
  propose();
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), HasSubstr("COMMAND make \"GENCODE=@GENCODE@\")"));
  write("Makefile", "ARCH = -arch=sm_80\nall:\n\tnvcc $(ARCH) -c k.cu\n");
  propose();
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), HasSubstr("COMMAND make \"ARCH=@GENCODE@\")"));
}

TEST_F(Proposal, MakeComputesOptionsFromNumbersThatCellsReplace) {
  write("Makefile",
        "SMS ?= 75 80\n"
        "$(foreach sm,$(SMS),$(eval FLAGS += -gencode arch=compute_$(sm),code=sm_$(sm)))\n"
        "FLAGS += -O3\nall:\n\tnvcc $(FLAGS) -c k.cu\n");
  propose();
  EXPECT_EQ(matrix().second["toolkits"][0]["archs"], json({"75", "80"}));
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), HasSubstr("COMMAND make \"SMS=@ARCHS_SPACE@\")"));
  // One number is not a list.
  write("Makefile",
        "SM = 80\nall:\n\tnvcc -O3 -gencode arch=compute_$(SM),code=sm_$(SM) -c k.cu\n");
  propose();
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), HasSubstr("COMMAND make)\n"));
  EXPECT_THAT(notes(), HasSubstr("no variable of the Makefile has -gencode alone"));
}

TEST_F(Proposal, OneHardCodedLineIsNotTheListThatMakeComputes) {
  write("Makefile",
        "SMS ?= 75 80 86\n"
        "GENCODE := $(foreach s,$(SMS),-gencode arch=compute_$(s),code=sm_$(s))\n"
        "slow.o:\n\tnvcc -gencode arch=compute_80,code=sm_80 -c slow.cu\n");
  propose();
  EXPECT_EQ(matrix().second["toolkits"][0]["archs"], json({"75", "80", "86"}));
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), HasSubstr("COMMAND make \"GENCODE=@GENCODE@\")"));
}

TEST_F(Proposal, NoLineStandsForArchsThatAreNotRead) {
  write("Makefile",
        "GENCODE = -gencode arch=compute_$(SM),code=sm_$(SM)\n"
        "slow.o:\n\tnvcc -gencode arch=compute_80,code=sm_80 -c slow.cu\n");
  propose();
  EXPECT_THAT(notes(), HasSubstr("Makefile:1 computes its archs, which are not read: check those "
                                 "of the matrix file (--gpu names the GPUs)\n"));
  EXPECT_THAT(notes(), HasSubstr("assumed are all GPU boards from 7.5 on"));
  request_.devices = {{8, 0}, {9, 0}};
  propose();
  EXPECT_EQ(matrix().second["promises"], json::parse(R"([{"devices": ["8.0", "9.0"]}])"));
}

TEST_F(Proposal, AMakefileIsBuiltByACommand) {
  write("Makefile",
        "GENCODE ?= -gencode=arch=compute_80,code=sm_80 \\\n"
        "           -gencode=arch=compute_90,code=[sm_90,compute_90]\nall:\n\tnvcc $(GENCODE) "
        "k.cu\n");
  propose();
  EXPECT_EQ(matrix().second["toolkits"][0]["archs"], json({"80-real", "90-real"}));
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"),
              HasSubstr("SOURCE .. COMMAND make \"GENCODE=@GENCODE@\")\n"));
  write("Makefile", "NVCCFLAGS = -O3 -gencode=arch=compute_80,code=sm_80\nall:\n\tnvcc k.cu\n");
  propose();
  EXPECT_THAT(text_of("matrices/CMakeLists.txt"), HasSubstr("COMMAND make)\n"));
  EXPECT_THAT(notes(), HasSubstr("no variable of the Makefile has -gencode alone"));
}

/// Returns the command of cells in matrices/CMakeLists.txt.
std::string command_in(const std::string& text) {
  const auto begin = text.find("COMMAND ");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

TEST_F(Proposal, LongLinesOfBuildFilesAreData) {
  std::string sources = "SRCS =";
  for (int file = 0; file < 4000; ++file) sources += " \\\n  source_file_0123.cu";
  const std::string rest = "\nGENCODE = -arch=sm_80\nall:\n\tnvcc $(GENCODE) -c $(SRCS)\n";
  write("Makefile", sources + rest);
  propose();
  EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")), "COMMAND make \"GENCODE=@GENCODE@\")");
  write("Makefile", "HEX = " + std::string(900000, 'a') + rest);
  propose();
  EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")), "COMMAND make \"GENCODE=@GENCODE@\")");
  fs::remove(root_ / "Makefile");
  write("setup.py", "hex = 'CUDA" + std::string(900000, 'a') +
                        "'\nnvcc = os.environ.get('MY_CUDA_ARCHS', '80')\n");
  propose();
  EXPECT_EQ(matrix().second["definitions"], json({{"MY_CUDA_ARCHS", "@ARCHS@"}}));
}

TEST_F(Proposal, ACommentDoesNotHideAVariableOfMake) {
  write("Makefile",
        "CUDA_ARCH := -gencode arch=compute_80,code=sm_80 # A100\n"
        "all:\n\tnvcc $(CUDA_ARCH) -c k.cu\n");
  propose();
  EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")),
            "COMMAND make \"CUDA_ARCH=@GENCODE@\")");
  write("Makefile", "CUDA_ARCH = -arch=sm_80\r\nall:\r\n\tnvcc $(CUDA_ARCH) -c k.cu\r\n");
  propose();
  EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")), "COMMAND make \"CUDA_ARCH=@GENCODE@\")")
      << "lines end as on Windows";
}

TEST_F(Proposal, IndependentVariablesOfMakeWithAllArchsArePassed) {
  const std::string code = " = -gencode arch=compute_80,code=sm_80\n";
  write("Makefile", "CODE_A" + code + "CODE_B" + code +
                        "all:\n\tnvcc $(CODE_A) -c a.cu\n\tnvcc $(CODE_B) -c b.cu\n");
  propose();
  EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")),
            "COMMAND make \"CODE_A=@GENCODE@\" \"CODE_B=@GENCODE@\")");
}

TEST_F(Proposal, AVariableOfMakeThatLacksAnArchStaysAndIsNamed) {
  write("Makefile",
        "GENCODE = -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90\n"
        "LEGACY = -gencode arch=compute_80,code=sm_80\n"
        "all:\n\tnvcc $(GENCODE) -c a.cu\n\tnvcc $(LEGACY) -c b.cu\n");
  propose();
  EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")), "COMMAND make \"GENCODE=@GENCODE@\")");
  EXPECT_THAT(notes(), HasSubstr("LEGACY of the Makefile has 80 and lacks 90, which another"));
}

TEST_F(Proposal, AnotherNameOfAVariableOfMakeIsNotPassed) {
  write("Makefile",
        "GENCODE = -gencode arch=compute_80,code=sm_80\nLEGACY = $(GENCODE)\n"
        "all:\n\tnvcc $(GENCODE) -c a.cu\n\tnvcc $(LEGACY) -c b.cu\n");
  propose();
  EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")), "COMMAND make \"GENCODE=@GENCODE@\")");
}

TEST_F(Proposal, ArchsThatNvccChoosesAreNamedArchs) {
  for (const std::string word : {"native", "all", "all-major"}) {
    write("Makefile", "ARCH = -arch=" + word + "\nall:\n\tnvcc $(ARCH) -c k.cu\n");
    propose();
    EXPECT_EQ(command_in(text_of("matrices/CMakeLists.txt")), "COMMAND make \"ARCH=@GENCODE@\")");
    write("Makefile", "all:\n\tnvcc -O3 -arch=" + word + " -c k.cu\n");
    propose();
    EXPECT_FALSE(matrix().second.contains("definitions")) << word;
    EXPECT_THAT(notes(), HasSubstr("no variable of the Makefile has -gencode alone"));
  }
  write("Makefile", "all: # -arch=native\n\tnvcc -march=native -c k.cu\n");
  propose();
  EXPECT_EQ(matrix().second["definitions"], json({{"NVCC_APPEND_FLAGS", "@GENCODE@"}}));
  fs::remove(root_ / "Makefile");
  write("setup.py", "nvcc = ['nvcc',\n        '-arch=native']\n");
  propose();
  EXPECT_FALSE(matrix().second.contains("definitions"));
  EXPECT_THAT(notes(), HasSubstr("setup.py:2 names archs, which cells cannot change"));
}

TEST_F(Proposal, VariablesThatCellsHaveChooseArchs) {
  const auto expect_nothing = [&](const std::string& path, const std::string& text) {
    write(path, text);
    propose();
    EXPECT_FALSE(matrix().second.contains("definitions")) << text;
    EXPECT_THAT(notes(), Not(HasSubstr("no build file chooses archs"))) << text;
    EXPECT_THAT(notes(), Not(HasSubstr("no variable of the Makefile"))) << text;
    EXPECT_THAT(notes(), Not(HasSubstr("names archs, which"))) << text;
  };
  expect_nothing("Makefile", "all:\n\tnvcc $(NVCC_GENCODE) -c k.cu\n");
  expect_nothing("Makefile",
                 "F = $(foreach sm,$(CUDAARCHS),-gencode arch=compute_$(sm),code=sm_$(sm)) -O3\n"
                 "all:\n\tnvcc $(F) -c k.cu\n");
  write("Makefile", "NVCC_GENCODE =\nall:\n\tnvcc $(NVCC_GENCODE) -c k.cu\n");
  propose();
  EXPECT_EQ(matrix().second["definitions"], json({{"NVCC_APPEND_FLAGS", "@GENCODE@"}}))
      << "the Makefile's value comes before the environment's";
  fs::remove(root_ / "Makefile");
  expect_nothing("setup.py",
                 "flags = os.environ.get(\"NVCC_GENCODE\", '-gencode=arch=compute_80,code=sm_80')\n"
                 "run(['nvcc', flags])\n");
}

TEST_F(Proposal, SetupPyReadsOnlyVariablesOfArchs) {
  write("setup.py",
        "# os.environ.get('A_CUDA_ARCHS')\nrun('nvcc')  # os.environ.get('B_CUDA_ARCHS')\n"
        "p = os.environ.get('NVCC_SEARCH_PATH') or os.getenv('GPU_CACHE_SEARCH')\n"
        "f = os.environ['CUDA_MARCH_FLAGS']\n"
        "os.environ.setdefault(\"CUDA_ARCHS\", \"80;90\")\n");
  propose();
  EXPECT_EQ(matrix().second["definitions"], json({{"CUDA_ARCHS", "@ARCHS@"}}));
}

TEST_F(Proposal, NothingIsProposedWithoutCuda) {
  write("CMakeLists.txt", "project(p CXX)\nadd_library(p a.cpp)\n");
  propose();
  EXPECT_THAT(paths(), IsEmpty());
  EXPECT_THAT(notes(),
              HasSubstr("no build of CUDA was found in 1 build file of " + root_.string()));
  EXPECT_EQ(project::init_closing_line(proposal_, false),
            "nothing to do: there is nothing to add archgrid to\n");
}

TEST_F(Proposal, ExistingFilesStay) {
  write("CMakeLists.txt", kCMake);
  write("matrices/archgrid.json", "{\"mine\": 1}\n");
  write("matrices/CMakeLists.txt", "project(mine)\n");
  write(".github/workflows/release.yml", "on: push\n");
  propose();
  EXPECT_THAT(paths(), ElementsAre("matrices/archgrid-matrix.json", "CMakeLists.txt"));
  EXPECT_THAT(notes(), HasSubstr("matrices/CMakeLists.txt is there already"));
  EXPECT_THAT(notes(), HasSubstr("\n  - name: Audit for GPUs without code\n"));
}

TEST_F(Proposal, PresetsGainATestPreset) {
  write("CMakeLists.txt", kCMake);
  const auto preset = R"({"name": "all", "configurePreset": "main"})";
  const std::vector<std::string> before = {
      "", std::string("  \"testPresets\": [\n    ") + preset + "\n  ],\n"};
  for (const auto& tests : before) {
    const auto text = "{\n  \"version\": 6,\n" + tests +
                      "  \"configurePresets\": [{\"name\": \"main\", \"binaryDir\": \"b\"}]\n}\n";
    write("CMakePresets.json", text);
    propose();
    const auto written = json::parse(text_of("CMakePresets.json"));
    EXPECT_EQ(written["testPresets"][0]["name"], "archgrid");
    EXPECT_EQ(written["testPresets"][0]["configurePreset"], "main");
    EXPECT_EQ(written["testPresets"].size(), tests.empty() ? 1U : 2U);
    EXPECT_EQ(written["configurePresets"], json::parse(text)["configurePresets"]);
  }
  write("CMakePresets.json", R"({"version": 6, "configurePresets": [{"name": "main"}]})");
  propose();
  EXPECT_EQ(text_of("CMakePresets.json"), "") << "no line could be added";
  EXPECT_THAT(notes(), HasSubstr("CMakePresets.json is not extended (its layout): add this"));
}

TEST_F(Proposal, LinesEndAsInTheFile) {
  write("CMakeLists.txt", "project(p CUDA)\r\nadd_library(p k.cu)");
  propose();
  const auto lists = text_of("CMakeLists.txt");
  EXPECT_EQ(static_cast<std::size_t>(std::count(lists.begin(), lists.end(), '\n')),
            static_cast<std::size_t>(std::count(lists.begin(), lists.end(), '\r')));
  EXPECT_THAT(
      project::unified_diff(proposal_),
      HasSubstr("-add_library(p k.cu)\n\\ No newline at end of file\n+add_library(p k.cu)\r\n"));
}

}  // namespace
}  // namespace archgrid::tests
