# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DEXIT=<code> [-DSAYS=<regex;...>] [-DSAYS_NOT=<regex;...>] -P expect.cmake -- <command>...
#
# Runs a command. Fails unless it exits with EXIT (`failure`: any but 0), and its output matches all
# of SAYS and none of SAYS_NOT.
cmake_minimum_required(VERSION 3.25)
set(command "")
set(is_command FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(is_command)
    list(APPEND command "${CMAKE_ARGV${index}}")
  elseif(CMAKE_ARGV${index} STREQUAL "--")
    set(is_command TRUE)
  endif()
endforeach()
execute_process(COMMAND ${command} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result TIMEOUT 60)
message(STATUS "it ended with ${result} and said:\n${said}")
if(EXIT STREQUAL "failure")
  if(result EQUAL 0)
    message(FATAL_ERROR "it ended with 0 instead of a failure")
  endif()
elseif(NOT result STREQUAL EXIT)
  message(FATAL_ERROR "it ended with ${result} instead of ${EXIT}")
endif()
foreach(regex IN LISTS SAYS)
  if(NOT said MATCHES "${regex}")
    message(FATAL_ERROR "it did not say: ${regex}")
  endif()
endforeach()
foreach(regex IN LISTS SAYS_NOT)
  if(said MATCHES "${regex}")
    message(FATAL_ERROR "it said: ${regex}")
  endif()
endforeach()
