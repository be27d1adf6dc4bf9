# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that sccache compiles each (unit, toolkit, arch) once for all cells, with the same images
# as nvcc, for every toolkit on the machine, and that it notices the edits that deceive caches of
# nvcc.
include("${E2E}/support/sccache.cmake")
set(sources "${WORK}/dated")
file(COPY "${E2E}/cached/" DESTINATION "${sources}")
file(GLOB_RECURSE files "${sources}/*")
# CUDA 11.8 writes the time into -lineinfo.
execute_process(COMMAND touch -d @1000000000 ${files} COMMAND_ERROR_IS_FATAL ANY)

# Sets OUT to a list of "<object> <its source> <hash of its images>" of the cells of TREE. Findings
# name this source. Omits images with a random name.
function(images out)
  file(GLOB_RECURSE objects RELATIVE "${TREE}/cells" "${TREE}/cells/*.cu.o")
  list(FILTER objects EXCLUDE REGEX "/without_names\\.cu\\.o$")
  set(found "")
  foreach(object IN LISTS objects)
    execute_process(COMMAND objcopy -O binary --only-section=.nv_fatbin --only-section=__nv_relfatbin
      "${TREE}/cells/${object}" "${WORK}/images" COMMAND_ERROR_IS_FATAL ANY)
    file(SHA256 "${WORK}/images" hash)
    execute_process(COMMAND "${COMMAND}" list --json "${TREE}/cells/${object}" OUTPUT_VARIABLE json
      COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "\"unit\":\"[^\"]+" units "${json}")
    list(REMOVE_DUPLICATES units)
    list(APPEND found "${object} ${units} ${hash}")
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

include("${ROOT}/cmake-modules/ArchGrid.cmake")
_archgrid_data_toolkits(versions)
set(tried "")
set(toolkits "")
foreach(cuda IN LISTS versions)
  archgrid_find_toolkit(${cuda} RESULT toolkit)
  if(toolkit_FOUND)
    list(APPEND tried ${cuda})
    string(APPEND toolkits ", {\"cuda\": \"${cuda}\", \"archs\": [\"75\", \"90\"]}")
  endif()
endforeach()
message(STATUS "toolkits: ${tried}")
if(NOT "13.5" IN_LIST tried)
  message(FATAL_ERROR "CUDA 13.5 was not found")
endif()
string(REGEX REPLACE "^, " "" toolkits "${toolkits}")
list(LENGTH tried count)
set(matrix [[{"name": "e2e", "toolkits": [TOOLKITS], "cells": ["single", "fat"],
  "promises": [{"devices": ["7.5", "9.0"], "accept": ["native", "compatible"]}]}]])
string(REPLACE "TOOLKITS" "${toolkits}" matrix "${matrix}")

# nvcc alone compiles all fat cells, and the single ones of one toolkit: if sccache is correct, a
# fat cell has the images of the single cells. ccache stores nvcc's objects between runs, separately
# for each folder, which -lineinfo records. It would return one object for both objects of a
# relocatable source.
set(base "$ENV{CCACHE_BASEDIR}")
set(no_hash_dir "$ENV{CCACHE_NOHASHDIR}")
unset(ENV{CCACHE_BASEDIR})
unset(ENV{CCACHE_NOHASHDIR})
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS CACHED_TWICE=OFF ARGUMENTS -DARCHGRID_SCCACHE=OFF)
foreach(cells IN ITEMS fat cu135)
  e2e_build(${cells})
  e2e_expect(pass MATCH "cells: [0-9]+ built\n" WITHOUT "not built|failed|impossible")
endforeach()
images(of_nvcc)
file(REMOVE_RECURSE "${TREE}") # the path of a tree is part of code of its sources

if(NOT base STREQUAL "")
  set(ENV{CCACHE_BASEDIR} "${base}")
endif()
if(NOT no_hash_dir STREQUAL "")
  set(ENV{CCACHE_NOHASHDIR} "${no_hash_dir}")
endif()

# With sccache and empty caches, builds those and, before the fat cell, a single cell of each
# toolkit.
start_sccache()
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}")
e2e_expect(pass WITHOUT "sccache is not used")
zero_sccache()
foreach(cells IN ITEMS sm90 cu135)
  e2e_build(${cells})
  e2e_expect(pass MATCH "cells: [0-9]+ built\n" WITHOUT "not built|failed|impossible")
endforeach()
images(of_sccache)
set(found ${of_sccache})
list(FILTER found INCLUDE REGEX "^(cu[0-9]+-fat|cu135-[a-z0-9]+)/")
list(LENGTH of_sccache total)
math(EXPR expected "3 * (2 * ${count} + 1) + 3")
if(NOT of_nvcc STREQUAL found OR NOT total EQUAL expected)
  list(JOIN of_nvcc "\n  " of_nvcc)
  list(JOIN of_sccache "\n  " of_sccache)
  message(FATAL_ERROR "images of nvcc alone:\n  ${of_nvcc}\nby sccache:\n  ${of_sccache}")
endif()
# Each toolkit compiles two units for two archs once, and the unit with the list of archs again in
# the fat cell. One toolkit has another single cell, a source of each cell's tree, and a source in
# two objects.
math(EXPR expected "7 * ${count} + 1 + 4 + 4")
expect_compiled(PTX ${expected})

# Another tree compiles no device code except that of its own source.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
zero_sccache()
e2e_tree(again MATRIX "${matrix}" SOURCE "${sources}")
set(ENV{CCACHE_DISABLE} 1)
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
expect_compiled(PTX 2)
unset(ENV{CCACHE_DISABLE})

# edit(<file> <from> <to>): plants an edit in a source.
function(edit file from to)
  file(READ "${sources}/${file}" text)
  string(REPLACE "${from}" "${to}" edited "${text}")
  if(edited STREQUAL text)
    message(FATAL_ERROR "${file} has no \"${from}\"")
  endif()
  file(WRITE "${sources}/${file}" "${edited}")
endfunction()

# Sets OUT to the hash of the object of the unit FILE, and OUT_IMAGES to that of its images.
function(hash_object file out)
  file(GLOB_RECURSE object "${TREE}/cells/cu135-fat/CMakeFiles/${file}.o")
  file(SHA256 "${object}" hash)
  set(${out} "${hash}" PARENT_SCOPE)
  execute_process(COMMAND objcopy -O binary --only-section=.nv_fatbin --only-section=__nv_relfatbin
    "${object}" "${WORK}/images"
    COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 "${WORK}/images" hash)
  set(${out}_IMAGES "${hash}" PARENT_SCOPE)
endfunction()
set(units branches.cu arch_list.cu relocatable.cu)
foreach(unit IN LISTS units)
  hash_object(${unit} ${unit})
endforeach()

# expect_edits(<compiled> <unit>=<host|images>...): checks that a build changes exactly the objects
# of these units, either their images or only their host code, and that it compiles PTX <compiled>
# times. Then restores the sources.
function(expect_edits compiled)
  zero_sccache()
  e2e_build(matrix)
  e2e_expect(pass MATCH "1 cell: 1 built")
  foreach(unit IN LISTS units)
    hash_object(${unit} now)
    set(changed none)
    if(NOT now_IMAGES STREQUAL ${unit}_IMAGES)
      set(changed images)
    elseif(NOT now STREQUAL ${unit})
      set(changed host)
    endif()
    set(expected none)
    if("${ARGN}" MATCHES "${unit}=([a-z]+)")
      set(expected "${CMAKE_MATCH_1}")
    endif()
    if(NOT changed STREQUAL expected)
      message(FATAL_ERROR "of ${unit} the edits change: ${changed}, and not: ${expected} (${ARGN})")
    endif()
  endforeach()
  expect_compiled(PTX ${compiled})
  foreach(file IN ITEMS CMakeLists.txt branches.cu branches.h "with space/relocatable.cu")
    file(READ "${sources}/${file}" edited)
    file(READ "${E2E}/cached/${file}" text)
    if(NOT edited STREQUAL text)
      file(WRITE "${sources}/${file}" "${text}") # newer than its object
    endif()
  endforeach()
endfunction()
edit(branches.cu "HOST_VALUE 1" "HOST_VALUE 11")
edit("with space/relocatable.cu" "++counter" "--counter")
expect_edits(2 branches.cu=host relocatable.cu=images)
edit(branches.cu "HIGH_VALUE 2" "HIGH_VALUE 12")
edit("with space/relocatable.cu" "\n\n__global__" "\n\n\n__global__") # a line number
expect_edits(3 branches.cu=images relocatable.cu=images)
edit(branches.h "HEADER_VALUE 3" "HEADER_VALUE 13")
# ccache does not store objects with a header from the time of the call or later, and the clock of a
# file system may be ahead of the processor's.
foreach(second RANGE 30)
  execute_process(COMMAND sleep 1)
  file(TIMESTAMP "${sources}/branches.h" written "%s" UTC)
  string(TIMESTAMP now "%s" UTC)
  if(now GREATER written)
    break()
  endif()
endforeach()
expect_edits(1 branches.cu=images)
edit(CMakeLists.txt "=\${CACHED_VALUE}" "=5")
edit(CMakeLists.txt "add_library(cached"
  "set_source_files_properties(arch_list.cu PROPERTIES COMPILE_OPTIONS -lineinfo)\nadd_library(cached")
expect_edits(3 branches.cu=images arch_list.cu=images)
expect_edits(0) # everything is restored, without a compilation
expect_compiled(CUBIN 0)
# Without calling sccache: ccache caches whole calls.
edit(branches.h "HEADER_VALUE 3" "HEADER_VALUE 13")
expect_edits(0 branches.cu=images)
execute_process(COMMAND "${SCCACHE}" --show-stats --stats-format=json OUTPUT_VARIABLE stats COMMAND_ERROR_IS_FATAL ANY)
string(JSON requests GET "${stats}" stats compile_requests)
if(NOT requests EQUAL 0)
  message(FATAL_ERROR "sccache was asked ${requests} times to compile what ccache knows")
endif()

# Replaces ptxas of a toolkit, but not nvcc.
archgrid_find_toolkit(13.5 RESULT base)
set(toolkits "${WORK}/toolkits")
file(MAKE_DIRECTORY "${toolkits}")
e2e_copy_toolkit("${base_ROOT}" "${toolkits}/cuda-13.5")
archgrid_find_sccache(sccache)
set(ENV{ARCHGRID_TOOLKITS} "${toolkits}")
file(WRITE "${WORK}/one/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(one LANGUAGES CUDA)
add_library(one STATIC one.cu)
")
file(WRITE "${WORK}/one/one.cu" "__global__ void kernel(float* out) { *out = out[1] * 2 + out[2]; }\n")
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(ptxas MATRIX "${matrix}" SOURCE "${WORK}/one" ARGUMENTS "-DARCHGRID_SCCACHE=${sccache}")
e2e_expect(pass WITHOUT "sccache is not used")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
images(before)
file(RENAME "${toolkits}/cuda-13.5/bin/ptxas" "${toolkits}/cuda-13.5/bin/ptxas.real")
file(WRITE "${toolkits}/cuda-13.5/bin/ptxas" "#!/bin/sh\nexec '${toolkits}/cuda-13.5/bin/ptxas.real' -O0 \"$@\"\n")
file(CHMOD "${toolkits}/cuda-13.5/bin/ptxas" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
e2e_run("${CMAKE_COMMAND}" "${TREE}")
e2e_expect(pass WITHOUT "sccache is not used")
e2e_build(matrix)
e2e_expect(pass MATCH "1 cell: 1 built")
images(after)
list(LENGTH before found)
if(before STREQUAL after OR NOT found EQUAL 1)
  message(FATAL_ERROR "a stale object after ptxas changed: ${before}")
endif()
