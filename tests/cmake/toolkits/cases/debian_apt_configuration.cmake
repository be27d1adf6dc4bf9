# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the private apt uses the machine's mirror and does not touch its state.
include("${CASE_SOURCE}/../support/stage.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/fetch_debian.cmake")
set(ENV{PATH} "${stage_bin}:/usr/bin:/bin")

function(expect_mirror targets expected)
  stage_program(apt-get "printf '%s\\n' ${targets}")
  _archgrid_debian_mirror(mirror)
  if(NOT mirror STREQUAL expected)
    message(FATAL_ERROR "${targets}: expected ${expected}, got ${mirror}")
  endif()
endfunction()

expect_mirror("'Debian|Debian-Security|http://a/debian-security/' 'Debian|Debian|http://a/debian/'" "http://a/debian")
expect_mirror("'$(ORIGIN)|$(LABEL)|http://b/debian-security/' '$(ORIGIN)|$(LABEL)|https://b/mirror/debian'"
  "https://b/mirror/debian")
expect_mirror("'Ubuntu|Ubuntu|http://c/ubuntu/'" "")
set(ENV{ARCHGRID_DEBIAN_MIRROR} "http://own/debian")
expect_mirror("'Debian|Debian|http://a/debian/'" "http://own/debian")

# The proxy is copied; hooks, which clean up the system, are not.
stage_program(apt-config "cat <<'END'
APT::Architecture \"amd64\";
Acquire::http::Proxy \"http://proxy:3128\";
Acquire::https::Verify-Peer \"true\";
APT::Update::Post-Invoke:: \"rm -f /var/cache/apt/archives/*.deb\";
END")
_archgrid_write_apt_configuration("${CASE_BINARY}/private" trixie reason)
if(NOT reason STREQUAL "")
  message(FATAL_ERROR "expected a configuration, got: ${reason}")
endif()
file(READ "${CASE_BINARY}/private/sources.list" sources)
if(NOT sources MATCHES "^deb [[][^]]*[]] http://own/debian trixie main non-free\n$")
  message(FATAL_ERROR "sources.list: ${sources}")
endif()
file(READ "${CASE_BINARY}/private/apt.conf" configuration)
foreach(place IN ITEMS "State::lists" "State::status" "Cache" "Etc::sourcelist")
  if(NOT configuration MATCHES "Dir::${place} \"${CASE_BINARY}/private/?")
    message(FATAL_ERROR "Dir::${place} is not private: ${configuration}")
  endif()
endforeach()
if(NOT configuration MATCHES "Acquire::http::Proxy \"http://proxy:3128\";\nAcquire::https::Verify-Peer \"true\";")
  message(FATAL_ERROR "the network's settings are not borrowed: ${configuration}")
endif()
# The settings as apt itself reads them.
set(ENV{APT_CONFIG} "${CASE_BINARY}/private/apt.conf")
execute_process(COMMAND /usr/bin/apt-config dump OUTPUT_VARIABLE dump COMMAND_ERROR_IS_FATAL ANY)
if(NOT dump MATCHES "Acquire::http::Proxy \"http://proxy:3128\"" OR dump MATCHES "-Invoke|rm -f")
  message(FATAL_ERROR "apt reads: ${dump}")
endif()

# When root runs apt, its fetching programs drop privileges if the other user can reach the folders.
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
function(expect_root folder expected)
  _archgrid_write_apt_configuration("${folder}" trixie reason)
  file(STRINGS "${folder}/apt.conf" stays_root REGEX "^APT::Sandbox::User \"\"")
  if(stays_root AND NOT expected OR expected AND NOT stays_root)
    message(FATAL_ERROR "in ${folder} apt's setting of the user is: \"${stays_root}\"")
  endif()
endfunction()
if(user EQUAL 0)
  execute_process(COMMAND mktemp -d OUTPUT_VARIABLE reachable OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD "${reachable}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE WORLD_READ WORLD_EXECUTE)
  expect_root("${reachable}/work" FALSE)
  file(CHMOD "${reachable}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  expect_root("${reachable}/other" TRUE)
  file(REMOVE_RECURSE "${reachable}")
else()
  expect_root("${CASE_BINARY}/user" TRUE)
endif()
