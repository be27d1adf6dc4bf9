# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/promise.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/command.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/enable_testing.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_promises.cmake")

#[=======================================================================[.rst:
archgrid_audit
--------------

Proves, kernel by kernel, that the files of targets, or any other files, keep the promise of
:command:`archgrid_promise`::

  archgrid_audit(<target>... [IGNORE <[code:]pattern[@GPU,...]=reason>...] [ON_BUILD])
  archgrid_audit(NAME <name> FILES <path>... [IGNORE <[code:]pattern[@GPU,...]=reason>...])

Adds the test ``audit.<target>`` (label ``fatbin``) for each target, by its name or an alias: an
executable; a shared, module (such as a Python extension), static or object library; or an imported
target of these types, or ``UNKNOWN``, whose file is that of the configuration. The test fails if a
kernel has no accepted verdict for a promised GPU, if a file cannot be read, or if it contains no
kernel. No GPU is needed. With ``ON_BUILD`` a broken promise fails the build itself. ``IGNORE``
ignores errors, as ``--ignore`` of the command; one that matches none fails the test, except under a
promise with ``IGNORE`` or ``MATRIX``. A failing test names the call that ignores its first error:
``archgrid_audit(mylib IGNORE "missing:gemm*=not shipped")``.

An object library is audited by its objects, whether anything links them or not. What links them has
the same kernels: audit it instead if it is what you ship.

``FILES`` adds one test, ``audit.<name>``, for wheels, other packages, libraries or folders, such as
an install tree, which are searched to any depth::

  archgrid_audit(NAME wheel FILES "${CMAKE_BINARY_DIR}/dist/*.whl")
  archgrid_audit(NAME install FILES "${CMAKE_BINARY_DIR}/staging")

Paths may be relative to the calling folder, have generator expressions, and be patterns (``*``,
``?``, ``[a-z]``). Folders that exist are no pattern: ``build [1]/*.so`` is in ``build [1]``. A path
that is an expression, ``$<$<CONFIG:Release>:lib/*.so>``, names nothing where it is empty. The test
reads the paths when it runs: it fails if there is none, if a file does not exist then, or if
nothing matches a pattern. What makes them outside of the build may be a fixture:
``set_tests_properties(audit.install PROPERTIES FIXTURES_REQUIRED install)``.

The target ``audit.<target>`` (a ``.`` replaces each ``::``), a part of ``all``, builds the command
where it has to be built. Only with ``ON_BUILD`` does the audited target wait for it. A build of
single targets needs both before ctest: ``cmake --build . --target <target> audit.<target>``.
``ON_BUILD`` of an object library, or of a target that another folder adds, is done by
``audit.<target>``.

Enables tests in the calling folder and in those above it. Finds the command on PATH (or as
ARCHGRID_COMMAND, a CMake or environment variable) and shows which, else builds it from the sources
beside these modules: once for all projects of the user with the same sources, into
``~/.cache/archgrid/commands`` (ARCHGRID_COMMANDS; OFF: once in each build tree). Errors: no target;
a target that does not exist, has no such file, or is audited already; ``ON_BUILD`` of an imported
target or of files; FILES or NAME without the other; a path that is empty or a target; an ``IGNORE``
that is empty, or without a reason, or with an unknown code, or with a GPU after the @ that is not
promised; no promise.
#]=======================================================================]
function(archgrid_audit)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ON_BUILD" "NAME" "FILES;IGNORE")
  _archgrid_current_promise(promise)
  if(NOT promise)
    message(FATAL_ERROR "archgrid_audit: no promise here. Call archgrid_promise(DEVICES ...) first.")
  endif()
  _archgrid_check_audit(arg "${promise}")
  _archgrid_audit_options_of_ignores(ignores "${arg_IGNORE}" "${CMAKE_CURRENT_LIST_FILE}")
  _archgrid_find_command(command)
  _archgrid_enable_testing()
  if(DEFINED arg_FILES)
    _archgrid_audit_of_paths(audit "${arg_FILES}")
    add_test(NAME "audit.${arg_NAME}" COMMAND_EXPAND_LISTS
      COMMAND "${command}" ${audit} ${promise} --audited-target "NAME ${arg_NAME} FILES ..." ${ignores})
    set_tests_properties("audit.${arg_NAME}" PROPERTIES LABELS fatbin)
    _archgrid_add_audit_target("${arg_NAME}" "${command_target}" "")
  endif()
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    _archgrid_find_audited(target "${target}" "${arg_ON_BUILD}")
    _archgrid_audited_files(files "${target}")
    set(audit "${command}" audit "${files}" ${promise} --audited-target "${target}")
    _archgrid_find_cuda_targets(compilers "${target}")
    list(LENGTH compilers count)
    if(count EQUAL 1)
      list(APPEND audit --target "${compilers}")
    endif()
    list(APPEND audit ${ignores})
    add_test(NAME "audit.${target}" COMMAND ${audit} COMMAND_EXPAND_LISTS)
    set_tests_properties("audit.${target}" PROPERTIES LABELS fatbin)
    set(before "")
    if(arg_ON_BUILD)
      _archgrid_audit_on_build("${target}" "${command_target}" "${audit}" before)
    endif()
    _archgrid_add_audit_target("${target}" "${command_target}" "${before}")
  endforeach()
endfunction()

# Fails for arguments of archgrid_audit, in the record ARG, that name nothing to audit or have an
# invalid IGNORE for PROMISE, options of `archgrid audit`.
function(_archgrid_check_audit arg promise)
  if("FILES" IN_LIST ${arg}_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "archgrid_audit: FILES is empty. Name files, folders or patterns.")
  elseif("${${arg}_FILES}" MATCHES "^$|^;|;;|;$" AND DEFINED ${arg}_FILES)
    message(FATAL_ERROR "archgrid_audit: FILES has an empty path. Is a variable in it empty?")
  elseif(DEFINED ${arg}_FILES AND ${arg}_UNPARSED_ARGUMENTS)
    list(JOIN ${arg}_UNPARSED_ARGUMENTS " " targets)
    message(FATAL_ERROR "archgrid_audit: targets and FILES need a call each. Call archgrid_audit(${targets}), too.")
  elseif(DEFINED ${arg}_FILES AND "${${arg}_NAME}" STREQUAL "")
    message(FATAL_ERROR
      "archgrid_audit: FILES needs a NAME for its test. For example: archgrid_audit(NAME wheel FILES dist/*.whl)")
  elseif(NOT "${${arg}_NAME}" STREQUAL "" AND NOT DEFINED ${arg}_FILES)
    message(FATAL_ERROR
      "archgrid_audit: NAME ${${arg}_NAME} needs FILES. Tests of targets have the names of their targets.")
  elseif(DEFINED ${arg}_FILES AND ${arg}_ON_BUILD)
    message(FATAL_ERROR
      "archgrid_audit: ON_BUILD is for targets. Leave it out, or name the target that makes the file.")
  elseif(NOT DEFINED ${arg}_FILES AND NOT ${arg}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "archgrid_audit: no target. For example: archgrid_audit(mylib)")
  endif()
  if(DEFINED ${arg}_FILES)
    _archgrid_check_audit_name("${${arg}_NAME}")
  endif()
  _archgrid_check_ignores(archgrid_audit ${arg} "${promise}")
endfunction()

# Sets OUT to the options of `archgrid audit` for IGNORES, which are written in FILE.
function(_archgrid_audit_options_of_ignores out ignores file)
  set(options "")
  foreach(ignore IN LISTS ignores)
    list(APPEND options --ignore "${ignore}")
  endforeach()
  if(options)
    cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${file}" is_inside)
    if(is_inside)
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    endif()
    list(APPEND options --ignored-in "${file}")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# Fails if NAME cannot name a test of files and its target.
function(_archgrid_check_audit_name name)
  if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
    message(FATAL_ERROR "archgrid_audit: NAME \"${name}\": use letters, digits and _ . + -")
  elseif(TEST "audit.${name}" OR TARGET "audit.${name}")
    message(FATAL_ERROR "archgrid_audit: the test audit.${name} exists already. Choose another NAME.")
  endif()
endfunction()

# Sets OUT to the word `audit` and the arguments after it that name PATHS, absolute.
function(_archgrid_audit_of_paths out paths)
  set(expressions "")
  set(arguments "")
  foreach(path IN LISTS paths)
    if(path MATCHES "^~")
      message(FATAL_ERROR "archgrid_audit: FILES ${path}: CMake does not expand ~. Write \$ENV{HOME}.")
    elseif(path MATCHES "\\*\\*")
      message(FATAL_ERROR
        "archgrid_audit: FILES ${path}: unknown pattern **. Name the folder: it is searched to any depth.")
    endif()
    if(path MATCHES "^\\$<")
      _archgrid_audited_expression(argument "${path}")
      string(APPEND expressions "${argument}")
      continue()
    endif()
    set(written "${path}")
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(TARGET "${written}" AND NOT EXISTS "${path}")
      message(FATAL_ERROR "archgrid_audit: FILES ${written} is a target. Call archgrid_audit(${written}).")
    endif()
    _archgrid_audited_path(argument "${path}")
    list(APPEND arguments "${argument}")
  endforeach()
  # One argument that becomes a list: newer releases of CMake keep an argument that becomes empty.
  set(${out} "audit${expressions}" ${arguments} PARENT_SCOPE)
endfunction()

# Sets OUT to the argument that names PATH, absolute: a file, or a pattern below the folders that
# exist, whose names may have any characters.
function(_archgrid_audited_path out path)
  set(folder "${path}")
  while(NOT EXISTS "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  string(LENGTH "${folder}" length)
  string(SUBSTRING "${path}" ${length} -1 below)
  set(${out} "${path}" PARENT_SCOPE)
  if(below MATCHES "[*?[]")
    set(${out} "--match=${path}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to a generator expression for what follows the word before it: nothing if PATH, itself an
# expression, is empty, else a semicolon and the argument that names PATH.
function(_archgrid_audited_expression out path)
  set(option "")
  set(base "${CMAKE_CURRENT_SOURCE_DIR}")
  if(path MATCHES "[*?[]")
    set(option "--match=")
  endif()
  string(REPLACE ">" "$<ANGLE-R>" base "${base}")
  string(REPLACE "," "$<COMMA>" base "${base}")
  set(value "$<1:${path}>") # may have commas
  set(absolute "$<PATH:ABSOLUTE_PATH,${value},${base}>")
  set(${out} "$<$<NOT:$<STREQUAL:${value},>>:$<SEMICOLON>${option}${absolute}>" PARENT_SCOPE)
endfunction()

# Adds the target audit.<TARGET>, unless another folder has added it. It needs the file BEFORE and
# the target COMMAND_TARGET, each if there is one.
function(_archgrid_add_audit_target target command_target before)
  string(REPLACE "::" "." name "audit.${target}") # `::` is reserved
  # A target of this folder, as the folder that first asked for the command may be outside of `all`.
  if(NOT TARGET "${name}")
    add_custom_target("${name}" ALL DEPENDS ${before})
  elseif(before)
    message(FATAL_ERROR "archgrid_audit: another folder audits ${target} already. Write ON_BUILD there.")
  endif()
  if(command_target)
    add_dependencies("${name}" ${command_target})
  endif()
endfunction()

# Lets the build of TARGET run the command AUDIT, which COMMAND_TARGET builds. CMake attaches
# commands neither to object libraries nor to targets of other folders: for these, sets OUT to the
# file that the audit makes, else to nothing.
function(_archgrid_audit_on_build target command_target audit out)
  set(${out} "" PARENT_SCOPE)
  get_target_property(type "${target}" TYPE)
  get_target_property(folder "${target}" BINARY_DIR)
  if(folder STREQUAL CMAKE_CURRENT_BINARY_DIR AND NOT type STREQUAL "OBJECT_LIBRARY")
    if(command_target)
      add_dependencies("${target}" ${command_target})
    endif()
    add_custom_command(TARGET "${target}" POST_BUILD COMMAND ${audit} VERBATIM)
    return()
  endif()
  _archgrid_audited_files(files "${target}")
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/audit.${target}-$<CONFIG>.stamp")
  add_custom_command(OUTPUT "${stamp}" COMMAND ${audit} COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS "${files}" ${command_target} COMMENT "Auditing ${target}" COMMAND_EXPAND_LISTS VERBATIM)
  set(${out} "${stamp}" PARENT_SCOPE)
endfunction()

# Sets OUT to the files of TARGET, as a generator expression.
function(_archgrid_audited_files out target)
  set(files "$<TARGET_FILE:${target}>")
  get_target_property(type "${target}" TYPE)
  if(type STREQUAL "OBJECT_LIBRARY")
    set(files "$<TARGET_OBJECTS:${target}>")
  endif()
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

# Sets OUT to the target that NAME means. Fails for what archgrid_audit cannot audit, or cannot
# audit ON_BUILD.
function(_archgrid_find_audited out name on_build)
  if(NOT TARGET "${name}")
    set(hint "")
    if(name MATCHES "^[A-Z_-]+$")
      set(hint " Its options are FILES, IGNORE, NAME and ON_BUILD.")
    elseif(name MATCHES "[/*]|\\.[a-z]+$")
      set(hint " Files are audited by archgrid_audit(NAME <name> FILES ${name}).")
    endif()
    message(FATAL_ERROR
      "archgrid_audit: ${name} is no target here. Call archgrid_audit after the target is added.${hint}")
  endif()
  get_target_property(aliased "${name}" ALIASED_TARGET)
  if(aliased)
    set(name "${aliased}")
  endif()
  if(TEST "audit.${name}")
    message(FATAL_ERROR "archgrid_audit: ${name} has the test audit.${name} already. Name each target once.")
  endif()
  get_target_property(type "${name}" TYPE)
  get_target_property(is_imported "${name}" IMPORTED)
  if(type STREQUAL "INTERFACE_LIBRARY")
    message(FATAL_ERROR
      "archgrid_audit: ${name} is an INTERFACE_LIBRARY, which has no file. Name the targets that link it.")
  elseif(NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC|OBJECT|UNKNOWN)_LIBRARY)$")
    message(FATAL_ERROR
      "archgrid_audit: ${name} is a custom target. Name what it makes: archgrid_audit(NAME ${name} FILES <path>...)")
  elseif(is_imported AND on_build)
    message(FATAL_ERROR "archgrid_audit: ON_BUILD: ${name} is imported: no build makes it. Leave out ON_BUILD.")
  elseif(is_imported)
    # The project may set the place later. Deferred arguments are expanded then, so this is code.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _archgrid_check_imported [==[${name}]==])")
  endif()
  set(${out} "${name}" PARENT_SCOPE)
endfunction()

# Fails if the imported target NAME has no file in any configuration.
function(_archgrid_check_imported name)
  get_target_property(type "${name}" TYPE)
  set(property IMPORTED_LOCATION)
  if(type STREQUAL "OBJECT_LIBRARY")
    set(property IMPORTED_OBJECTS)
  endif()
  get_target_property(configurations "${name}" IMPORTED_CONFIGURATIONS)
  set(suffixes "")
  foreach(configuration IN LISTS CMAKE_BUILD_TYPE CMAKE_CONFIGURATION_TYPES configurations)
    string(TOUPPER "${configuration}" configuration)
    get_target_property(mapped "${name}" MAP_IMPORTED_CONFIG_${configuration})
    list(APPEND suffixes "_${configuration}")
    if(mapped)
      list(TRANSFORM mapped TOUPPER)
      list(TRANSFORM mapped PREPEND "_")
      list(APPEND suffixes ${mapped})
    endif()
  endforeach()
  get_target_property(files "${name}" ${property})
  foreach(suffix IN LISTS suffixes)
    get_target_property(of_configuration "${name}" ${property}${suffix})
    if(NOT files)
      set(files "${of_configuration}")
    endif()
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "archgrid_audit: the imported target ${name} has no file. Set its ${property}.")
  endif()
endfunction()

# Sets OUT to the targets whose CUDA sources become a part of TARGET: itself, the sources of its
# objects, and the static, object and interface libraries that it links, directly or not.
function(_archgrid_find_cuda_targets out target)
  set(compilers "")
  set(seen "")
  set(left "${target}")
  while(left)
    list(POP_FRONT left each)
    get_target_property(aliased "${each}" ALIASED_TARGET)
    if(aliased)
      set(each "${aliased}")
    endif()
    if(each IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${each}")
    get_target_property(type "${each}" TYPE)
    if(NOT each STREQUAL target AND NOT type MATCHES "^(STATIC|OBJECT|INTERFACE)_LIBRARY$")
      continue()
    endif()
    _archgrid_compiles_cuda(is_compiler "${each}")
    if(is_compiler)
      list(APPEND compilers "${each}")
    endif()
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES SOURCES INTERFACE_SOURCES)
      get_target_property(items "${each}" "${property}")
      # Names in generator expressions count, whatever their conditions.
      string(REGEX REPLACE "\\$<[A-Z_]+:|[<>,$]" ";" items "${items}")
      foreach(item IN LISTS items)
        string(REGEX REPLACE "^:" "" item "${item}")
        if(TARGET "${item}")
          list(APPEND left "${item}")
        endif()
      endforeach()
    endforeach()
  endwhile()
  set(${out} "${compilers}" PARENT_SCOPE)
endfunction()

# Sets OUT to whether TARGET has CUDA sources of its own.
function(_archgrid_compiles_cuda out target)
  set(${out} FALSE PARENT_SCOPE)
  get_target_property(sources "${target}" SOURCES)
  if(NOT sources)
    return()
  endif()
  get_target_property(folder "${target}" SOURCE_DIR)
  foreach(source IN LISTS sources)
    set(language "")
    if(NOT source MATCHES "\\$<")
      get_source_file_property(language "${source}" DIRECTORY "${folder}" LANGUAGE)
    endif()
    if(source MATCHES "\\.cu$" OR language STREQUAL "CUDA")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
