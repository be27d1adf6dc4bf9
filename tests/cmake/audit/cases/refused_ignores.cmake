# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that archgrid_promise() and archgrid_audit() refuse the same ignores, and the GPUs that
# archgrid_promise() accepts.

# configure(<line> <result> <output>): configures a project with this line.
function(configure line result output)
  file(WRITE "${CASE_BINARY}/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(ignores NONE)
include([==[${ARCHGRID_MODULES}/ArchGrid.cmake]==])
archgrid_promise(DEVICES 8.0 9.0)
${line}
")
  execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja "-DARCHGRID_COMMAND=${CMAKE_COMMAND}"
    -S "${CASE_BINARY}/project" -B "${CASE_BINARY}/build"
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(${result} "${code}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

# expect_refused(<ignores as written> <regex>)
function(expect_refused ignores regex)
  foreach(call IN ITEMS "archgrid_promise(DEVICES 8.0 9.0" "archgrid_audit(NAME files FILES a.so")
    configure("${call} IGNORE ${ignores})" result output)
    string(REGEX MATCH "^[a-z_]+" function "${call}")
    if(result EQUAL 0 OR NOT output MATCHES "${function}: IGNORE ${regex}")
      message(SEND_ERROR "${call} IGNORE ${ignores}: ${result}, no match for ${regex}: ${output}")
    endif()
  endforeach()
endfunction()

configure("archgrid_promise(DEVICES 8.0 9.0 IGNORE \"missing:gemm*@9.0=not shipped\" \"ns::k=a=b\")
archgrid_audit(NAME files FILES a.so IGNORE \"*@H100,A100=not shipped\" x@1.0/lib*=other)" result output)
if(NOT result EQUAL 0)
  message(SEND_ERROR "valid ignores are refused: ${output}")
endif()
expect_refused("" "is empty")
expect_refused("\"\"" "is empty")
expect_refused("k=why \"\${UNSET}\"" "is empty")
expect_refused("noreason" ".noreason. lacks a pattern or a reason")
expect_refused("k=" ".k=. lacks a pattern or a reason")
expect_refused("\"k= \"" ".k= . lacks a pattern or a reason")
expect_refused("=why" ".=why. lacks a pattern or a reason")
expect_refused("k=why \"stbu:*=why\"" ".stbu:.=why.: .stbu. is no code of errors.* write .stub:\\*.. ")
expect_refused("emtpy:*gemm*@9.0=why" ".*: .emtpy. is no code of errors.* write .empty:\\*gemm\\*@9\\.0.. ")
expect_refused("xyzzy:k=why" ".*: .xyzzy. is no code of errors[^?]*fix: .archgrid explain. lists the codes")
foreach(reason IN ITEMS REASON TODO " fixme " ... tbd)
  expect_refused("\"k=${reason}\"" ".k=${reason}.: .${reason}. is no reason")
endforeach()
expect_refused("k@7.4=why" ".k@7\\.4=why.: there is no GPU .7\\.4.")
expect_refused("k@9.0,5090=why" ".k@9\\.0,5090=why.: there is no GPU .5090.\\. Write .RTX 5090. or 12\\.0\\.")
expect_refused("nosuch@12.0=why"
  ".*: ignores nothing: the promise is not about 12\\.0.*write some of 8\\.0, 9\\.0, or promise 12\\.0")
expect_refused("k@B200=why" ".*: ignores nothing: the promise is not about 10\\.0")
expect_refused("missing:@9.0=why" ".missing:@9.0=why.: no pattern follows .missing:.")
expect_refused("@9.0=why" ".@9.0=why.: .@9.0. has no pattern")
expect_refused("jit:*@=why" ".jit:.@=why.: no GPU follows the @")

# GPUs of a matrix file are those of any toolkit. A file that is no JSON is read by the audit alone.
file(WRITE "${CASE_BINARY}/m.json" "{\"name\": \"m\", \"toolkits\": [{\"cuda\": \"13.0\", \"archs\": [\"80\"]}],
  \"promises\": [{\"devices\": [\"8.0\"]}, {\"devices\": [\"9.0\"], \"toolkits\": [\"12.4\"]}]}")
file(WRITE "${CASE_BINARY}/pyproject.toml" "[tool.archgrid]\ndevices = [\"8.0\"]\n")
foreach(row IN ITEMS "m.json 9.0 0" "m.json 12.0 1" "pyproject.toml 9.0 0")
  separate_arguments(row)
  list(POP_FRONT row file gpu refused)
  configure("archgrid_promise(MATRIX [==[${CASE_BINARY}/${file}]==] TOOLKIT 13.0)
archgrid_audit(NAME files FILES a.so IGNORE k@${gpu}=why)" result output)
  if(NOT result EQUAL refused OR refused AND NOT output MATCHES "is not about 12\\.0.*write some of 8\\.0, 9\\.0, or")
    message(SEND_ERROR "${file}, ${gpu}: ${result}: ${output}")
  endif()
endforeach()

# Lists of GPUs may have commas. An unknown one has a fix.
configure("archgrid_promise(DEVICES \"7.5,8.0\" \"A100, RTX 4090\")
archgrid_audit(NAME files FILES a.so IGNORE k@7.5=a k@8.0=a k@8.9=a)" result output)
if(NOT result EQUAL 0)
  message(SEND_ERROR "commas between GPUs are refused: ${output}")
endif()
foreach(row IN ITEMS "5090=RTX 5090. or 12\\.0\\." "GTX 5090=RTX 5090. or 12\\.0\\." "1080 Ti=GTX 1080 Ti. or 6\\.1\\."
    "7.4=Write a compute capability" "H10=Write a compute capability")
  string(REGEX MATCH "^([^=]+)=(.*)$" row "${row}")
  set(text "${CMAKE_MATCH_1}")
  set(fix "${CMAKE_MATCH_2}")
  configure("archgrid_promise(DEVICES 8.0 \"${text}\")" result output)
  if(result EQUAL 0 OR NOT output MATCHES "there is no GPU .${text}.\\..*${fix}")
    message(SEND_ERROR "DEVICES ${text}: ${result}, no match for ${fix}: ${output}")
  endif()
endforeach()

# GPUs without the word DEVICES, or with another.
foreach(row IN ITEMS "7.5 8.0=DEVICES 7\\.5 8\\.0\\?" "7.5,8.0 ACCEPT native=DEVICES 7\\.5,8\\.0\\?"
    "H100 \"RTX 4090\"=DEVICES H100 .RTX 4090.\\?" "8.0 7.4=" "DEVICE 8.0=DEVICES 8\\.0\\?"
    "H100 GPUS 8.0=DEVICES H100 8\\.0\\?" "GPUS 7.4=")
  string(REGEX MATCH "^([^=]+)=(.*)$" row "${row}")
  set(arguments "${CMAKE_MATCH_1}")
  set(meant " Known: ")
  if(CMAKE_MATCH_2)
    set(meant " Did you mean ${CMAKE_MATCH_2} Known: ")
  endif()
  configure("archgrid_promise(${arguments})" result output)
  if(result EQUAL 0 OR NOT output MATCHES "archgrid_promise: unknown arguments: [^:?]*\\.${meant}DEVICES ACCEPT")
    message(SEND_ERROR "archgrid_promise(${arguments}): ${result}, no match for ${meant}: ${output}")
  endif()
endforeach()
configure("archgrid_promise(DEVICES 8.0 GPUS 9.0)" result output)
if(result EQUAL 0 OR NOT output MATCHES "unknown argument GPUS\\. List all GPUs after DEVICES\\.")
  message(SEND_ERROR "a second list of GPUs: ${result}: ${output}")
endif()
