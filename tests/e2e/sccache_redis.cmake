# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks a compiler cache for several machines: Redis stores what one of them compiled, and another
# one, with an empty cache of its own, compiles no device code.
include("${E2E}/support/sccache.cmake")
find_program(REDIS redis-server)
find_program(REDIS_CLI redis-cli)
if(NOT REDIS OR NOT REDIS_CLI)
  message("skipped: redis-server is missing; ./setup --dev installs it")
  return()
endif()
set(started FALSE)
foreach(try RANGE 20)
  string(RANDOM LENGTH 3 ALPHABET 0123456789 port)
  set(port "27${port}")
  # A server whose port is in use exits at once.
  execute_process(
    COMMAND bash -c "'${REDIS}' --bind 127.0.0.1 --port ${port} --save '' --dir '${WORK}' >/dev/null 2>&1 & echo $!"
    OUTPUT_VARIABLE process OUTPUT_STRIP_TRAILING_WHITESPACE)
  foreach(wait RANGE 50)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
    execute_process(COMMAND "${REDIS_CLI}" -p ${port} info server OUTPUT_VARIABLE info ERROR_QUIET)
    if(info MATCHES "process_id:([0-9]+)")
      break()
    endif()
  endforeach()
  if(info MATCHES "process_id:${process}[^0-9]")
    set(started TRUE)
    break()
  endif()
endforeach()
if(NOT started)
  message(FATAL_ERROR "redis-server does not start")
endif()
# Ends it together with this process, however that exits.
execute_process(COMMAND bash
  -c "parent=$PPID; (while kill -0 $parent 2>/dev/null; do sleep 1; done; kill ${process}) >/dev/null 2>&1 &")

e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS single fat ACCEPT native compatible)
set(ENV{SCCACHE_REDIS_ENDPOINT} "redis://127.0.0.1:${port}")
function(build_on machine compiled)
  start_sccache()
  set(ENV{SCCACHE_DIR} "${WORK}/sccache-${machine}")
  set(ENV{CCACHE_DIR} "${WORK}/ccache-${machine}")
  e2e_tree(tree-${machine} MATRIX "${matrix}" SOURCE "${E2E}/tiny")
  e2e_expect(pass WITHOUT "sccache is not used")
  zero_sccache()
  e2e_build(matrix)
  e2e_expect(pass MATCH "3 cells: 3 built" WITHOUT "compiler cache failed")
  # Four for the single cells, and the same four for the fat one.
  math(EXPR found "8 - ${compiled}")
  foreach(kind IN ITEMS PTX CUBIN)
    expect_requests(misses ${kind} ${compiled})
    expect_requests(hits ${kind} ${found})
  endforeach()
  stop_sccache()
endfunction()
build_on(one 4)
build_on(other 0)

# Without Redis the other machine compiles everything.
unset(ENV{SCCACHE_REDIS_ENDPOINT})
build_on(lonely 4)
