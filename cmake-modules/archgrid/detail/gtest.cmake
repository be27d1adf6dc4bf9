# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# Adds archgrid::gtest, archgrid::perf and archgrid::perf_arithmetic from the sources in HARNESS, as targets
# that are compiled only where something links them. All are compiled against the CUDA headers of this project's toolkit: the
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
  # Optimised, it takes twice as long to compile; comparing an element takes 10 ns instead of 7.
  target_compile_options(archgrid_gtest PRIVATE -Og)
  target_compile_features(archgrid_gtest PUBLIC cxx_std_17)
  add_library(archgrid::gtest ALIAS archgrid_gtest)

  add_library(archgrid_perf STATIC EXCLUDE_FROM_ALL "${harness}/perf/src/all.cpp")
  target_include_directories(archgrid_perf PRIVATE "${harness}")
  target_link_libraries(archgrid_perf PUBLIC archgrid_gtest archgrid::perf_core
    PRIVATE archgrid::device archgrid::gtest_core)
  add_library(archgrid::perf ALIAS archgrid_perf)

  # The only device code that archgrid adds to a program.
  if(CMAKE_CUDA_COMPILER)
    add_library(archgrid_perf_arithmetic STATIC EXCLUDE_FROM_ALL
      "${harness}/perf/src/arithmetic.cpp" "${harness}/perf/src/multiply_adds.cu")
    target_include_directories(archgrid_perf_arithmetic PRIVATE "${harness}")
    target_link_libraries(archgrid_perf_arithmetic PUBLIC archgrid_perf PRIVATE archgrid::gtest_core)
    add_library(archgrid::perf_arithmetic ALIAS archgrid_perf_arithmetic)
    cmake_language(DEFER CALL _archgrid_set_late_architectures archgrid_perf_arithmetic)
  endif()
endfunction()

# A project may say what it compiles for after it has found ArchGrid.
function(_archgrid_set_late_architectures target)
  if(DEFINED CMAKE_CUDA_ARCHITECTURES)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
  endif()
endfunction()

# Makes the linker of programs give archgrid::gtest their calls of what it watches: GoogleTest's run, the
# registration of kernels, launches, with one default stream and with one for each thread, the asking for their errors, 
# the unloading of libraries, and ends that pass by what exit() does.
function(_archgrid_wrap_calls target)
  set(functions _ZN7testing8UnitTest3RunEv __cudaRegisterFunction cudaGetLastError dlclose _exit _Exit quick_exit
    cudaLaunchCooperativeKernelMultiDevice cuLaunchCooperativeKernelMultiDevice)
  foreach(launch IN ITEMS cudaLaunchKernel __cudaLaunchKernel cudaLaunchKernelExC cudaLaunchCooperativeKernel
      cudaGraphLaunch cuLaunchKernel cuLaunchKernelEx cuLaunchCooperativeKernel cuGraphLaunch)
    list(APPEND functions ${launch} ${launch}_ptsz)
  endforeach()
  list(TRANSFORM functions PREPEND "LINKER:--wrap=")
  target_link_options(${target} INTERFACE ${functions})
endfunction()
