# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks SIGKILL at random moments, to the whole build or only to its top process (whose children
# then continue writing): the next build yields the same programs as an undisturbed one.
find_program(BASH bash REQUIRED)
find_program(STRIP strip REQUIRED)
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS single fat ACCEPT native compatible)
set(sources "${WORK}/sources")
file(COPY "${E2E}/tiny/" DESTINATION "${sources}")

# Sets OUT to the hashes of the programs of TREE's cells, without symbol tables, where nvcc leaves
# the names of its temporary files, which contain a process id.
function(programs out)
  set(hashes "")
  foreach(cell IN ITEMS cu135-fat cu135-sm75 cu135-sm90)
    e2e_run("${STRIP}" --strip-all -o "${WORK}/stripped" "${TREE}/cells/${cell}/tiny")
    e2e_expect(pass)
    file(SHA256 "${WORK}/stripped" hash)
    list(APPEND hashes "${cell} ${hash}")
  endforeach()
  set(${out} "${hashes}" PARENT_SCOPE)
endfunction()

# ccache is killed, too, and its contents must not be damaged. sccache's server is not killed, and
# continues to compile what the killed build requested.
set(ENV{CCACHE_DIR} "${WORK}/ccache")
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}")
e2e_build(matrix)
e2e_expect(pass MATCH "3 cells: 3 built")
programs(undisturbed)

set(interrupted 0)
foreach(round RANGE 1 6)
  if(round LESS 5)
    file(REMOVE_RECURSE "${WORK}/ccache")
    set(ENV{SCCACHE_RECACHE} 1)
  endif()
  file(REMOVE_RECURSE "${TREE}/cells" "${TREE}/detect")
  e2e_run("${CMAKE_COMMAND}" "${TREE}")
  e2e_expect(pass)
  string(RANDOM LENGTH 1 ALPHABET "0123456789" seconds)
  string(RANDOM LENGTH 2 ALPHABET "0123456789" hundredths)
  math(EXPR seconds "${seconds} % 5")
  math(EXPR all "${round} % 2")
  # A separate session, so that a signal reaches all of it, or only its leader.
  execute_process(COMMAND "${BASH}" -c "
    setsid '${NINJA}' -C '${TREE}' matrix >/dev/null 2>&1 & leader=$!
    sleep ${seconds}.${hundredths}
    if [ ${all} = 1 ]; then pkill -KILL -s $leader; else kill -KILL $leader; fi
    wait $leader; exit 0")
  message(STATUS "round ${round}: killed after ${seconds}.${hundredths} s (all: ${all})")
  foreach(cell IN ITEMS cu135-fat cu135-sm75 cu135-sm90)
    if(EXISTS "${TREE}/cells/${cell}.json")
      file(READ "${TREE}/cells/${cell}.json" status)
      if(status MATCHES "\"building\"")
        math(EXPR interrupted "${interrupted} + 1")
      endif()
    endif()
  endforeach()
  # Use what the killed build has put into the cache.
  unset(ENV{SCCACHE_RECACHE})
  e2e_build(matrix)
  e2e_expect(pass MATCH "3 cells: 3 built")
  programs(again)
  if(NOT again STREQUAL undisturbed)
    message(FATAL_ERROR "after a kill the programs differ:\n${undisturbed}\n${again}")
  endif()
endforeach()
if(interrupted EQUAL 0)
  message(FATAL_ERROR "no kill met a cell that was being built: nothing was tested")
endif()
message(STATUS "${interrupted} cells were interrupted")
