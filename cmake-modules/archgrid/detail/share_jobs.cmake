# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Shares the processors among the cells that are building. Each holds the lock of its build step
# (flock) while its process lives, so killed builds do not count.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/plan.cmake")

# Sets OUT to how many of JOBS compilers cell ID of TREE may run, at least 1: its share among the
# cells that are building, in proportion to their architectures, and at most the number that cells
# which started earlier have left.
function(_archgrid_share_jobs tree id jobs flock out)
  file(READ "${tree}/plan.json" plan)
  _archgrid_plan_get("${plan}" CELLS cells)
  set(archs 0)
  set(taken 0)
  foreach(cell IN LISTS cells)
    _archgrid_plan_get("${cell}" ID other ARCHS cell_archs)
    list(LENGTH cell_archs count)
    if(other STREQUAL id)
      set(own ${count})
    else()
      _archgrid_is_building("${tree}" "${other}" "${flock}" is_building)
      if(NOT is_building)
        continue()
      endif()
      if(EXISTS "${tree}/cells/${other}.jobs")
        file(READ "${tree}/cells/${other}.jobs" theirs)
        math(EXPR taken "${taken} + 0${theirs}")
      endif()
    endif()
    math(EXPR archs "${archs} + ${count}")
  endforeach()
  math(EXPR share "(${jobs} * ${own} + ${archs} / 2) / ${archs}")
  math(EXPR left "${jobs} - ${taken}")
  if(share GREATER left)
    set(share ${left})
  endif()
  if(share LESS 1)
    set(share 1)
  endif()
  set(${out} ${share} PARENT_SCOPE)
endfunction()

# Reports whether the build step of cell ID is running, that is, whether its lock is held. Asks for
# a shared lock, so that two concurrent queries do not take each other for a build.
function(_archgrid_is_building tree id flock out)
  set(${out} FALSE PARENT_SCOPE)
  set(lock "${tree}/cells/${id}.lock")
  if(EXISTS "${lock}")
    execute_process(COMMAND "${flock}" --shared --nonblock "${lock}" "${CMAKE_COMMAND}" -E true RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sets OUT to the argument that gives NINJA its share of the processors, from
# _archgrid_share_jobs(), after a short delay in which all cells of a build start. Sets it to
# nothing if the caller offers a jobserver that NINJA supports: Ninja 1.13 and later use it unless
# they get a number. Records the share in <id>.jobs.
function(_archgrid_jobs_argument tree id jobs flock ninja out)
  if("$ENV{MAKEFLAGS}" MATCHES "--jobserver-auth=fifo:")
    execute_process(COMMAND "${ninja}" --version OUTPUT_VARIABLE version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(version VERSION_GREATER_EQUAL 1.13)
      set(${out} "" PARENT_SCOPE)
      return()
    endif()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.3)
  _archgrid_share_jobs("${tree}" "${id}" "${jobs}" "${flock}" share)
  file(WRITE "${tree}/cells/${id}.jobs" "${share}")
  set(${out} -j ${share} PARENT_SCOPE)
endfunction()
