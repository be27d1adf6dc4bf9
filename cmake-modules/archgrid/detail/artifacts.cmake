# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the files of a built cell that hold the code it ships, for the audits: those that its targets make, by what
# CMake's file API says, and those that lie beside them. Text of link lines plays no part: there a versioned library
# and a path with a space have other names.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/file_api.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Names of libraries that NVIDIA ships, whole: libcudart.so.13 and libcudnn_ops.so.9, not libcuda_kernels.so. A project
# that copies one beside its own did not compile it.
set(_archgrid_nvidia_library "^lib((cudnn|nvinfer|nvshmem|nvrtc)([-_][a-z_]+)?|cuda|cudart|cudadevrt|cublas|cublasLt|cudla|cufft|cufftw|cufile|cuinj64|cupti|curand|cusolver|cusolverMg|cusparse|cusparseLt|cutensor|cutensorMg|culibos|nccl|npp[a-z]*|nvblas|nvJitLink|nvjitlink|nvToolsExt|nvjpeg|nvml|nvptxcompiler|nvvm)(-[0-9a-f]+)?\\.so[.0-9]*$")

# Distributions of other projects that `pip wheel` writes beside the project's own wheel, as their wheels spell them, whole.
set(_archgrid_foreign_distribution "nvidia_.+|torch|torchvision|torchaudio|triton|cupy_cuda[0-9]+x|tensorflow|jaxlib|jax_cuda[0-9]+_(plugin|pjrt)|xformers")

# Finds what the build of GOALS (target names, `all`) left in the tree BUILD of the project SOURCE. COMMAND is archgrid's.
# Sets in the caller
#   <prefix>_ARTIFACTS  the files to audit, relative to BUILD, sorted
#   <prefix>_STRAYS     programs, libraries and device code among them that no target makes
#   <prefix>_PACKAGES   packages among them: wheels and other archives that hold device code
#   <prefix>_EXCLUDED   the targets that were not built, by name, sorted
#   <prefix>_UNAUDITED  "<why>:<path>" of each file with device code that is not audited, though it may ship; masked by
#                       _archgrid_mask_list_syntax(). The path of a member of a package is "dist.whl!lib.so":
#                       nvidia       a library with a name of NVIDIA's
#                       foreign      a package with a name of another project's
#                       copy         a member of a package with the bytes of an audited file
#                       unmade       a static library or code that programs load, which no command makes
#                       environment  a library in a Python environment
#                       unreadable   a package or a file in one; "<path><tab><reason>"
#                       prebuilt     linked or installed from the project's sources; its path is absolute
#   <prefix>_COMPILED_BY_CMAKE  whether a target that was made compiles in CMake's language CUDA
#   <prefix>_LOST       "<target>: <path>" for each target that was built and whose file is not there
function(_archgrid_find_artifacts build ninja goals source command prefix)
  _archgrid_read_targets("${build}")
  _archgrid_find_made_targets("${build}" "${ninja}" "${goals}" made)
  set(artifacts "")
  set(archives "")
  set(objects "")
  set(links "")
  set(linked "") # shared libraries
  set(excluded "")
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
    list(APPEND owned ${there})
    if(NOT number IN_LIST made)
      _archgrid_up_to_date("${build}" "${ninja}" "${there}" is_made)
      if(NOT is_made)
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
  list(APPEND artifacts ${device_archives} ${unlinked})
  _archgrid_find_strays("${build}" "${ninja}" "${owned}" "${artifacts}" strays unaudited)
  list(APPEND artifacts ${strays})
  _archgrid_find_packages("${build}" "${command}" "${artifacts}" packages unaudited_packages)
  list(APPEND artifacts ${packages})
  _archgrid_find_prebuilt("${build}" "${ninja}" "${source}" "${linked}" prebuilt)
  if(NOT artifacts)
    set(artifacts ${archives})
  endif()
  _archgrid_drop_same_files("${build}" artifacts)
  list(SORT artifacts)
  list(SORT excluded)
  set(${prefix}_ARTIFACTS "${artifacts}" PARENT_SCOPE)
  set(${prefix}_STRAYS "${strays}" PARENT_SCOPE)
  set(${prefix}_PACKAGES "${packages}" PARENT_SCOPE)
  set(${prefix}_EXCLUDED "${excluded}" PARENT_SCOPE)
  set(${prefix}_UNAUDITED ${unaudited} ${unaudited_packages} ${prebuilt} PARENT_SCOPE)
  set(${prefix}_COMPILED_BY_CMAKE "${by_cmake}" PARENT_SCOPE)
  set(${prefix}_LOST "${lost}" PARENT_SCOPE)
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

# Reports whether something else than the build of a cell, a hand or a test, has made one of TARGETS since, which the
# build left out.
function(_archgrid_is_any_made_since build ninja targets out)
  set(${out} FALSE PARENT_SCOPE)
  if("${targets}" STREQUAL "")
    return()
  endif()
  execute_process(COMMAND "${ninja}" -t query ${targets} WORKING_DIRECTORY "${build}"
    OUTPUT_VARIABLE query ERROR_QUIET RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
    return()
  endif()
  # A target's name is its file's, or stands for its files.
  foreach(name IN LISTS targets)
    _archgrid_up_to_date("${build}" "${ninja}" "${name}" is_made)
    if(is_made)
      set(${out} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
  string(REGEX MATCHALL "  input: phony\n(    [^\n]+\n)*" aliases "${query}")
  foreach(alias IN LISTS aliases)
    string(REGEX MATCHALL "\n    [^ |][^\n]*" files "${alias}")
    list(TRANSFORM files REPLACE "^\n    " "")
    _archgrid_up_to_date("${build}" "${ninja}" "${files}" is_made)
    if(is_made)
      set(${out} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
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

# Sets OUT to the files among ARGN that grep, told where to look, finds to hold device code: a fat binary or a cubin, by
# their first bytes, or the text of PTX, which programs may hold as plain data.
function(_archgrid_grep_device_code build out)
  # printf: no argument of a process can be written in a CMake file with bytes that are no UTF-8.
  execute_process(
    COMMAND sh -c "code=$(printf '\\120\\355\\125\\272\\001|\\177ELF\\002\\001\\001[3A]|^[[:blank:]]*[.]target[[:blank:]]+sm_[0-9]'); LC_ALL=C exec grep -l -a -E -e \"$code\" \"$@\"" sh ${ARGN}
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE found ERROR_VARIABLE error RESULT_VARIABLE result)
  if(result GREATER 1)
    message(FATAL_ERROR "grep could not search ${build} for device code: ${error}")
  endif()
  string(REGEX MATCHALL "[^\n]+" found "${found}")
  list(TRANSFORM found REPLACE "^\\./" "")
  set(${out} "${found}" PARENT_SCOPE)
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
    list(APPEND code ${found})
    math(EXPR first "${first} + 500")
  endwhile()
  set(${out} "${code}" PARENT_SCOPE)
endfunction()

# Finds files with device code below BUILD that no target makes, a custom command's, a nested Makefile's, an external
# project's: programs and shared libraries, and of static libraries and of the cubins, PTX and fat binaries that programs
# load those that a command of the build names as its output, as packages of others hold such files, too. Skips copies of
# ARTIFACTS, leftovers of targets that the project has no longer (archgrid.targets in BUILD lists all that it had) and what
# lies in fetched sources and no command makes. Sets UNAUDITED_OUT to "<why>:<path>" of the others, of libraries in Python
# environments and of those with names of NVIDIA's.
function(_archgrid_find_strays build ninja owned artifacts out unaudited_out)
  set(memory "${build}/archgrid.targets")
  set(known "")
  set(current "")
  if(EXISTS "${memory}")
    file(STRINGS "${memory}" known)
  endif()
  foreach(path IN LISTS artifacts owned)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}") # of a versioned library the file behind its name
    list(APPEND current "${real}")
  endforeach()
  list(APPEND known ${current})
  list(REMOVE_DUPLICATES known)
  list(JOIN known "\n" text)
  file(WRITE "${memory}" "${text}\n")

  _archgrid_search_folder("${build}" found)
  set(strays "")
  set(environment "") # files in environments of Python
  set(parts "") # of programs, maybe: nobody is known to make them
  set(unaudited "")
  foreach(path IN LISTS found)
    cmake_path(GET path FILENAME name)
    file(REAL_PATH "${path}" real BASE_DIRECTORY "${build}")
    if(real IN_LIST current)
      continue()
    endif()
    _archgrid_is_linked_elf("${real}" is_linked)
    _archgrid_is_part("${real}" is_part)
    if(NOT is_linked AND NOT is_part)
      continue()
    endif()
    _archgrid_is_made("${build}" "${ninja}" "${path}" is_made)
    _archgrid_is_in_python_environment("${build}" "${path}" is_in_environment)
    if(is_made OR NOT (real IN_LIST known OR path MATCHES "^_deps/[^/]*-src/"))
      if(is_linked AND name MATCHES "${_archgrid_nvidia_library}")
        list(APPEND unaudited "nvidia:${path}")
      elseif(is_in_environment AND NOT is_made)
        list(APPEND environment "${path}")
      elseif(is_linked OR is_made)
        list(APPEND strays "${path}")
      else()
        list(APPEND parts "${path}")
      endif()
    endif()
  endforeach()
  set(hashes "")
  if(strays OR environment OR parts)
    foreach(path IN LISTS artifacts)
      file(SHA256 "${build}/${path}" hash)
      list(APPEND hashes ${hash})
    endforeach()
  endif()
  foreach(kind IN ITEMS strays environment parts)
    set(distinct_${kind} "")
    foreach(path IN LISTS ${kind})
      file(SHA256 "${build}/${path}" hash)
      if(NOT hash IN_LIST hashes)
        list(APPEND hashes ${hash})
        list(APPEND distinct_${kind} "${path}")
      endif()
    endforeach()
  endforeach()
  list(TRANSFORM distinct_environment PREPEND "environment:")
  list(TRANSFORM distinct_parts PREPEND "unmade:")
  list(APPEND unaudited ${distinct_environment} ${distinct_parts})
  list(SORT unaudited)
  set(${out} "${distinct_strays}" PARENT_SCOPE)
  set(${unaudited_out} "${unaudited}" PARENT_SCOPE)
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

# Finds packages with device code that the build wrote below BUILD: wheels and other archives. Skips downloads, which are
# older than the tree's configuration or lie where FetchContent and ExternalProject put them. Sets UNAUDITED_OUT to
# "<why>:<path>" of those, and of the files in them, that COMMAND cannot read, that are of others by their names, or that
# have the bytes of one of ARTIFACTS.
function(_archgrid_find_packages build command artifacts out unaudited_out)
  set(${out} "" PARENT_SCOPE)
  set(${unaudited_out} "" PARENT_SCOPE)
  execute_process(
    COMMAND find . ( -name CMakeFiles -o -name .git -o -name _CPack_Packages -o -path ./_deps/*-src -o -path ./_deps/*-subbuild ) -prune -o
      -type f -size +0 -newer archgrid.signature ( -name *.whl -o -name *.conda -o -name *.egg -o -name *.zip -o -name *.deb -o -name *.rpm
        -o -name *.tgz -o -name *.tar -o -name *.tar.gz -o -name *.tar.bz2 -o -name *.tar.xz -o -name *.tar.zst ) -print
    WORKING_DIRECTORY "${build}" OUTPUT_VARIABLE found ERROR_VARIABLE error RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "find could not search ${build} for packages: ${error}")
  endif()
  string(REGEX MATCHALL "[^\n]+" found "${found}")
  list(TRANSFORM found REPLACE "^\\./" "")
  list(SORT found)
  set(candidates "")
  foreach(path IN LISTS found)
    cmake_path(GET path PARENT_PATH folder)
    file(GLOB stamps "${build}/${folder}/*-stamp/*-download")
    if(NOT stamps)
      list(APPEND candidates "${path}")
    endif()
  endforeach()
  if(NOT candidates)
    return()
  endif()
  _archgrid_write_lines("${build}.packages" ${candidates})
  _archgrid_write_lines("${build}.artifacts" ${artifacts})
  file(STRINGS "${build}/CMakeCache.txt" project REGEX "^CMAKE_PROJECT_NAME:[A-Z]+=")
  string(REGEX REPLACE "^[^=]*=" "" project "${project}")
  execute_process(
    COMMAND "${command}" survey-packages --build "${build}" --packages "${build}.packages" --artifacts "${build}.artifacts"
      "--library=${_archgrid_nvidia_library}" "--package=${_archgrid_foreign_distribution}" "--project=${project}"
    OUTPUT_VARIABLE json ERROR_VARIABLE error RESULT_VARIABLE result)
  file(REMOVE "${build}.packages" "${build}.artifacts")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the packages in ${build} could not be surveyed (${result}): ${error}")
  endif()
  set(packages "")
  string(JSON count LENGTH "${json}" audited)
  foreach(index RANGE ${count})
    if(index LESS count)
      string(JSON path GET "${json}" audited ${index})
      list(APPEND packages "${path}")
    endif()
  endforeach()
  set(unaudited "")
  string(JSON count LENGTH "${json}" unaudited)
  foreach(index RANGE ${count})
    if(index LESS count)
      string(JSON path GET "${json}" unaudited ${index} path)
      string(JSON why GET "${json}" unaudited ${index} why)
      string(JSON reason GET "${json}" unaudited ${index} reason)
      set(file "${why}:${path}")
      if(NOT reason STREQUAL "")
        string(APPEND file "\t${reason}")
      endif()
      _archgrid_mask_list_syntax("${file}" file)
      list(APPEND unaudited "${file}")
    endif()
  endforeach()
  set(${out} "${packages}" PARENT_SCOPE)
  set(${unaudited_out} "${unaudited}" PARENT_SCOPE)
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
  set(folders "${words}")
  list(FILTER folders INCLUDE REGEX "^-L.")
  list(TRANSFORM folders REPLACE "^-L" "")
  list(FILTER words INCLUDE REGEX "^-l.")
  list(TRANSFORM words REPLACE "^-l" "")
  foreach(name IN LISTS words)
    foreach(folder IN LISTS folders) # the linker takes the first that has it
      cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${build}")
      if(EXISTS "${folder}/lib${name}.so" OR EXISTS "${folder}/lib${name}.a")
        list(APPEND libraries "${folder}/lib${name}.so")
        break()
      endif()
    endforeach()
  endforeach()
  set(${out} "${libraries}" PARENT_SCOPE)
endfunction()

# Finds files with device code in the folder SOURCE, outside of BUILD, and in sources that were fetched into BUILD, that ship
# with the project: the shared libraries LINKED, which its targets link, and what install() names. They are prebuilt, for
# whatever archs they are. Sets OUT to "prebuilt:<absolute path>" of each.
function(_archgrid_find_prebuilt build ninja source linked out)
  set(candidates "${linked}")
  _archgrid_find_installed("${build}" installed)
  list(APPEND candidates ${installed})
  list(REMOVE_DUPLICATES candidates)
  set(files "")
  foreach(path IN LISTS candidates)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${build}" NORMALIZE)
    _archgrid_is_from_sources("${build}" "${source}" "${path}" is_from_sources)
    if(is_from_sources AND EXISTS "${path}")
      if(IS_DIRECTORY "${path}") # of install(DIRECTORY)
        _archgrid_search_folder("${path}" found)
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
  _archgrid_filter_device_code("${build}" "${files}" files)
  set(prebuilt "")
  foreach(path IN LISTS files)
    cmake_path(GET path FILENAME name)
    _archgrid_is_linked_elf("${path}" is_linked)
    _archgrid_is_part("${path}" is_part)
    if((is_linked OR is_part) AND NOT name MATCHES "${_archgrid_nvidia_library}")
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${build}" OUTPUT_VARIABLE relative) # as Ninja names what it makes
      _archgrid_is_made("${build}" "${ninja}" "${relative}" is_made)
      if(NOT is_made)
        list(APPEND prebuilt "prebuilt:${path}")
      endif()
    endif()
  endforeach()
  set(${out} "${prebuilt}" PARENT_SCOPE)
endfunction()

# Reports whether PATH is one of the project's sources: in SOURCE and not in BUILD, nor a folder around BUILD, or in sources
# that FetchContent put into BUILD.
function(_archgrid_is_from_sources build source path out)
  set(${out} FALSE PARENT_SCOPE)
  cmake_path(IS_PREFIX source "${path}" NORMALIZE is_in_source)
  cmake_path(IS_PREFIX build "${path}" NORMALIZE is_in_build)
  cmake_path(IS_PREFIX path "${build}" NORMALIZE is_above_build)
  if(is_in_build)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${build}" OUTPUT_VARIABLE relative)
    if(relative MATCHES "^_deps/[^/]*-src(/|$)")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  elseif(is_in_source AND NOT is_above_build)
    set(${out} TRUE PARENT_SCOPE)
  endif()
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

# Reports whether a command of today's build makes the file PATH.
function(_archgrid_is_made build ninja path out)
  execute_process(COMMAND "${ninja}" -t query "${path}" WORKING_DIRECTORY "${build}"
    OUTPUT_VARIABLE query ERROR_QUIET)
  set(${out} FALSE PARENT_SCOPE)
  if(query MATCHES "\n  input: ") # other files are known as inputs alone
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Finds the files with device code below FOLDER, objects aside.
function(_archgrid_search_folder folder out)
  _archgrid_grep_device_code("${folder}" found
    -r --exclude-dir=CMakeFiles --exclude-dir=.git --exclude-dir=.cmake --exclude-dir=_CPack_Packages --exclude=*.o .)
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
