# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# Adds archgrid::gtest, archgrid::perf and archgrid::perf_arithmetic from the sources in HARNESS.
# They are compiled only if something links them, and against the CUDA headers of this project's
# toolkit: the runtime that is linked has to have the version of these headers.
function(_archgrid_add_gtest harness)
  if(TARGET archgrid::gtest)
    return()
  endif()
  set(cudart CUDA::cudart_static)
  if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared")
    set(cudart CUDA::cudart)
  endif()
  # The part of the CUDA runtime that both gtest and perf need.
  add_library(archgrid_cuda STATIC EXCLUDE_FROM_ALL "${harness}/cuda/src/all.cpp")
  target_include_directories(archgrid_cuda PUBLIC "${harness}/cuda/include" PRIVATE "${harness}")
  target_link_libraries(archgrid_cuda PUBLIC GTest::gtest ${cudart} PRIVATE ${CMAKE_DL_LIBS})
  add_library(archgrid_gtest STATIC EXCLUDE_FROM_ALL
    "${harness}/gtest/src/all.cpp" "${harness}/gtest/src/main.cpp")
  target_include_directories(archgrid_gtest PUBLIC "${harness}/gtest/include" PRIVATE "${harness}")
  target_link_libraries(archgrid_gtest PUBLIC archgrid_cuda PRIVATE archgrid::gtest_core ${CMAKE_DL_LIBS})
  _archgrid_wrap_cuda_calls(archgrid_cuda)
  # GoogleTest's run, unloading of libraries, and exits that bypass exit().
  _archgrid_wrap_calls(archgrid_gtest _ZN7testing8UnitTest3RunEv dlclose _exit _Exit quick_exit)
  foreach(target IN ITEMS archgrid_cuda archgrid_gtest)
    # With full optimisation it would take twice as long to compile; comparing an element takes 10
    # ns instead of 7.
    target_compile_options(${target} PRIVATE -Og)
    target_compile_features(${target} PUBLIC cxx_std_17)
  endforeach()
  add_library(archgrid::gtest ALIAS archgrid_gtest)

  add_library(archgrid_perf STATIC EXCLUDE_FROM_ALL "${harness}/perf/src/all.cpp")
  target_include_directories(archgrid_perf PRIVATE "${harness}")
  target_link_libraries(archgrid_perf PUBLIC archgrid_gtest archgrid::perf_core
    PRIVATE archgrid::coverage archgrid::device)
  add_library(archgrid::perf ALIAS archgrid_perf)

  # The only device code that archgrid adds to a program.
  if(CMAKE_CUDA_COMPILER)
    add_library(archgrid_perf_arithmetic STATIC EXCLUDE_FROM_ALL
      "${harness}/perf/src/arithmetic.cpp" "${harness}/perf/src/multiply_adds.cu")
    target_include_directories(archgrid_perf_arithmetic PRIVATE "${harness}")
    target_link_libraries(archgrid_perf_arithmetic PUBLIC archgrid_perf)
    add_library(archgrid::perf_arithmetic ALIAS archgrid_perf_arithmetic)
    cmake_language(DEFER CALL _archgrid_set_late_architectures archgrid_perf_arithmetic)
  endif()
endfunction()

# Sets the architectures late: a project may set CMAKE_CUDA_ARCHITECTURES after
# find_package(ArchGrid).
function(_archgrid_set_late_architectures target)
  if(DEFINED CMAKE_CUDA_ARCHITECTURES)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
  endif()
endfunction()

# Lets the linker of programs redirect the calls that archgrid::cuda watches: the registration and
# handles of kernels, launches (with one default stream or one per thread), and queries of launch
# errors.
function(_archgrid_wrap_cuda_calls target)
  set(functions __cudaRegisterFunction __cudaGetKernel cudaGetKernel cudaGetLastError
    cudaLaunchCooperativeKernelMultiDevice cuLaunchCooperativeKernelMultiDevice)
  foreach(launch IN ITEMS cudaLaunchKernel __cudaLaunchKernel cudaLaunchKernelExC cudaLaunchCooperativeKernel
      cudaGraphLaunch cuLaunchKernel cuLaunchKernelEx cuLaunchCooperativeKernel cuGraphLaunch)
    list(APPEND functions ${launch} ${launch}_ptsz)
  endforeach()
  _archgrid_wrap_calls(${target} ${functions})
endfunction()

# Lets the linker of programs that link TARGET redirect calls of the functions.
function(_archgrid_wrap_calls target)
  set(functions ${ARGN})
  list(TRANSFORM functions PREPEND "LINKER:--wrap=")
  target_link_options(${target} INTERFACE ${functions})
endfunction()
