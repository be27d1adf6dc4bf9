# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the fake runtime answers as a real GPU was recorded to, and that the comparison
# detects other answers, also where it allows differences:
# cmake -DCOMPARE=<tests/bench/runtime_answers> -DPROGRAMS=<folder> -DRECORDED=<file> -P
# recorded_test.cmake
cmake_minimum_required(VERSION 3.25)
set(work "${PROGRAMS}/planted")
file(REMOVE_RECURSE "${work}")

execute_process(COMMAND "${COMPARE}" --programs "${PROGRAMS}" --recorded "${RECORDED}" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the fake runtime answers otherwise than ${RECORDED}: exit ${result}")
endif()

# expect_found(<name> <programs> <recording> <output>): expects that these differ as the regular
# expression says.
function(expect_found name programs recording text)
  execute_process(COMMAND "${COMPARE}" --programs "${programs}" --recorded "${recording}"
    OUTPUT_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 1 OR NOT said MATCHES "${text}")
    message(SEND_ERROR "${name}: a planted answer is not found: exit ${result}\n${said}")
  endif()
endfunction()

file(READ "${RECORDED}" recorded)

# plant(<name> <from> <to> <output>): replaces an answer of the recording.
function(plant name from to text)
  string(REPLACE "${from}" "${to}" planted "${recorded}")
  if(planted STREQUAL recorded)
    message(FATAL_ERROR "${name}: ${RECORDED} has no ${from}")
  endif()
  file(WRITE "${work}/${name}.json" "${planted}")
  expect_found(${name} "${PROGRAMS}" "${work}/${name}.json" "${text}")
endfunction()

plant(launch [=["launch:sass_80", "sync", "last", "launch:sass_80"], ["209"]=]
  [=["launch:sass_80", "sync", "last", "launch:sass_80"], ["0"]=]
  "launch:sass_80 sync last launch:sass_80\n  real  0 .*\n  fake  209 ")
if(NOT recorded MATCHES "\"toolkit\": 1305") # the recorded driver refuses its PTX
  plant(memory_of_ptx "0 90 75 10 128 0 0 1024 49024" "0 90 75 10 128 0 0 1024 48000" "attributes:ptx_75")
endif()
if(recorded MATCHES "\"toolkit\": 11")
  plant(first_call [=["300", "300", "0 90 90 10 0 0 64]=] [=["300", "300", "0 90 90 11 0 0 64]=]
    "EAGER: attributes:bounded")
elseif(recorded MATCHES "\"toolkit\": 13")
  plant(after_fault [=["0", "700", "700", "209"]]=] [=["0", "700", "700", "98"]]=] "attributes:sass_75\n  real .* 98\n")
endif()

# A runtime that loses the registers of machine code.
file(WRITE "${work}/ask" "#!/bin/sh\n'${PROGRAMS}/ask' \"$@\" | sed -E 's/^(0 90 90) [0-9]+ /\\1 0 /'\n")
file(CHMOD "${work}/ask" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(CREATE_LINK "${PROGRAMS}/fake_cudart" "${work}/fake_cudart" SYMBOLIC)
expect_found(registers "${work}" "${RECORDED}" "attributes:sass_90 [^\n]*\n  real  0 90 90 [1-9].*\n  fake  0 90 90 0 ")
