# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Changes targets of a cell's project after the project has defined all of them. The first project()
# call of a cell includes this file if the matrix file sets "enforce_archs" or "redirect_outputs".
# Cache entries of the cell:
#   ARCHGRID_ENFORCED_ARCHS    archs of every target, instead of those that the project sets, except
#                              targets whose files contain one arch each
#   ARCHGRID_REDIRECT_OUTPUTS  ON: programs and libraries from outside the cell's tree move into it
include_guard(GLOBAL)

# Sets OUT to the new place of TARGET's output folder FOLDER: unchanged below the cell's tree, else
# a folder of the same name in the cell's tree.
function(_archgrid_redirect_folder target folder out)
  if(folder MATCHES "\\$<")
    _archgrid_redirect_expression("${target}" "${folder}" folder)
    set(${out} "${folder}" PARENT_SCOPE)
    return()
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
  get_target_property(base "${target}" BINARY_DIR)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${base}" NORMALIZE)
  cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${folder}" NORMALIZE inside)
  if(inside)
    return()
  endif()
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${folder}" NORMALIZE in_source)
  if(in_source)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
  else()
    cmake_path(GET folder RELATIVE_PART folder)
  endif()
  set(${out} "${CMAKE_BINARY_DIR}/redirected/${folder}" PARENT_SCOPE)
endfunction()

# Sets OUT to a generator expression that does the same as _archgrid_redirect_folder(), since the
# value of FOLDER is not known yet. Sets OUT to FOLDER if FOLDER, or a folder of the cell, contains
# a character that would split the expression.
function(_archgrid_redirect_expression target folder out)
  set(${out} "${folder}" PARENT_SCOPE)
  get_target_property(base "${target}" BINARY_DIR)
  set(plain "${folder}")
  while(plain MATCHES "\\$<[^<>]*>")
    string(REGEX REPLACE "\\$<[^<>]*>" "" plain "${plain}")
  endwhile()
  if("${plain}${base}${CMAKE_BINARY_DIR}${CMAKE_SOURCE_DIR}" MATCHES "[,;<>]")
    return()
  endif()
  set(path "$<PATH:ABSOLUTE_PATH,NORMALIZE,${folder},${base}>")
  set(below
    "$<IF:$<PATH:IS_PREFIX,NORMALIZE,${CMAKE_SOURCE_DIR},${path}>,$<PATH:RELATIVE_PATH,${path},${CMAKE_SOURCE_DIR}>,$<PATH:GET_RELATIVE_PART,${path}>>")
  set(${out}
    "$<IF:$<PATH:IS_PREFIX,NORMALIZE,${CMAKE_BINARY_DIR},${path}>,${path},${CMAKE_BINARY_DIR}/redirected/${below}>"
    PARENT_SCOPE)
endfunction()

# Redirects the outputs of TARGET into the cell's tree.
function(_archgrid_redirect_outputs target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  foreach(property IN ITEMS ARCHIVE LIBRARY RUNTIME)
    foreach(suffix IN ITEMS "" "_${configuration}")
      get_target_property(folder "${target}" ${property}_OUTPUT_DIRECTORY${suffix})
      if(folder)
        _archgrid_redirect_folder("${target}" "${folder}" redirected)
        set_target_properties("${target}" PROPERTIES ${property}_OUTPUT_DIRECTORY${suffix} "${redirected}")
      endif()
    endforeach()
  endforeach()
endfunction()

# Reports whether TARGET compiles to files that contain code for one arch each: nvcc rejects
# several.
function(_archgrid_has_one_arch target out)
  set(${out} FALSE PARENT_SCOPE)
  foreach(format IN ITEMS PTX CUBIN OPTIX)
    get_target_property(is_on "${target}" CUDA_${format}_COMPILATION)
    if(is_on)
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Changes every target that is defined in FOLDER or below it.
function(_archgrid_override_targets folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type "${target}" TYPE)
    if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      continue()
    endif()
    _archgrid_has_one_arch("${target}" has_one_arch)
    if(DEFINED CACHE{ARCHGRID_ENFORCED_ARCHS} AND NOT has_one_arch)
      set_target_properties("${target}" PROPERTIES CUDA_ARCHITECTURES "$CACHE{ARCHGRID_ENFORCED_ARCHS}")
    endif()
    if("$CACHE{ARCHGRID_REDIRECT_OUTPUTS}")
      _archgrid_redirect_outputs("${target}")
    endif()
  endforeach()
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    _archgrid_override_targets("${subfolder}")
  endforeach()
endfunction()

cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _archgrid_override_targets "${CMAKE_SOURCE_DIR}")
