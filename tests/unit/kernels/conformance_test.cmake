# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the program of tests/bench/conformance runs for every generation, and that its
# comparison detects a single different bit:
#   cmake -DPROGRAM=<conformance_on_the_host> -DCOMPARE=<tests/bench/conformance> -DWORK=<folder> \
#     -P conformance_test.cmake
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY "${WORK}")
foreach(device IN ITEMS 80 89 90 100 120)
  execute_process(COMMAND "${PROGRAM}" "${WORK}/${device}.txt" ${device} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# compare(<file> <file> <exit code> <regex>...)
function(compare first second code)
  execute_process(COMMAND "${COMPARE}" --compare "${WORK}/${first}" "${WORK}/${second}"
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  foreach(regex IN LISTS ARGN)
    if(NOT result EQUAL code OR NOT text MATCHES "${regex}")
      message(FATAL_ERROR "${first} and ${second}: exit ${result}, and no match for ${regex} in\n${text}")
    endif()
  endforeach()
endfunction()

compare(90.txt 90.txt 0 "18 operations, all agree")
# Results that a GPU gave: tests/bench/conformance --digest.
file(READ "${CMAKE_CURRENT_LIST_DIR}/../../../docs/measurements/h200/conformance.txt" recorded)
execute_process(COMMAND "${COMPARE}" --digest "${WORK}/90.txt" OUTPUT_VARIABLE modelled COMMAND_ERROR_IS_FATAL ANY)
if(NOT modelled STREQUAL recorded)
  message(FATAL_ERROR "the model differs from what an H200 computed:\n${modelled}instead of\n${recorded}")
endif()

# Generations sum differently; everything else is the same.
compare(89.txt 90.txt 1 "mma\\.f16 +65536 +[1-9]" "mma\\.e4m3 +65536 +[1-9]" "ldmatrix +65536 +0" "mma\\.f64 +65536 +0"
  "7 of 18 operations differ")
compare(80.txt 90.txt 1 "mma\\.e4m3 +0 +1  only on the CPU")

file(READ "${WORK}/90.txt" text)
string(REGEX REPLACE "(\nhalf 131072 [a-z]+ [0-9a-f]+ )[0-9a-f]+" "\\1dead" text "${text}")
file(WRITE "${WORK}/planted.txt" "${text}")
compare(planted.txt 90.txt 1 "half +131072 +1  case 0 lane 0 word 1: GPU dead, model" "1 of 18 operations differ")

# NaNs compare equal regardless of their bits; no other values do.
function(compare_words formats gpu model code regex)
  string(REPLACE " " ";" words "${gpu}")
  list(LENGTH words count)
  file(WRITE "${WORK}/gpu_words.txt" "device 90\nop ${count} ${formats} ${gpu}\n")
  file(WRITE "${WORK}/model_words.txt" "device 90\nop ${count} ${formats} ${model}\n")
  compare(gpu_words.txt model_words.txt ${code} "${regex}")
endfunction()
compare_words(hbf "7fff 7fff 7fffffff" "fe00 ffc0 ffc00000" 0 "1 operations, all agree")
compare_words(dDf "ffffffff 7fffffff 0" "0 fff80000 0" 0 "1 operations, all agree")
compare_words(dDf "1 7ff00000 0" "0 fff80000 0" 0 "1 operations, all agree")
compare_words(f "7fffffff" "7f800000" 1 "op +1 +1  case 0 lane 0 word 0: GPU 7fffffff, model 7f800000")
compare_words(h "7c00" "7fff" 1 "op +1 +1 ")
compare_words(dD "0 7ff00000" "0 fff80000" 1 "op +2 +1 .*word 1")
compare_words(dD "1 3ff00000" "0 3ff00000" 1 "op +2 +1 .*word 0")
compare_words(w "7fffffff" "ffc00000" 1 "op +1 +1 ")
