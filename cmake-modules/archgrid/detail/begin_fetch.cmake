# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Serialises fetches of anything but toolkits into the folder of toolkits.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Removes what killed fetches of WHAT (for example "sccache") left in CACHE, under a lock that the
# calling function holds until it returns. Sets OUT to the reason if that fails, else to nothing.
macro(_archgrid_begin_fetch cache what out)
  set(${out} "")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${cache}/.locks" ERROR_QUIET)
  file(LOCK "${cache}/.locks/${what}" GUARD FUNCTION RESULT_VARIABLE _archgrid_locked)
  if(_archgrid_locked EQUAL 0)
    file(GLOB _archgrid_leftovers LIST_DIRECTORIES TRUE "${cache}/.partial-${what}-*")
    if(_archgrid_leftovers)
      file(REMOVE_RECURSE ${_archgrid_leftovers})
    endif()
  else()
    set(${out} "${cache} cannot be written: ${_archgrid_locked}")
  endif()
endmacro()
