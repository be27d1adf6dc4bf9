# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the files of a built cell that hold the code it ships, for the audits: those that its targets make, by what
# CMake's file API says, and those that lie beside them. Text of link lines plays no part: there a versioned library
# and a path with a space have other names.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/file_api.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/json.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Names of libraries that NVIDIA ships, whole: libcudart.so.13 and libcudnn_ops.so.9, not libcuda_kernels.so, nor
# libnvinfer_my_plugin.so. A project that copies one beside its own did not compile it.
set(_archgrid_nvidia_names cuda cudart cudadevrt cublas cublasLt cudla cufft cufftw cufile cuinj64 cupti curand cusolver
  cusolverMg cusparse cusparseLt cutensor cutensorMg culibos nccl nvblas nvJitLink nvjitlink nvToolsExt nvjpeg nvml
  nvptxcompiler nvvm nvshmem nvshmem_host
  nppc npps nppi nppial nppicc nppicom nppidei nppif nppig nppim nppist nppisu nppitc
  nvrtc nvrtc-builtins nvrtc[.]alt nvrtc-builtins[.]alt
  cudnn cudnn_adv cudnn_adv_infer cudnn_adv_train cudnn_cnn cudnn_cnn_infer cudnn_cnn_train cudnn_ext cudnn_graph
  cudnn_heuristic cudnn_ops cudnn_ops_infer cudnn_ops_train cudnn_engines_precompiled cudnn_engines_runtime_compiled
  cudnn_engines_tensor_ir
  nvinfer nvinfer_builder_resource nvinfer_builder_resource_ptx nvinfer_builder_resource_sm[0-9]+ nvinfer_dispatch
  nvinfer_lean nvinfer_plugin nvinfer_safe nvinfer_vc_plugin)
list(JOIN _archgrid_nvidia_names "|" _archgrid_nvidia_library)
set(_archgrid_nvidia_library "^lib(${_archgrid_nvidia_library})(-[0-9a-f]+)?\\.so[.0-9]*$")

# Distributions of other projects that `pip wheel` writes beside the project's own wheel, as their wheels spell them, whole.
set(_archgrid_foreign_distribution "nvidia_.+|torch|torchvision|torchaudio|triton|cupy_cuda[0-9]+x|tensorflow|jaxlib|jax_cuda[0-9]+_(plugin|pjrt)|xformers")

# Finds what the build of GOALS (target names, `all`) left in the tree BUILD of the project SOURCE. COMMAND is archgrid's.
# Sets in the caller
#   <prefix>_ARTIFACTS  the files to audit, relative to BUILD, sorted
#   <prefix>_STRAYS     programs, libraries and device code among them that no target makes
#   <prefix>_PACKAGES   packages among them, wheels, other archives and compressed files that hold device code, and installed
#                       files of further kinds
#   <prefix>_UNNAMED    strays and packages that no command of the build names as its output, and that may be left over
#   <prefix>_EXCLUDED   the targets that were not built, by name, sorted
#   <prefix>_UNAUDITED  "<why>:<path>" of each file with device code that is not audited, though it may ship; masked by
#                       _archgrid_mask_list_syntax(). The path of a member of a package is "dist.whl!lib.so":
#                       nvidia       a library with a name of NVIDIA's
#                       foreign      a package with a name of another project's
#                       copy         a member of a package with the bytes of an audited file
#                       unmade       a static library or code that programs load, which no command makes
#                       environment  a library in a Python environment
#                       outdated     of a target that was not built, made by an earlier build, a hand or a script
#                       unreadable   a package or a file in one; "<path><tab><reason>"
#                       opaque       installed, of a format that archgrid does not know
#                       prebuilt     linked from the project's sources, or installed; its path is absolute
#                       installing   a CMakeLists.txt or a script that may compile while it installs; likewise
#   <prefix>_COMPILED_BY_CMAKE  whether a target that was made compiles in CMake's language CUDA
#   <prefix>_LOST       "<target>: <path>" for each target that was built and whose file is not there
function(_archgrid_find_artifacts build ninja goals source command prefix)
  _archgrid_read_targets("${build}")
  _archgrid_find_made_targets("${build}" "${ninja}" "${goals}" made)
  _archgrid_read_outputs("${build}" "${ninja}")
  _archgrid_find_installed("${build}" installed)
  _archgrid_find_installed_code("${build}" "${installed}" installed_code fetched odd)
  set(artifacts "")
  set(archives "")
  set(objects "")
  set(links "")
  set(linked "") # shared libraries
  set(excluded "")
  set(outdated "")
  set(lost "")
  set(owned "") # by some target, made or not
  set(seen "") # real paths of artifacts
  set(by_cmake FALSE)
  foreach(number RANGE 1 ${target_COUNT})
    set(type "${target_${number}_TYPE}")
    if(number GREATER target_COUNT OR NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC|OBJECT)_LIBRARY)$")
      continue()
    endif()
    set(there ${target_${number}_PATHS})
    list(FILTER there EXCLUDE REGEX "\\.(ltoir|optixir)$") # which no audit reads: noted where install() names them
    list(APPEND owned ${there})
    if(NOT number IN_LIST made)
      _archgrid_sort_excluded("${build}" "${ninja}" "${there}" "${installed_code}" is_made outdated_here)
      if(outdated_here AND NOT type STREQUAL "OBJECT_LIBRARY")
        list(APPEND outdated ${outdated_here})
        continue()
      elseif(NOT is_made)
        list(APPEND excluded "${target_${number}_NAME}")
        continue()
      endif()
    endif()
    foreach(path IN LISTS there)
      if(NOT EXISTS "${build}/${path}")
        list(APPEND lost "${target_${number}_NAME}: ${path}")
      elseif(type STREQUAL "OBJECT_LIBRARY")
        list(APPEND objects "${path}")
      elseif(type STREQUAL "STATIC_LIBRARY")
        list(APPEND archives "${path}")
      else()
        list(APPEND artifacts "${path}")
      endif()
    endforeach()
    if(target_${number}_JSON MATCHES "\"language\" : \"CUDA\"")
      set(by_cmake TRUE)
    endif()
    if(NOT type STREQUAL "OBJECT_LIBRARY")
      string(APPEND links "${target_${number}_JSON}")
      _archgrid_find_linked("${build}" "${target_${number}_JSON}" libraries)
      list(APPEND linked ${libraries})
    endif()
  endforeach()
  # Host code alone has nothing to audit; where the cell has nothing else, the audit says so of the archives.
  _archgrid_filter_device_code("${build}" "${archives}" device_archives)
  _archgrid_filter_unlinked("${objects}" "${links}" unlinked)
  _archgrid_filter_device_code("${build}" "${unlinked}" unlinked)
  _archgrid_drop_linked_lto("${build}" "${links}" "${installed_code}" device_archives)
  list(APPEND artifacts ${device_archives} ${unlinked})
  _archgrid_find_strays("${build}" "${ninja}" "${owned}" "${artifacts}" "${installed_code}" strays unnamed others unaudited)
  list(APPEND artifacts ${strays})
  _archgrid_find_packages("${build}" "${command}" "${artifacts}" "${others}" packages unaudited_packages)
  list(APPEND artifacts ${packages})
  foreach(path IN LISTS packages)
    _archgrid_is_made("${path}" is_made)
    if(NOT is_made)
      list(APPEND unnamed "${path}")
    endif()
  endforeach()
  _archgrid_find_prebuilt("${build}" "${source}" "${linked}" "${installed}" "${fetched}" prebuilt)
  _archgrid_find_installing("${build}" installing)
  if(NOT artifacts)
    set(artifacts ${archives})
  endif()
  _archgrid_drop_same_files("${build}" artifacts)
  list(SORT artifacts)
  list(SORT excluded)
  set(${prefix}_ARTIFACTS "${artifacts}" PARENT_SCOPE)
  set(${prefix}_STRAYS "${strays}" PARENT_SCOPE)
  set(${prefix}_PACKAGES "${packages}" PARENT_SCOPE)
  set(${prefix}_UNNAMED "${unnamed}" PARENT_SCOPE)
  set(${prefix}_EXCLUDED "${excluded}" PARENT_SCOPE)
  set(${prefix}_UNAUDITED ${unaudited} ${outdated} ${unaudited_packages} ${prebuilt} ${odd} ${installing} PARENT_SCOPE)
  set(${prefix}_COMPILED_BY_CMAKE "${by_cmake}" PARENT_SCOPE)
  set(${prefix}_LOST "${lost}" PARENT_SCOPE)
endfunction()

# Sets IS_MADE_OUT to whether PATHS, files of a target that the build leaves out, are audited all the same, and OUTDATED_OUT
# to "outdated:<path>" of those with device code that are there and are not. Those among INSTALLED ship as they are: what
# depends on a command that always runs is never up to date for Ninja.
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
    if(NOT is_made)
      _archgrid_filter_device_code("${build}" "${there}" outdated)
      list(TRANSFORM outdated PREPEND "outdated:")
    endif()
  endif()
  set(${is_made_out} "${is_made}" PARENT_SCOPE)
  set(${outdated_out} "${outdated}" PARENT_SCOPE)
endfunction()

# Reports whether all PATHS exist and are what Ninja would make of today's sources: a target outside `all` that
# something else built, a test's fixture for instance, not one that an earlier state of the project left.
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

# Keeps of OBJECTS those that no target of LINKS, JSON of linked targets, takes in: the file API lists objects of
# libraries among a target's sources. No linker takes in PTX, cubins and fat binaries, though a static library packs them.
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

# Drops from ARCHIVES_VARIABLE, a list of static libraries, those whose device code is hidden in LTO data of the host compiler
# (-flto), where a target of LINKS takes them in and they are not among INSTALLED: what is linked holds their fat binaries.
function(_archgrid_drop_linked_lto build links installed archives_variable)
  set(kept "")
  foreach(path IN LISTS ${archives_variable})
    string(FIND "${links}" "\"fragment\" : \"${path}\"" found)
    set(result 0)
    if(NOT found EQUAL -1 AND NOT path IN_LIST installed)
      execute_process(COMMAND sh -c "LC_ALL=C exec grep -q -a -F -e \"$(printf '\\120\\355\\125\\272\\001')\" \"$1\"" sh "${path}"
        WORKING_DIRECTORY "${build}" RESULT_VARIABLE result)
    endif()
    if(result EQUAL 0)
      list(APPEND kept "${path}")
    endif()
  endforeach()
  set(${archives_variable} "${kept}" PARENT_SCOPE)
endfunction()

# Sets OUT to the files among ARGN that grep, told where to look, finds to hold device code: a fat binary or a cubin, by
# their first bytes, or the text of PTX, which programs may hold as plain data, or that are LTO-IR or OptiX-IR; or to
# register a fat binary that LTO data of the host compiler hide. Their paths are masked by _archgrid_mask_list_syntax().
function(_archgrid_grep_device_code build out)
  # printf: no argument of a process can be written in a CMake file with bytes that are no UTF-8.
  execute_process(
    COMMAND sh -c "code=$(printf '\\120\\355\\125\\272\\001|\\177ELF\\002\\001\\001[3A]|^\\355\\103\\116\\177|^[[:blank:]]*[.]target[[:blank:]]+sm_[0-9]|_ZL15__fatDeviceText|__fatbinwrap_'); LC_ALL=C exec grep -l -a -E -e \"$code\" \"$@\"" sh ${ARGN}
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE found ERROR_VARIABLE error RESULT_VARIABLE result)
  if(result GREATER 1)
    message(FATAL_ERROR "grep could not search ${build} for device code: ${error}")
  endif()
  _archgrid_split_lines("${found}" found)
  list(TRANSFORM found REPLACE "^\\./" "")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Sets OUT to the lines of TEXT, each masked by _archgrid_mask_list_syntax().
function(_archgrid_split_lines text out)
  _archgrid_mask_list_syntax("${text}" text)
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Unmasks the list PATHS_VARIABLE, removes the paths that a list cannot carry, which have a semicolon or half a pair of
# brackets, and sets OUT to "<why>:<path>" of each of these, masked.
function(_archgrid_take_odd_paths paths_variable why out)
  set(others "")
  set(odd "")
  foreach(masked IN LISTS ${paths_variable})
    _archgrid_unmask_list_syntax("${masked}" path)
    string(REGEX REPLACE "[^[]" "" opening "${path}")
    string(REGEX REPLACE "[^]]" "" closing "${path}")
    string(LENGTH "${opening}" opening)
    string(LENGTH "${closing}" closing)
    if(path MATCHES ";" OR NOT opening EQUAL closing)
      list(APPEND odd "${why}:${masked}")
    else()
      list(APPEND others "${path}")
    endif()
  endforeach()
  set(${paths_variable} "${others}" PARENT_SCOPE)
  set(${out} "${odd}" PARENT_SCOPE)
endfunction()

# Keeps of PATHS those with device code in them, and what nvcc wrote instead of an object.
function(_archgrid_filter_device_code build paths out)
  set(code "${paths}")
  list(FILTER code INCLUDE REGEX "\\.(ptx|cubin|fatbin)$")
  list(FILTER paths EXCLUDE REGEX "\\.(ptx|cubin|fatbin)$")
  list(LENGTH paths count)
  set(first 0)
  while(first LESS count) # a command line has an end
    list(SUBLIST paths ${first} 500 some)
    _archgrid_grep_device_code("${build}" found -- ${some})
    _archgrid_take_odd_paths(found "" none)
    list(APPEND code ${found})
    math(EXPR first "${first} + 500")
  endwhile()
  set(${out} "${code}" PARENT_SCOPE)
endfunction()

# Sets OUT to the files among INSTALLED, absolute paths, and below the folders among them, that lie in BUILD and have device
# code in them, objects and unknown formats included; relative to BUILD, each by the path of the file behind its links.
# FETCHED_OUT takes those that were downloaded. Sets ODD_OUT as _archgrid_take_odd_paths().
function(_archgrid_find_installed_code build installed out fetched_out odd_out)
  file(REAL_PATH "${build}" tree)
  set(files "")
  set(fetched "")
  set(odd "")
  foreach(path IN LISTS installed)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${tree}")
    cmake_path(IS_PREFIX tree "${real}" is_in_tree)
    if(NOT is_in_tree OR NOT EXISTS "${real}")
      continue()
    endif()
    if(IS_DIRECTORY "${real}")
      _archgrid_search_folder("${real}" found)
      _archgrid_take_odd_paths(found opaque odd_here)
      list(APPEND odd ${odd_here})
      list(TRANSFORM found PREPEND "${real}/")
    else()
      set(found "${real}")
    endif()
    foreach(file IN LISTS found)
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${tree}")
      _archgrid_is_fetched("${build}" "${file}" is_fetched)
      if(is_fetched)
        list(APPEND fetched "${file}")
      else()
        list(APPEND files "${file}")
      endif()
    endforeach()
  endforeach()
  foreach(list IN ITEMS files fetched)
    list(REMOVE_DUPLICATES ${list})
    list(SORT ${list})
    _archgrid_filter_device_code("${build}" "${${list}}" ${list})
  endforeach()
  set(${out} "${files}" PARENT_SCOPE)
  set(${fetched_out} "${fetched}" PARENT_SCOPE)
  set(${odd_out} "${odd}" PARENT_SCOPE)
endfunction()

# Reports whether the file PATH, relative to BUILD, came with sources that FetchContent or ExternalProject downloaded: it
# lies in a folder of theirs, and nobody has written it since the download, or since the cell was configured first.
function(_archgrid_is_fetched build path out)
  set(${out} FALSE PARENT_SCOPE)
  cmake_path(GET path PARENT_PATH folder)
  while(NOT folder STREQUAL "")
    cmake_path(GET folder FILENAME name)
    cmake_path(GET folder PARENT_PATH above)
    set(places "${build}/${folder}-stamp/${name}-download" "${build}/${above}/../Stamp/${name}/${name}-download")
    set(is_source FALSE)
    if(name MATCHES "^(.+)-src$")
      set(name "${CMAKE_MATCH_1}")
      list(APPEND places "${build}/${above}/${name}-subbuild/${name}-populate-prefix/src/${name}-populate-stamp/*-download"
        "${build}/CMakeFiles/fc-stamp/${name}/*-download")
      if(above STREQUAL "_deps")
        set(is_source TRUE)
      endif()
    endif()
    file(GLOB stamps ${places})
    if(is_source OR stamps)
      foreach(stamp IN LISTS stamps ITEMS "${build}/archgrid.signature")
        if("${stamp}" IS_NEWER_THAN "${build}/${path}")
          set(${out} TRUE PARENT_SCOPE)
        endif()
      endforeach()
      return()
    endif()
    set(folder "${above}")
  endwhile()
endfunction()

# Finds files with device code below BUILD that no target makes, a custom command's, a nested Makefile's, an external
# project's: programs and shared libraries, and of static libraries and of the cubins, PTX and fat binaries that programs
# load those that a command of the build names as its output or that are among INSTALLED, as packages of others hold such
# files, too. Skips copies of ARTIFACTS, leftovers of targets and commands that the project has no longer, unless they are
# among INSTALLED, and downloaded files that no command makes. Sets UNNAMED_OUT to those that no command names,
# OTHERS_OUT to those of INSTALLED that are files of another kind, and UNAUDITED_OUT to "<why>:<path>" of the rest, of
# libraries in Python environments and of those with names of NVIDIA's.
function(_archgrid_find_strays build ninja owned artifacts installed out unnamed_out others_out unaudited_out)
  _archgrid_find_leftovers("${build}" "${owned};${artifacts}" current leftovers)
  _archgrid_search_tree("${build}" found)
  _archgrid_take_odd_paths(found unmade odd)
  list(APPEND found ${installed})
  list(REMOVE_DUPLICATES found)
  set(strays "")
  set(environment "") # files in environments of Python
  set(parts "") # of programs, maybe: nobody is known to make them
  set(others "")
  set(unaudited "")
  set(made "") # by commands of the build
  foreach(path IN LISTS found)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}")
    if(NOT real IN_LIST current)
      _archgrid_sort_stray("${build}" "${ninja}" "${path}" "${leftovers}" "${installed}" kind is_made)
      if(is_made)
        list(APPEND made "${real}")
      endif()
      if(kind STREQUAL "nvidia")
        list(APPEND unaudited "nvidia:${path}")
      elseif(kind)
        list(APPEND ${kind} "${path}")
      endif()
    endif()
  endforeach()
  _archgrid_remember_files("${build}" ${current} ${made})
  _archgrid_drop_copies("${build}" "${artifacts}" strays environment parts)
  set(unnamed "")
  foreach(path IN LISTS strays)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}")
    if(NOT real IN_LIST made)
      list(APPEND unnamed "${path}")
    endif()
  endforeach()
  list(TRANSFORM environment PREPEND "environment:")
  list(TRANSFORM parts PREPEND "unmade:")
  list(APPEND unaudited ${environment} ${parts} ${odd})
  list(SORT unaudited)
  set(${out} "${strays}" PARENT_SCOPE)
  set(${unnamed_out} "${unnamed}" PARENT_SCOPE)
  set(${others_out} "${others}" PARENT_SCOPE)
  set(${unaudited_out} "${unaudited}" PARENT_SCOPE)
endfunction()

# Sets CURRENT_OUT to the real paths of FILES, those of today's targets, and LEFTOVERS_OUT to those that targets and commands
# of earlier states of the project made and nobody has written since.
function(_archgrid_find_leftovers build files current_out leftovers_out)
  set(current "")
  foreach(path IN LISTS files)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}") # of a versioned library the file behind its name
    list(APPEND current "${real}")
  endforeach()
  _archgrid_read_memory("${build}" known)
  set(leftovers "")
  foreach(line IN LISTS known)
    string(REGEX REPLACE "\t.*" "" path "${line}")
    _archgrid_unmask_list_syntax("${path}" real)
    if(NOT real IN_LIST current)
      _archgrid_stamp_file("${real}" now)
      if(line STREQUAL now OR line STREQUAL path) # the path alone is of an earlier edition
        list(APPEND leftovers "${real}")
      endif()
    endif()
  endforeach()
  set(${current_out} "${current}" PARENT_SCOPE)
  set(${leftovers_out} "${leftovers}" PARENT_SCOPE)
endfunction()

# Sets OUT to the lines of archgrid.targets in BUILD, which lists all files that targets and commands of the project made, as
# _archgrid_stamp_file() wrote them when they were last seen.
function(_archgrid_read_memory build out)
  set(text "")
  if(EXISTS "${build}/archgrid.targets")
    file(READ "${build}/archgrid.targets" text)
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Records ARGN, real paths, in archgrid.targets of BUILD.
function(_archgrid_remember_files build)
  list(REMOVE_DUPLICATES ARGN)
  set(text "")
  foreach(path IN LISTS ARGN)
    _archgrid_stamp_file("${path}" line)
    string(APPEND text "${line}\n")
  endforeach()
  _archgrid_read_memory("${build}" known)
  foreach(line IN LISTS known)
    string(REGEX REPLACE "\t.*" "" path "${line}")
    _archgrid_unmask_list_syntax("${path}" path)
    if(NOT path IN_LIST ARGN)
      string(APPEND text "${line}\n")
    endif()
  endforeach()
  file(WRITE "${build}/archgrid.targets" "${text}")
endfunction()

# Sets OUT to "<path><tab><size><tab><time>" of the file PATH, masked by _archgrid_mask_list_syntax().
function(_archgrid_stamp_file path out)
  set(size "")
  set(time "")
  if(EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
    file(SIZE "${path}" size)
    file(TIMESTAMP "${path}" time "%s.%f" UTC)
  endif()
  _archgrid_mask_list_syntax("${path}" path)
  set(${out} "${path}\t${size}\t${time}" PARENT_SCOPE)
endfunction()

# Sets OUT to the list of _archgrid_find_strays() for the file PATH, which no target makes: `strays`, `environment`, `parts`,
# `others` or `nvidia`; to nothing for a leftover and for a file of another kind that is not installed.
# Sets IS_MADE_OUT to whether a command of the build makes it.
function(_archgrid_sort_stray build ninja path leftovers installed out is_made_out)
  set(${out} "" PARENT_SCOPE)
  set(${is_made_out} FALSE PARENT_SCOPE)
  file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}")
  _archgrid_is_linked_elf("${real}" is_linked)
  _archgrid_is_part("${real}" is_part)
  if(NOT is_linked AND NOT is_part)
    if(path IN_LIST installed)
      set(${out} others PARENT_SCOPE)
    endif()
    return()
  endif()
  _archgrid_is_made("${path}" is_made)
  set(${is_made_out} "${is_made}" PARENT_SCOPE)
  _archgrid_is_fetched("${build}" "${path}" is_fetched)
  if(NOT is_made AND (is_fetched OR (real IN_LIST leftovers AND NOT path IN_LIST installed)))
    return()
  endif()
  set(is_shipped FALSE)
  if(path IN_LIST installed AND "${real}" IS_NEWER_THAN "${build}/archgrid.signature")
    set(is_shipped TRUE)
  endif()
  cmake_path(GET path FILENAME name)
  _archgrid_is_in_python_environment("${build}" "${path}" is_in_environment)
  set(is_nvidia FALSE)
  if(is_linked AND name MATCHES "${_archgrid_nvidia_library}")
    set(is_nvidia TRUE)
    if(is_made)
      _archgrid_is_copied("${build}" "${ninja}" "${path}" is_nvidia)
    endif()
  endif()
  if(is_nvidia)
    set(${out} nvidia PARENT_SCOPE)
  elseif(is_in_environment AND NOT is_made)
    set(${out} environment PARENT_SCOPE)
  elseif(is_linked OR is_made OR is_shipped)
    set(${out} strays PARENT_SCOPE)
  else()
    set(${out} parts PARENT_SCOPE)
  endif()
endfunction()

# Drops from each list that ARGN names the files with the bytes of one of ARTIFACTS, or of a file before them. Of `strays`
# code that programs load stays: host code picks among the files of a folder, of which none may be missing.
function(_archgrid_drop_copies build artifacts)
  set(hashes "")
  set(hashed FALSE)
  foreach(list IN LISTS ARGN)
    set(distinct "")
    if(${list} AND NOT hashed)
      set(hashed TRUE)
      foreach(path IN LISTS artifacts)
        file(SHA256 "${build}/${path}" hash)
        list(APPEND hashes ${hash})
      endforeach()
    endif()
    foreach(path IN LISTS ${list})
      set(is_loaded FALSE)
      if(list STREQUAL "strays")
        _archgrid_is_loaded_code("${build}/${path}" is_loaded)
      endif()
      file(SHA256 "${build}/${path}" hash)
      if(is_loaded OR NOT hash IN_LIST hashes)
        list(APPEND hashes ${hash})
        list(APPEND distinct "${path}")
      endif()
    endforeach()
    set(${list} "${distinct}" PARENT_SCOPE)
  endforeach()
endfunction()

# Reports whether PATH, relative to BUILD, lies in a virtual environment of Python.
function(_archgrid_is_in_python_environment build path out)
  set(${out} FALSE PARENT_SCOPE)
  cmake_path(GET path PARENT_PATH folder)
  while(NOT folder STREQUAL "")
    if(EXISTS "${build}/${folder}/pyvenv.cfg")
      set(${out} TRUE PARENT_SCOPE)
      return()
    endif()
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
endfunction()

# Finds packages with device code that the build wrote below BUILD, wheels, other archives and compressed files, and the files
# among INSTALLED that COMMAND can read. Skips downloads, which lie where FetchContent and ExternalProject put them. Sets
# UNAUDITED_OUT to "<why>:<path>" of those, and of the files in them, that COMMAND cannot read, that are of others by their
# names, or that have the bytes of one of ARTIFACTS; of those that are older than the build, too, as nobody knows who made
# them.
function(_archgrid_find_packages build command artifacts installed out unaudited_out)
  _archgrid_survey_packages("${build}" "${command}" "${artifacts}" "${installed}" found unaudited)
  _archgrid_take_odd_paths(found unreadable odd)
  list(TRANSFORM odd APPEND "\tits path has a semicolon or a bracket")
  set(${out} "${found}" PARENT_SCOPE)
  set(${unaudited_out} ${unaudited} ${odd} PARENT_SCOPE)
endfunction()

# Sets OUT to the packages below BUILD and the files among INSTALLED that hold device code of the project, as COMMAND says,
# masked by _archgrid_mask_list_syntax(), and UNAUDITED_OUT as _archgrid_find_packages().
function(_archgrid_survey_packages build command artifacts installed out unaudited_out)
  # All files are surveyed: only their bytes tell packages.
  execute_process(
    COMMAND find . ( -name CMakeFiles -o -name .git -o -name .cmake -o -name _CPack_Packages -o -path ./_deps/*-subbuild
      -o -path ./_deps/*-src/* -type f ! -newer archgrid.signature ) -prune -o -type f -size +0 -printf %P\n
    COMMAND sort
    WORKING_DIRECTORY "${build}" OUTPUT_FILE "${build}.files" ERROR_VARIABLE error RESULTS_VARIABLE results)
  if(NOT results STREQUAL "0;0")
    message(FATAL_ERROR "find could not search ${build} for packages: ${error}")
  endif()
  _archgrid_write_lines("${build}.installed" ${installed})
  _archgrid_write_lines("${build}.artifacts" ${artifacts})
  file(STRINGS "${build}/CMakeCache.txt" project REGEX "^CMAKE_PROJECT_NAME:[A-Z]+=")
  string(REGEX REPLACE "^[^=]*=" "" project "${project}")
  execute_process(
    COMMAND "${command}" survey-packages --build "${build}" --files "${build}.files" --installed "${build}.installed"
      --artifacts "${build}.artifacts" "--library=${_archgrid_nvidia_library}" "--package=${_archgrid_foreign_distribution}"
      "--project=${project}"
    OUTPUT_VARIABLE json ERROR_VARIABLE error RESULT_VARIABLE result)
  file(REMOVE "${build}.files" "${build}.installed" "${build}.artifacts")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the packages in ${build} could not be surveyed (${result}): ${error}")
  endif()
  _archgrid_read_survey("${json}" packages unaudited)
  set(${out} "${packages}" PARENT_SCOPE)
  set(${unaudited_out} "${unaudited}" PARENT_SCOPE)
endfunction()

# Reads JSON of `archgrid survey-packages`: sets OUT to the audited packages, and UNAUDITED_OUT to "<why>:<path>" or
# "<why>:<path><tab><reason>" of what is left out, all masked by _archgrid_mask_list_syntax().
function(_archgrid_read_survey json out unaudited_out)
  set(packages "")
  string(JSON count LENGTH "${json}" audited)
  foreach(index RANGE ${count})
    if(index LESS count)
      string(JSON path GET "${json}" audited ${index})
      _archgrid_mask_list_syntax("${path}" path)
      list(APPEND packages "${path}")
    endif()
  endforeach()
  set(unaudited "")
  _archgrid_json_items(files "${json}" unaudited)
  foreach(file IN LISTS files)
    _archgrid_unmask_list_syntax("${file}" file)
    string(JSON path GET "${file}" path)
    string(JSON why GET "${file}" why)
    string(JSON reason GET "${file}" reason)
    set(file "${why}:${path}")
    if(NOT reason STREQUAL "")
      string(APPEND file "\t${reason}")
    endif()
    _archgrid_mask_list_syntax("${file}" file)
    list(APPEND unaudited "${file}")
  endforeach()
  set(${out} "${packages}" PARENT_SCOPE)
  set(${unaudited_out} "${unaudited}" PARENT_SCOPE)
endfunction()

# Sets OUT to the first of NAMES in the first of FOLDERS, absolute or below BUILD, that has one, as a linker does; to nothing
# where none has.
function(_archgrid_find_first build folders names out)
  foreach(folder IN LISTS folders)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${build}")
    foreach(name IN LISTS names)
      if(EXISTS "${folder}/${name}")
        set(${out} "${folder}/${name}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# Sets OUT to the shared libraries that the command names which links the target that JSON describes: by their paths, or
# by -l, which CMake writes for a library without a soname.
function(_archgrid_find_linked build json out)
  set(words "")
  string(JSON fragments ERROR_VARIABLE none GET "${json}" link commandFragments)
  set(count 0)
  if(NOT none)
    string(JSON count LENGTH "${fragments}")
  endif()
  set(index 0)
  while(index LESS count)
    string(JSON fragment GET "${fragments}" ${index} fragment)
    separate_arguments(fragment UNIX_COMMAND "${fragment}") # quoted for a shell
    list(APPEND words ${fragment})
    math(EXPR index "${index} + 1")
  endwhile()
  set(libraries "${words}")
  list(FILTER libraries INCLUDE REGEX "^[^-].*\\.so[.0-9]*$")
  set(folders "")
  set(names "")
  set(option "") # whose value is a word of its own
  foreach(word IN LISTS words)
    string(PREPEND word "${option}")
    set(option "")
    if(word MATCHES "^-[lL]$")
      set(option "${word}")
    elseif(word MATCHES "^-L(.+)$")
      list(APPEND folders "${CMAKE_MATCH_1}")
    elseif(word MATCHES "^-l(.+)$")
      list(APPEND names "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  foreach(name IN LISTS names)
    if(name MATCHES "^:(.+)$") # a file's whole name
      set(candidates "${CMAKE_MATCH_1}")
    else()
      set(candidates "lib${name}.so" "lib${name}.a")
    endif()
    _archgrid_find_first("${build}" "${folders}" "${candidates}" library)
    if(library MATCHES "\\.so[.0-9]*$")
      list(APPEND libraries "${library}")
    endif()
  endforeach()
  set(${out} "${libraries}" PARENT_SCOPE)
endfunction()

# Finds files with device code outside of BUILD, and downloaded ones in it, that ship with the project: the shared libraries
# LINKED, which its targets link, in its folder SOURCE, and INSTALLED, what install() names, wherever it is but for systems
# and toolkits; FETCHED are those of the latter that were downloaded into BUILD. They are prebuilt, for whatever archs they
# are. Sets OUT to "prebuilt:<absolute path>" of each.
function(_archgrid_find_prebuilt build source linked installed fetched out)
  set(candidates ${linked} ${installed})
  list(REMOVE_DUPLICATES candidates)
  set(files "${fetched}")
  list(TRANSFORM files PREPEND "${build}/")
  foreach(path IN LISTS candidates)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${build}" NORMALIZE)
    _archgrid_is_from_sources("${build}" "${source}" "${path}" is_prebuilt)
    if(NOT is_prebuilt AND path IN_LIST installed)
      _archgrid_is_from_elsewhere("${build}" "${path}" is_prebuilt)
    endif()
    if(is_prebuilt AND EXISTS "${path}")
      if(IS_DIRECTORY "${path}") # of install(DIRECTORY)
        _archgrid_search_folder("${path}" found --exclude=*.o)
        string(REGEX REPLACE "/$" "" path "${path}")
        list(TRANSFORM found PREPEND "${path}/")
        list(APPEND files ${found})
      else()
        list(APPEND files "${path}")
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES files)
  list(SORT files)
  _archgrid_take_odd_paths(files prebuilt prebuilt)
  _archgrid_drop_same_files("${build}" files)
  _archgrid_filter_device_code("${build}" "${files}" files)
  foreach(path IN LISTS files)
    cmake_path(GET path FILENAME name)
    _archgrid_is_linked_elf("${path}" is_linked)
    _archgrid_is_part("${path}" is_part)
    if((is_linked OR is_part) AND NOT name MATCHES "${_archgrid_nvidia_library}")
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${build}" OUTPUT_VARIABLE relative) # as Ninja names what it makes
      _archgrid_is_made("${relative}" is_made)
      if(NOT is_made)
        _archgrid_mask_list_syntax("prebuilt:${path}" path)
        list(APPEND prebuilt "${path}")
      endif()
    endif()
  endforeach()
  set(${out} "${prebuilt}" PARENT_SCOPE)
endfunction()

# Reports whether PATH is one of the project's sources: in SOURCE and not in BUILD, nor a folder around BUILD, or a file that
# was downloaded into BUILD.
function(_archgrid_is_from_sources build source path out)
  set(${out} FALSE PARENT_SCOPE)
  cmake_path(IS_PREFIX source "${path}" NORMALIZE is_in_source)
  cmake_path(IS_PREFIX build "${path}" NORMALIZE is_in_build)
  cmake_path(IS_PREFIX path "${build}" NORMALIZE is_above_build)
  if(is_in_build)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${build}" OUTPUT_VARIABLE relative)
    if(NOT IS_DIRECTORY "${path}")
      _archgrid_is_fetched("${build}" "${relative}" is_fetched)
      set(${out} "${is_fetched}" PARENT_SCOPE)
    endif()
  elseif(is_in_source AND NOT is_above_build)
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Reports whether PATH is a file of neither the tree BUILD nor the system nor a toolkit, or such a folder.
function(_archgrid_is_from_elsewhere build path out)
  set(${out} FALSE PARENT_SCOPE)
  cmake_path(IS_PREFIX build "${path}" NORMALIZE is_in_build)
  cmake_path(IS_PREFIX path "${build}" NORMALIZE is_above_build)
  file(REAL_PATH "${path}" real)
  if(is_in_build OR is_above_build OR (real MATCHES "^/(usr|lib[0-9]*|s?bin|etc)(/|$)" AND NOT real MATCHES "^/usr/local/."))
    return()
  endif()
  set(folder "${real}")
  while(NOT folder MATCHES "^/?$")
    if(EXISTS "${folder}/bin/nvcc" AND NOT EXISTS "${folder}/conda-meta") # a conda environment has packages of all kinds
      return()
    endif()
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  set(${out} TRUE PARENT_SCOPE)
endfunction()

# Sets OUT to "installing:<path>" of each CMakeLists.txt whose install(CODE), and of each script of install(SCRIPT), that runs
# a program which may compile, masked by _archgrid_mask_list_syntax(): nobody sees what it makes.
function(_archgrid_find_installing build out)
  set(compilers "nvcc|ptxas|fatbinary|--build|make|ninja|pip[0-9.]*|[a-z+-]*(clang|g)[+][+]|-m +build|[^ ]*[.]sh")
  string(APPEND compilers "|(python[0-9.]*|[a-z]*sh|perl)[ \n\"]+[^- \n\")][^ \n\")]*") # with a script
  set(runs "execute_process *[(][^)]*COMMAND[ \n]+([^)]*[ /\"])?(${compilers})[ \"\n)]")
  set(installing "")
  file(GLOB_RECURSE files "${build}/cmake_install.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    _archgrid_mask_list_syntax("${text}" text)
    if(text MATCHES "${runs}" AND text MATCHES "# Install script for directory: ([^\n]+)")
      list(APPEND installing "${CMAKE_MATCH_1}/CMakeLists.txt")
    endif()
    string(REGEX MATCHALL "include[(]\"[^\"]+" scripts "${text}")
    foreach(script IN LISTS scripts)
      string(REGEX REPLACE "^include[(]\"" "" script "${script}")
      _archgrid_unmask_list_syntax("${script}" path)
      if(NOT path MATCHES "/cmake_install[.]cmake$" AND EXISTS "${path}")
        file(READ "${path}" text)
        if(text MATCHES "${runs}")
          list(APPEND installing "${script}")
        endif()
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES installing)
  list(SORT installing)
  list(TRANSFORM installing PREPEND "installing:")
  set(${out} "${installing}" PARENT_SCOPE)
endfunction()

# Finds the files and folders that install() names, wherever they are; of install(DIRECTORY FILES_MATCHING) the files. What
# EXCLUDE leaves out is found, too.
function(_archgrid_find_installed build out)
  set(installed "")
  file(GLOB_RECURSE scripts "${build}/cmake_install.cmake")
  foreach(script IN LISTS scripts)
    file(READ "${script}" text)
    _archgrid_mask_list_syntax("${text}" text)
    string(REGEX MATCHALL " FILES([ \n]+\"[^\"]*\")+( FILES_MATCHING[^\n]*)?" lists "${text}")
    foreach(list IN LISTS lists)
      string(REGEX REPLACE " FILES_MATCHING.*" "" named "${list}")
      string(REGEX MATCHALL "\"[^\"]+\"" words "${named}")
      list(TRANSFORM words REPLACE "\"" "")
      foreach(word IN LISTS words)
        _archgrid_unmask_list_syntax("${word}" word)
        if(named STREQUAL list)
          list(APPEND installed "${word}")
        else()
          _archgrid_match_installed("${word}" "${list}" found)
          list(APPEND installed ${found})
        endif()
      endforeach()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES installed)
  set(${out} "${installed}" PARENT_SCOPE)
endfunction()

# Finds the files below FOLDER that a regular expression of RULES matches: masked text of a script, ` REGEX "..."` each.
function(_archgrid_match_installed folder rules out)
  set(any "")
  string(REGEX MATCHALL " REGEX \"[^\"]+\"( EXCLUDE)?" rules "${rules}")
  foreach(rule IN LISTS rules)
    if(rule MATCHES "\"(.+)\"$")
      string(APPEND any "|(${CMAKE_MATCH_1})")
    endif()
  endforeach()
  _archgrid_unmask_list_syntax("${any}" any)
  string(REGEX REPLACE "^[|]" "" any "${any}")
  string(REPLACE "\\\\" "\\" any "${any}") # as the script has it between quotes
  string(REGEX REPLACE "/$" "" folder "${folder}")
  file(GLOB_RECURSE found "${folder}/*")
  if(any STREQUAL "")
    set(found "")
  else()
    list(FILTER found INCLUDE REGEX "${any}")
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Sets in the caller output_<path> of each file that a command of today's build makes in the tree BUILD; its path is masked
# by _archgrid_mask_list_syntax(). To ask Ninja about each file takes as long as to read the whole graph.
function(_archgrid_read_outputs build ninja)
  execute_process(COMMAND "${ninja}" -t targets all WORKING_DIRECTORY "${build}"
    OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
  _archgrid_split_lines("${targets}" targets)
  list(TRANSFORM targets REPLACE ": [^:]*$" "") # the rule
  foreach(path IN LISTS targets)
    set("output_${path}" TRUE PARENT_SCOPE)
  endforeach()
endfunction()

# Reports whether a command makes the file PATH, as _archgrid_read_outputs() found.
function(_archgrid_is_made path out)
  _archgrid_mask_list_syntax("${path}" path)
  set(${out} FALSE PARENT_SCOPE)
  if(DEFINED "output_${path}")
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Reports whether the command that makes PATH does nothing but copy, and what goes with that.
function(_archgrid_is_copied build ninja path out)
  set(${out} TRUE PARENT_SCOPE)
  execute_process(COMMAND "${ninja}" -t commands "${path}" WORKING_DIRECTORY "${build}"
    OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
  _archgrid_split_lines("${commands}" commands)
  list(POP_BACK commands command) # the others make what it needs
  string(REPLACE " && " ";" steps "${command}")
  set(tools "(cd|cp|ln|mv|install|mkdir|chmod|touch|true|:|cmake -E (copy|create_|rename|make_directory|touch|rm|remove|echo|true)[a-z_]*)")
  foreach(step IN LISTS steps)
    if(NOT step MATCHES "^([^ ]*/)?${tools}( |$)")
      set(${out} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Finds the files with device code below FOLDER. ARGN: further options of grep.
function(_archgrid_search_folder folder out)
  _archgrid_grep_device_code("${folder}" found
    -r --exclude-dir=CMakeFiles --exclude-dir=.git --exclude-dir=.cmake --exclude-dir=_CPack_Packages ${ARGN} .)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Finds the files with device code below BUILD, objects aside, and those that links there lead to in folders that are not
# searched, each by the path of the file itself.
function(_archgrid_search_tree build out)
  _archgrid_search_folder("${build}" found --exclude=*.o)
  file(REAL_PATH "${build}" tree)
  execute_process(COMMAND find . ( -name CMakeFiles -o -name .git -o -name .cmake -o -name _CPack_Packages ) -prune -o -type l -print
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE links ERROR_VARIABLE error RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "find could not search ${build} for links: ${error}")
  endif()
  _archgrid_split_lines("${links}" links)
  set(targets "")
  foreach(link IN LISTS links)
    _archgrid_unmask_list_syntax("${link}" link)
    file(REAL_PATH "${link}" real BASE_DIRECTORY "${tree}")
    cmake_path(IS_PREFIX tree "${real}" is_in_tree)
    if(is_in_tree AND EXISTS "${real}" AND NOT IS_DIRECTORY "${real}" AND NOT real MATCHES "[;[]|\\]")
      cmake_path(RELATIVE_PATH real BASE_DIRECTORY "${tree}")
      list(APPEND targets "${real}")
    endif()
  endforeach()
  _archgrid_filter_device_code("${build}" "${targets}" targets)
  list(APPEND found ${targets})
  list(REMOVE_DUPLICATES found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Reports whether FILE is a cubin, PTX or a fat binary.
function(_archgrid_is_loaded_code file out)
  set(${out} FALSE PARENT_SCOPE)
  file(READ "${file}" header LIMIT 20 HEX)
  # Machine EM_CUDA, in either byte order.
  if(header MATCHES "^50ed55ba" OR (header MATCHES "^7f454c46" AND header MATCHES "(be00|00be)$"))
    set(${out} TRUE PARENT_SCOPE)
  elseif(file MATCHES "\\.ptx$")
    file(STRINGS "${file}" target LIMIT_COUNT 1 REGEX "^[ \t]*\\.target[ \t]")
    if(NOT target STREQUAL "")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Reports whether FILE, which holds device code, is a static library or code that a program loads.
function(_archgrid_is_part file out)
  file(READ "${file}" header LIMIT 8 HEX)
  _archgrid_is_loaded_code("${file}" is_loaded)
  if(is_loaded OR header MATCHES "^(213c617263683e0a|213c7468696e3e0a)")
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Reports whether FILE is an ELF program or shared library of a CPU: no object, no cubin.
function(_archgrid_is_linked_elf file out)
  set(${out} FALSE PARENT_SCOPE)
  file(READ "${file}" header LIMIT 20 HEX)
  string(SUBSTRING "${header}" 0 8 magic)
  if(magic STREQUAL "7f454c46")
    string(SUBSTRING "${header}" 32 4 type)
    string(SUBSTRING "${header}" 36 4 machine)
    # ET_EXEC or ET_DYN, not EM_CUDA, in either byte order.
    if(type MATCHES "^(0[23]00|000[23])$" AND NOT machine MATCHES "^(be00|00be)$")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Keeps of the list PATHS_VARIABLE one name a file: of a library and its links that of the target.
function(_archgrid_drop_same_files build paths_variable)
  set(kept "")
  set(seen "")
  foreach(path IN LISTS ${paths_variable})
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}")
    if(NOT real IN_LIST seen)
      list(APPEND seen "${real}")
      list(APPEND kept "${path}")
    endif()
  endforeach()
  set(${paths_variable} "${kept}" PARENT_SCOPE)
endfunction()
