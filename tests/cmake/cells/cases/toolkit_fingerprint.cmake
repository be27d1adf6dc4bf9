# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Another program that nvcc runs, another file that it reads, a host compiler or a new header changes a toolkit's fingerprint.
include("${ARCHGRID_MODULES}/archgrid/detail/compiler_cache.cmake")
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
# Early toolkits have no tileiras.
file(REMOVE "${root}/bin/tileiras")
_archgrid_toolkit_fingerprint("${root}" "${CASE_BINARY}/cxx" fingerprint)
