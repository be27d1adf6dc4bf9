# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the drop-in for a user who is not root and may write neither archgrid's sources nor its
# command: audits run, and a command that has to be built goes into the user's own cache folder.
execute_process(COMMAND id -u OUTPUT_VARIABLE uid OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT uid STREQUAL "0")
  message("skipped: all other cases run as a user who is not root, too")
  return()
endif()
# The tests' tree may be in a folder that other users cannot enter.
execute_process(COMMAND mktemp -d /tmp/archgrid-plain-user-XXXXXX OUTPUT_VARIABLE place
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
e2e_copy_sources("${place}/sources")
file(COPY "${COMMAND}" DESTINATION "${place}/bin")
file(WRITE "${place}/home/project/kernel.ptx" ".version 8.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 out)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], 1;
  ret;
}
")
file(WRITE "${place}/home/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
include(FetchContent)
FetchContent_Declare(archgrid SOURCE_DIR [==[${place}/sources]==])
FetchContent_MakeAvailable(archgrid)
archgrid_promise(DEVICES \${PROMISED} ACCEPT jit)
archgrid_audit(NAME kernel FILES kernel.ptx)
")
execute_process(COMMAND sh -c "chmod -R a+rX '${place}' && chown -R 65534:65534 '${place}/home'"
  COMMAND_ERROR_IS_FATAL ANY)

# as_user(<PATH> <word>...): runs a command as nobody, with nothing of this environment.
macro(as_user path)
  e2e_run(setpriv --reuid=65534 --regid=65534 --clear-groups
    env -i "HOME=${place}/home" "PATH=${path}" LANG=C.UTF-8 ${ARGN})
endmacro()

foreach(promised IN ITEMS 9.0 7.5)
  set(build "${place}/home/build ${promised}")
  as_user("${place}/bin:/usr/bin:/bin" "${CMAKE_COMMAND}" -G Ninja -S "${place}/home/project" -B "${build}"
    "-DPROMISED=${promised}")
  e2e_expect(pass MATCH "archgrid: the command is ${place}/bin/archgrid" WITHOUT "Warning")
  as_user("/usr/bin:/bin" "${CMAKE_COMMAND}" --build "${build}")
  e2e_expect(pass)
  as_user("/usr/bin:/bin" "${CTEST}" --test-dir "${build}" --output-on-failure)
  if(promised STREQUAL "9.0")
    e2e_expect(pass MATCH "audit\\.kernel .*Passed")
  else()
    e2e_expect(fail MATCH "audit\\.kernel .*Failed" "missing: kernel\\.ptx: fill on 7\\.5")
  endif()
endforeach()

as_user("/usr/bin:/bin" "${CMAKE_COMMAND}" -G Ninja -S "${place}/home/project" -B "${place}/home/without"
  -DPROMISED=9.0)
e2e_expect(pass MATCH "the first build compiles the archgrid command" WITHOUT "cannot be written")
file(GLOB configured "${place}/home/.cache/archgrid/commands/*/build/command/CMakeCache.txt")
if(NOT configured)
  message(FATAL_ERROR "no command is configured in ${place}/home/.cache/archgrid/commands")
endif()
file(REMOVE_RECURSE "${place}")
