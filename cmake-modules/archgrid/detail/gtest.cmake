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
  add_library(archgrid_gtest STATIC EXCLUDE_FROM_ALL
    "${harness}/gtest/src/all.cpp" "${harness}/gtest/src/main.cpp")
  target_include_directories(archgrid_gtest PUBLIC "${harness}/gtest/include" PRIVATE "${harness}")
  target_link_libraries(archgrid_gtest
    PUBLIC GTest::gtest ${cudart}
    PRIVATE archgrid::gtest_core ${CMAKE_DL_LIBS})
  _archgrid_wrap_calls(archgrid_gtest)
  target_compile_features(archgrid_gtest PUBLIC cxx_std_17)
  add_library(archgrid::gtest ALIAS archgrid_gtest)

  add_library(archgrid_perf STATIC EXCLUDE_FROM_ALL "${harness}/perf/src/timing.cpp")
  target_link_libraries(archgrid_perf PUBLIC archgrid_gtest archgrid::perf_core
    PRIVATE archgrid::device archgrid::gtest_core)
  add_library(archgrid::perf ALIAS archgrid_perf)
endfunction()

# Makes the linker of programs give archgrid::gtest their calls of what it watches: GoogleTest's run, the
# registration of kernels, and launches, with one default stream and with one for each thread.
function(_archgrid_wrap_calls target)
  set(functions _ZN7testing8UnitTest3RunEv __cudaRegisterFunction)
  foreach(launch IN ITEMS cudaLaunchKernel __cudaLaunchKernel cudaLaunchKernelExC cudaLaunchCooperativeKernel
      cudaGraphLaunch cuLaunchKernel cuLaunchKernelEx cuLaunchCooperativeKernel cuGraphLaunch)
    list(APPEND functions ${launch} ${launch}_ptsz)
  endforeach()
  list(TRANSFORM functions PREPEND "LINKER:--wrap=")
  target_link_options(${target} INTERFACE ${functions})
endfunction()
