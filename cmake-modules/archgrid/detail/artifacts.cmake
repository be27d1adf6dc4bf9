# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the files of a built cell that contain the code it ships, for the audits: outputs of its
# targets, from CMake's file API, and files that lie beside them. Never parses link lines: a
# versioned library, or a path with a space, is spelled differently there.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/device_code.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/file_api.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/foreign_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/installed_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/made_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/packages.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/stray_files.cmake")

# Sets OUT to the name of the list in _archgrid_sort_targets() for files of targets of TYPE.
function(_archgrid_list_of_type type out)
  set(${out} programs PARENT_SCOPE)
  if(type STREQUAL "OBJECT_LIBRARY")
    set(${out} objects PARENT_SCOPE)
  elseif(type STREQUAL "STATIC_LIBRARY")
    set(${out} archives PARENT_SCOPE)
  endif()
endfunction()

# Sorts the files of the targets of a build: TARGETS as _archgrid_read_targets() sets them, MADE the
# numbers of those that were built. Sets in the caller
#   <prefix>_PROGRAMS  files of programs and of shared libraries that were built
#   <prefix>_ARCHIVES  of static libraries
#   <prefix>_OBJECTS   of object libraries
#   <prefix>_LINKS     the JSON of the targets that link
#   <prefix>_LINKED    shared libraries that they link
#   <prefix>_PATHS     files of all targets, built or not
#   <prefix>_OUTDATED, <prefix>_EXCLUDED, <prefix>_LOST, <prefix>_COMPILED_BY_CMAKE
#                      as _archgrid_find_artifacts() returns them
function(_archgrid_sort_targets build ninja targets made installed_code prefix)
  foreach(name IN ITEMS programs archives objects links linked excluded outdated lost paths)
    set(${name} "")
  endforeach()
  set(compiled_by_cmake FALSE)
  foreach(number RANGE 1 ${${targets}_COUNT})
    set(type "${${targets}_${number}_TYPE}")
    if(number GREATER ${targets}_COUNT OR NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC|OBJECT)_LIBRARY)$")
      continue()
    endif()
    set(there ${${targets}_${number}_PATHS})
    # No audit reads these; they are noted if install() names them.
    list(FILTER there EXCLUDE REGEX "\\.(ltoir|optixir)$")
    list(APPEND paths ${there})
    if(NOT number IN_LIST made)
      _archgrid_sort_excluded("${build}" "${ninja}" "${there}" "${installed_code}" is_made outdated_here)
      if(is_made)
        list(APPEND outdated ${outdated_here}) # leftover
      elseif(outdated_here AND NOT type STREQUAL "OBJECT_LIBRARY")
        list(APPEND outdated ${outdated_here})
        continue()
      elseif(NOT is_made)
        list(APPEND excluded "${${targets}_${number}_NAME}")
        continue()
      endif()
    endif()
    _archgrid_list_of_type("${type}" kind)
    foreach(path IN LISTS there)
      if(NOT EXISTS "${build}/${path}")
        list(APPEND lost "${${targets}_${number}_NAME}: ${path}")
      else()
        list(APPEND ${kind} "${path}")
      endif()
    endforeach()
    if(${targets}_${number}_JSON MATCHES "\"language\" : \"CUDA\"")
      set(compiled_by_cmake TRUE)
    endif()
    if(NOT type STREQUAL "OBJECT_LIBRARY")
      string(APPEND links "${${targets}_${number}_JSON}")
      _archgrid_find_linked("${build}" "${${targets}_${number}_JSON}" libraries)
      list(APPEND linked ${libraries})
    endif()
  endforeach()
  list(SORT excluded)
  foreach(name IN ITEMS programs archives objects links linked paths outdated excluded lost compiled_by_cmake)
    string(TOUPPER ${name} key)
    set(${prefix}_${key} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()

# Finds what the build of GOALS (target names, `all`) left in the tree BUILD of the project SOURCE.
# COMMAND is the archgrid command. Sets in the caller
#   <prefix>_ARTIFACTS  files to audit, relative to BUILD, sorted
#   <prefix>_STRAYS     artifacts that no target makes: programs, libraries, device code
#   <prefix>_PACKAGES   artifacts that are packages: wheels, other archives and compressed files
#                       with device code, and installed files of further kinds
#   <prefix>_UNNAMED    strays and packages that no command of the build names as its output, and
#                       that may be left over
#   <prefix>_EXCLUDED   names of the targets that were not built, sorted
#   <prefix>_UNAUDITED  "<why>:<path>" of each file with device code that is not audited although it
#                       may ship; masked by _archgrid_mask_list_syntax(). The path of a member of a
#                       package is "dist.whl!lib.so". <why> is one of
#                       nvidia       a library with a name of NVIDIA's
#                       foreign      a package with the name of another project's
#                       copy         a member of a package with the bytes of an audited file
#                       unmade       a static library or code that programs load, made by no command
#                       environment  a library in a Python environment
#                       source       a prebuilt file of the sources that a COMMAND builds
#                       outdated     file of a target that was not built, from an earlier build, a
#                                    script or a person
#                       leftover     like outdated, but named by install(): audited as it is
#                       linked       a static library with LTO data instead of device code, linked
#                                    and not installed
#                       unreadable   a package, or a file in one; "<path><tab><reason>"
#                       opaque       installed, in a format that archgrid does not know
#                       prebuilt     linked from the project's sources, or installed; an absolute
#                                    path
#                       installing   a CMakeLists.txt or a script that may compile while it
#                                    installs; an absolute path
#   <prefix>_COMPILED_BY_CMAKE  whether a target that was built compiles CMake's language CUDA
#   <prefix>_LOST       "<target>: <path>" for each target that was built but whose file is missing
function(_archgrid_find_artifacts build ninja goals source command prefix)
  _archgrid_read_targets("${build}" target)
  _archgrid_find_made_targets("${build}" target "${ninja}" "${goals}" made)
  _archgrid_read_outputs("${build}" "${ninja}" output)
  _archgrid_find_installed("${build}" installed)
  _archgrid_find_installed_code("${build}" "${installed}" installed_code fetched odd)
  _archgrid_sort_targets("${build}" "${ninja}" target "${made}" "${installed_code}" sorted)
  set(artifacts "${sorted_PROGRAMS}")
  _archgrid_installs_dependencies("${build}" installs_linked)
  if(installs_linked)
    list(APPEND installed ${sorted_LINKED})
  endif()
  # Archives without device code need no audit. If the cell has nothing else, they stay, and the
  # audit reports that.
  _archgrid_filter_device_code("${build}" "${sorted_ARCHIVES}" device_archives)
  _archgrid_filter_thin_archives("${build}" "${sorted_ARCHIVES}" thin_archives)
  _archgrid_filter_unlinked("${sorted_OBJECTS}" "${sorted_LINKS}" unlinked)
  _archgrid_filter_device_code("${build}" "${unlinked}" unlinked)
  _archgrid_drop_linked_lto("${build}" "${sorted_LINKS}" "${installed_code}" device_archives hidden)
  list(APPEND artifacts ${device_archives} ${thin_archives} ${unlinked})
  _archgrid_find_strays("${build}" "${ninja}" output "${sorted_PATHS}" "${artifacts}"
    "${installed_code}" strays unnamed others unaudited)
  list(APPEND artifacts ${strays})
  _archgrid_find_packages("${build}" "${command}" "${artifacts}" "${others}" packages unaudited_packages)
  list(APPEND artifacts ${packages})
  foreach(path IN LISTS packages)
    _archgrid_is_made("${path}" output is_made)
    if(NOT is_made)
      list(APPEND unnamed "${path}")
    endif()
  endforeach()
  _archgrid_find_prebuilt("${build}" "${source}" output "${sorted_LINKED}" "${installed}" "${fetched}" prebuilt)
  _archgrid_find_installing("${build}" installing)
  if(NOT artifacts)
    set(artifacts ${sorted_ARCHIVES})
  endif()
  _archgrid_drop_same_files("${build}" artifacts)
  list(SORT artifacts)
  set(${prefix}_ARTIFACTS "${artifacts}" PARENT_SCOPE)
  set(${prefix}_STRAYS "${strays}" PARENT_SCOPE)
  set(${prefix}_PACKAGES "${packages}" PARENT_SCOPE)
  set(${prefix}_UNNAMED "${unnamed}" PARENT_SCOPE)
  set(${prefix}_EXCLUDED "${sorted_EXCLUDED}" PARENT_SCOPE)
  set(${prefix}_UNAUDITED ${unaudited} ${sorted_OUTDATED} ${hidden} ${unaudited_packages}
    ${prebuilt} ${odd} ${installing} PARENT_SCOPE)
  set(${prefix}_COMPILED_BY_CMAKE "${sorted_COMPILED_BY_CMAKE}" PARENT_SCOPE)
  set(${prefix}_LOST "${sorted_LOST}" PARENT_SCOPE)
endfunction()

# Sets IS_MADE_OUT to whether PATHS, files of a target that the build excludes, are audited anyway,
# and OUTDATED_OUT to "outdated:<path>" of the existing files with device code that are not. Files
# in INSTALLED ship as they are and are audited, as "leftover:<path>": Ninja never considers a file
# up to date if it depends on a command that always runs.
function(_archgrid_sort_excluded build ninja paths installed is_made_out outdated_out)
  set(outdated "")
  _archgrid_up_to_date("${build}" "${ninja}" "${paths}" is_made)
  if(NOT is_made)
    file(REAL_PATH "${build}" tree)
    set(there "")
    foreach(path IN LISTS paths)
      if(EXISTS "${build}/${path}")
        list(APPEND there "${path}")
        file(REAL_PATH "${build}/${path}" real)
        cmake_path(RELATIVE_PATH real BASE_DIRECTORY "${tree}")
        if(real IN_LIST installed)
          set(is_made TRUE)
        endif()
      endif()
    endforeach()
    if(NOT there STREQUAL paths)
      set(is_made FALSE)
    endif()
    set(why outdated)
    if(is_made)
      set(why leftover)
    endif()
    _archgrid_filter_device_code("${build}" "${there}" outdated)
    list(TRANSFORM outdated PREPEND "${why}:")
  endif()
  set(${is_made_out} "${is_made}" PARENT_SCOPE)
  set(${outdated_out} "${outdated}" PARENT_SCOPE)
endfunction()

# Reports whether all PATHS exist and are up to date for Ninja. True for a target outside `all` that
# something else built (a test's fixture), false for files that an earlier state of the project
# left.
function(_archgrid_up_to_date build ninja paths out)
  set(${out} FALSE PARENT_SCOPE)
  foreach(path IN LISTS paths)
    if(NOT EXISTS "${build}/${path}")
      return()
    endif()
  endforeach()
  if(paths)
    execute_process(COMMAND "${ninja}" -n ${paths} WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE output ERROR_QUIET)
    if(output MATCHES "ninja: no work to do")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sets OUT to those OBJECTS that no target in LINKS (JSON of linked targets) links: the file API
# lists objects of libraries among a target's sources. PTX, cubins and fat binaries always count as
# unlinked: no linker reads them, though a static library may pack them.
function(_archgrid_filter_unlinked objects links out)
  set(unlinked "")
  foreach(object IN LISTS objects)
    string(FIND "${links}" "/${object}\"" found)
    if(found EQUAL -1 OR object MATCHES "\\.(ptx|cubin|fatbin)$")
      list(APPEND unlinked "${object}")
    endif()
  endforeach()
  set(${out} "${unlinked}" PARENT_SCOPE)
endfunction()

# Moves static libraries from the list ARCHIVES_VARIABLE to HIDDEN_OUT, as "linked:<path>", if their
# device code is hidden in LTO data of the host compiler (-flto), a target in LINKS links them, and
# they are not in INSTALLED: the linked file contains the fat binaries that it uses.
function(_archgrid_drop_linked_lto build links installed archives_variable hidden_out)
  set(kept "")
  set(hidden "")
  foreach(path IN LISTS ${archives_variable})
    string(FIND "${links}" "\"fragment\" : \"${path}\"" found)
    set(result 0)
    if(NOT found EQUAL -1 AND NOT path IN_LIST installed)
      execute_process(COMMAND sh -c
        "LC_ALL=C exec grep -q -a -F -e \"$(printf '\\120\\355\\125\\272\\001')\" \"$1\"" sh "${path}"
        WORKING_DIRECTORY "${build}" RESULT_VARIABLE result)
    endif()
    if(result EQUAL 0)
      list(APPEND kept "${path}")
    else()
      list(APPEND hidden "linked:${path}")
    endif()
  endforeach()
  set(${archives_variable} "${kept}" PARENT_SCOPE)
  set(${hidden_out} "${hidden}" PARENT_SCOPE)
endfunction()
