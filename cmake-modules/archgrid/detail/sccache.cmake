# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Sets up sccache for nvcc: finds it, writes the scripts with which cells call it, and tests whether
# it is correct for a toolkit.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/probe_toolkit.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/toolkit_places.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/user_cache.cmake")

# Sets OUT to the lock file of sccache, and OUT_VERSION to the version that it names.
function(_archgrid_sccache_lock out)
  set(lock "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../data/locks/sccache.txt")
  cmake_path(NORMAL_PATH lock)
  file(STRINGS "${lock}" line REGEX "^sccache==")
  string(REGEX REPLACE "^sccache==([0-9.]+).*" "\\1" version "${line}")
  set(${out} "${lock}" PARENT_SCOPE)
  set(${out}_VERSION "${version}" PARENT_SCOPE)
endfunction()

# Sets OUT to the folder of the locked sccache, beside the toolkits, and OUT_VERSION to its version.
# The folder may not exist yet.
function(_archgrid_sccache_folder out)
  _archgrid_sccache_lock(lock)
  file(SHA256 "${lock}" hash)
  string(SUBSTRING "${hash}" 0 8 hash)
  _archgrid_toolkit_cache(cache)
  set(${out} "${cache}/sccache-${lock_VERSION}-${hash}" PARENT_SCOPE)
  set(${out}_VERSION "${lock_VERSION}" PARENT_SCOPE)
endfunction()

# Sets OUT to the sccache that ./setup fetched, or to nothing if there is none, or if anybody but
# root and the current user can write it.
function(_archgrid_fetched_sccache out)
  set(${out} "" PARENT_SCOPE)
  _archgrid_sccache_folder(folder)
  set(program "${folder}/bin/sccache")
  if(NOT EXISTS "${program}")
    return()
  endif()
  cmake_path(GET folder PARENT_PATH cache)
  _archgrid_refuse_writable("${cache}" TRUE reason)
  foreach(path IN ITEMS "${folder}" "${folder}/bin" "${program}")
    if(reason STREQUAL "")
      _archgrid_refuse_writable("${path}" FALSE reason)
    endif()
  endforeach()
  if(reason STREQUAL "")
    set(${out} "${program}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to VALUE as a word of a shell script.
function(_archgrid_shell_word value out)
  string(REPLACE "'" "'\\''" value "${value}")
  set(${out} "'${value}'" PARENT_SCOPE)
endfunction()

# Sets OUT to a hash of everything that _archgrid_write_sccache_launcher() writes and of its test: a
# launcher whose text changes gets another path, and everything that the former one compiled is
# compiled again.
function(_archgrid_sccache_key ccache sccache nvcc fingerprint sockets out)
  _archgrid_hash_sccache_files(hash sccache_launcher.in sccache_cached.in sccache_nvcc.in sccache_probe.cu)
  string(SHA256 key "${ccache}|${sccache}|${nvcc}|${fingerprint}|${sockets}|${hash}")
  set(${out} "${key}" PARENT_SCOPE)
endfunction()

# Sets OUT to a hash of the files in ARGN, which are beside this one.
function(_archgrid_hash_sccache_files out)
  set(hashes "")
  foreach(file IN LISTS ARGN)
    file(SHA256 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${file}" hash)
    list(APPEND hashes "${hash}")
  endforeach()
  string(SHA256 hash "${hashes}")
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

# Writes below FOLDER a launcher for compilers of C and C++ that calls CCACHE, and sets OUT to it.
# (The proof of cells recognises a launcher by its name.)
function(_archgrid_write_c_launcher folder ccache out)
  find_program(ARCHGRID_FLOCK flock REQUIRED)
  _archgrid_shell_word("${ARCHGRID_FLOCK}" FLOCK)
  set(locks "${folder}/locks")
  file(MAKE_DIRECTORY "${locks}")
  _archgrid_shell_word("${locks}" LOCKS)
  _archgrid_shell_word("${ccache}" CCACHE)
  _archgrid_configure_script(ccache_launcher.in "${folder}/ccache")
  set(${out} "${folder}/ccache" PARENT_SCOPE)
endfunction()

# Writes the script TEMPLATE, beside this file, as PATH, with variables of the caller.
function(_archgrid_configure_script template path)
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${template}" "${path}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

# Writes into FOLDER the compiler launcher `sccache` for NVCC, whose toolkit has FINGERPRINT, and
# the scripts that it calls. CCACHE runs before SCCACHE; one of them may be empty. The server's
# socket lies in SOCKETS. (The proof of cells recognises a launcher by this name.)
function(_archgrid_write_sccache_launcher folder ccache sccache nvcc fingerprint sockets)
  set(NAME "${folder}/sccache")
  set(FINGERPRINT "${fingerprint}")
  _archgrid_hash_sccache_files(SCRIPTS sccache_launcher.in sccache_nvcc.in)
  _archgrid_shell_word("${ccache}" CCACHE)
  _archgrid_shell_word("${sccache}" SCCACHE)
  _archgrid_shell_word("${nvcc}" NVCC)
  _archgrid_shell_word("${folder}/sccache" LAUNCHER)
  _archgrid_shell_word("${folder}/nvcc" WRAPPER)
  _archgrid_shell_word("${folder}/cached/nvcc" CACHED)
  _archgrid_shell_word("${sockets}" SOCKETS)
  foreach(pair IN ITEMS launcher=sccache cached=cached/nvcc nvcc=nvcc)
    string(REGEX MATCH "^(.*)=(.*)$" pair "${pair}")
    _archgrid_configure_script(sccache_${CMAKE_MATCH_1}.in "${folder}/${CMAKE_MATCH_2}")
  endforeach()
endfunction()

# Reports whether PATH is a folder (not a link) of USER that no other user can enter.
function(_archgrid_is_private path user out)
  set(${out} FALSE PARENT_SCOPE)
  execute_process(COMMAND stat -c "%u %a" "${path}" OUTPUT_VARIABLE facts ERROR_QUIET)
  if(IS_DIRECTORY "${path}" AND NOT IS_SYMLINK "${path}" AND facts MATCHES "^${user} [0-7]?700\n$")
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Creates FOLDER with mode 700 if the name is free. Sets OUT to the reason why it is not accessible
# to USER alone, or to nothing.
function(_archgrid_make_private folder user out)
  set(${out} "" PARENT_SCOPE)
  cmake_path(GET folder PARENT_PATH parent)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${parent}" ERROR_QUIET)
  execute_process(COMMAND mkdir -m 700 "${folder}" ERROR_QUIET)
  _archgrid_is_private("${folder}" "${user}" is_private)
  if(NOT is_private AND NOT EXISTS "${folder}" AND NOT IS_SYMLINK "${folder}")
    set(${out} "${folder} cannot be made" PARENT_SCOPE)
  elseif(NOT is_private)
    set(${out} "${folder} is not a folder of its user alone (mode 700)" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the folder for sockets of sccache's servers, or OUT_REASON to why there is none.
# Creates the folder if its name is free. If it exists and other users can enter it, as /tmp, uses a
# new folder inside it.
function(_archgrid_sccache_sockets out)
  set(${out} "" PARENT_SCOPE)
  set(${out}_REASON "" PARENT_SCOPE)
  _archgrid_user_cache(sccache ARCHGRID_SCCACHE_SOCKETS folder)
  if(NOT folder)
    set(reason "HOME is not set; set ARCHGRID_SCCACHE_SOCKETS to a folder of your own")
    if(NOT "${ARCHGRID_SCCACHE_SOCKETS}$ENV{ARCHGRID_SCCACHE_SOCKETS}" STREQUAL "")
      set(reason "ARCHGRID_SCCACHE_SOCKETS is OFF")
    endif()
    set(${out}_REASON "${reason}" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(REAL_PATH "${folder}" real)
  _archgrid_is_private("${real}" "${user}" is_private)
  if(IS_DIRECTORY "${folder}" AND NOT is_private)
    _archgrid_refuse_writable("${folder}" TRUE reason)
    if(reason)
      set(${out}_REASON
        "others could replace ${folder}/sccache-${user}; set ARCHGRID_SCCACHE_SOCKETS to a folder of your own"
        PARENT_SCOPE)
      return()
    endif()
    string(APPEND folder "/sccache-${user}")
  endif()
  # A starting server uses the longest path, see the launcher.
  string(LENGTH "${folder}/t4294967295/sccache123456/sock" length)
  if(length GREATER 107) # sockaddr_un
    set(reason "${folder} is too long a path for a socket; set ARCHGRID_SCCACHE_SOCKETS to a shorter one")
  elseif(is_private)
    set(reason "")
  else()
    _archgrid_make_private("${folder}" "${user}" reason)
  endif()
  set(${out}_REASON "${reason}" PARENT_SCOPE)
  if(reason STREQUAL "")
    set(${out} "${folder}" PARENT_SCOPE)
  endif()
endfunction()

# Compiles the probe in SCRATCH into OBJECT with COMMAND, to which names of files are appended. Sets
# OUT to a hash of the object's images, OUT_HOST to whether it contains the host function NAME, and
# OUT_REASON to the error.
function(_archgrid_compile_sccache_probe scratch object command name out)
  set(${out} "" PARENT_SCOPE)
  set(${out}_HOST FALSE PARENT_SCOPE)
  set(${out}_REASON "" PARENT_SCOPE)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env --unset=NVCC_PREPEND_FLAGS --unset=NVCC_APPEND_FLAGS ARCHGRID_PROBE=1 ${command}
      -MD -MT ${object} -MF ${object}.d -x cu -c "${scratch}/probe file.cu" -o "${scratch}/${object}"
    WORKING_DIRECTORY "${scratch}" OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(output MATCHES "archgrid: sccache failed[^\n]*alone: ([^\n]*)")
    set(${out}_REASON "it fails: ${CMAKE_MATCH_1}" PARENT_SCOPE)
    return()
  elseif(NOT result EQUAL 0)
    string(STRIP "${output}" output)
    string(REGEX REPLACE "[ \n]*\n[ \n]*" "; " output "${output}")
    string(SUBSTRING "${output}" 0 300 output)
    set(${out}_REASON "a probe does not compile (${result}): ${output}" PARENT_SCOPE)
    return()
  endif()
  file(STRINGS "${scratch}/${object}" found REGEX "${name}")
  if(found)
    set(${out}_HOST TRUE PARENT_SCOPE)
  endif()
  file(READ "${scratch}/${object}.d" depfile)
  if(NOT depfile MATCHES "values\\.h")
    set(${out}_REASON "its dependency file lacks a header" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND objcopy -O binary --only-section=.nv_fatbin "${scratch}/${object}"
    "${scratch}/${object}.images"
    OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT EXISTS "${scratch}/${object}.images")
    set(${out}_REASON "objcopy, which takes the images out of an object, was not found or fails" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 "${scratch}/${object}.images" hash)
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

# Sets OUT to the reason why sccache, called as LAUNCHER, must not cache what NVCC compiles over CXX
# for ARCHS (two or more), or to nothing if its results are those of nvcc. Sets OUT_FINAL to whether
# the answer is certain; a failure to compile may be transient. Compiles a unit for two archs, and
# again after an edit that only one of them and the host see, and compares its images with those of
# nvcc alone.
function(_archgrid_try_sccache launcher nvcc cxx archs out)
  set(${out} "" PARENT_SCOPE)
  string(RANDOM LENGTH 12 token)
  set(scratch "/tmp")
  if(NOT "$ENV{TMPDIR}" STREQUAL "")
    set(scratch "$ENV{TMPDIR}")
  endif()
  set(scratch "${scratch}/archgrid-sccache-probe-${token}")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sccache_probe.cu" "${scratch}/probe file.cu" COPYONLY)
  list(GET archs 0 lowest)
  list(GET archs -1 highest)
  set(arguments "${nvcc}" -ccbin "${cxx}" -Wno-deprecated-gpu-targets
    "-gencode=arch=compute_${lowest},code=[sm_${lowest}]"
    "-gencode=arch=compute_${highest},code=[sm_${highest},compute_${highest}]")
  string(RANDOM LENGTH 8 ALPHABET 123456789 value) # not yet in the cache
  set(reason "")
  foreach(step IN ITEMS first edited plain)
    if(reason)
      break()
    endif()
    if(step STREQUAL "edited")
      math(EXPR value "${value} + 1")
    endif()
    file(WRITE "${scratch}/values.h"
      "#define HIGHEST_ARCH ${highest}0\n#define DEVICE_VALUE ${value}\n#define HOST_NAME archgrid_host_${value}\n")
    set(command "${launcher}" ${arguments})
    if(step STREQUAL "plain")
      set(command ${arguments})
    endif()
    _archgrid_compile_sccache_probe("${scratch}" ${step}.o "${command}" archgrid_host_${value} ${step})
    set(reason "${${step}_REASON}")
  endforeach()
  set(${out}_FINAL FALSE PARENT_SCOPE)
  if(reason STREQUAL "")
    set(${out}_FINAL TRUE PARENT_SCOPE)
    if(edited STREQUAL first OR NOT edited_HOST)
      set(reason "it does not see an edit")
    elseif(NOT edited STREQUAL plain)
      set(reason "its images are not those of nvcc alone")
    endif()
  endif()
  file(REMOVE_RECURSE "${scratch}")
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Writes a launcher, whose arguments are those of _archgrid_write_sccache_launcher(), into a folder
# of its own below FOLDER. Sets OUT to it, and OUT_KEY to the hash that names the folder.
function(_archgrid_place_sccache_launcher ccache sccache nvcc fingerprint sockets folder out)
  _archgrid_sccache_key("${ccache}" "${sccache}" "${nvcc}" "${fingerprint}" "${sockets}" key)
  string(SUBSTRING "${key}" 0 8 short_key)
  set(folder "${folder}/${short_key}")
  _archgrid_write_sccache_launcher("${folder}" "${ccache}" "${sccache}" "${nvcc}" "${fingerprint}" "${sockets}")
  set_property(GLOBAL APPEND PROPERTY ARCHGRID_LAUNCHERS "${short_key}")
  set(${out} "${folder}/sccache" PARENT_SCOPE)
  set(${out}_KEY "${key}" PARENT_SCOPE)
endfunction()

# Sets OUT to the reason why the program SCCACHE is too old, or to nothing. sccache splits nvcc's
# calls since 0.9, and listens to Unix sockets since 0.10.
function(_archgrid_refuse_old_sccache sccache out)
  execute_process(COMMAND "${sccache}" --version OUTPUT_VARIABLE version ERROR_QUIET)
  set(${out} "" PARENT_SCOPE)
  if(version MATCHES "sccache ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS 0.10)
    set(${out} "${sccache} is ${CMAKE_MATCH_1}, older than 0.10: ./setup fetches a newer one" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the compiler launcher with which CCACHE, unless empty, and SCCACHE cache what NVCC, of
# a toolkit with FINGERPRINT, compiles over CXX for ARCHS. Writes it below FOLDER. If sccache must
# not be used, sets OUT_REASON to why and OUT to nothing. Caches the answer of the probe for this
# sccache, toolkit and host compiler, but not a failure.
function(_archgrid_sccache_launcher ccache sccache nvcc cxx fingerprint archs folder out)
  set(${out} "" PARENT_SCOPE)
  set(${out}_REASON "" PARENT_SCOPE)
  _archgrid_sccache_sockets(sockets)
  _archgrid_refuse_old_sccache("${sccache}" old)
  if(sockets_REASON OR old)
    set(${out}_REASON "${sockets_REASON}${old}" PARENT_SCOPE)
    return()
  endif()
  _archgrid_place_sccache_launcher("${ccache}" "${sccache}" "${nvcc}" "${fingerprint}" "${sockets}"
    "${folder}" launcher)
  set(${out} "${launcher}" PARENT_SCOPE)

  file(REAL_PATH "${sccache}" program)
  file(SIZE "${program}" size)
  file(TIMESTAMP "${program}" time "%s" UTC)
  set(facts "sccache ${launcher_KEY} ${program} ${size} ${time} ${cxx}\n")
  _archgrid_toolkit_cache(cache)
  string(SHA256 name "${facts}")
  set(memory "${cache}/.probed/${name}")
  if(EXISTS "${memory}")
    file(STRINGS "${memory}" reason REGEX "^refused: ")
    string(REGEX REPLACE "^refused: " "" reason "${reason}")
  else()
    _archgrid_try_sccache("${launcher}" "${nvcc}" "${cxx}" "${archs}" reason)
    if(reason)
      string(APPEND facts "refused: ${reason}\n")
    endif()
    if(reason_FINAL)
      _archgrid_remember("${memory}" "${facts}")
    endif()
  endif()
  if(reason)
    set(${out} "" PARENT_SCOPE)
    set(${out}_REASON "${reason}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the folder of this tree's launchers.
function(_archgrid_launcher_folder out)
  set(${out} "${CMAKE_BINARY_DIR}/archgrid-sccache" PARENT_SCOPE)
endfunction()

# Removes launchers below FOLDER that no cell of this configure uses, those of a former sccache or
# toolkit. Keeps other files and folders, as the tree may be the project's own source folder.
function(_archgrid_sweep_launchers folder)
  get_property(keys GLOBAL PROPERTY ARCHGRID_LAUNCHERS)
  file(GLOB found RELATIVE "${folder}" "${folder}/*")
  list(FILTER found INCLUDE REGEX "^[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]$")
  foreach(key IN LISTS found)
    if(NOT key IN_LIST keys AND EXISTS "${folder}/${key}/sccache")
      file(STRINGS "${folder}/${key}/sccache" own LIMIT_COUNT 1 REGEX "Written by archgrid")
      if(own)
        file(REMOVE_RECURSE "${folder}/${key}")
      endif()
    endif()
  endforeach()
endfunction()
