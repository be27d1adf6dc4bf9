# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the first error of a log is one line, even if its text contains list syntax.
include("${ARCHGRID_MODULES}/archgrid/detail/first_error.cmake")
foreach(error IN ITEMS "error: a name" "error: expected ']' before [a; name" "error: in a path\\")
  _archgrid_first_build_error("[1/2] FAILED: a.o\nnvcc a.cu\nIn file [included; from here\\\na.cu(1): ${error}\nnext line ]\n" "" line)
  if(NOT line STREQUAL "it does not compile: a.cu(1): ${error}")
    message(FATAL_ERROR "the error is shown as ${line}")
  endif()
endforeach()

# The message of nvcc 11.8 if a command calls it without the cell's host compiler.
set(limit
  "host_config.h:132:2: error: #error -- unsupported GNU version! gcc versions later than 11 are not supported!")
_archgrid_first_build_error("FAILED: plug.fatbin\nnvcc -fatbin plug.cu\nIn file included from x:83,\n${limit}\n" ""
  line)
if(NOT line MATCHES "^it does not compile: .*pass -ccbin \\\${CMAKE_CUDA_HOST_COMPILER}$")
  message(FATAL_ERROR "an unsupported host compiler is shown as ${line}")
endif()

# Ninja's error message if it cannot read a file that CMake generated.
_archgrid_first_configure_error("-- Generating done\nCMake Error:\n  Running\n\n   '/usr/bin/ninja' '-C' '/b' '-t' 'recompact'\n
  failed with:\n\n   ninja: error: build.ninja:145: bad $-escape\n    COMMAND = x\n" "" line)
if(NOT line STREQUAL "ninja: error: build.ninja:145: bad $-escape")
  message(FATAL_ERROR "what ninja cannot read is shown as ${line}")
endif()

# A long line is cut between characters: before, within and after GCC's quotes, and in text of
# another encoding.
string(ASCII 226 128 152 quote)
foreach(length RANGE 293 298)
  string(REPEAT "x" ${length} text)
  _archgrid_shorten("${text}${quote}behind" "" line)
  if(length GREATER 294) # the whole quote lies after byte 297
    string(SUBSTRING "${text}" 0 297 expected)
  else()
    string(SUBSTRING "${text}${quote}behind" 0 297 expected)
  endif()
  if(NOT line STREQUAL "${expected}...")
    message(FATAL_ERROR "${length} characters before a quote are shortened to ${line}")
  endif()
endforeach()
string(ASCII 228 latin)
string(REPEAT "${latin}" 400 text)
_archgrid_shorten("${text}" "" line)
string(LENGTH "${line}" length)
if(length LESS 290 OR length GREATER 300)
  message(FATAL_ERROR "400 characters of Latin-1 are shortened to ${length}")
endif()
