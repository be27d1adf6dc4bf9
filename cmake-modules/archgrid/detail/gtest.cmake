# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# Adds archgrid::gtest and archgrid::perf from the sources in HARNESS, as targets that are compiled only
# where something links them. Both are compiled against the CUDA headers of this project's toolkit: the
# version in them is what the linked runtime is compared with.
function(_archgrid_add_gtest harness)
  if(TARGET archgrid::gtest)
    return()
  endif()
  set(cudart CUDA::cudart_static)
  if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared")
    set(cudart CUDA::cudart)
  endif()
  add_library(archgrid_gtest STATIC EXCLUDE_FROM_ALL "${harness}/gtest/src/all.cpp")
  target_include_directories(archgrid_gtest PUBLIC "${harness}/gtest/include" PRIVATE "${harness}")
  target_link_libraries(archgrid_gtest
    PUBLIC GTest::gtest ${cudart}
    PRIVATE archgrid::gtest_core)
  target_compile_features(archgrid_gtest PUBLIC cxx_std_17)
  add_library(archgrid::gtest ALIAS archgrid_gtest)

  add_library(archgrid_perf STATIC EXCLUDE_FROM_ALL "${harness}/perf/src/timing.cpp")
  target_link_libraries(archgrid_perf PUBLIC archgrid_gtest archgrid::perf_core)
  add_library(archgrid::perf ALIAS archgrid_perf)
endfunction()
