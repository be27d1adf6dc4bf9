# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the probe distinguishes a correct sccache from incorrect ones, with scripts that
# replace nvcc and sccache. Its answer is cached, except a failure, which may be transient.
# Launchers that no cell uses are removed.
include("${ARCHGRID_MODULES}/archgrid/detail/sccache.cmake")
set(ENV{ARCHGRID_TOOLKITS} "${CASE_BINARY}/toolkits")
string(RANDOM LENGTH 8 token)
set(sockets "/tmp/archgrid-probe-${token}") # short enough for a socket
set(ENV{ARCHGRID_SCCACHE_SOCKETS} "${sockets}")

# write(<name> <script>): writes an executable.
function(write name script)
  file(WRITE "${CASE_BINARY}/${name}" "#!/bin/bash\n${script}\n")
  file(CHMOD "${CASE_BINARY}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# An "image" that consists of the value in device code and the options.
write(nvcc [=[
for word; do
  case $previous in -o) object=$word ;; -MF) depfile=$word ;; -c) source=$word ;; esac
  previous=$word
done
values=${source%/*}/values.h
echo "x: $values" >"$depfile"
{
  sed -n 's/.*HOST_NAME \(.*\)/int \1;/p' "$values"
  echo 'asm(".pushsection .nv_fatbin, \"a\"\n.ascii \"'"$(grep DEVICE_VALUE "$values") $*"'\"\n.popsection");'
} | sed "s|$object|x|g; s|[a-z]*[.]o[.]d|x|g; s|[a-z]*[.]o\>|x|g; s|[^ ]*/depfile|x|g; s|[^ ]*/nvcc||g" | cc -x c -c - -o "$object"]=])

# expect(<name> <script> <regex> <times>): checks that an sccache with this script is accepted
# (empty <regex>) or rejected with a reason that matches <regex>, and that two queries call it
# <times> times.
set(ccache "")
set(version 0.16.0)
function(expect name script regex times)
  file(REMOVE "${CASE_BINARY}/calls")
  write("${name}" "case $1 in --version) echo sccache ${version}; exit ;; --start-server) exit 1 ;; esac
echo >>'${CASE_BINARY}/calls'\n${script}")
  foreach(try RANGE 1)
    _archgrid_sccache_launcher("${ccache}" "${CASE_BINARY}/${name}" "${CASE_BINARY}/nvcc" c++
      fingerprint "75;90" "${CASE_BINARY}/written" launcher)
    if(NOT launcher_REASON MATCHES "^${regex}$"
        OR (regex STREQUAL "" AND NOT EXISTS "${launcher}") OR (regex AND launcher))
      message(SEND_ERROR "${name}: \"${launcher_REASON}\" (\"${launcher}\"), not \"${regex}\"")
    endif()
  endforeach()
  file(READ "${CASE_BINARY}/calls" calls)
  string(LENGTH "${calls}" count)
  if(NOT count EQUAL times)
    message(SEND_ERROR "${name}: called ${count} times, not ${times}")
  endif()
  set(launcher "${launcher}" PARENT_SCOPE)
endfunction()
expect(right "exec \"$@\"" "" 2)
set(right "${launcher}")
expect(other_images "exec \"$@\" -lineinfo" "its images are not those of nvcc alone" 2)
expect(stale [=[
for word; do [[ $previous = -o ]] && object=$word; previous=$word; done
"$@" || exit
[[ -f $0.o ]] || cp "$object" "$0.o"
cp "$0.o" "$object"]=] "it does not see an edit" 2)
expect(broken "exit 3" "it fails: .*" 2)
expect(silent "exit 0" "it fails: .*" 2)
expect(no_depfile [=[
words=()
for word; do
  case $word in -MD) ;; -MF | -MT) skip=yes ;; *) [[ $skip ]] || words+=("$word"); skip= ;; esac
done
"${words[@]}"]=] "it fails: .*" 2)
# A failing ccache, after which nvcc alone would compile, does not hide the error.
write(ccache "exit 1")
set(ccache "${CASE_BINARY}/ccache")
expect(other_images "exec \"$@\" -lineinfo" "its images are not those of nvcc alone" 2)
set(ccache "")
# Debian 12's neither takes nvcc apart nor listens to Unix sockets.
set(version "0.4.0~~pre6")
write(old "echo sccache ${version}")
_archgrid_sccache_launcher("" "${CASE_BINARY}/old" "${CASE_BINARY}/nvcc" c++ fingerprint "75;90"
  "${CASE_BINARY}/written" launcher)
if(launcher OR NOT launcher_REASON MATCHES "old is 0.4.0, older than 0.10: ")
  message(SEND_ERROR "old: \"${launcher_REASON}\" (\"${launcher}\")")
endif()
set(version 0.16.0)
# A repaired one is probed again.
expect(other_images "exec \"$@\"" "" 2)

get_filename_component(key "${right}" DIRECTORY)
get_filename_component(key "${key}" NAME)
set_property(GLOBAL PROPERTY ARCHGRID_LAUNCHERS "${key}")
_archgrid_sweep_launchers("${CASE_BINARY}/written")
file(GLOB left RELATIVE "${CASE_BINARY}/written" "${CASE_BINARY}/written/*")
if(NOT left STREQUAL key)
  message(SEND_ERROR "launchers ${left} are left, not ${key}")
endif()
file(REMOVE_RECURSE "${sockets}")
