# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a toolkit of the shared folder which somebody else could have put or changed there
# does not run, and that nothing is fetched into a world-writable folder. Changes only folders: the
# files of a staged toolkit are hard links.
include("${CASE_SOURCE}/../support/stage.cmake")
set(toolkit "${stage_toolkits}/cuda-13.5")
stage_toolkit("${toolkit}")

function(mode folder mode)
  execute_process(COMMAND chmod ${mode} "${folder}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

ask(green find 13.5)
expect(green 0 "FOUND=TRUE")
file(RENAME "${toolkit}/bin/nvcc" "${toolkit}/bin/nvcc.real")
file(WRITE "${toolkit}/bin/nvcc" "#!/bin/sh\ntouch '${CASE_BINARY}/ran'\nexec '${toolkit}/bin/nvcc.real' \"$@\"\n")
mode("${toolkit}/bin/nvcc" 755)

mode("${toolkit}/bin" 757)
ask(bin find 13.5)
expect(bin 0 "FOUND=FALSE" "${toolkit}/bin can be written by everybody"
  "Fix: chmod o-w ${toolkit}/bin, or set ARCHGRID_TOOLKITS")
mode("${toolkit}/bin" 755)
mode("${stage_toolkits}" 777)
ask(all find 13.5)
expect(all 0 "FOUND=FALSE" "${stage_toolkits} can be written by everybody")
stage_pip("echo 'pip ran' >&2; exit 1")
ask(fetched fetch 13.4)
expect(fetched 1 "${stage_toolkits} can be written by everybody, who could replace the programs")
if(fetched_TEXT MATCHES "pip ran")
  message(FATAL_ERROR "fetched into a folder that everybody can write: ${fetched_TEXT}")
endif()
mode("${stage_toolkits}" 755)
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(user EQUAL 0)
  execute_process(COMMAND chown 4711 "${toolkit}" COMMAND_ERROR_IS_FATAL ANY)
  set(owner 4711)
else()
  stage_program(id "echo 4711")
  set(owner "${user}")
endif()
ask(other find 13.5)
expect(other 0 "FOUND=FALSE" "belongs to user ${owner}" "Fix: chown it to you")
if(EXISTS "${CASE_BINARY}/ran")
  message(FATAL_ERROR "an nvcc that others can write was run")
endif()

# Others may add files beside it if only owners can replace them, as in /tmp.
if(user EQUAL 0)
  execute_process(COMMAND chown 0 "${toolkit}" COMMAND_ERROR_IS_FATAL ANY)
else()
  file(REMOVE "${stage_bin}/id")
endif()
file(RENAME "${toolkit}/bin/nvcc.real" "${toolkit}/bin/nvcc")
mode("${stage_toolkits}" 1777)
ask(sticky find 13.5)
expect(sticky 0 "FOUND=TRUE")
