# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that archgrid_promise() and archgrid_audit() refuse the same ignores.

# configure(<line> <result> <output>): configures a project with this line.
function(configure line result output)
  file(WRITE "${CASE_BINARY}/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(ignores NONE)
include([==[${ARCHGRID_MODULES}/ArchGrid.cmake]==])
archgrid_promise(DEVICES 9.0)
${line}
")
  execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja "-DARCHGRID_COMMAND=${CMAKE_COMMAND}"
    -S "${CASE_BINARY}/project" -B "${CASE_BINARY}/build"
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(${result} "${code}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

# expect_refused(<ignores as written> <regex>)
function(expect_refused ignores regex)
  foreach(call IN ITEMS "archgrid_promise(DEVICES 8.0" "archgrid_audit(NAME files FILES a.so")
    configure("${call} IGNORE ${ignores})" result output)
    string(REGEX MATCH "^[a-z_]+" function "${call}")
    if(result EQUAL 0 OR NOT output MATCHES "${function}: IGNORE ${regex}")
      message(SEND_ERROR "${call} IGNORE ${ignores}: ${result}, no match for ${regex}: ${output}")
    endif()
  endforeach()
endfunction()

configure("archgrid_promise(DEVICES 8.0 IGNORE \"missing:gemm*@9.0=not shipped\" \"ns::k=a=b\")
archgrid_audit(NAME files FILES a.so IGNORE \"*@H100,A100=not shipped\" x@1.0/lib*=other)" result output)
if(NOT result EQUAL 0)
  message(SEND_ERROR "valid ignores are refused: ${output}")
endif()
expect_refused("" "is empty")
expect_refused("\"\"" "is empty")
expect_refused("k=why \"\${UNSET}\"" "is empty")
expect_refused("noreason" ".noreason. lacks a pattern or a reason")
expect_refused("k=" ".k=. lacks a pattern or a reason")
expect_refused("\"k= \"" ".k= . lacks a pattern or a reason")
expect_refused("=why" ".=why. lacks a pattern or a reason")
expect_refused("k=why \"stbu:*=why\"" ".stbu:.=why.: .stbu. is no code of errors")
expect_refused("missing:@9.0=why" ".missing:@9.0=why.: no pattern follows .missing:.")
expect_refused("@9.0=why" ".@9.0=why.: .@9.0. has no pattern")
expect_refused("jit:*@=why" ".jit:.@=why.: no GPU follows the @")
