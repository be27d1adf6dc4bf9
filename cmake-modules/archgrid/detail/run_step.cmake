# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Runs the programs that fetch: shows their output in errors, and names the fix of known causes.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Sets OUT to the fix for the error that a fetching program printed in OUTPUT, or to nothing if it
# is unknown.
function(_archgrid_fix_for output out)
  set(fix "")
  set(network "Could not resolve|Temporary failure|[Nn]ame or service not known|[Nn]etwork is unreachable")
  string(APPEND network
    "|[Cc]onnection (refused|reset|timed out)|ConnectTimeout|ReadTimeout|NewConnectionError|ProxyError")
  if(output MATCHES "No space left on device|Disk quota exceeded")
    set(fix "the disk is full: free some, or set ARCHGRID_TOOLKITS to a folder on another disk")
  elseif(output MATCHES "${network}")
    set(fix "the network: check the connection, HTTPS_PROXY and the index or mirror that pip and apt are set to")
  elseif(output MATCHES "CERTIFICATE_VERIFY_FAILED|certificate verif")
    set(fix "the certificate was refused: apt-get install ca-certificates, or name your own authority (PIP_CERT)")
  elseif(output MATCHES "NO_PUBKEY|not signed|no public key")
    set(fix "Debian's archive key is missing: apt-get install debian-archive-keyring")
  elseif(output MATCHES "DO NOT MATCH THE HASHES")
    set(fix
      "the index or mirror serves another file than the one that the lock file names: do not install it, use another index")
  elseif(output MATCHES "No matching distribution found for ([^\n]*)")
    set(fix "the index that pip is set to does not have ${CMAKE_MATCH_1}: check PIP_INDEX_URL")
  elseif(output MATCHES "Permission denied|Read-only file system")
    set(fix "the folder cannot be written: set ARCHGRID_TOOLKITS to one that can")
  endif()
  set(${out} "${fix}" PARENT_SCOPE)
endfunction()

# Sets OUT to the error message for a step WHAT that ended with RESULT after printing OUTPUT.
function(_archgrid_complaint what result output out)
  _archgrid_fix_for("${output}" fix)
  string(REGEX REPLACE "\n+$" "" tail "${output}")
  string(LENGTH "${tail}" length)
  if(length GREATER 1500)
    math(EXPR from "${length} - 1500")
    string(SUBSTRING "${tail}" ${from} -1 tail)
  endif()
  string(REPLACE "\n" "\n    " tail "${tail}")
  set(text "${what} failed (${result}):\n    ${tail}")
  if(fix)
    string(APPEND text "\n  Fix: ${fix}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# _archgrid_run_step(<what> <out> COMMAND ... [COMMAND ...])
#
# Runs the commands as one pipe, like execute_process(). Sets <out> to an error that names WHAT if
# one of them fails, else to nothing, and <out>_OUTPUT to their output.
function(_archgrid_run_step what out)
  execute_process(${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULTS_VARIABLE results)
  set(${out} "" PARENT_SCOPE)
  set(${out}_OUTPUT "${output}" PARENT_SCOPE)
  foreach(result IN LISTS results)
    if(NOT result EQUAL 0)
      _archgrid_complaint("${what}" "${result}" "${output}" complaint)
      set(${out} "${complaint}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
