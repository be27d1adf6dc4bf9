# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that tests/bench/runtime_kernels compares an audit of libraries with a runtime, here the
# fake one, and that it finds differences:
# cmake -DCOMPARE=<tests/bench/runtime_kernels> -DPROGRAMS=<folder> -DARCHGRID=<command>
# -DTOOLKIT=<folder>
#     -DVERSION=<X.Y> -P kernels_test.cmake
cmake_minimum_required(VERSION 3.25)
set(work "${PROGRAMS}/kernels")
file(REMOVE_RECURSE "${work}")

# script(<name> <text>): a program WORK/<name>.
function(script name text)
  file(WRITE "${work}/${name}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${work}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# expect(<name> <exit code> <output> [LIBRARIES <library>...] [ENVIRONMENT <variable>...] [SMI
# <folder>]
#        [ARCHGRID <command>]): runs COMPARE in PROGRAMS. The output is a regular expression.
function(expect name result text)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "SMI;ARCHGRID" "LIBRARIES;ENVIRONMENT")
  if(NOT arg_SMI)
    set(arg_SMI gpu)
  endif()
  if(NOT arg_ARCHGRID)
    set(arg_ARCHGRID "${ARCHGRID}")
  endif()
  if(NOT arg_LIBRARIES)
    set(arg_LIBRARIES liblinked_with_ptx.so)
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${work}/${arg_SMI}:$ENV{PATH}"
      "LD_LIBRARY_PATH=${PROGRAMS}/fake_cudart" ARCHGRID_FAKE_DEVICES=9.0
      ARCHGRID_FAKE_DRIVER=${VERSION} ${arg_ENVIRONMENT}
      "${COMPARE}" --archgrid "${arg_ARCHGRID}" --toolkit "${TOOLKIT}" ${arg_LIBRARIES}
    WORKING_DIRECTORY "${PROGRAMS}" RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL result OR NOT output MATCHES "${text}")
    message(SEND_ERROR "${name}: expected exit code ${result} and \"${text}\", got ${code}:\n${output}")
  endif()
endfunction()

script(gpu/nvidia-smi "echo 'Fake 9.0, 9.0, ${VERSION}'")
script(none/nvidia-smi "echo 'No devices were found'; exit 6")
script(broken/nvidia-smi "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18")
script(crashing "kill -SEGV $$")
script(blind "echo '{\"files\": [{\"kernels\": []}]}'")
file(WRITE "${work}/text.so" "no library")

expect(agree 0
  "\n1 kernels: missing, the runtime answers 300\n.*: 2 registrations, 2 kernels compared, none differ; 0 of"
  LIBRARIES liblinked_with_ptx.so liblinked_with_some_ptx.so)
foreach(libraries IN ITEMS "libneeding.so;liblinked_with_ptx.so" "liblinked_with_ptx.so;libneeding.so")
  expect("${libraries}" 0 ": 2 registrations, 2 kernels compared, none differ; 0 of" LIBRARIES ${libraries})
endforeach()
expect(needed 0 ": 2 registrations, 1 kernels compared, none differ; 1 of" LIBRARIES libneeding.so)
expect(failing 1 "linked_with_ptx: jit, and the runtime answers .*, 1 differ" ENVIRONMENT ARCHGRID_FAKE_FAIL=start=803)
expect(unaudited 1 "linked_with_ptx: not found by the audit, .*, 1 differ" ARCHGRID "${work}/blind")
expect(crash 2 "crashing failed: exit code -11" ARCHGRID "${work}/crashing")
expect(refused 2 "text.so" LIBRARIES kernels/text.so)
expect(none 77 "no GPU here" SMI none)
expect(broken 2 "nvidia-smi failed with exit code 18:\nFailed to initialize NVML" SMI broken)
