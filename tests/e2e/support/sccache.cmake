# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Shared code of the sccache cases: a separate server with an empty cache, and its statistics.
include("${ROOT}/cmake-modules/archgrid/detail/sccache.cmake")

# Sets OUT to the sccache that ./setup fetched.
function(archgrid_find_sccache out)
  _archgrid_fetched_sccache(sccache)
  if(NOT sccache)
    message(FATAL_ERROR "sccache is missing: ./setup fetches it")
  endif()
  set(${out} "${sccache}" PARENT_SCOPE)
endfunction()

# Uses empty caches from here on, with a server that exits a minute after its last compilation.
macro(start_sccache)
  string(RANDOM LENGTH 8 socket)
  set(ENV{SCCACHE_SERVER_UDS} "/tmp/archgrid-e2e-${socket}.sock") # short enough for a socket
  set(ENV{SCCACHE_DIR} "${WORK}/sccache")
  set(ENV{SCCACHE_IDLE_TIMEOUT} 60)
  set(ENV{CCACHE_DIR} "${WORK}/ccache")
  archgrid_find_sccache(SCCACHE)
endmacro()

# Stops the running server; fails if none runs.
function(stop_sccache)
  execute_process(COMMAND "${SCCACHE}" --stop-server OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(zero_sccache)
  execute_process(COMMAND "${SCCACHE}" --zero-stats OUTPUT_QUIET ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect_requests(<misses|hits> <kind> <count>): checks how often PTX or CUBIN was compiled, or
# found, since the statistics were zeroed.
function(expect_requests outcome kind expected)
  execute_process(COMMAND "${SCCACHE}" --show-stats --stats-format=json OUTPUT_VARIABLE stats
    COMMAND_ERROR_IS_FATAL ANY)
  string(JSON count ERROR_VARIABLE none GET "${stats}" stats cache_${outcome} counts ${kind})
  if(none)
    set(count 0)
  endif()
  if(NOT count EQUAL expected)
    string(JSON misses GET "${stats}" stats cache_misses)
    string(JSON hits GET "${stats}" stats cache_hits)
    message(FATAL_ERROR "${count} ${outcome} of ${kind}, and not ${expected}: misses ${misses}, hits ${hits}")
  endif()
endfunction()

# expect_compiled(<kind> <count>): checks the misses.
function(expect_compiled kind expected)
  expect_requests(misses ${kind} ${expected})
endfunction()
