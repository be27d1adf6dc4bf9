# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks edits that deceive ccache. For nvcc, its default mode misses one that only the host pass
# sees, and one that only a higher arch of a fat unit sees; for C++, its depend mode misses one of a
# file that the assembler reads. Each must change the rebuilt object, while an unchanged unit must
# hit.
find_program(CCACHE ccache REQUIRED)
set(ENV{CCACHE_DIR} "${WORK}/ccache")
# Modes that users may ask for.
set(ENV{CCACHE_NODEPEND} 1)
file(WRITE "${WORK}/ccache.conf" "run_second_cpp = false\ndepend_mode = true\n")
set(ENV{CCACHE_CONFIGPATH} "${WORK}/ccache.conf")
set(sources "${WORK}/sources")
file(COPY "${E2E}/tiny/" DESTINATION "${sources}")
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}"
  ARGUMENTS "-DARCHGRID_COMPILER_CACHE=${CCACHE}" -DARCHGRID_SCCACHE=OFF)

# Compiles first.cu with these two values and sets OUT to the object's hash.
function(object_with value_of_host value_of_sm90 out)
  file(WRITE "${sources}/first.cu" "__global__ void first_kernel(float* out) {
#if __CUDA_ARCH__ >= 900
  *out = ${value_of_sm90};
#else
  *out = 1;
#endif
}
#ifndef __CUDA_ARCH__
int only_the_host_sees() { return ${value_of_host}; }
#endif
void launch_first(float* out) { first_kernel<<<1, 1>>>(out); }
")
  e2e_build(matrix)
  e2e_expect(pass MATCH "1 cell: 1 built")
  file(GLOB_RECURSE object "${TREE}/cells/cu135-fat/*first.cu.o")
  file(SHA256 "${object}" hash)
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

object_with(20 10 original)
object_with(21 10 host_edit)
if(host_edit STREQUAL original)
  message(FATAL_ERROR "a stale object: an edit inside #ifndef __CUDA_ARCH__ did not reach it")
endif()
object_with(21 11 device_edit)
if(device_edit STREQUAL host_edit)
  message(FATAL_ERROR "a stale object: an edit inside #if __CUDA_ARCH__ >= 900 did not reach it")
endif()

# The cache works: another tree of the same sources compiles nothing.
e2e_run("${CCACHE}" --zero-stats)
e2e_tree(again MATRIX "${matrix}" SOURCE "${sources}"
  ARGUMENTS "-DARCHGRID_COMPILER_CACHE=${CCACHE}" -DARCHGRID_SCCACHE=OFF)
e2e_build(matrix)
e2e_run("${CCACHE}" --print-stats)
e2e_expect(pass MATCH "cache_miss\t0\n")
if(NOT output MATCHES "direct_cache_hit\t[1-9]")
  message(FATAL_ERROR "no hit in a second tree:\n${output}")
endif()

# A unit of C++ that embeds a file is compiled anew when that changes.
unset(ENV{CCACHE_NODEPEND})
set(ENV{CCACHE_DEPEND} 1)
file(APPEND "${sources}/CMakeLists.txt" "
add_library(embedding STATIC embedding.cpp)
set_source_files_properties(embedding.cpp PROPERTIES OBJECT_DEPENDS \"\${CMAKE_CURRENT_SOURCE_DIR}/embedded.txt\")
set_source_files_properties(embedding.cpp PROPERTIES COMPILE_OPTIONS \"-Wa,-I\${CMAKE_CURRENT_SOURCE_DIR}\")
")
file(WRITE "${sources}/embedding.cpp" "asm(\".section .rodata\\n.incbin \\\"embedded.txt\\\"\");\n")
foreach(text IN ITEMS one two)
  file(WRITE "${sources}/embedded.txt" "text ${text}")
  e2e_build(matrix)
  e2e_expect(pass MATCH "1 cell: 1 built")
  file(GLOB_RECURSE object "${TREE}/cells/cu135-fat/*embedding.cpp.o")
  file(STRINGS "${object}" found REGEX "text ${text}")
  if(NOT found)
    message(FATAL_ERROR "a stale object: embedded.txt has changed to \"text ${text}\"")
  endif()
endforeach()
