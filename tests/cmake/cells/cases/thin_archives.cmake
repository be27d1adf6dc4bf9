# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks thin archives, which do not contain their members: their own bytes do not show whether
# there is device code.
include("${ARCHGRID_MODULES}/archgrid/detail/artifacts.cmake")
find_program(ar NAMES ar REQUIRED)
file(WRITE "${CASE_BINARY}/CMakeCache.txt" "CMAKE_AR:FILEPATH=${ar}\n")
string(ASCII 127 69 76 70 2 1 1 51 cubin)
file(WRITE "${CASE_BINARY}/a folder/device.o" "${cubin}")
file(WRITE "${CASE_BINARY}/a folder/host.o" "host")
file(MAKE_DIRECTORY "${CASE_BINARY}/lib")
foreach(archive IN ITEMS "device thin host.o device.o" "host thin host.o" "plain plain device.o")
  separate_arguments(archive)
  list(POP_FRONT archive name kind)
  list(TRANSFORM archive PREPEND "../a folder/")
  set(options qc)
  if(kind STREQUAL "thin")
    set(options qcT)
  endif()
  execute_process(COMMAND "${ar}" ${options} lib${name}.a ${archive}
    WORKING_DIRECTORY "${CASE_BINARY}/lib" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
_archgrid_filter_thin_archives("${CASE_BINARY}" "lib/libdevice.a;lib/libhost.a;lib/libplain.a" found)
if(NOT found STREQUAL "lib/libdevice.a")
  message(FATAL_ERROR "thin archives with device code: ${found}")
endif()
file(REMOVE "${CASE_BINARY}/a folder/host.o") # the audit reports missing members
_archgrid_filter_thin_archives("${CASE_BINARY}" "lib/libhost.a;lib/libplain.a" found)
if(NOT found STREQUAL "lib/libhost.a")
  message(FATAL_ERROR "thin archives without a member: ${found}")
endif()
