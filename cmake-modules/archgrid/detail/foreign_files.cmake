# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Recognises files that others made: downloads, Python environments, systems and toolkits, and files
# linked from there.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/device_code.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/made_files.cmake")

# Complete names of libraries that NVIDIA ships: they match libcudart.so.13 and libcudnn_ops.so.9,
# but neither libcuda_kernels.so nor libnvinfer_my_plugin.so. A project that copies one beside its
# own did not compile it.
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

# Complete names, as wheels spell them, of other projects' distributions that `pip wheel` writes
# beside the project's own wheel.
set(_archgrid_foreign_distribution
  "nvidia_.+|torch|torchvision|torchaudio|triton|cupy_cuda[0-9]+x|tensorflow|jaxlib|jax_cuda[0-9]+_(plugin|pjrt)|xformers")

# Reports whether the file PATH, relative to BUILD, came with sources that FetchContent or
# ExternalProject downloaded: it lies in one of their folders, and was not modified since the
# download, or since the cell was first configured.
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
      list(APPEND places
        "${build}/${above}/${name}-subbuild/${name}-populate-prefix/src/${name}-populate-stamp/*-download"
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

# Reports whether the file PATH, relative to BUILD, is a source that the cell's command
# (command_cell/run.cmake) has not written: git tracks it, and the project's folder has it with the
# same time and size. Another file may be a product of the user's own build, which make leaves as it
# is although the archs differ.
function(_archgrid_is_copied_source build path out)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT path MATCHES "^source/(.+)$" OR NOT EXISTS "${build}.command/config.cmake")
    return()
  endif()
  set(path "${CMAKE_MATCH_1}")
  include("${build}.command/config.cmake")
  set(stamps "")
  foreach(folder IN ITEMS "${command_source}" "${build}/source")
    if(NOT EXISTS "${folder}/${path}")
      return()
    endif()
    file(SIZE "${folder}/${path}" size)
    file(TIMESTAMP "${folder}/${path}" time "%s.%f" UTC)
    list(APPEND stamps "${size} ${time}")
  endforeach()
  list(REMOVE_DUPLICATES stamps)
  list(LENGTH stamps count)
  if(NOT count EQUAL 1)
    return()
  endif()
  execute_process(COMMAND git --literal-pathspecs -C "${command_source}" ls-files --error-unmatch -- "${path}"
    OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result)
  if(result EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Reports whether PATH, relative to BUILD, lies in a Python virtual environment.
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

# Sets OUT to the first of NAMES in the first of FOLDERS (absolute or below BUILD) that has one, as
# a linker does, or to nothing.
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

# Sets OUT to the shared libraries in the link command of the target that JSON describes. The
# command names them by path, or by -l, which CMake writes for a library without a soname.
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
  set(option "") # whose value is a separate word
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
    if(name MATCHES "^:(.+)$") # a complete file name
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

# Finds prebuilt files with device code that ship with the project, for whatever archs they were
# compiled: of the shared libraries LINKED, which its targets link, those in its folder SOURCE; and
# of INSTALLED, files that install() names, all except those of systems and toolkits. Prebuilt files
# may also lie in BUILD, if they were downloaded: FETCHED are the installed ones. Sets OUT to
# "prebuilt:<absolute path>" of each.
function(_archgrid_find_prebuilt build source outputs linked installed fetched out)
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
      # In the spelling of Ninja's outputs.
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${build}" OUTPUT_VARIABLE relative)
      _archgrid_is_made("${relative}" ${outputs} is_made)
      if(NOT is_made)
        _archgrid_mask_list_syntax("prebuilt:${path}" path)
        list(APPEND prebuilt "${path}")
      endif()
    endif()
  endforeach()
  set(${out} "${prebuilt}" PARENT_SCOPE)
endfunction()

# Reports whether PATH is one of the project's sources: it lies in SOURCE and not in BUILD, and is
# not a folder around BUILD, or it is a file that was downloaded into BUILD.
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

# Reports whether the file or folder PATH belongs neither to the tree BUILD, nor to the system, nor
# to a toolkit.
function(_archgrid_is_from_elsewhere build path out)
  set(${out} FALSE PARENT_SCOPE)
  cmake_path(IS_PREFIX build "${path}" NORMALIZE is_in_build)
  cmake_path(IS_PREFIX path "${build}" NORMALIZE is_above_build)
  file(REAL_PATH "${path}" real)
  if(is_in_build OR is_above_build OR (real MATCHES "^/(usr|lib[0-9]*|s?bin|etc)(/|$)"
      AND NOT real MATCHES "^/usr/local/."))
    return()
  endif()
  set(folder "${real}")
  while(NOT folder MATCHES "^/?$")
    # A conda environment contains packages of all kinds.
    if(EXISTS "${folder}/bin/nvcc" AND NOT EXISTS "${folder}/conda-meta")
      return()
    endif()
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  set(${out} TRUE PARENT_SCOPE)
endfunction()
