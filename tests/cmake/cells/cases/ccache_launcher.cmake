# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that launchers of C and C++ that compile the same code at the same time take turns, and
# that ccache gets its settings and all words. A script replaces ccache.
include("${ARCHGRID_MODULES}/archgrid/detail/sccache.cmake")
set(folder "${CASE_BINARY}/a tree's launchers")
file(WRITE "${CASE_BINARY}/ccache" "#!/bin/bash
echo \"begin $#\" >>'${CASE_BINARY}/log'
export -p >'${CASE_BINARY}/environment'
sleep 0.5
echo end >>'${CASE_BINARY}/log'
exit 3
")
file(CHMOD "${CASE_BINARY}/ccache" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{CCACHE_DEPEND} 1)
_archgrid_write_c_launcher("${folder}" "${CASE_BINARY}/ccache" launcher)

# expect_order(<regex> <second source>): starts two compilations and checks the order of events.
function(expect_order regex second)
  file(REMOVE "${CASE_BINARY}/log")
  set(compile "${launcher}" c++ "-DTEXT=\"a b\"" -MD -MT)
  execute_process(
    COMMAND ${compile} one/x.o -MF one/x.o.d -o one/x.o -c x.cpp
    COMMAND ${compile} two/x.o -MF two/x.o.d -o two/x.o -c ${second}
    RESULTS_VARIABLE results)
  file(STRINGS "${CASE_BINARY}/log" log)
  if(NOT log MATCHES "^${regex}$" OR NOT results STREQUAL "3;3")
    message(SEND_ERROR "${second}: \"${log}\" (${results}), not \"${regex}\"")
  endif()
endfunction()
expect_order("begin 11;end;begin 11;end" x.cpp)
expect_order("begin 11;begin 11;end;end" y.cpp)
file(READ "${CASE_BINARY}/environment" environment)
if(environment MATCHES " CCACHE_DEPEND=")
  message(SEND_ERROR "ccache is given the user's CCACHE_DEPEND:\n${environment}")
endif()
foreach(setting IN ITEMS CCACHE_NODEPEND=\"1\" CCACHE_COMPILERCHECK=\"content\")
  string(FIND "${environment}" " ${setting}\n" place)
  if(place EQUAL -1)
    message(SEND_ERROR "ccache is not given ${setting}:\n${environment}")
  endif()
endforeach()
