// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.hpp"

#include <gtest/gtest.h>

#include "files.hpp"

namespace archgrid::tests {
namespace {

using coverage::family_of;

/// Judges the name of a kernel that runs on each GPU of the table.
bool is_for_others(const std::string& name, const std::string& number, const std::string& unit = "",
                   const std::string& library = "") {
  std::vector<coverage::ComputeCapability> served;
  for (const auto& gpu : coverage::table().architectures) served.push_back(gpu.device);
  return coverage::is_for_others(coverage::gpus_named(name, unit, library, served), device(number));
}

bool needs_newer_gpu(const std::string& name, const std::string& number) {
  return device(number).number() < coverage::first_device_named(name);
}

TEST(KernelNames, VariantsAreOfOneTemplateWhateverItsArguments) {
  EXPECT_EQ(family_of("_ZN2at6native4tileI13__nv_bfloat16Li3EEEvPT_"), "at native tile ");
  EXPECT_EQ(family_of("_ZN2at6native4tileIfLi4EEEvPT_"), "at native tile ");
  EXPECT_EQ(family_of("_ZN12_GLOBAL__N_14tileEPf"), "tile ");
  EXPECT_EQ(family_of("_ZSt4tileIfEvPT_"), "tile ");
  EXPECT_EQ(family_of("_Z21gemm_sm75_m16n8k8_f16Pf"), family_of("_Z22gemm_sm80_m16n8k16_f16Pf"));
  EXPECT_EQ(family_of("sgemm_128x64_nn"), family_of("sgemm_32x32_nn")) << "not mangled";
  EXPECT_NE(family_of("_Z4tilePf"), family_of("_Z5otherPf"));
  EXPECT_EQ(family_of("_ZN8grp_bf164tileEPf"), family_of("_ZN8grp_fp164tileEPf"));
  EXPECT_NE(family_of("_ZN3one4tileEPf"), family_of("_ZN3two4tileEPf")) << "of two namespaces";
  EXPECT_NE(family_of("_Z2f1Pf"), family_of("_Z2f2Pf")) << "a number is a part of a name";
}

TEST(KernelNames, CutlassIsToldByWhatItsEntryFunctionsRun) {
  const auto family = [](const std::string& argument) {
    return family_of("_ZN7cutlass13device_kernelIN2at" + argument + "IN4gemmEEEEEvNT_6ParamsE");
  };
  EXPECT_EQ(family("16enable_sm90_only"), "cutlass device_kernel at enable_sm_only ");
  EXPECT_NE(family("16enable_sm90_only"), family("11always_runs"));
}

TEST(KernelNames, DamagedNamesAreVariantsOfSomething) {
  for (const auto* name : {"_Z", "_ZN", "_Z99x", "_ZNS", "_ZN7cutlass13device_kernelI", ""}) {
    EXPECT_NO_THROW(family_of(name)) << name;
  }
}

TEST(KernelNames, GenerationsAreNamedAsFieldAndProductsDo) {
  EXPECT_TRUE(is_for_others("_Z10gemm_sm80_Pf", "7.5"));
  EXPECT_TRUE(is_for_others("_Z10gemm_sm80_Pf", "9.0"));
  EXPECT_TRUE(is_for_others("_Z17matmul_c128_cc80_Pf", "7.5"));
  EXPECT_FALSE(is_for_others("_Z17matmul_c128_cc80_Pf", "8.6"));
  EXPECT_FALSE(is_for_others("_Z10gemm_acc80_Pf", "7.5"));
  EXPECT_FALSE(is_for_others("_Z10gemm_sm80_Pf", "8.0"));
  EXPECT_FALSE(is_for_others("_Z10gemm_sm80_Pf", "8.6")) << "its code runs there";
  EXPECT_TRUE(is_for_others("_Z10gemm_sm86_Pf", "8.0"));
  EXPECT_TRUE(is_for_others("_ZN7cutlass4arch4Sm90E", "8.0"));
  EXPECT_TRUE(is_for_others("_Z15FlashAttnFwdSm90Pf", "8.0"));
  EXPECT_TRUE(is_for_others("cutlass_80_simt_sgemm", "7.5"));
  EXPECT_TRUE(is_for_others("_ZN5HopperE", "8.0"));
  EXPECT_FALSE(is_for_others("_ZN5HopperE", "9.0"));
  EXPECT_TRUE(is_for_others("_Z4sm9xPf", "10.0"));
  EXPECT_FALSE(is_for_others("_Z4sm9xPf", "9.0"));
  EXPECT_TRUE(is_for_others("_Z14kernel_for_sm10v", "9.0"));
  EXPECT_FALSE(is_for_others("_Z14kernel_for_sm10v", "10.3"));
}

TEST(KernelNames, OtherWordsNameNoGeneration) {
  for (const auto* name :
       {"_Z4tilePf", "_Z7small_LPf", "_Z9smem16_80Pf", "_Z6prism8Pf",
        "_ZN3cub17CUB_200802_SM_800_8604scanEPf", "_ZN3cub15CUB_300001_SM_904scanEPf"}) {
    EXPECT_FALSE(is_for_others(name, "7.5")) << name;
    EXPECT_FALSE(is_for_others(name, "12.0")) << name;
  }
}

TEST(KernelNames, TheOwnNameGoesBeforeArgumentsAndFiles) {
  const std::string name = "_Z10gemm_sm90_IN7cutlass4arch4Sm80EEvv";
  EXPECT_FALSE(is_for_others(name, "9.0"));
  EXPECT_TRUE(is_for_others(name, "8.0"));
  EXPECT_TRUE(is_for_others("_Z4gemmPf", "7.5", "gemm_sm80.cu"));
  EXPECT_FALSE(is_for_others("_Z4gemmPf", "8.0", "gemm_sm80.cu"));
}

TEST(KernelNames, AWordCountsWhereTheKernelRunsOnWhatItNames) {
  const std::vector<coverage::ComputeCapability> served = {device("8.0"), device("9.0")};
  const auto named = [](const char* name, const std::vector<coverage::ComputeCapability>& gpus) {
    return coverage::gpus_named(name, "", "", gpus);
  };
  EXPECT_FALSE(coverage::is_for_others(named("_Z14maxwell_solverPf", served), device("7.5")));
  EXPECT_TRUE(coverage::is_for_others(named("_Z13ampere_solverPf", served), device("7.5")));
  EXPECT_TRUE(coverage::is_for_others(named("_Z7rf_sm50Pf", {device("6.1")}), device("8.0")));
}

TEST(KernelNames, LibrariesAreNamedForGpusToo) {
  EXPECT_TRUE(is_for_others("_Z4tilePf", "9.0", "", "libattn_sm80.so"));
  EXPECT_FALSE(is_for_others("_Z4tilePf", "8.6", "", "libattn_sm80.so"));
}

TEST(KernelNames, ShapesOfTensorCoresNeedTheirGeneration) {
  EXPECT_TRUE(needs_newer_gpu("_Z13tile_m16n8k16Pf", "7.5"));
  EXPECT_FALSE(needs_newer_gpu("_Z13tile_m16n8k16Pf", "8.0"));
  EXPECT_TRUE(needs_newer_gpu("_Z12tile_m16n8k8Pf", "7.0"));
  EXPECT_FALSE(needs_newer_gpu("_Z12tile_m16n8k8Pf", "7.5"));
}

TEST(KernelNames, ProjectsCheckForSomeTypes) {
  using coverage::needs_checked_type;
  EXPECT_TRUE(needs_checked_type("_Z4tileI13__nv_fp8_e4m3EvPT_", device("8.9")));
  EXPECT_FALSE(needs_checked_type("_Z4tileI13__nv_fp8_e4m3EvPT_", device("9.0")));
  EXPECT_TRUE(needs_checked_type("_Z4tileI6__halfEvPT_", device("5.2")));
  EXPECT_FALSE(needs_checked_type("_Z4tileI13__nv_bfloat16EvPT_", device("7.5")));
}

TEST(KernelNames, LibrariesOfNvidiaAreKnownByTheirNames) {
  EXPECT_TRUE(coverage::is_of_nvidia("_Z4tilePf", "libcublas.so.13"));
  EXPECT_TRUE(coverage::is_of_nvidia("_Z4tilePf", "libcustatevec.so.1"));
  EXPECT_TRUE(coverage::is_of_nvidia("_ZN5cudnn4tileEPf", "libx.so"));
  EXPECT_FALSE(coverage::is_of_nvidia("_Z4tilePf", "libx.so"));
  for (const char* name :
       {"volta_sgemm_128x64_nn", "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_nn",
        "dgemm_sm35_ldg_nt_128x8x64x16x16", "_Z13gemv2N_kernelIiiffffLi128EEvv",
        "_ZN7cutlass6KernelI30cutlass_80_tensorop_s1688gemmEEvv", "sgemm_sm_heavy_nn_ldg",
        "_Z17preprocess_kernelI13__nv_bfloat16jL20loadstore_modifier_t2EEvv"}) {
    EXPECT_TRUE(coverage::is_of_nvidia(name, "libx.so")) << name;
  }
  for (const char* name : {"my_ampere_kernel", "", "c", "my_cubla", "_xmma", "gemm_kernel2"}) {
    EXPECT_FALSE(coverage::is_of_nvidia(name, "libx.so")) << name;
  }
  const std::string parts = "ccucudgegemm__s_hf";
  EXPECT_FALSE(coverage::is_of_nvidia(parts, "libx.so"));
  EXPECT_TRUE(coverage::is_of_nvidia(parts + "cudnn", "libx.so"));
  // The search looks at every second place.
  for (const std::string before : {"", "a", "ab", "abc"}) {
    for (const std::string word : {"cudnn", "_xmma_", "gemmSN_", "magma_sgemmEx"}) {
      EXPECT_TRUE(coverage::is_of_nvidia(before + word, "libx.so")) << before << word;
      EXPECT_TRUE(coverage::is_of_nvidia(before + word + "z", "libx.so")) << before << word;
      const auto cut = word.substr(0, word.size() - 1);
      EXPECT_FALSE(coverage::is_of_nvidia(before + cut, "libx.so")) << before << cut;
    }
  }
}

TEST(KernelNames, TypesNeedTheirGeneration) {
  EXPECT_TRUE(needs_newer_gpu("_Z4tileI13__nv_bfloat16EvPT_", "7.5"));
  EXPECT_FALSE(needs_newer_gpu("_Z4tileI13__nv_bfloat16EvPT_", "8.0"));
  EXPECT_TRUE(needs_newer_gpu("_Z4tileI13__nv_fp8_e4m3EvPT_", "8.6"));
  EXPECT_FALSE(needs_newer_gpu("_Z4tileI13__nv_fp8_e4m3EvPT_", "8.9"));
  EXPECT_TRUE(needs_newer_gpu("_Z8pack_fp4Pf", "9.0"));
  EXPECT_FALSE(needs_newer_gpu("_Z15load_float4_rowPf", "7.5")) << "four floats";
  EXPECT_TRUE(needs_newer_gpu("_Z4tileI6__halfEvPT_", "5.2"));
  EXPECT_FALSE(needs_newer_gpu("_Z4tileIfEvPT_", "5.0"));
}

}  // namespace
}  // namespace archgrid::tests
