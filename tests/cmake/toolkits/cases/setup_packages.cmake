# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks missing packages: root installs them, other users get one exact command, and a dry run only
# lists them.
include("${CASE_SOURCE}/../support/stage.cmake")
stage_sccache()
set(all "")
file(STRINGS "${ARCHGRID_SOURCE}/setup" lines REGEX "^[a-z0-9+.-]+ [a-z+-]+$")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " .*" "=installed " package "${line}")
  string(APPEND all "${package}")
endforeach()
if(NOT all MATCHES "libfmt-dev=installed")
  message(FATAL_ERROR "cannot read the packages of ./setup: ${all}")
endif()
string(REPLACE "libfmt-dev=installed " "libfmt-dev=config-files " without "${all}")
stage_program(apt-get "echo \"apt-get $*\" >>'${CASE_BINARY}/apt.log'")

stage_program(dpkg-query "echo '${all}'")
stage_program(id "echo 1000")
ask_setup(complete)
expect(complete 0 "packages all there")

stage_program(dpkg-query "echo '${without}'")
ask_setup(user)
expect(user 1 "missing: libfmt-dev"
  "sudo apt-get update && sudo apt-get install -y --no-install-recommends libfmt-dev ")
ask_setup(dry --dry-run)
expect(dry 0 "would install: libfmt-dev")
if(EXISTS "${CASE_BINARY}/apt.log")
  message(FATAL_ERROR "apt-get was run without root")
endif()

stage_program(id "echo 0")
ask_setup(root)
expect(root 0 "installing: libfmt-dev" "all there")
file(READ "${CASE_BINARY}/apt.log" log)
if(NOT log MATCHES "apt-get update\napt-get install -y --no-install-recommends libfmt-dev\n$")
  message(FATAL_ERROR "apt-get ran as: ${log}")
endif()

stage_program(apt-get "echo 'E: Unable to locate package libfmt-dev' && exit 100")
ask_setup(failed)
expect(failed 1 "Unable to locate package libfmt-dev" "apt-get failed")

# A cmake that is too old for the modules is an error, whatever its origin.
stage_program(dpkg-query "echo '${all}'")
stage_program(cmake "echo 'cmake version 3.18.4'")
ask_setup(old_cmake)
expect(old_cmake 1 "is CMake 3.18.4, and archgrid needs 3.25 or newer")
