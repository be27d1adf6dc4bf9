# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Fetches CUDA 13.x from PyPI: installs the parts of a toolkit, as NVIDIA publishes them, into one
# folder.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/begin_fetch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run_step.cmake")

# Sets OUT to a Python that has pip, or OUT_REASON to why there is none. Python searches PYTHONPATH
# and the current folder for modules before its own folders, so pip always runs in / and without
# PYTHONPATH.
function(_archgrid_python_with_pip out)
  set(${out}_REASON "" PARENT_SCOPE)
  _archgrid_program(python3 python)
  set(${out} "${python}" PARENT_SCOPE)
  if(python)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env --unset=PYTHONPATH --unset=PYTHONHOME "${python}" -m pip --version
      WORKING_DIRECTORY / OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0)
      return()
    endif()
  endif()
  set(${out}_REASON "no pip on this machine\n  Fix: apt-get install python3-pip" PARENT_SCOPE)
endfunction()

# Adds the links that CMake and the linker need: without libcudart.so FindCUDAToolkit finds another
# toolkit's.
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

# Sets OUT to the lock file of CUDA VERSION, which lock_pypi.cmake writes.
function(_archgrid_pypi_lock version out)
  set(${out} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../data/locks/cuda-${version}.txt")
  cmake_path(NORMAL_PATH ${out})
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

# Installs the packages of the lock file LOCK, and nothing else, into the folder TARGET, with WORK
# as scratch folder on the same disk. Sets OUT to the error, else to nothing. pip's own settings of
# an index or mirror apply (PIP_INDEX_URL, pip.conf): the hashes make the origin of the bytes
# irrelevant. lock_pypi.cmake writes lock files.
function(_archgrid_pip_install_locked lock target work out)
  _archgrid_python_with_pip(python)
  if(python_REASON)
    set(${out} "${python_REASON}" PARENT_SCOPE)
    return()
  endif()
  cmake_path(GET lock FILENAME name)
  # Keeps pip settings that concern the user's own packages away from the tree.
  set(unset "")
  foreach(variable IN ITEMS USER TARGET PREFIX ROOT REQUIREMENT CONSTRAINT EDITABLE PRE NO_BINARY DRY_RUN)
    list(APPEND unset "--unset=PIP_${variable}")
  endforeach()
  file(MAKE_DIRECTORY "${work}")
  _archgrid_run_step("pip install of ${name}" reason
    COMMAND "${CMAKE_COMMAND}" -E env ${unset} --unset=PYTHONPATH --unset=PYTHONHOME
      PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 "TMPDIR=${work}"
      "${python}" -m pip install --quiet --no-cache-dir --only-binary :all: --no-deps --require-hashes
      --target "${target}" --requirement "${lock}"
    WORKING_DIRECTORY /)
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Installs the packages of the lock file LOCK, including PROGRAM, as FOLDER,
# <name>-<version>-<hash>, which appears by one rename; does nothing if FOLDER already has PROGRAM.
# Removes leftovers of killed fetches of <name> beside it. Sets OUT to the error, else to nothing.
function(_archgrid_fetch_pip_tree lock folder program out)
  set(${out} "" PARENT_SCOPE)
  cmake_path(GET folder PARENT_PATH cache)
  cmake_path(GET folder FILENAME name)
  string(REGEX REPLACE "-.*" "" what "${name}")
  _archgrid_begin_fetch("${cache}" "${what}" reason)
  if(reason)
    set(${out} "${reason}" PARENT_SCOPE)
    return()
  elseif(EXISTS "${folder}/${program}") # the previous holder of the lock fetched it
    return()
  endif()
  set(work "${cache}/.partial-${name}")
  _archgrid_pip_install_locked("${lock}" "${work}/tree" "${work}" reason)
  if(reason STREQUAL "" AND NOT EXISTS "${work}/tree/${program}")
    set(reason "what pip installed has no ${program}")
  endif()
  if(reason STREQUAL "")
    file(RENAME "${work}/tree" "${folder}" RESULT result)
    if(NOT result STREQUAL "0")
      set(reason "${folder} cannot be written: ${result}")
    endif()
  endif()
  file(REMOVE_RECURSE "${work}")
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Puts the parts of CUDA VERSION from PyPI into the folder TREE, with WORK as scratch folder on the
# same disk. Sets OUT to the error, else to nothing.
function(_archgrid_fetch_pypi version work tree out)
  _archgrid_pypi_lock("${version}" lock)
  message(STATUS "archgrid: CUDA ${version}: fetching from PyPI, about 130 MB")
  _archgrid_pip_install_locked("${lock}" "${work}/wheels" "${work}" reason)
  if(reason STREQUAL "")
    file(GLOB found LIST_DIRECTORIES TRUE "${work}/wheels/nvidia/cu[0-9]*")
    list(LENGTH found count)
    if(count EQUAL 1)
      file(RENAME "${found}" "${tree}")
      _archgrid_link_pypi_tree("${tree}" reason)
    else()
      set(reason "pip installed ${lock}, but there is no nvidia/cu<N> folder: found \"${found}\"")
    endif()
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Sets OUT to the lock file of all libraries of CUDA VERSION, which lock_pypi.cmake writes.
function(_archgrid_pypi_libraries_lock version out)
  _archgrid_pypi_lock("${version}" lock)
  string(REGEX REPLACE "\\.txt$" "-libraries.txt" lock "${lock}")
  set(${out} "${lock}" PARENT_SCOPE)
endfunction()

# Writes to FILE the entries of the lock file LOCK for PACKAGES. Sets OUT to a missing entry, else
# to nothing.
function(_archgrid_select_locked lock packages file out)
  set(${out} "" PARENT_SCOPE)
  file(READ "${lock}" text)
  set(selected "")
  foreach(package IN LISTS packages)
    if(NOT text MATCHES "\n(${package}==[^\n]*(\n    --hash=[^\n]*)+\n)")
      set(${out} "${lock} has no ${package}" PARENT_SCOPE)
      return()
    endif()
    string(APPEND selected "${CMAKE_MATCH_1}")
  endforeach()
  file(WRITE "${file}" "${selected}")
endfunction()

# Puts LIBRARIES of CUDA VERSION, and the libraries they need, from PyPI into the folder TREE, with
# WORK as scratch folder on the same disk. Sets OUT to the error, else to nothing.
function(_archgrid_fetch_pypi_libraries version libraries work tree out)
  set(packages "")
  foreach(library IN LISTS libraries)
    _archgrid_data_library(row "${library}")
    list(APPEND packages ${row_PYPI})
  endforeach()
  list(REMOVE_DUPLICATES packages)
  _archgrid_pypi_libraries_lock("${version}" lock)
  cmake_path(GET lock FILENAME name)
  _archgrid_select_locked("${lock}" "${packages}" "${work}/${name}" reason)
  if(reason STREQUAL "")
    _archgrid_pip_install_locked("${work}/${name}" "${work}/wheels" "${work}" reason)
  endif()
  if(reason STREQUAL "")
    file(GLOB found LIST_DIRECTORIES TRUE "${work}/wheels/nvidia/cu[0-9]*")
    list(LENGTH found count)
    if(count EQUAL 1)
      file(RENAME "${found}" "${tree}")
    else()
      set(reason "pip installed ${packages}, but there is no nvidia/cu<N> folder: found \"${found}\"")
    endif()
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()
