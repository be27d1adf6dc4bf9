# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the launcher of nvcc compiles through caches if they are correct, and with nvcc alone
# if not. Scripts replace sccache and nvcc. Also checks that a killed launcher leaves nothing
# behind.
include("${ARCHGRID_MODULES}/archgrid/detail/sccache.cmake")
string(RANDOM LENGTH 8 token)
set(sockets "/tmp/archgrid-launcher-${token}") # short enough for a socket
file(MAKE_DIRECTORY "${sockets}")
file(WRITE "${CASE_BINARY}/empty.c" "int nothing;\n")
execute_process(COMMAND cc -c "${CASE_BINARY}/empty.c" -o "${CASE_BINARY}/empty.o" COMMAND_ERROR_IS_FATAL ANY)
foreach(name IN ITEMS sccache nvcc)
  file(WRITE "${CASE_BINARY}/${name}" "#!/bin/bash
[[ $1 != --start-server ]] || exec bash '${CASE_BINARY}/start'
echo ${name} >>'${CASE_BINARY}/calls'
export -p >'${CASE_BINARY}/environment'
for word; do
  case $previous in
    -o) cp '${CASE_BINARY}/empty.o' \"$word\"; object=$word ;;
    -MF) printf '%s\\n' 'x.o : x.cu \\' '    /none.h \\' '    a\\ header.h' >\"$word\" ;;
  esac
  previous=$word
done
source '${CASE_BINARY}/more' ${name}
")
  file(CHMOD "${CASE_BINARY}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()

file(WRITE "${CASE_BINARY}/start" "exit 1\n") # what a server does when it starts

# Writes the launcher, with CCACHE before SCCACHE (default: the script that replaces sccache).
set(sccache "${CASE_BINARY}/sccache")
function(write_launcher ccache fingerprint)
  _archgrid_write_sccache_launcher("${CASE_BINARY}/written" "${ccache}" "${sccache}" "${CASE_BINARY}/nvcc"
    "${fingerprint}" "${sockets}")
endfunction()
write_launcher("" fingerprint)
set(folder "${CASE_BINARY}")
set(object x.o)

# Lets the script that replaces sccache run TEXT at its end.
function(then text)
  file(WRITE "${CASE_BINARY}/more" "[ $1 = sccache ] || return 0\n${text}\n")
endfunction()

# compile([<word>...]): compiles x.cu with these options; sets CALLS to the scripts that ran,
# ENVIRONMENT to the environment of the last one, and OUTPUT to the launcher's output.
function(compile)
  file(REMOVE "${CASE_BINARY}/calls" "${folder}/${object}" "${folder}/${object}.d")
  execute_process(
    COMMAND "${CASE_BINARY}/written/sccache" "${CASE_BINARY}/nvcc" -ccbin=g++ ${ARGV}
      -MD -MT ${object} -MF ${object}.d -x cu -c x.cu -o ${object}
    WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  foreach(file IN ITEMS ${object} ${object}.d)
    if(result EQUAL 0 AND NOT EXISTS "${folder}/${file}")
      message(SEND_ERROR "${ARGV}: ${file} is not there. ${output}")
    endif()
  endforeach()
  set(calls "")
  if(EXISTS "${CASE_BINARY}/calls")
    file(STRINGS "${CASE_BINARY}/calls" calls)
  endif()
  file(READ "${CASE_BINARY}/environment" environment)
  set(CALLS "${calls}" PARENT_SCOPE)
  set(OUTPUT "${output}" PARENT_SCOPE)
  set(RESULT "${result}" PARENT_SCOPE)
  set(ENVIRONMENT "${environment}" PARENT_SCOPE)
endfunction()
function(expect_calls expected)
  compile(${ARGN})
  if(NOT CALLS STREQUAL expected)
    message(SEND_ERROR "\"${ARGN}\" is compiled by \"${CALLS}\", not by ${expected}")
  endif()
  if(OUTPUT OR NOT RESULT EQUAL 0)
    message(SEND_ERROR "\"${ARGN}\": ${RESULT}, ${OUTPUT}")
  endif()
endfunction()

then("")
file(WRITE "${CASE_BINARY}/x.cu" "\n")
expect_calls(sccache)
foreach(words IN ITEMS "-O3;-lineinfo" "-Xcompiler;-fPIC,-g" "-Xptxas=-v,-O1" "-DTEXT=-G -flto"
  "-I/x-options-file" "-rdc=true" "-dc"
    "-isystem;/x-flto" "-isystem=/x-flto" "-Xcompiler=-fno-lto" "-DTIME;-t=0" "-DTEXT=@x"
    "-I/x-specs" "-Xcompiler=-Wp,-DX=1"
    "-Xcompiler=-fdiagnostics-format=text,-fsanitize=undefined" -ewp)
  expect_calls(sccache ${words})
endforeach()
foreach(option IN ITEMS -gsplit-dwarf -fprofile-arcs --coverage -save-temps -save-temps=obj
  -ftime-trace -fstack-usage -fdump-tree-all
    -fcallgraph-info -fsave-optimization-record -fopt-info-vec=x.txt -fauto-profile=x -flto -flto=auto -Wa,-adhln=x.lst
    -Wa,--noexecstack,-al=x.lst -Wa,--MD,x.d -Wa,-g,--MD,x.d -Wp,-MD,x.d -Wp,-MMD,x.d -MJ,x.json -fdeps-file=x.ddi
    -fdiagnostics-format=sarif-file -fdiagnostics-format=json-file -fdiagnostics-add-output=sarif
    -fdiagnostics-set-output=sarif
    -serialize-diagnostics,x -foptimization-record-file=x -specs=x --specs=x --config=x @x -Wa,@x -fplugin=x.so
    -fplugin-arg-x-y=z -fpass-plugin=x.so -fsanitize-ignorelist=x -fsanitize-blacklist=x
    -fsanitize-coverage-allowlist=x)
  foreach(words IN ITEMS "-Xcompiler=${option}" "-Xcompiler;${option}" "-Xcompiler=-fPIC,${option}"
    "-Xcompiler;-fPIC,${option}" "${option}")
    expect_calls(nvcc ${words})
  endforeach()
endforeach()
foreach(words IN ITEMS -G --device-debug -keep --keep --keep-dir=x "--time;x.csv" -time=x.csv
  --fdevice-time-trace=x -fdevice-time-trace=x
    "-Xptxas=--options-file,x" "-Xptxas;--options-file,x" "-Xptxas=-v,-optf=x" "--options-file;x" "-optf;x"
    -Xptxas=-apply-controls=x.acf "-Xptxas=-v,--apply-controls,x.acf"
    "-Xptxas;-apply-controls=x.acf" "-Xcompiler=-MMD,-MF,x.d"
    "-Xcompiler;-fPIC,-MMD")
  expect_calls(nvcc ${words})
endforeach()
# Files that the assembler reads, named in a source or a header.
foreach(text IN ITEMS ".incbin \\\"x.bin\\\"" "nop; .include \\\"x.s\\\"" ".include\\t\\\"x.s\\\"" ".include\" NAME \"")
  file(WRITE "${CASE_BINARY}/x.cu" "asm(\"${text}\");\n")
  expect_calls(nvcc)
  file(WRITE "${CASE_BINARY}/x.cu" "\n")
  file(WRITE "${CASE_BINARY}/a header.h" "asm(\"${text}\");\n")
  expect_calls("sccache;nvcc")
endforeach()
foreach(text IN ITEMS "#include <x.inc>" "#include \"include/x.include.h\"" "bool in = a.include(b) && a.includes(b);")
  file(WRITE "${CASE_BINARY}/x.cu" "${text}\n")
  file(WRITE "${CASE_BINARY}/a header.h" "${text}\n")
  expect_calls(sccache)
endforeach()

# expect_environment(<name> <regex>): checks the value of this variable for sccache; an empty
# <regex> means unset.
function(expect_environment name regex)
  set(value "")
  if(ENVIRONMENT MATCHES "declare -x ${name}=\"([^\n]*)\"\n")
    set(value "${CMAKE_MATCH_1}")
  endif()
  if(NOT value MATCHES "^${regex}$")
    message(SEND_ERROR "sccache is given ${name} \"${value}\", not \"${regex}\"")
  endif()
endfunction()
# Settings with which sccache's client would not exit before its server.
set(ENV{SCCACHE_NO_DAEMON} 1)
set(ENV{SCCACHE_START_SERVER} 1)
compile()
expect_environment(SCCACHE_NO_DAEMON "")
expect_environment(SCCACHE_START_SERVER "")
unset(ENV{SCCACHE_NO_DAEMON})
unset(ENV{SCCACHE_START_SERVER})
# The key of relocatable code includes its object.
set(ENV{SCCACHE_C_CUSTOM_CACHE_BUSTER} own)
compile()
expect_environment(SCCACHE_C_CUSTOM_CACHE_BUSTER "fingerprintown")
foreach(option IN ITEMS -rdc=true --relocatable-device-code=true -dc --device-c -ewp --extensible-whole-program)
  compile(${option})
  expect_environment(SCCACHE_C_CUSTOM_CACHE_BUSTER "fingerprint x.o own")
endforeach()
# Code for the processor at hand.
foreach(option IN ITEMS -Xcompiler=-march=native "-Xcompiler;-O3,-mtune=native")
  compile(${option})
  expect_environment(SCCACHE_C_CUSTOM_CACHE_BUSTER "fingerprint [0-9]+ [1-9][0-9]*own")
endforeach()
expect_environment(SCCACHE_IDLE_TIMEOUT 3600)
set(ENV{SCCACHE_IDLE_TIMEOUT} 60)
compile()
expect_environment(SCCACHE_IDLE_TIMEOUT 60)
unset(ENV{SCCACHE_IDLE_TIMEOUT})
# TMPDIR may be too long a path for a socket.
string(REPEAT "long/" 40 long)
file(MAKE_DIRECTORY "${CASE_BINARY}/${long}")
set(ENV{TMPDIR} "${CASE_BINARY}/${long}")
then("touch \"$TMPDIR/was-here\"")
compile()
expect_environment(TMPDIR "${sockets}/t[0-9]+")
if(NOT EXISTS "${CASE_BINARY}/${long}/was-here")
  message(SEND_ERROR "sccache does not write into the user's TMPDIR")
endif()
unset(ENV{TMPDIR})
then("")

# A new server removes the sockets of servers that have ended, but not those of others.
function(listen socket seconds)
  execute_process(COMMAND python3 -c "import os, socket, sys, time
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
os.utime(sys.argv[1], (0, 0))
server.listen()
if sys.argv[2] == '0' or os.fork(): os._exit(0)
for file in range(3): os.close(file)
time.sleep(int(sys.argv[2]))" "${socket}" ${seconds} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
compile()
string(REGEX MATCH "SCCACHE_SERVER_UDS=\"(([^\n]*)/([0-9]+)-[0-9]+[.]sock)" found "${ENVIRONMENT}")
set(own "${CMAKE_MATCH_1}")
set(own_path "${own}")
set(place "${CMAKE_MATCH_3}")
listen("${sockets}/${place}-1.sock" 0)
listen("${sockets}/${place}-2.sock" 20)
listen("${sockets}/1-3.sock" 0) # of another machine
file(CREATE_LINK "${CASE_BINARY}/gone" "${sockets}/t1" SYMBOLIC)
expect_calls(sccache)
if(NOT EXISTS "${sockets}/${place}-1.sock")
  message(SEND_ERROR "sockets are removed although no server was started")
endif()
listen("${own}.later" 20)
then("mv '${own}.later' '${own}'") # not in the kernel's list
expect_calls(sccache)
if(NOT EXISTS "${sockets}/${place}-1.sock")
  message(SEND_ERROR "sockets are removed although the kernel does not list them by name")
endif()
file(REMOVE "${own}")
then("python3 - '${own}' <<'END'
import os, socket, sys, time
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
if os.fork(): os._exit(0)
for file in range(3): os.close(file)
time.sleep(20)
END")
expect_calls(sccache)
file(GLOB left RELATIVE "${sockets}" "${sockets}/*")
cmake_path(GET own FILENAME own)
foreach(socket IN ITEMS ${own} ${place}-2.sock 1-3.sock)
  if(NOT socket IN_LIST left)
    message(SEND_ERROR "${socket} was removed")
  endif()
endforeach()
foreach(socket IN ITEMS ${place}-1.sock t1)
  if(socket IN_LIST left)
    message(SEND_ERROR "${socket} was not removed")
  endif()
endforeach()

# Launchers that start together start one server.
file(REMOVE "${own_path}")
file(WRITE "${CASE_BINARY}/start" "echo start >>'${CASE_BINARY}/starts'
sleep 0.5
exec python3 -c \"import os, socket, sys, time
server = socket.socket(socket.AF_UNIX)
server.bind(os.environ['SCCACHE_SERVER_UDS'])
server.listen()
if os.fork(): os._exit(0)
for file in range(3): os.close(file)
time.sleep(20)\"\n")
then("")
set(together "")
foreach(number RANGE 1 4)
  list(APPEND together COMMAND "${CASE_BINARY}/written/sccache" "${CASE_BINARY}/nvcc" -MD
    -MT y${number}.o -MF y${number}.o.d
    -x cu -c x.cu -o y${number}.o)
endforeach()
execute_process(${together} WORKING_DIRECTORY "${CASE_BINARY}" RESULTS_VARIABLE results)
file(STRINGS "${CASE_BINARY}/starts" starts)
list(LENGTH starts count)
if(NOT count EQUAL 1 OR NOT results STREQUAL "0;0;0;0")
  message(SEND_ERROR "${count} servers were started, not 1: ${results}")
endif()
file(WRITE "${CASE_BINARY}/start" "exit 1\n")

# A killed launcher leaves its folder to the next compilation of the object, which does not touch
# other folders.
file(MAKE_DIRECTORY "${CASE_BINARY}/xx.o.sccache-other")
then("kill -KILL $PPID $(ps -o ppid= -p $PPID)")
compile()
file(GLOB left "${CASE_BINARY}/x.o.sccache-*")
if(NOT left)
  message(SEND_ERROR "no launcher was killed")
endif()
then("")
expect_calls(sccache)
file(GLOB left RELATIVE "${CASE_BINARY}" "${CASE_BINARY}/*.sccache-*")
if(NOT left STREQUAL "xx.o.sccache-other")
  message(SEND_ERROR "left are \"${left}\"")
endif()

# With ccache before sccache, a whole call is compiled once, and everything in its key matters.
find_program(CCACHE ccache REQUIRED)
execute_process(COMMAND "${CMAKE_COMMAND}" -E environment OUTPUT_VARIABLE environment)
string(REGEX MATCHALL "CCACHE_[A-Z]+" names "${environment}")
foreach(name IN LISTS names)
  unset(ENV{${name}})
endforeach()
set(ENV{CCACHE_DIR} "${CASE_BINARY}/ccache")
# Headers are as new as their compilation here.
set(ENV{CCACHE_SLOPPINESS} include_file_mtime,include_file_ctime)
# User settings with which ccache sees only one architecture's edits, or that name another compiler.
set(ENV{CCACHE_CONFIGPATH} "${CASE_BINARY}/ccache.conf")
file(WRITE "${CASE_BINARY}/ccache.conf" "direct_mode = false\ndepend_mode = false\nrun_second_cpp = false
compiler = false\ncompiler_type = gcc\nprefix_command = false\nprefix_command_cpp = false\n")
foreach(setting IN ITEMS NODIRECT=1 NODEPEND=1 NOCPP2=1 PREFIX=false PREFIX_CPP=false COMPILER=false COMPILERTYPE=gcc)
  string(REGEX MATCH "(.*)=(.*)" setting "${setting}")
  set(ENV{CCACHE_${CMAKE_MATCH_1}} "${CMAKE_MATCH_2}")
endforeach()
write_launcher("${CCACHE}" fingerprint)
file(MAKE_DIRECTORY "${CASE_BINARY}/another folder")
foreach(file IN ITEMS x.cu y.cu "a header.h")
  file(WRITE "${CASE_BINARY}/${file}" "1\n")
  file(WRITE "${CASE_BINARY}/another folder/${file}" "1\n")
endforeach()
foreach(name IN ITEMS sccache nvcc)
  file(READ "${CASE_BINARY}/${name}" script)
  string(REPLACE "'    /none.h" "'    y.cu" script "${script}") # ccache reads each file
  file(WRITE "${CASE_BINARY}/${name}" "${script}")
endforeach()
function(expect_once)
  # A source that has just been written may be written again.
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
  expect_calls(sccache ${ARGN})
  expect_calls("" ${ARGN})
endfunction()
expect_once()
expect_once(-O3)
foreach(file IN ITEMS x.cu "a header.h" y.cu)
  file(WRITE "${CASE_BINARY}/${file}" "2\n")
  expect_once()
endforeach()
foreach(value IN ITEMS b c)
  expect_once(-Xcompiler "-fmacro-prefix-map=a=${value}")
endforeach()
foreach(name IN ITEMS NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS NVCC_CCBIN PTXAS_FLAGS CUDAFE_FLAGS INCLUDES SYSTEM_INCLUDES
    SCCACHE_C_CUSTOM_CACHE_BUSTER CPATH)
  set(ENV{${name}} "-another")
  expect_once()
  unset(ENV{${name}})
endforeach()
foreach(values IN ITEMS "-a -b|-c" "-a|-b -c")
  string(REGEX MATCH "(.*)[|](.*)" values "${values}")
  set(ENV{PTXAS_FLAGS} "${CMAKE_MATCH_1}")
  set(ENV{CUDAFE_FLAGS} "${CMAKE_MATCH_2}")
  expect_once()
endforeach()
unset(ENV{PTXAS_FLAGS})
unset(ENV{CUDAFE_FLAGS})
write_launcher("${CCACHE}" another)
expect_once()
expect_once(-Xcompiler=-march=native)
# The dependency file names headers of the toolkit at its path.
file(READ "${CASE_BINARY}/written/sccache" script)
string(REPLACE "${CASE_BINARY}/nvcc" "${CASE_BINARY}/written/../nvcc" moved "${script}")
file(WRITE "${CASE_BINARY}/written/sccache" "${moved}")
expect_once()
file(WRITE "${CASE_BINARY}/written/sccache" "${script}")
# Objects of relocatable code differ by name; debug information records the folder of a relative
# source.
expect_once(-rdc=true)
set(object z.o)
expect_calls("")
expect_once(-rdc=true)
set(object x.o)
foreach(name IN ITEMS "another folder" .)
  set(folder "${CASE_BINARY}/${name}")
  foreach(file IN ITEMS x.cu y.cu "a header.h")
    file(WRITE "${folder}/${file}" "2\n")
  endforeach()
  expect_once(-lineinfo)
endforeach()
set(folder "${CASE_BINARY}")
# Requests for sccache to recompile, and to compile without a cache, apply to ccache, too.
set(ENV{SCCACHE_RECACHE} 1)
expect_calls(sccache)
expect_calls(sccache)
unset(ENV{SCCACHE_RECACHE})
expect_calls("")
foreach(name IN ITEMS SCCACHE_NO_CACHE CCACHE_DISABLE)
  set(ENV{${name}} 1)
  expect_calls(sccache)
  unset(ENV{${name}})
endforeach()
# Options that caches do not support, files that the assembler reads, and failures of sccache store
# nothing in ccache.
foreach(try RANGE 1)
  expect_calls(nvcc --keep)
endforeach()
file(WRITE "${CASE_BINARY}/a header.h" "asm(\".incbin \\\"x.bin\\\"\");\n")
foreach(try RANGE 1)
  expect_calls("sccache;nvcc")
endforeach()
file(WRITE "${CASE_BINARY}/a header.h" "3\n")
then("echo no space left >&2; exit 3")
foreach(try RANGE 1)
  compile()
  set(expected "archgrid: sccache failed, nvcc compiled x.cu alone: no space left\n")
  if(NOT CALLS STREQUAL "sccache;nvcc" OR NOT RESULT EQUAL 0 OR NOT OUTPUT STREQUAL expected)
    message(SEND_ERROR "sccache failed: \"${CALLS}\", ${RESULT}, \"${OUTPUT}\"")
  endif()
endforeach()
then("echo 'warning: the server looks like it shut down unexpectedly, compiling locally instead' >&2")
compile()
if(NOT CALLS STREQUAL "sccache;nvcc"
    OR NOT OUTPUT MATCHES "^archgrid: sccache failed, [^\n]*compiling locally instead\n$")
  message(SEND_ERROR "the server has died: \"${CALLS}\", ${RESULT}, \"${OUTPUT}\"")
endif()
# Neither do a source that is edited during its compilation, and a compilation whose folder a later
# one removed.
then("echo 5 >x.cu")
expect_calls("sccache;nvcc")
file(WRITE "${CASE_BINARY}/x.cu" "2\n")
then("rm -r \"\${object%/*}\"")
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
compile()
if(NOT CALLS STREQUAL "sccache;nvcc" OR NOT RESULT EQUAL 0)
  message(SEND_ERROR "another compilation has removed the folder: \"${CALLS}\", ${RESULT}, \"${OUTPUT}\"")
endif()
then("")
expect_once()
# A hit also removes leftovers of a killed compilation.
file(MAKE_DIRECTORY "${CASE_BINARY}/x.o.sccache-left")
expect_calls("")
if(EXISTS "${CASE_BINARY}/x.o.sccache-left")
  message(SEND_ERROR "x.o.sccache-left was not removed")
endif()
# Warnings and errors are printed once; hits print the warnings, too.
file(WRITE "${CASE_BINARY}/more" "echo 'x.cu(1): warning' >&2\n")
file(WRITE "${CASE_BINARY}/x.cu" "3\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
foreach(calls IN ITEMS sccache "")
  compile()
  if(NOT CALLS STREQUAL calls OR NOT OUTPUT STREQUAL "x.cu(1): warning\n")
    message(SEND_ERROR "a warning: \"${CALLS}\", \"${OUTPUT}\"")
  endif()
endforeach()
file(WRITE "${CASE_BINARY}/more" "rm -f \"$object\"; echo 'x.cu(1): error' >&2; exit 2\n")
file(WRITE "${CASE_BINARY}/x.cu" "4\n")
compile()
if(NOT CALLS STREQUAL "sccache;nvcc" OR NOT RESULT EQUAL 2 OR NOT OUTPUT STREQUAL "x.cu(1): error\n")
  message(SEND_ERROR "an error: \"${CALLS}\", ${RESULT}, \"${OUTPUT}\"")
endif()
then("")
# If ccache fails, the compilation continues without it; if a signal ends ccache, like Ctrl-C, it
# ends the compilation.
foreach(code IN ITEMS 1 130 143)
  file(WRITE "${CASE_BINARY}/ccache.sh" "#!/bin/sh\nexit ${code}\n")
  file(CHMOD "${CASE_BINARY}/ccache.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  write_launcher("${CASE_BINARY}/ccache.sh" fingerprint)
  file(WRITE "${CASE_BINARY}/calls" "")
  compile()
  if(code EQUAL 1)
    set(expected "nvcc|0|archgrid: ccache failed, nvcc compiled x.cu alone: exit code 1\n")
  else()
    set(expected "|${code}|")
  endif()
  if(NOT "${CALLS}|${RESULT}|${OUTPUT}" STREQUAL expected)
    message(SEND_ERROR "ccache ends with ${code}: \"${CALLS}\", ${RESULT}, \"${OUTPUT}\"")
  endif()
endforeach()

# Without sccache, nvcc compiles what ccache does not have, with the same checks.
set(sccache "")
then("")
write_launcher("" fingerprint)
foreach(try RANGE 1)
  expect_calls(nvcc)
endforeach()
write_launcher("${CCACHE}" without)
function(expect_nvcc_once)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
  expect_calls(nvcc ${ARGN})
  expect_calls("" ${ARGN})
endfunction()
expect_nvcc_once()
foreach(file IN ITEMS x.cu "a header.h")
  file(WRITE "${CASE_BINARY}/${file}" "6\n")
  expect_nvcc_once()
endforeach()
expect_nvcc_once(-rdc=true)
set(object z.o)
expect_nvcc_once(-rdc=true)
set(object x.o)
file(WRITE "${CASE_BINARY}/a header.h" "asm(\".incbin \\\"x.bin\\\"\");\n")
foreach(try RANGE 1)
  expect_calls("nvcc;nvcc")
endforeach()
file(WRITE "${CASE_BINARY}/a header.h" "7\n")
file(WRITE "${CASE_BINARY}/more" "echo 7 >x.cu\n")
expect_calls("nvcc;nvcc")
file(WRITE "${CASE_BINARY}/more" "rm -f \"$object\"; echo 'x.cu(1): error' >&2; exit 2\n")
compile()
if(NOT CALLS STREQUAL "nvcc;nvcc" OR NOT RESULT EQUAL 2 OR NOT OUTPUT STREQUAL "x.cu(1): error\n")
  message(SEND_ERROR "an error: \"${CALLS}\", ${RESULT}, \"${OUTPUT}\"")
endif()
file(REMOVE_RECURSE "${sockets}")
