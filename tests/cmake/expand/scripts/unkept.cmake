# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that WARN reports each promise that no arch can keep, once, and only if this is certain.
cmake_minimum_required(VERSION 3.25)
file(WRITE "${CASE_BINARY}/expand.cmake" "include([==[${ARCHGRID_MODULES}/archgrid/expand.cmake]==])
archgrid_expand(MATRIX m.json \${WARN})\n")

# Sets warnings to the output of expanding a file with these toolkits and other sections, with white
# space folded.
function(expand_with toolkits sections)
  file(WRITE "${CASE_BINARY}/m.json" "{\"name\": \"m\", \"toolkits\": [${toolkits}], ${sections}}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -DWARN=WARN -P expand.cmake WORKING_DIRECTORY "${CASE_BINARY}"
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${toolkits} ${sections} does not expand: ${text}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " folded "${text}")
  set(warnings "${folded}" PARENT_SCOPE)
endfunction()

# Checks that the warnings match the regular expressions in ARGN, in this order.
function(expect_warnings toolkits sections)
  expand_with("${toolkits}" "${sections}")
  list(JOIN ARGN ".*" regex)
  if(NOT warnings MATCHES "${regex}")
    message(SEND_ERROR "${toolkits} ${sections}: expected \"${regex}\" in: ${warnings}")
  endif()
endfunction()

function(expect_silence toolkits sections)
  expand_with("${toolkits}" "${sections}")
  if(NOT warnings STREQUAL "")
    message(SEND_ERROR "${toolkits} ${sections}: ${warnings}")
  endif()
endfunction()

set(old "{\"cuda\": \"11.8\", \"archs\": [\"60\", \"80\"]}")
set(new "{\"cuda\": \"13.5\", \"archs\": [\"75\", \"80\", \"90a\", \"100f\"]}")
set(ptx "{\"cuda\": \"13.5\", \"archs\": [\"75-real\", \"90-virtual\"]}")
set(fat "\"cells\": [\"fat\"], ")

expect_warnings("${new}" "\"promises\": [{\"devices\": [\"8.0\", \"6.0\", \"6.1\"]}]"
  "m[.]json: promises.0.: no arch of CUDA 13[.]5 .75 80 90a 100f. can keep it for 6[.]0 .P100., 6[.]1 .GTX 10xx. fix: remove 6[.]0, 6[.]1, or use a promise whose \"toolkits\" leave out CUDA 13[.]5 ")
# Each promise has its own warning, with one line per toolkit.
expect_warnings("${old}, ${new}" "\"promises\": [{\"devices\": [\"7.0\"]}, {\"devices\": [\"9.0\"]}]"
  "Warning .*promises.0.: no arch of CUDA 11[.]8 .60 80. can keep it for 7[.]0 .V100. m[.]json: promises.0.: no arch of CUDA 13[.]5 "
  "fix: add 70 to the archs of CUDA 11[.]8 fix: remove 7[.]0, or use a promise whose \"toolkits\" leave out CUDA 13[.]5 " "Warning .*promises.1.: no arch of CUDA 11[.]8" "fix: add 90 to the archs")
expect_warnings("${new}" "${fat} \"promises\": [{\"devices\": [\"8.6\"], \"accept\": [\"native\"]}]"
  "add 86 to the archs of CUDA 13[.]5")
expect_warnings("${new}" "\"promises\": [{\"devices\": [\"12.0\"]}]" "no arch of CUDA 13[.]5 [^:]* for 12[.]0 .RTX 50.")
expect_warnings("${new}"
  "\"promises\": [{\"devices\": [\"6.0\"], \"accept\": [\"native\", \"jit\", \"empty\"]}]" "for 6[.]0")
expect_warnings("${ptx}" "\"promises\": [{\"devices\": [\"9.0\"]}]"
  "no arch of CUDA 13[.]5 .75-real 90-virtual. can keep it for 9[.]0")
expect_warnings("${new}"
  "\"ignore\": [{\"kernel\": \"*\", \"devices\": [\"6.0\"], \"reason\": \"r\"}], \"promises\": [{\"devices\": [\"8.8\", \"6.0\"], \"accept\": [\"native\"]}]"
  "for 8[.]8 fix: add 88")
# An arch that is listed and excluded cannot be added; another variant of its number can.
set(without "\"exclude\": [{\"cuda\": \"13.5\", \"arch\": \"90a\", \"reason\": \"r\"}], ")
expect_warnings("${new}" "${without} \"promises\": [{\"devices\": [\"9.0\", \"12.0\"]}]"
  "no arch of CUDA 13[.]5 .75 80 100f. can keep it for 9[.]0 .H100., 12[.]0 [^:]* fix: add 120 to the archs of CUDA 13[.]5 fix: remove 90a of CUDA 13[.]5 from \"exclude\", or 9[.]0 from the promise ")
expect_warnings("${ptx}"
  "\"exclude\": [{\"cuda\": \"13.5\", \"arch\": \"90-virtual\", \"reason\": \"r\"}], \"promises\": [{\"devices\": [\"9.0\"]}]"
  "fix: add 90 to the archs of CUDA 13[.]5 ")

# A toolkit to which the promise does not apply is not checked.
expect_silence("${old}, ${new}"
  "\"promises\": [{\"devices\": [\"6.0\"], \"toolkits\": [\"11.8\"]}, {\"devices\": [\"9.0\"], \"toolkits\": [\"13.5\"]}]")
# Machine code of a lower minor version, with any suffix: the project may build the plain variant
# beside it.
expect_silence("${new}" "${fat} \"promises\": [{\"devices\": [\"8.9\", \"9.0\", \"10.3\"]}]")
# PTX if it is accepted, even of -real archs.
expect_silence("${ptx}" "\"promises\": [{\"devices\": [\"8.0\", \"12.1\"], \"accept\": [\"jit\"]}]")
# Sources disagree about these.
expect_silence("${new}" "\"promises\": [{\"devices\": [\"8.7\"]}, {\"devices\": [\"6.0\"], \"accept\": [\"unknown\"]}]")
expect_silence("{\"cuda\": \"12.8\", \"archs\": [\"101\"]}" "\"promises\": [{\"devices\": [\"11.0\"]}]")
# A kernel with an empty body, in machine code or PTX of an arch that is not newer than the device.
expect_silence("${new}" "\"promises\": [{\"devices\": [\"8.6\", \"12.0\"], \"accept\": [\"native\", \"empty\"]}]")
# Prebuilt libraries may contain the kernels that a pattern matches.
expect_silence("${new}" "\"promises\": [{\"devices\": [\"6.0\"], \"kernels\": \"lib*\"}]")
# An ignore may match every kernel, and promises with patterns may replace the other promise on
# every device.
expect_silence("${new}"
  "\"promises\": [{\"devices\": [\"6.0\"]}], \"ignore\": [{\"kernel\": \"*\", \"reason\": \"r\"}]")
expect_silence("${new}"
  "\"promises\": [{\"devices\": [\"6.0\"]}], \"ignore\": [{\"kernel\": \"missing:*\", \"reason\": \"r\"}]")
expect_warnings("${new}"
  "\"promises\": [{\"devices\": [\"6.0\"]}], \"ignore\": [{\"kernel\": \"empty:*\", \"reason\": \"r\"}]" "for 6[.]0")
expect_silence("${new}"
  "\"promises\": [{\"devices\": [\"6.0\"]}], \"ignore\": [{\"kernel\": \"empty::*\", \"reason\": \"r\"}]")
expect_silence("${ptx}"
  "\"promises\": [{\"devices\": [\"9.0\"]}, {\"devices\": [\"9.0\"], \"kernels\": \"*\", \"accept\": [\"jit\"]}]")
expect_silence("${new}" "\"promises\": [{\"devices\": [\"6.0\"]}, {\"devices\": [\"9.0\"], \"kernels\": \"*\"}]")
expect_silence("${ptx}"
  "\"promises\": [{\"devices\": [\"9.0\"]}, {\"devices\": [\"9.0\"], \"kernels\": \"mma_*\", \"accept\": [\"jit\"]}]")
# Kernels that no pattern matches lack code for a device that no arch serves.
expect_warnings("${new}" "\"promises\": [{\"devices\": [\"12.0\"]}, {\"devices\": [\"9.0\"], \"kernels\": [\"mma_*\"]}]"
  "promises.0.: no arch of CUDA 13[.]5 .* can keep it for 12[.]0 .* fix: add 120 to the archs")
expect_warnings("${new}"
  "\"promises\": [{\"devices\": [\"6.0\"]}, {\"devices\": [\"6.0\", \"9.0\"], \"kernels\": \"mma_*\"}]"
  "promises.0.: no arch of CUDA 13[.]5 .* can keep it for 6[.]0")
expect_warnings("${new}" "\"promises\": [{\"devices\": [\"6.0\"]}, {\"devices\": [\"9.0\"], \"kernels\": [\"mma_*\"]}]"
  "promises.0.: no arch of CUDA 13[.]5 .* can keep it for 6[.]0")
expect_warnings("${old}, ${new}"
  "\"promises\": [{\"devices\": [\"6.0\"]}, {\"devices\": [\"8.0\"], \"toolkits\": [\"11.8\"], \"kernels\": \"*\"}]"
  "no arch of CUDA 13[.]5 [^:]* for 6[.]0")
# Another variant of a toolkit serves the device.
expect_silence("${new}, {\"cuda\": \"13.5\", \"variant\": \"new\", \"archs\": [\"120\"]}"
  "\"promises\": [{\"devices\": [\"12.0\"]}]")

# Without WARN, as in ./setup, there is no output.
execute_process(COMMAND "${CMAKE_COMMAND}" -P expand.cmake WORKING_DIRECTORY "${CASE_BINARY}"
  OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT text STREQUAL "")
  message(SEND_ERROR "without WARN: ${text}")
endif()
