# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/expand.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/cell_compilers.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/command.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/command_cells.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/enable_testing.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/nvcc_environment.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/plan.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/quote.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/write_file.cmake")

#[=======================================================================[.rst:
archgrid_add_matrix
-------------------

Builds a project once for every cell of a matrix file, each cell in a folder of its own, and adds
all their tests to this tree::

  archgrid_add_matrix(
    MATRIX <matrix.json>         # the cells: toolkits, archs, promises (docs/matrix-file.md)
    SOURCE <folder>              # any CMake project, unmodified; with COMMAND any project
    [COMMAND <program> <argument>...]  # builds a project that is no CMake project
    [INCREMENTAL]                # the COMMAND keeps its earlier objects
    [BUILD_TYPE <type>]          # of CMake projects; default: CMAKE_BUILD_TYPE, or Release
    [DEFINITIONS <KEY[:TYPE]=VALUE>...] # cache entries for every cell
    [DEPENDS <target>...])       # built before any cell

MATRIX and SOURCE may be relative to the calling folder. DEFINITIONS override what archgrid sets,
and the matrix file's own override both; a CMAKE_BUILD_RPATH or CMAKE_PROJECT_TOP_LEVEL_INCLUDES is
added to archgrid's. A value that is a list needs quotes (``"KEY=a;b"``); ``@PLACEHOLDERS@`` are
replaced in the matrix file's alone. A CMAKE_TOOLCHAIN_FILE among them may be relative to SOURCE;
an edit of it builds the cells again. DEPENDS only orders: a rebuilt target rebuilds no cell by
itself.

The calling project needs no CUDA language. It gets these targets:

``cu130-sm90``, ``cu130-fat``, ...
  One per cell. Fails if the cell fails, and names the log; fails if the cell is impossible here,
  and says why. The outcome is recorded in ``cells/<cell>.json``, and the test ``<cell>/BUILT``
  fails, too.
``sm90``, ``cu130``, ``fat``
  The cells of the archs 90, 90a and 90-virtual, with the fat cells that promise 9.0; all cells of
  toolkit 13.0; all fat cells. Ends with a table of the cells. Passes even if cells failed, so that
  the tests run and fail instead. A failing cell does not stop the others. The target of a device
  without cells, like ``sm120``, fails and says why.
``matrix``
  All cells, as in a plain build; ends with a table, and passes like the other targets of several
  cells.
``test-matrix``
  Builds all cells and runs ctest in this tree. Fails if a test fails. Omits passed tests, and the
  output of failed audits that the closing lines repeat.

Tests of a cell appear as ``<cell>/<test>`` with the labels of the cell (``cu130``, ``sm90``,
``fat``), including fixtures and dependencies. ``<cell>/AUDIT/sm90`` judges a fat cell for a
promised device, ``<cell>/AUDIT`` a single one for the promised devices that its arch serves
(skipped if there are none), and ``PROMISES`` all cells together. The environment of every test of a
cell has ARCHGRID_CELL, ARCHGRID_TOOLKIT, ARCHGRID_MATRIX and, in a single cell, ARCHGRID_ARCH.
Tests are enabled in the calling folder and in those above it.

Cells receive only compilers and their toolkit (in CUDA_HOME, CUDA_PATH, CUDACXX and first on PATH,
too), CMAKE_CUDA_ARCHITECTURES, compiler launchers, build type, CMAKE_BUILD_RPATH (the folder of
their toolkit's libraries), ``ArchGrid_DIR`` (with which ``find_package(ArchGrid REQUIRED COMPONENTS
gtest)`` finds archgrid::gtest; absent if neither this tree builds the command nor archgrid is
installed), what the matrix file asks for by ``enforce_archs`` and ``redirect_outputs``, and the
definitions. ``cells/<cell>.cache.cmake`` contains all of these, so that you can configure a cell by
hand with ``cmake -C cells/<cell>.cache.cmake -S <source> -B <anywhere>``. CMake detects a toolkit's
compilers once, for all trees. NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, CUDAFLAGS and CUDAARCHS of the
environment do not reach cells. A toolkit that is not on this machine makes its cells impossible,
which is reported, and fails the test ``<cell>/BUILT``.

With ``COMMAND``, a cell copies the files of SOURCE (in a git work tree those that git tracks, and
new ones that it does not ignore) and runs the command in the copy. The audits find what it made:
programs, shared libraries, packages such as wheels, and code that programs load. For example::

  archgrid_add_matrix(MATRIX matrix.json SOURCE nccl-tests COMMAND make)
  archgrid_add_matrix(MATRIX matrix.json SOURCE extension COMMAND python3 setup.py bdist_wheel)
  archgrid_add_matrix(MATRIX matrix.json SOURCE tool COMMAND make "GENCODE=@GENCODE@")

The placeholders of matrix files (docs/matrix-file.md) stand for the cell's archs. The environment
has the archs as CUDAARCHS, TORCH_CUDA_ARCH_LIST (unless an arch is PTX alone) and NVCC_GENCODE; the
toolkit as CUDA_HOME, CUDA_PATH, CUDACXX and first on PATH; the host compiler as CC, CXX,
CUDAHOSTCXX and NVCC_CCBIN; the number of compilers as MAKEFLAGS, MAX_JOBS and
CMAKE_BUILD_PARALLEL_LEVEL; and all definitions, as variables. The command runs again after a file
of SOURCE was edited, added or removed. It starts in a fresh copy, as make and setuptools rebuild
nothing for changed flags or headers; with INCREMENTAL it keeps its objects. Words of the command
that are options of this function, like ``DEPENDS``, are taken as those: put such a command into a
script. Symbolic links that lead out of SOURCE lead there in the copy, too: an edit of a linked file
runs the command again, an edit in a linked folder does not. The copy has no ``.git``: a project
that takes its version from git needs a variable such as SETUPTOOLS_SCM_PRETEND_VERSION. Compiler
caches are the command's own business.

Cache variables:

``ARCHGRID_COMPILER_CACHE``
  Path of ccache, found by default; OFF disables caching. archgrid configures ccache correctly for
  nvcc: in its default mode ccache returns stale objects (docs/compiler-cache.md).
``ARCHGRID_SCCACHE``
  Path of sccache; default: the one that ``./setup`` or ``cmake -P detail/fetch_sccache.cmake``
  (beside this file) fetched, else that of the machine; OFF disables it. It replaces ccache for
  CUDA, and compiles each unit once per architecture for all cells of a toolkit, if a probe shows
  that its results are correct; else the configure output says why not. Its own variables
  (``SCCACHE_DIR``, those of its remote caches, ...) apply when cells are built.
``ARCHGRID_COMPILERS``
  Folder that stores, for other trees, what CMake detected about compilers (also an environment
  variable); default: archgrid/compilers in the user's cache folder; OFF disables it.
``ARCHGRID_COMMANDS``
  Folder of commands that were built from source, each for all trees with the same sources (also an
  environment variable); default: archgrid/commands in the user's cache folder; OFF builds one in
  each tree. Nothing removes old ones, of 40 MB each.
``ARCHGRID_JOBS``
  Number of concurrent compilers, shared among the cells that are building in proportion to their
  architectures; default: the number of processors. Ninja 1.13 and newer uses the jobserver of a
  caller that offers one.

A promise for a device that no arch of a toolkit can keep causes a warning. Errors: those of
archgrid_expand; an unknown argument; INCREMENTAL without COMMAND; a SOURCE that is missing, or
without CMakeLists.txt and COMMAND; a definition that is not ``KEY[:TYPE]=VALUE``; a matrix file
that sets how CMake builds beside COMMAND; a missing toolchain file; a second call in the tree; no
Ninja; no flock; a SOURCE that calls archgrid_add_matrix with itself, as each of its cells would do.
#]=======================================================================]
function(archgrid_add_matrix)
  list(APPEND CMAKE_MESSAGE_CONTEXT archgrid)
  cmake_parse_arguments(PARSE_ARGV 0 arg "INCREMENTAL" "MATRIX;SOURCE;BUILD_TYPE" "COMMAND;DEFINITIONS;DEPENDS")
  _archgrid_check_add_matrix(arg)
  _archgrid_claim_tree("${arg_MATRIX}")
  _archgrid_find_ninja(arg_NINJA)
  archgrid_expand(MATRIX "${arg_MATRIX}" OUTPUT "${CMAKE_BINARY_DIR}/plan.json" RESULT plan WARN)
  _archgrid_copy_matrix("${arg_MATRIX}" "${CMAKE_BINARY_DIR}/matrix.json")
  _archgrid_plan_get("${plan}" CELLS cells)
  _archgrid_find_command(command)
  _archgrid_enable_testing()
  _archgrid_set_up_jobs("${cells}" cells_at_once)
  find_program(ARCHGRID_FLOCK flock)
  mark_as_advanced(ARCHGRID_FLOCK)
  if(NOT ARCHGRID_FLOCK)
    message(FATAL_ERROR
      "archgrid_add_matrix: flock was not found, which keeps two builds out of one cell. Install it (Debian: apt-get install util-linux).")
  endif()

  _archgrid_note_nvcc_flags()
  _archgrid_builder("${command}" "${arg_NINJA}" ${cells_at_once} builder)
  _archgrid_round_robin_by_toolkit("${cells}" turns)
  set(needs "")
  set(buildable "")
  foreach(cell IN LISTS turns)
    _archgrid_add_cell_target("${cell}" arg command "${builder}" added)
    if(added_ID)
      list(APPEND buildable ${added_ID})
      list(APPEND needs ${added_DETECTION})
    endif()
  endforeach()
  _archgrid_report_missing_sccache("${cells}")
  list(APPEND needs ${arg_DEPENDS} ${command_target} ${command_package_target})
  list(REMOVE_DUPLICATES needs)
  foreach(id IN LISTS buildable)
    if(needs)
      add_dependencies(${id} ${needs})
    endif()
  endforeach()
  _archgrid_write_test_files("${command}")
  _archgrid_plan_labels("${cells}" labels)
  _archgrid_add_group_targets("${cells}" "${labels}" "${buildable}" "${builder}" "${needs}")
  _archgrid_add_test_target("${command}")
  _archgrid_add_unserved_targets("${labels}" "${arg_MATRIX}")
  _archgrid_launcher_folder(launchers)
  _archgrid_sweep_launchers("${launchers}")
endfunction()

# Checks the arguments of archgrid_add_matrix in the record ARG. Makes its paths absolute, and sets
# its default build type.
function(_archgrid_check_add_matrix arg)
  if(${arg}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "archgrid_add_matrix: unknown arguments: ${${arg}_UNPARSED_ARGUMENTS}. Known: MATRIX SOURCE COMMAND INCREMENTAL BUILD_TYPE DEFINITIONS DEPENDS.")
  endif()
  foreach(required IN ITEMS MATRIX SOURCE)
    set(path "${${arg}_${required}}")
    if(path STREQUAL "")
      message(FATAL_ERROR
        "archgrid_add_matrix: ${required} is missing. For example: archgrid_add_matrix(MATRIX matrices/default.json SOURCE kernels)")
    endif()
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    string(REGEX REPLACE "(.)/$" "\\1" path "${path}") # NORMALIZE leaves the slash of SOURCE ..
    set(${arg}_${required} "${path}" PARENT_SCOPE)
  endforeach()
  if(${arg}_INCREMENTAL AND NOT ${arg}_COMMAND)
    message(FATAL_ERROR
      "archgrid_add_matrix: INCREMENTAL belongs to COMMAND. Builds of CMake projects are incremental.")
  elseif(${arg}_COMMAND)
    _archgrid_check_build_command("${path}" "${${arg}_COMMAND}")
  elseif(NOT EXISTS "${path}/CMakeLists.txt")
    message(FATAL_ERROR
      "archgrid_add_matrix: SOURCE ${path} has no CMakeLists.txt. Name the folder of a CMake project, or the COMMAND that builds the project.")
  endif()
  _archgrid_refuse_recursion("${path}" "${${arg}_COMMAND}")
  if("${${arg}_BUILD_TYPE}" STREQUAL "")
    set(${arg}_BUILD_TYPE "${CMAKE_BUILD_TYPE}" PARENT_SCOPE)
    if("${CMAKE_BUILD_TYPE}" STREQUAL "")
      set(${arg}_BUILD_TYPE Release PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Fails if cells of SOURCE would call archgrid_add_matrix with SOURCE again: the calling folder, one
# that includes it, or what the cell builds in which this runs. A COMMAND need not configure SOURCE.
function(_archgrid_refuse_recursion source command)
  file(REAL_PATH "${source}" source)
  string(FIND "\n$ENV{ARCHGRID_CELL_SOURCES}\n" "\n${source}\n" place) # of detail/build_cell.cmake
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}")
  while(folder AND NOT command AND place EQUAL -1)
    file(REAL_PATH "${folder}" real_folder)
    if(real_folder STREQUAL source)
      set(place 0)
    endif()
    get_property(folder DIRECTORY "${folder}" PROPERTY PARENT_DIRECTORY)
  endwhile()
  if(NOT place EQUAL -1)
    message(FATAL_ERROR
      "archgrid_add_matrix: SOURCE ${source} makes this call: its cells would have cells. Put the call into a project of its own, which SOURCE does not include: matrices/CMakeLists.txt with SOURCE ..")
  endif()
endfunction()

# Fails if the build tree has the cells of a matrix already; else notes that it has those of MATRIX.
function(_archgrid_claim_tree matrix)
  get_property(added GLOBAL PROPERTY ARCHGRID_MATRIX)
  if(added)
    message(FATAL_ERROR
      "archgrid_add_matrix: this tree has the cells of ${added} already. One tree holds one matrix: configure another tree for ${matrix}.")
  endif()
  set_property(GLOBAL PROPERTY ARCHGRID_MATRIX "${matrix}")
endfunction()

# Sets OUT to the Ninja that builds cells: the one that builds this tree, or else the one that is
# found. Fails if there is none.
function(_archgrid_find_ninja out)
  find_program(ARCHGRID_NINJA NAMES ninja ninja-build HINTS "${CMAKE_MAKE_PROGRAM}")
  mark_as_advanced(ARCHGRID_NINJA)
  set(ninja "${ARCHGRID_NINJA}")
  if(CMAKE_GENERATOR MATCHES "Ninja")
    set(ninja "${CMAKE_MAKE_PROGRAM}")
  elseif(NOT ninja)
    message(FATAL_ERROR
      "archgrid_add_matrix: cells are built with Ninja, which was not found. Install it (Debian: apt-get install ninja-build).")
  endif()
  set(${out} "${ninja}" PARENT_SCOPE)
endfunction()

# Copies the matrix file beside the plan. Audits, tests and bundles read this copy.
function(_archgrid_copy_matrix from to)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${from}")
  file(COPY_FILE "${from}" "${to}" ONLY_IF_DIFFERENT)
endfunction()

# Sets the number of concurrent compilers, and CELLS_AT_ONCE_OUT to that of concurrent cells of
# CELLS: as many, since running cells share the compilers (detail/share_jobs.cmake). If each used
# all processors, N of them would run N^2 compilers.
function(_archgrid_set_up_jobs cells cells_at_once_out)
  if(NOT ARCHGRID_JOBS)
    cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
    find_program(ARCHGRID_NPROC nproc)
    mark_as_advanced(ARCHGRID_NPROC)
    if(ARCHGRID_NPROC) # respects CPU affinity, and so containers
      execute_process(COMMAND "${ARCHGRID_NPROC}" OUTPUT_VARIABLE processors OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
    set(ARCHGRID_JOBS "${processors}" CACHE STRING "How many compilers run at a time")
  endif()
  list(LENGTH cells count)
  if(count EQUAL 0)
    set(count 1)
  endif()
  set(cells_at_once ${ARCHGRID_JOBS})
  if(count LESS cells_at_once)
    set(cells_at_once ${count})
  endif()
  set_property(GLOBAL APPEND PROPERTY JOB_POOLS archgrid_cells=${cells_at_once})
  set(${cells_at_once_out} ${cells_at_once} PARENT_SCOPE)
endfunction()

# Sets OUT to CELLS in build order: the first of every toolkit, then the second of every
# toolkit, and so on. The cells of a toolkit share some objects (a test's C++), which are in the
# compiler cache when the next cell needs them. Adjacent cells would compile them at the same time.
function(_archgrid_round_robin_by_toolkit cells out)
  set(turns 0)
  foreach(cell IN LISTS cells)
    _archgrid_plan_get("${cell}" CUDA toolkit)
    if(NOT DEFINED cells_of_${toolkit})
      set(cells_of_${toolkit} 0)
    endif()
    math(EXPR cells_of_${toolkit} "${cells_of_${toolkit}} + 1")
    if(cells_of_${toolkit} GREATER turns)
      set(turns ${cells_of_${toolkit}})
      set(turn_${turns} "") # the caller may have a variable of that name
    endif()
    list(APPEND turn_${cells_of_${toolkit}} "${cell}")
  endforeach()
  set(order "")
  foreach(turn RANGE 1 ${turns})
    list(APPEND order ${turn_${turn}})
  endforeach()
  set(${out} "${order}" PARENT_SCOPE)
endfunction()

# Sets OUT to the command of a target that builds cells, whose ids follow it, separated by commas.
function(_archgrid_builder command ninja cells_at_once out)
  set(${out} "${command}" build-cells "${CMAKE_BINARY_DIR}" --jobs ${cells_at_once} --ninja "${ninja}"
    --cmake "${CMAKE_COMMAND}" --flock "${ARCHGRID_FLOCK}" --command "${command}"
    --script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/build_cell.cmake" --cells PARENT_SCOPE)
endfunction()

# Adds the target of CELL, an item of the plan's cells. ARG names the record of the arguments,
# COMMAND that of _archgrid_find_command(). Sets <prefix>_ID to its id and <prefix>_DETECTION to the
# target that detects its compilers. A cell whose toolkit or host compiler is not on this machine is
# impossible: this is recorded at once, the target reports it, and <prefix>_ID is empty.
function(_archgrid_add_cell_target cell arg command builder prefix)
  set(tree "${CMAKE_BINARY_DIR}")
  set(${prefix}_ID "" PARENT_SCOPE)
  _archgrid_plan_get("${cell}" ID id CUDA cuda ARCHS cell_archs HOST_COMPILER host_compiler LIBRARIES libraries
    DEFINITIONS planned_definitions TARGETS targets ENFORCE_ARCHS enforces REDIRECT_OUTPUTS redirects)
  _archgrid_find_compilers("${cuda}" "${host_compiler}" "${libraries}" found)
  file(MAKE_DIRECTORY "${tree}/cells")
  if(found_REASON)
    _archgrid_add_impossible_cell(${id} "${found_REASON}")
    return()
  endif()
  # Definitions are joined as strings: list() commands lose an escaped semicolon in a value.
  set(own_definitions "${${arg}_DEFINITIONS};${planned_definitions}")
  _archgrid_detection_flags("${own_definitions}" "${${arg}_SOURCE}" flags)
  set(compilers
    "CMAKE_C_COMPILER=${found_C}" "CMAKE_CXX_COMPILER=${found_CXX}" "CMAKE_CUDA_COMPILER=${found_NVCC}"
    "CMAKE_CUDA_HOST_COMPILER=${found_CXX}" "CUDAToolkit_ROOT=${found_ROOT}")
  _archgrid_add_detection("${cuda}" "${compilers}" "${found_FINGERPRINT}" "${found_ARCH}" "${flags}" "${${arg}_NINJA}"
    cell_detection detection)

  string(REPLACE ";" "\\;" archs "${cell_archs}")
  set(definitions
    "${compilers};CMAKE_BUILD_TYPE=${${arg}_BUILD_TYPE};CMAKE_CUDA_ARCHITECTURES=${archs};CUDA_TOOLKIT_ROOT_DIR=${found_ROOT}")
  _archgrid_package_definitions(${command} package)
  _archgrid_launcher_definitions("${found_LAUNCHER}" launchers)
  _archgrid_overriding_definitions("${enforces}" "${redirects}" "${archs}" "${own_definitions}" overriding_definitions)
  _archgrid_rpath_definition("${found_ROOT}" "${own_definitions}" rpath)
  _archgrid_choose_project("${cell}" ${arg} found "${own_definitions}" project)
  _archgrid_cache_lines("${definitions}${package}${launchers};${own_definitions};${overriding_definitions};${rpath}${project_DEFINITIONS}" cell_cache)
  set(signed "${CMAKE_VERSION}|${project_SOURCE}|${cell_cache}|${cell_detection}")
  if(targets)
    string(APPEND signed "|${targets}")
  endif()
  _archgrid_sign_cell("${tree}" "${id}" "${signed}" cell_signature)
  set(content "")
  _archgrid_append_set(content cell_id "${id}" cell_source "${project_SOURCE}" cell_detection "${cell_detection}"
    cell_root "${found_ROOT}" cell_ninja "${${arg}_NINJA}" cell_jobs "${ARCHGRID_JOBS}" cell_flock "${ARCHGRID_FLOCK}"
    cell_targets "${targets}" cell_signature "${cell_signature}" cell_cache "${cell_cache}"
    cell_cuda "${cuda}" cell_archs "${cell_archs}" cell_from_scratch ${project_FROM_SCRATCH})
  _archgrid_write_if_changed("${tree}/cells/${id}.config.cmake" "${content}")
  add_custom_target(${id} COMMAND ${builder} ${id} --must-build VERBATIM USES_TERMINAL COMMENT "Cell ${id}")
  set(${prefix}_ID ${id} PARENT_SCOPE)
  set(${prefix}_DETECTION ${detection} PARENT_SCOPE)
endfunction()

# Records that the cell ID cannot be built on this machine for REASON, and adds a target that says
# so and fails.
function(_archgrid_add_impossible_cell id reason)
  _archgrid_write_cell_status("${CMAKE_BINARY_DIR}/cells/${id}.json" ID "${id}" STATUS impossible
    REASON "${reason}")
  add_custom_target(${id}
    COMMAND "${CMAKE_COMMAND}" -E echo "${id}: impossible: ${reason}"
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM COMMENT "Cell ${id}")
endfunction()

# Chooses the project that CELL builds: the caller's SOURCE, or the one that runs its COMMAND. ARG
# names the record of the arguments, FOUND that of the compilers; DEFINITIONS are the cell's own.
# Sets
#   <prefix>_SOURCE        the project's folder
#   <prefix>_DEFINITIONS   definitions for it, each after a semicolon
#   <prefix>_FROM_SCRATCH  whether a build begins with a new copy of the sources
function(_archgrid_choose_project cell arg found definitions prefix)
  set(source "${${arg}_SOURCE}")
  set(command_definitions "")
  set(from_scratch FALSE)
  if(${arg}_COMMAND)
    _archgrid_check_command_cell("${cell}")
    if(NOT ${arg}_INCREMENTAL)
      set(from_scratch TRUE)
    endif()
    _archgrid_plan_get("${cell}" ID id ARCHS archs)
    _archgrid_write_build_command("${CMAKE_BINARY_DIR}/cells/${id}.command" ${arg} ${found} "${archs}"
      "${definitions}" command_definitions)
    _archgrid_command_project(source)
  endif()
  set(${prefix}_SOURCE "${source}" PARENT_SCOPE)
  set(${prefix}_DEFINITIONS "${command_definitions}" PARENT_SCOPE)
  set(${prefix}_FROM_SCRATCH ${from_scratch} PARENT_SCOPE)
endfunction()

# Sets OUT to those of DEFINITIONS that decide what CMake detects about compilers, each followed by
# a semicolon: flags, and the toolchain file, which may be relative to SOURCE. CMake reads a
# toolchain file only where it detects the compilers.
function(_archgrid_detection_flags definitions source out)
  set(flags "")
  foreach(definition IN LISTS definitions)
    if(definition MATCHES "^CMAKE_(C|CXX|CUDA)_FLAGS")
      string(REPLACE ";" "\\;" definition "${definition}")
      string(APPEND flags "${definition};")
    elseif(definition MATCHES "^CMAKE_TOOLCHAIN_FILE(:[A-Z]+)?=(.+)$")
      set(toolchain "${CMAKE_MATCH_2}")
      cmake_path(ABSOLUTE_PATH toolchain BASE_DIRECTORY "${source}" NORMALIZE)
      if(NOT EXISTS "${toolchain}")
        message(FATAL_ERROR
          "archgrid_add_matrix: CMAKE_TOOLCHAIN_FILE: there is no file ${toolchain}. Correct the definition, which may be relative to SOURCE.")
      endif()
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${toolchain}")
      file(SHA256 "${toolchain}" content)
      string(APPEND flags "CMAKE_TOOLCHAIN_FILE=${toolchain};ARCHGRID_TOOLCHAIN_CONTENT=${content};")
    endif()
  endforeach()
  set(${out} "${flags}" PARENT_SCOPE)
endfunction()

# Sets OUT to the signature of the cell ID, a hash of the text SIGNED, and records it: a cell that
# was built with another one becomes stale, and one that was impossible has no status any more.
function(_archgrid_sign_cell tree id signed out)
  string(SHA256 signature "${signed}")
  _archgrid_write_if_changed("${tree}/cells/${id}.signature" "${signature}")
  set(status_file "${tree}/cells/${id}.json")
  _archgrid_read_cell_status("${status_file}" before)
  if(before_STATUS STREQUAL "impossible")
    file(REMOVE "${status_file}")
  endif()
  _archgrid_mark_if_stale("${tree}" "${id}")
  set(${out} "${signature}" PARENT_SCOPE)
endfunction()

# Sets OUT to the definitions, each after a semicolon, with which a cell finds archgrid's package,
# if the record COMMAND has one.
function(_archgrid_package_definitions command out)
  set(definitions "")
  if(${command}_package)
    string(APPEND definitions ";ArchGrid_DIR=${${command}_package}")
  endif()
  if(${command}_libraries)
    string(APPEND definitions ";ARCHGRID_HOST_LIBRARIES=${${command}_libraries}")
  endif()
  set(${out} "${definitions}" PARENT_SCOPE)
endfunction()

# Sets OUT to the definitions, each after a semicolon, of the compiler launchers of a cell, whose
# nvcc has CUDA_LAUNCHER.
function(_archgrid_launcher_definitions cuda_launcher out)
  _archgrid_c_launcher(c_launcher)
  set(definitions "")
  foreach(language IN ITEMS C CXX CUDA)
    set(launcher "${c_launcher}")
    if(language STREQUAL "CUDA")
      set(launcher "${cuda_launcher}")
    endif()
    if(launcher)
      string(REPLACE ";" "\\;" launcher "${launcher}")
      string(APPEND definitions ";CMAKE_${language}_COMPILER_LAUNCHER=${launcher}")
    endif()
  endforeach()
  set(${out} "${definitions}" PARENT_SCOPE)
endfunction()

# Sets OUT to the definitions with which a cell changes the project's targets
# (detail/override_targets.cmake): it ENFORCES its ARCHS, or REDIRECTS outputs. Sets it to nothing
# if the matrix file asks for neither. Files that the user's DEFINITIONS include at the first
# project() call are still included.
function(_archgrid_overriding_definitions enforces redirects archs definitions out)
  set(overriding "")
  if(enforces)
    string(APPEND overriding "ARCHGRID_ENFORCED_ARCHS:INTERNAL=${archs};")
  endif()
  if(redirects)
    string(APPEND overriding "ARCHGRID_REDIRECT_OUTPUTS:INTERNAL=ON;")
  endif()
  set(${out} "" PARENT_SCOPE)
  if(overriding STREQUAL "")
    return()
  endif()
  set(includes "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/override_targets.cmake")
  foreach(definition IN LISTS definitions)
    if(definition MATCHES "^CMAKE_PROJECT_TOP_LEVEL_INCLUDES(:[A-Z]+)?=(.+)$")
      string(REPLACE ";" "\\;" theirs "${CMAKE_MATCH_2}")
      string(PREPEND includes "${theirs}\\;")
    endif()
  endforeach()
  set(${out} "${overriding}CMAKE_PROJECT_TOP_LEVEL_INCLUDES=${includes}" PARENT_SCOPE)
endfunction()

# Sets OUT to the CMAKE_BUILD_RPATH definition with which programs of a cell load the libraries
# (also the runtime) of their own toolkit, at ROOT. nvcc links from that folder implicitly, so CMake
# omits it from their RPATH, and the loader would find another toolkit's libraries. Keeps what the
# user's DEFINITIONS add. Sets nothing for a toolkit in /usr, which the loader searches anyway.
function(_archgrid_rpath_definition root definitions out)
  set(${out} "" PARENT_SCOPE)
  if(root STREQUAL "/usr")
    return()
  endif()
  _archgrid_toolkit_library_folder("${root}" lib)
  set(folders "${root}/${lib}")
  foreach(definition IN LISTS definitions)
    if(definition MATCHES "^CMAKE_BUILD_RPATH(:[A-Z]+)?=(.+)$")
      string(REPLACE ";" "\\;" theirs "${CMAKE_MATCH_2}")
      string(APPEND folders "\\;${theirs}")
    endif()
  endforeach()
  set(${out} "CMAKE_BUILD_RPATH=${folders}" PARENT_SCOPE)
endfunction()

# Writes the files that ctest and archgrid_bundle read beside the plan: the path of COMMAND, the
# file through which ctest finds the cells' tests (read when ctest runs, so it shows the last
# build), and ctest's closing step.
function(_archgrid_write_test_files command)
  set(tree "${CMAKE_BINARY_DIR}")
  _archgrid_write_command("${command}" "${tree}/command.cmake")
  _archgrid_bracket("${tree}" quoted_tree)
  _archgrid_bracket("${CMAKE_COMMAND}" cmake)
  set(content "")
  _archgrid_append_include(content "${tree}/command.cmake")
  _archgrid_append_include(content "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/cell_tests.cmake")
  string(APPEND content "_archgrid_add_cells(TREE ${quoted_tree} COMMAND \"\${matrix_command}\" CMAKE ${cmake})\n")
  _archgrid_write_if_changed("${tree}/archgrid_tests.cmake" "${content}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${tree}/archgrid_tests.cmake")
  set(content "")
  _archgrid_append_include(content "${tree}/command.cmake")
  _archgrid_append_set(content matrix_tree "${tree}" matrix_cmake "${CMAKE_COMMAND}")
  _archgrid_append_include(content "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/ctest_custom.cmake")
  _archgrid_write_if_changed("${tree}/CTestCustom.cmake" "${content}")
endfunction()

# Writes to FILE the line that sets matrix_command to COMMAND. The path of this build's own target
# is known only at generate time; it contains no value from a user.
function(_archgrid_write_command command file)
  set(content "")
  _archgrid_append_set(content matrix_command "${command}")
  if(command STREQUAL "$<TARGET_FILE:archgrid>")
    file(GENERATE OUTPUT "${file}" CONTENT "${content}")
  else()
    _archgrid_write_if_changed("${file}" "${content}")
  endif()
endfunction()

# Adds the targets of LABELS (sm90, cu130, fat), those of CELLS, and `matrix`. They build those of
# BUILDABLE, ids in build order, and depend on the targets NEEDS.
function(_archgrid_add_group_targets cells labels buildable builder needs)
  foreach(cell IN LISTS cells)
    _archgrid_plan_get("${cell}" ID id LABELS labels_of_cell)
    set(labels_of_${id} "${labels_of_cell}")
  endforeach()
  foreach(label IN LISTS labels ITEMS matrix)
    set(filter "-DLABEL=${label}")
    set(all "")
    if(label STREQUAL "matrix")
      set(filter "")
      set(all ALL) # else ctest after a plain build would judge old files
    endif()
    set(chosen "")
    foreach(id IN LISTS buildable)
      if(label STREQUAL "matrix" OR label IN_LIST labels_of_${id})
        list(APPEND chosen ${id})
      endif()
    endforeach()
    set(build "")
    if(chosen)
      list(JOIN chosen "," chosen)
      set(build COMMAND "${CMAKE_COMMAND}" -E touch "${CMAKE_BINARY_DIR}/cells/begin.${label}"
        COMMAND ${builder} "${chosen}")
    endif()
    add_custom_target(${label} ${all} ${build}
      COMMAND "${CMAKE_COMMAND}" "-DTREE=${CMAKE_BINARY_DIR}" ${filter}
      "-DBEGIN=${CMAKE_BINARY_DIR}/cells/begin.${label}"
        -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/report_cells.cmake"
      VERBATIM USES_TERMINAL COMMENT "Cells of ${label}")
    if(needs)
      add_dependencies(${label} ${needs})
    endif()
  endforeach()
endfunction()

# Sets OUT to the labels that CELLS, items of the plan's cells, have.
function(_archgrid_plan_labels cells out)
  set(all "")
  foreach(cell IN LISTS cells)
    _archgrid_plan_get("${cell}" LABELS labels)
    list(APPEND all ${labels})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

# Adds the target test-matrix.
function(_archgrid_add_test_target command)
  add_custom_target(test-matrix COMMAND "${command}" run-tests "${CMAKE_BINARY_DIR}" --ctest "${CMAKE_CTEST_COMMAND}"
    VERBATIM USES_TERMINAL COMMENT "Tests of matrix")
  add_dependencies(test-matrix matrix)
endfunction()

# Adds a target for each known device that is none of LABELS, those of the cells of MATRIX, since
# presets name it. The target fails and says why.
function(_archgrid_add_unserved_targets labels matrix)
  _archgrid_data_devices(devices)
  list(TRANSFORM devices REPLACE "\\." "")
  list(TRANSFORM devices PREPEND sm)
  list(REMOVE_ITEM devices ${labels})
  foreach(label IN LISTS devices)
    _archgrid_describe_unserved("${label}" "${matrix}" text)
    add_custom_target(${label}
      COMMAND "${CMAKE_COMMAND}" -E echo "${text}"
      COMMAND "${CMAKE_COMMAND}" -E false VERBATIM COMMENT "Cells of ${label}")
  endforeach()
endfunction()
