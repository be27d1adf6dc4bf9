# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake [-DTOOLKIT=<X.Y>] -P lock_pypi.cmake
# cmake -DLIBRARIES_OF=<X.Y>[;<X.Y>...] -P lock_pypi.cmake
# cmake -DLOCK=<file> -DPACKAGES=<requirement>[;<requirement>...] -P lock_pypi.cmake
#
# Queries the index of PyPI (the one that pip is configured for) and writes lock files: the packages
# to which pip resolves the requirements today, each at one version with the SHA-256 of its wheels
# for x86-64 and Arm. The first form writes data/locks/cuda-<X.Y>.txt of a toolkit and
# cuda-<X.Y>-libraries.txt of its libraries, or those of all toolkits that data/toolkits.json
# fetches from PyPI. The second form writes only the lock files of libraries. Only maintainers of
# archgrid run it: fetch_pypi.cmake installs exactly the packages of a lock file. Review the diff
# before you commit it: a changed hash at an unchanged version means that somebody replaced a
# published file.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/fetch_pypi.cmake")

# Sets OUT to the packages to which pip resolves REQUIREMENTS on PROCESSOR: a list of
# NAME==VERSION=SHA256.
function(_archgrid_resolve python requirements processor work out)
  set(platforms "")
  foreach(tag IN ITEMS manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014)
    list(APPEND platforms --platform "${tag}_${processor}")
  endforeach()
  set(report "${work}/report-${processor}.json")
  _archgrid_run_step("pip install --dry-run ${requirements} on ${processor}" reason
    COMMAND "${python}" -m pip install --quiet --dry-run --ignore-installed --report "${report}" --only-binary :all:
      ${platforms} --target "${work}/none" ${requirements} WORKING_DIRECTORY "${work}")
  if(reason)
    message(FATAL_ERROR "archgrid: ${reason}")
  endif()
  file(READ "${report}" json)
  string(JSON count LENGTH "${json}" install)
  math(EXPR last "${count} - 1")
  set(resolved "")
  foreach(index RANGE ${last})
    string(JSON name GET "${json}" install ${index} metadata name)
    string(JSON version GET "${json}" install ${index} metadata version)
    string(JSON hash GET "${json}" install ${index} download_info archive_info hash)
    if(NOT hash MATCHES "^sha256=([0-9a-f]+)$")
      message(FATAL_ERROR "archgrid: the index gives no SHA-256 of ${name} ${version}: \"${hash}\"")
    endif()
    string(TOLOWER "${name}" name)
    list(APPEND resolved "${name}==${version}=${CMAKE_MATCH_1}")
  endforeach()
  set(${out} "${resolved}" PARENT_SCOPE)
endfunction()

# Writes the lock file LOCK of REQUIREMENTS. Its comment begins with TITLE.
function(_archgrid_write_lock lock title requirements)
  _archgrid_python_with_pip(python)
  if(python_REASON)
    message(FATAL_ERROR "archgrid: ${python_REASON}")
  endif()
  string(RANDOM LENGTH 8 name)
  set(work "${CMAKE_CURRENT_BINARY_DIR}/.lock-${name}")
  file(MAKE_DIRECTORY "${work}")
  set(all "")
  foreach(processor IN ITEMS x86_64 aarch64)
    _archgrid_resolve("${python}" "${requirements}" ${processor} "${work}" resolved)
    list(APPEND all ${resolved})
  endforeach()
  file(REMOVE_RECURSE "${work}")
  list(REMOVE_DUPLICATES all) # a wheel for every processor has one hash
  list(SORT all)
  set(content "# SPDX-FileCopyrightText: 2026 the archgrid authors\n# SPDX-License-Identifier: Apache-2.0\n
# ${title}, for pip's --require-hashes. Written by
# cmake-modules/archgrid/detail/lock_pypi.cmake.\n")
  set(before "")
  foreach(line IN LISTS all)
    string(REGEX MATCH "^(.+)=([0-9a-f]+)$" line "${line}")
    if(CMAKE_MATCH_1 STREQUAL before)
      string(APPEND content " \\\n    --hash=sha256:${CMAKE_MATCH_2}")
    else()
      string(APPEND content "\n${CMAKE_MATCH_1} \\\n    --hash=sha256:${CMAKE_MATCH_2}")
    endif()
    set(before "${CMAKE_MATCH_1}")
  endforeach()
  file(WRITE "${lock}" "${content}\n")
  message(STATUS "archgrid: wrote ${lock}")
endfunction()

# Writes the lock file of all libraries of CUDA VERSION. Uses uv, which reads the index's metadata;
# pip would download gigabytes of packages. The package cuda-toolkit pins the parts of a release to
# each other, except nvJitLink.
function(_archgrid_write_libraries_lock version)
  _archgrid_program(uv uv)
  if(NOT uv)
    message(FATAL_ERROR "archgrid: the lock files of libraries are written with uv\n  Fix: pip install uv")
  endif()
  string(RANDOM LENGTH 8 name)
  set(work "${CMAKE_CURRENT_BINARY_DIR}/.lock-${name}")
  _archgrid_data_libraries(extras)
  list(JOIN extras "," extras)
  file(WRITE "${work}/requirements.txt"
    "cuda-toolkit[${extras},culibos]==${version}.*\nnvidia-nvjitlink==${version}.*\n")
  foreach(processor IN ITEMS x86_64 aarch64)
    _archgrid_run_step("uv pip compile for ${processor}" reason
      COMMAND "${uv}" pip compile --quiet --no-config --generate-hashes --no-annotate --no-header --only-binary :all:
        --python-platform "${processor}-manylinux_2_28" --output-file "${work}/${processor}.txt"
        "${work}/requirements.txt")
    if(reason)
      message(FATAL_ERROR "archgrid: ${reason}")
    endif()
    file(READ "${work}/${processor}.txt" text_${processor})
  endforeach()
  file(REMOVE_RECURSE "${work}")
  if(NOT text_x86_64 STREQUAL text_aarch64)
    message(FATAL_ERROR "archgrid: the libraries of CUDA ${version} are of other versions on aarch64 than on x86_64")
  endif()
  _archgrid_pypi_libraries_lock("${version}" lock)
  file(WRITE "${lock}" "# SPDX-FileCopyrightText: 2026 the archgrid authors\n# SPDX-License-Identifier: Apache-2.0\n
# Libraries of CUDA ${version} from PyPI, for pip's --require-hashes. Written by
# cmake-modules/archgrid/detail/lock_pypi.cmake.
\n${text_x86_64}")
  message(STATUS "archgrid: wrote ${lock}")
endfunction()

if(DEFINED LOCK)
  _archgrid_write_lock("${LOCK}" "${PACKAGES}" "${PACKAGES}")
  return()
endif()
if(DEFINED LIBRARIES_OF)
  foreach(version IN LISTS LIBRARIES_OF)
    _archgrid_write_libraries_lock("${version}")
  endforeach()
  return()
endif()
if(NOT DEFINED TOOLKIT)
  _archgrid_data_toolkits(TOOLKIT)
endif()
foreach(version IN LISTS TOOLKIT)
  _archgrid_data_toolkit(row "${version}")
  if(row_FETCH_FROM STREQUAL "pypi")
    _archgrid_pypi_lock("${version}" lock)
    _archgrid_write_lock("${lock}" "CUDA ${version} from PyPI" "${row_FETCH_PACKAGES}")
    _archgrid_write_libraries_lock("${version}")
  endif()
endforeach()
