# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the folder for sockets of sccache's servers belongs to its user alone, and that no
# existing folder changes its mode.
include("${ARCHGRID_MODULES}/archgrid/detail/sccache.cmake")
set(base "/tmp/archgrid-sockets") # short enough for a socket
string(RANDOM LENGTH 8 token)
string(APPEND base "-${token}")
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)

# make(<mode> <folder>), expect_mode(<mode> <folder>)
function(make mode folder)
  execute_process(COMMAND mkdir -p -m ${mode} "${folder}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(expect_mode expected folder)
  execute_process(COMMAND stat -c %a "${folder}" OUTPUT_VARIABLE mode OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT mode STREQUAL expected)
    message(SEND_ERROR "${folder} has mode ${mode}, not ${expected}")
  endif()
endfunction()

# expect(<setting> <folder> [<regex>]): checks the resulting folder, or that there is none, with a
# reason that matches.
function(expect setting folder)
  set(ENV{ARCHGRID_SCCACHE_SOCKETS} "${setting}")
  _archgrid_sccache_sockets(sockets)
  if(NOT sockets STREQUAL folder OR NOT sockets_REASON MATCHES "^${ARGN}$")
    message(SEND_ERROR "${setting} leads to \"${sockets}\" (${sockets_REASON}), not \"${folder}\" (${ARGN})")
  endif()
endfunction()

make(755 "${base}")
foreach(try RANGE 1) # created, then found
  expect("${base}/new/sockets" "${base}/new/sockets")
  expect_mode(700 "${base}/new/sockets")
endforeach()
make(700 "${base}/own")
expect("${base}/own" "${base}/own")
file(CREATE_LINK "${base}/own" "${base}/link" SYMBOLIC)
expect("${base}/link" "${base}/link")

# Others can enter these folders.
foreach(mode IN ITEMS 755 1777 750)
  make(${mode} "${base}/shared-${mode}")
  foreach(try RANGE 1)
    expect("${base}/shared-${mode}" "${base}/shared-${mode}/sccache-${user}")
  endforeach()
  expect_mode(${mode} "${base}/shared-${mode}")
  expect_mode(700 "${base}/shared-${mode}/sccache-${user}")
endforeach()

# Others could replace our folder by theirs, or did.
make(777 "${base}/open")
execute_process(COMMAND chmod 777 "${base}/open")
expect("${base}/open" "" "others could replace .*/open/sccache-${user}; .*")
expect_mode(777 "${base}/open")
make(755 "${base}/taken")
make(755 "${base}/taken/sccache-${user}")
expect("${base}/taken" "" ".*/taken/sccache-${user} is not a folder of its user alone .*")
expect_mode(755 "${base}/taken/sccache-${user}")
make(755 "${base}/linked")
file(CREATE_LINK "${base}/own" "${base}/linked/sccache-${user}" SYMBOLIC)
expect("${base}/linked" "" ".*/linked/sccache-${user} is not a folder of its user alone .*")
file(WRITE "${base}/file" "")
expect("${base}/file" "" ".*/file is not a folder of its user alone .*")
expect("${base}/file/below" "" ".*/file/below cannot be made")

string(REPEAT "long/" 20 long)
expect("${base}/${long}" "" ".* is too long a path for a socket; .*")
expect(OFF "" "ARCHGRID_SCCACHE_SOCKETS is OFF")
unset(ENV{HOME})
unset(ENV{XDG_CACHE_HOME})
expect("" "" "HOME is not set; .*")
file(REMOVE_RECURSE "${base}")
