# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# CUDA 13.x from PyPI: the parts of a toolkit as NVIDIA publishes them, installed into one folder.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run_step.cmake")

# Sets OUT to a Python that has pip, and OUT_REASON where there is none.
function(_archgrid_python_with_pip out)
  set(${out}_REASON "" PARENT_SCOPE)
  _archgrid_program(python3 python)
  set(${out} "${python}" PARENT_SCOPE)
  if(python)
    execute_process(COMMAND "${python}" -m pip --version OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0)
      return()
    endif()
  endif()
  set(${out}_REASON "no pip on this machine\n  Fix: apt-get install python3-pip" PARENT_SCOPE)
endfunction()

# The links that CMake and the linker need: without libcudart.so FindCUDAToolkit takes another toolkit's.
function(_archgrid_link_pypi_tree tree out)
  set(${out} "" PARENT_SCOPE)
  file(GLOB runtime RELATIVE "${tree}/lib" "${tree}/lib/libcudart.so.*")
  list(LENGTH runtime count)
  if(NOT count EQUAL 1)
    set(${out} "${tree}/lib: expected one libcudart.so.<N>, found \"${runtime}\"" PARENT_SCOPE)
    return()
  endif()
  file(CREATE_LINK "${runtime}" "${tree}/lib/libcudart.so" SYMBOLIC)
  file(CREATE_LINK lib "${tree}/lib64" SYMBOLIC)
endfunction()

# Puts PACKAGES, the parts of CUDA VERSION, from PyPI into the folder TREE, with WORK as scratch on the same disk. Sets
# OUT to what went wrong, empty where nothing did.
function(_archgrid_fetch_pypi version packages work tree out)
  _archgrid_python_with_pip(python)
  if(python_REASON)
    set(${out} "${python_REASON}" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "archgrid: CUDA ${version}: fetching from PyPI, about 130 MB")
  # Neither a user's pip settings for his own packages nor his Python path belong into the tree.
  _archgrid_run_step("pip install ${packages}" reason
    COMMAND "${CMAKE_COMMAND}" -E env --unset=PIP_USER --unset=PIP_TARGET --unset=PIP_PREFIX --unset=PYTHONPATH
      PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 "TMPDIR=${work}"
      "${python}" -m pip install --quiet --no-cache-dir --only-binary :all: --target "${work}/wheels" ${packages})
  if(reason STREQUAL "")
    file(GLOB found LIST_DIRECTORIES TRUE "${work}/wheels/nvidia/cu[0-9]*")
    list(LENGTH found count)
    if(count EQUAL 1)
      file(RENAME "${found}" "${tree}")
      _archgrid_link_pypi_tree("${tree}" reason)
    else()
      set(reason "pip installed ${packages}, but there is no nvidia/cu<N> folder: found \"${found}\"")
    endif()
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()
