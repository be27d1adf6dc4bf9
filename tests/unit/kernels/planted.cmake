# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Plants defects in the kernels' own sources. The checks must report each defect by its name.

# planted_copy(<result> <name> <file of kernels/> <text> <replacement>): sets <result> to the folder
# of a copy of the kernels with <text> replaced in that file. Fails unless <text> occurs exactly
# once.
function(planted_copy result name file text replacement)
  file(GLOB_RECURSE sources RELATIVE "${kernels}"
    CONFIGURE_DEPENDS "${kernels}/*.h" "${kernels}/*.inc" "${kernels}/*.cu*" "${kernels}/*.cpp")
  foreach(source IN LISTS sources)
    file(READ "${kernels}/${source}" content)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${kernels}/${source}")
    if(source STREQUAL file)
      string(FIND "${content}" "${text}" first)
      string(FIND "${content}" "${text}" last REVERSE)
      if(first LESS 0 OR NOT first EQUAL last)
        message(FATAL_ERROR "plant(${name}): '${text}' is not once in kernels/${file}")
      endif()
      string(REPLACE "${text}" "${replacement}" content "${content}")
    endif()
    file(CONFIGURE OUTPUT "planted/${name}/${source}" CONTENT "${content}" @ONLY NEWLINE_STYLE UNIX)
  endforeach()
  set(${result} "${CMAKE_CURRENT_BINARY_DIR}/planted/${name}" PARENT_SCOPE)
endfunction()

# planted_program(<name> <test> <checked> <folder> <source>): builds <name>_test from the objects of
# <test> and <checked>, with <source>.cu from that folder. Everything else is compiled once.
function(planted_program name test checked folder source)
  archgrid_add_emulated_kernels(${name} CHECKS SOURCES "${folder}/${source}.cu")
  target_include_directories(${name} PRIVATE "${folder}")
  target_compile_options(${name} PRIVATE -O1 -w)
  cmake_path(GET source FILENAME unit)
  add_executable(${name}_test)
  target_sources(${name}_test PRIVATE $<TARGET_OBJECTS:${test}>
    $<FILTER:$<TARGET_OBJECTS:${checked}>,EXCLUDE,/${unit}\\.cu\\.>)
  target_link_libraries(${name}_test PRIVATE ${name} GTest::gmock GTest::gtest GTest::gtest_main)
endfunction()

add_library(planted_test OBJECT planted_test.cpp "${reference}")
target_link_libraries(planted_test PRIVATE gemm_checked GTest::gmock GTest::gtest)
target_compile_options(planted_test PRIVATE -O1)

# plant(<name> <file> <text> <replacement> <defect>...): plants a defect in the dense products. A
# check must report it by one of the names <defect>.
function(plant name file text replacement)
  planted_copy(folder ${name} "${file}" "${text}" "${replacement}")
  planted_program(planted_${name} planted_test gemm_checked "${folder}" gemm/mma_s8)
  add_test(NAME unit.planted_${name} COMMAND planted_${name}_test --gtest_brief=1)
  string(JOIN "|" defects ${ARGN})
  set_tests_properties(unit.planted_${name} PROPERTIES LABELS cpu TIMEOUT 600 ENVIRONMENT "ARCHGRID_DEFECTS=${defects}")
endfunction()

plant(missing_wait mma/tile.cuh "ptx::cp_async_wait_group<S::stages - 2>();" "" "asynchronous copy not waited for")
plant(missing_barrier mma/tile.cuh "    __syncthreads();\n    load_to(stage" "    load_to(stage"
  "data race" "asynchronous copy not waited for" "shared memory read before written")
plant(stage_filled_too_early mma/tile.cuh "load_to(stage == 0 ? S::stages - 1 : stage - 1);" "load_to(stage);"
  "data race" "asynchronous copy not waited for")
plant(fragments_without_a_barrier gemm/mma.cuh "  __syncthreads();\n  Sum* const fragment"
  "  Sum* const fragment" "data race")
plant(too_little_shared_memory mma/tile.cuh "shared_bytes = Stages * stage_bytes"
  "shared_bytes = (Stages - 1) * stage_bytes"
  "shared memory out of bounds")
plant(rows_beyond_c gemm/epilogue.cuh "if (row >= args.m) return;" "" "global memory out of bounds")
plant(columns_beyond_c gemm/epilogue.cuh "is_whole = args.n - column >= count" "is_whole = true"
  "wrong result" "data race")
plant(columns_beyond_c_one_by_one gemm/epilogue.cuh "i < count && column + i < args.n" "i < count"
  "data race" "global memory out of bounds")
plant(alignment_of_vectors_taken_for_granted gemm/epilogue.cuh
  "(count == 1 || args.is_epilogue_aligned)" "true" "misaligned address")
plant(edge_of_k_not_looked_at gemm/mma.cuh "(left < S::vector ? left : S::vector)" "S::vector" "wrong result")
plant(part_of_a_copy_taken_for_all gemm/mma.cuh "vector.valid * S::bytes" "16" "wrong result")
plant(alignment_taken_for_granted gemm/mma.cuh "if (is_same_major && operand.is_aligned)"
  "if (is_same_major)" "misaligned address")
plant(alignment_of_whole_k_tiles gemm/mma.cuh "operand_.is_aligned && is_whole" "is_whole" "misaligned address")
plant(whole_in_k_alone gemm/mma.cuh "extent_mn_ - first_mn_ >= TileMN && " "" "global memory out of bounds")
plant(whole_in_mn_alone gemm/mma.cuh " && end_k_ - k_ >= S::tile_k" "" "wrong result" "global memory out of bounds")
plant(address_not_advanced gemm/mma.cuh
  "from_ += SmemMajor == Major::k ? S::tile_k : S::tile_k * operand_.stride;" "" "wrong result")

# plant_sparse(<name> <product> <source> <file> <text> <replacement> <regex> [<filter>]): plants a
# defect in a source of the sparse kernels, or in a header that it includes. The tests of the
# product, with that source replaced, must fail with a message that matches the regex. The filter
# selects tests, if others would pass for seconds before the failure.
function(plant_sparse name product source file text replacement regex)
  planted_copy(folder sparse_${name} "${file}" "${text}" "${replacement}")
  planted_program(planted_sparse_${name} ${product}_checks_test sparse_checked "${folder}" sparse/${source})
  set(filter ${ARGN} "*")
  list(GET filter 0 filter)
  add_test(NAME unit.planted_sparse_${name}
    COMMAND planted_sparse_${name}_test --gtest_brief=1 --gtest_fail_fast "--gtest_filter=${filter}")
  set_tests_properties(unit.planted_sparse_${name} PROPERTIES LABELS cpu TIMEOUT 600 PASS_REGULAR_EXPRESSION "${regex}")
endfunction()

set(race "data race")
set(wrong "Expected: |Which is: |std::abs")
set(bounds "global memory out of bounds")
plant_sparse(sums_of_rows_without_a_barrier spmv spmv_merge sparse/spmv_merge.cu
  "    __syncthreads();\n    if (adds)" "    if (adds)" "${race}")
plant_sparse(rows_that_go_on spmv spmv_merge sparse/spmv_merge.cu
  "last_rows[thread - 1] == own_first_row" "last_rows[thread - 1] == row" "${wrong}" "*spmv_merge*")
plant_sparse(carries_of_pieces spmm spmm_merge sparse/spmm_merge.cu "carry_rows[number] = end_row"
  "carry_rows[number] = end_row + 1" "${wrong}|${bounds}" "*spmm_merge*")
plant_sparse(block_of_the_next_row bsrmm bsrmm_mma_f16 sparse/bsrmm_mma_f16.cu
  "iterator_a_.is_valid() && row < args_.block_rows" "iterator_a_.is_valid()" "${bounds}")
plant_sparse(rows_of_b_beyond_the_matrix bsrmm bsrmm_mma_f16 sparse/bsrmm_mma_f16.cu
  "k < args_.columns && column" "column" "${bounds}")
plant_sparse(rows_of_b_that_are_nobodys bsrmm bsrmm_mma_f16 sparse/bsrmm_mma_f16.cu
  "iterator_b_.is_valid() && k < args_.columns" "k < args_.columns" "${wrong}" "Bsrmm.ReadsNoRowOfB*")
plant_sparse(alignment_of_b bsrmm bsrmm_mma_f16 sparse/bsrmm_mma_f16.cu "if (is_b_aligned_)"
  "if (true)" "misaligned address" "Bsrmm.GoesThroughLongRows*")
plant_sparse(copies_not_waited_for bsrmm bsrmm_mma_f16 mma/tile.cuh
  "ptx::cp_async_wait_group<S::stages - 2>();" "" "asynchronous copy not waited for")
plant_sparse(k_tiles_without_a_barrier bsrmm bsrmm_simt sparse/bsrmm_simt.cu
  "    }\n    __syncthreads();\n  }" "    }\n  }" "${race}")
plant_sparse(metadata_of_another_row structured structured_f16 sparse/structured.cuh
  "upper >> 16 | (lower & 0xffff0000u)" "upper >> 16 | lower << 16" "${wrong}")
plant_sparse(metadata_in_no_order structured structured_data sparse/structured_data.cu
  "kept.first | kept.second << 2" "kept.second | kept.first << 2" "${wrong}")
plant_sparse(stage_filled_too_early structured structured_s8 mma/tile.cuh
  "load_to(stage == 0 ? S::stages - 1 : stage - 1);" "load_to(stage);"
  "${race}|asynchronous copy not waited for" "*structured_s8*")
plant_sparse(too_little_shared_memory structured structured_s8 sparse/structured.cuh
  "metadata_begin + Tile::tile_m * metadata_row_bytes" "metadata_begin"
  "shared memory out of bounds|${race}|asynchronous copy|the second must come after" "*structured_s8*")
plant_sparse(workspace_of_a_vector spmv spmv_merge sparse/spmv.cuh
  "!validate_workspace(workspace, workspace_bytes, needed_bytes).empty()" "false" "${bounds}")
plant_sparse(workspace_of_a_matrix spmm spmm_merge sparse/spmm.cuh
  "!validate_workspace(workspace, workspace_bytes, needed_bytes).empty()" "false" "${bounds}")
plant_sparse(workspace_of_sums features scan sparse/scan.cu
  "!validate_exclusive_scan(in, type, count, sums, workspace, workspace_bytes).empty()" "false" "${bounds}")
