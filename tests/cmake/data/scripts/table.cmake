# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the files agree with each other and are in order, and that check_table() reports each
# planted contradiction.
cmake_minimum_required(VERSION 3.25)
set(data "${ARCHGRID_MODULES}/archgrid/data")

if(DEFINED TABLE)
  include("${ARCHGRID_MODULES}/archgrid/detail/data.cmake")
  include("${CASE_SOURCE}/../check_table.cmake")
  set_property(GLOBAL PROPERTY _archgrid_data_folder "${TABLE}")
  archgrid_check_table()
  return()
endif()

# expect(<difference> <file> <replace> <with>): checks what check_table() says about this edit;
# without an edit, nothing
function(expect difference)
  set(table "${CASE_BINARY}/table")
  file(COPY "${data}/" DESTINATION "${table}")
  if(ARGC GREATER 1)
    file(READ "${table}/${ARGV1}.json" json)
    string(REPLACE "${ARGV2}" "${ARGV3}" edited "${json}")
    if(json STREQUAL edited)
      message(FATAL_ERROR "${ARGV1}.json does not hold: ${ARGV2}")
    endif()
    file(WRITE "${table}/${ARGV1}.json" "${edited}")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DTABLE=${table}" "-DARCHGRID_MODULES=${ARCHGRID_MODULES}"
                          "-DCASE_SOURCE=${CASE_SOURCE}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
                  RESULT_VARIABLE result ERROR_VARIABLE stderr)
  string(REGEX REPLACE "[ \n]+" " " stderr "${stderr}")
  if(difference STREQUAL "")
    if(NOT result EQUAL 0)
      message(SEND_ERROR "the table as it is: ${stderr}")
    endif()
  elseif(result EQUAL 0 OR NOT stderr MATCHES "${difference}")
    message(SEND_ERROR "${ARGV3} in ${ARGV1}.json should say ${difference}: ${result} ${stderr}")
  endif()
endfunction()

expect("")
expect("architectures.json: schema is" architectures "architectures/1" "architectures/2")
expect("architecture 90: the device should be 9.0" architectures "\"device\": \"9.0\"" "\"device\": \"9.1\"")
expect("driver 580: PTX ISA" drivers "\"branch\": \"580\", \"cuda\": \"13.0\""
  "\"branch\": \"580\", \"cuda\": \"13.1\"")
expect("architecture 88: no source" architectures
       "\"note\": \"no product named in any source\",\n     \"source\"" "\"note\"")
expect("architecture 89 stands after 110" architectures "\"number\": \"120\", \"device\": \"12.0\""
  "\"number\": \"89\", \"device\": \"8.9\"")
expect("toolkit 13.5 builds 107, which is no architecture" architectures
  "\"107\", \"device\": \"10.7\"" "\"108\", \"device\": \"10.8\"")
expect("toolkit 12.4 builds 90f, and 90 has no such suffix" toolkits "[\"90a\"]" "[\"90f\"]")
expect("no toolkit builds 101f" toolkits "\"101f\", " "")
expect("toolkit 13.5 has PTX ISA 9.3, less than 9.4 of 13.4" toolkits "\"ptx_isa\": \"9.5\"" "\"ptx_isa\": \"9.3\"")
expect("toolkit 13.5 needs driver 585, which drivers.json lacks" toolkits
       "\"ptx_isa\": \"9.5\", \"max_gcc\": 16, \"max_clang\": 22, \"min_driver\": \"580\""
       "\"ptx_isa\": \"9.5\", \"max_gcc\": 16, \"max_clang\": 22, \"min_driver\": \"585\"")
expect("driver 580: PTX ISA 9.1, and CUDA 13.0 has 9.0" drivers "\"13.0\", \"ptx_isa\": \"9.0\""
  "\"13.0\", \"ptx_isa\": \"9.1\"")
expect("library nvjitlink: since 12.7, which toolkits.json lacks" libraries "\"since\": \"12.0\"" "\"since\": \"12.7\"")
expect("the libraries are not in alphabetical order" libraries "\"name\": \"npp\"" "\"name\": \"zpp\"")
expect("family 100 holds 105, which is no architecture" architectures "\"103\", \"107\"]" "\"103\", \"105\"]")
expect("architecture 103 has the suffix f and is in no family" architectures
  "\"100\", \"103\", \"107\"" "\"100\", \"107\"")
expect("architecture 90: first_driver 521, which drivers.json lacks" architectures
       "\"first_driver\": \"520\"" "\"first_driver\": \"521\"")
expect("architecture 35: no source of last_driver" architectures "; last_driver: BLFS" "; BLFS")
expect("architecture 121: no source of host_cpu" architectures "; host_cpu: NVIDIA" "; NVIDIA")
expect("architecture 121: host_cpu arm64 is not aarch64" architectures
  "\"integrated\": false, \"host_cpu\": \"aarch64\""
       "\"integrated\": false, \"host_cpu\": \"arm64\"")
expect("architecture 110: first_driver 590 is for CUDA 13.1, and 13.0 builds it" architectures
       "\"first_driver\": \"580\"" "\"first_driver\": \"590\"")
expect("architecture 110: last_driver 575 is older than first_driver 580" architectures
       "\"first_driver\": \"580\"" "\"first_driver\": \"580\", \"last_driver\": \"575\"")
