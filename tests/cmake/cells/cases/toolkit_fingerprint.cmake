# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a changed program that nvcc runs, a changed file that it reads, another host compiler
# and a new header change a toolkit's fingerprint.
include("${ARCHGRID_MODULES}/archgrid/detail/compiler_cache.cmake")
set(ENV{ARCHGRID_TOOLKITS} "${CASE_BINARY}/cache")
set(root "${CASE_BINARY}/toolkit")
set(files bin/nvcc bin/nvcc.profile bin/cudafe++ bin/ptxas bin/tileiras bin/fatbinary bin/nvlink nvvm/bin/cicc
  nvvm/libdevice/libdevice.10.bc)
list(TRANSFORM files PREPEND "${root}/")
foreach(file IN LISTS files ITEMS "${CASE_BINARY}/cxx")
  file(WRITE "${file}" "one")
endforeach()
set(known "")
foreach(file IN LISTS files ITEMS "${CASE_BINARY}/cxx" "${root}/include/new.h" "")
  _archgrid_toolkit_fingerprint("${root}" "${CASE_BINARY}/cxx" fingerprint)
  if(fingerprint IN_LIST known)
    message(SEND_ERROR "no other fingerprint after an edit of ${edited}")
  endif()
  list(APPEND known "${fingerprint}")
  set(edited "${file}")
  if(file)
    file(APPEND "${file}" "another")
  endif()
endforeach()
# Early toolkits lack tileiras.
file(REMOVE "${root}/bin/tileiras")
_archgrid_toolkit_fingerprint("${root}" "${CASE_BINARY}/cxx" fingerprint)

# A fingerprint that is cached for the same files is reused, one for other files is not.
file(GLOB memory "${CASE_BINARY}/cache/.fingerprints/*")
list(LENGTH memory count)
if(NOT count EQUAL 1)
  message(SEND_ERROR "one toolkit is remembered in: ${memory}")
endif()
file(STRINGS "${memory}" lines)
list(GET lines 0 key)
file(WRITE "${memory}" "${key}\n0123\n")
_archgrid_toolkit_fingerprint("${root}" "${CASE_BINARY}/cxx" of_memory)
file(WRITE "${memory}" "${key}0\n0123\n")
_archgrid_toolkit_fingerprint("${root}" "${CASE_BINARY}/cxx" of_others)
file(WRITE "${memory}" "half a li")
_archgrid_toolkit_fingerprint("${root}" "${CASE_BINARY}/cxx" of_rubbish)
if(of_memory STREQUAL fingerprint OR NOT of_others STREQUAL fingerprint OR NOT of_rubbish STREQUAL fingerprint)
  message(SEND_ERROR "${fingerprint}: known: ${of_memory}, of others: ${of_others}, rubbish: ${of_rubbish}")
endif()
