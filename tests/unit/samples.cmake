# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles device code for the reader's tests with each available toolkit when the tests are built.
# The target archgrid_samples writes ${ARCHGRID_SAMPLES_FOLDER}/<toolkit>/<name>.
include("${CMAKE_CURRENT_LIST_DIR}/../ccache.cmake")
set(ARCHGRID_SAMPLES_FOLDER "${CMAKE_BINARY_DIR}/tests/unit/samples")
set(ARCHGRID_SAMPLE_TOOLKITS "")
set(samples "")

# _archgrid_sample(<name> <argument>...): builds <name> with the current nvcc. ccache caches
# objects, in the mode that suits nvcc.
macro(_archgrid_sample name)
  set(sample "${ARCHGRID_SAMPLES_FOLDER}/${version}/${name}")
  set(command ${nvcc} ${ARGN})
  if("${ARGV1}" MATCHES "^-d?c$")
    set(command ${launcher} ${nvcc} ${ARGN} -MD -MF "${sample}.d")
  endif()
  add_custom_command(OUTPUT "${sample}"
    COMMAND ${command} -o "${sample}"
    DEPENDS ${sources}
    COMMENT "Sample ${version}/${name}" VERBATIM)
  list(APPEND samples "${sample}")
endmacro()

# _archgrid_linked_sample(<name> <objects> <argument>...): links <name> from samples (a list) with
# the current nvcc. No compiler cache supports a call that compiles and links.
macro(_archgrid_linked_sample name objects)
  set(sample "${ARCHGRID_SAMPLES_FOLDER}/${version}/${name}")
  set(inputs ${objects})
  list(TRANSFORM inputs PREPEND "${ARCHGRID_SAMPLES_FOLDER}/${version}/")
  add_custom_command(OUTPUT "${sample}"
    COMMAND ${nvcc} ${ARGN} ${inputs} -o "${sample}"
    DEPENDS ${inputs}
    COMMENT "Sample ${version}/${name}" VERBATIM)
  list(APPEND samples "${sample}")
endmacro()

set(folder "${CMAKE_CURRENT_SOURCE_DIR}/samples")

# Windows samples need LLVM's tools, but not Windows.
find_program(ARCHGRID_LLD_LINK NAMES lld-link lld-link-14 lld-link-15 lld-link-16)
find_program(ARCHGRID_DLLTOOL NAMES llvm-dlltool llvm-dlltool-14 llvm-dlltool-15 llvm-dlltool-16)
set(ARCHGRID_WINDOWS_TOOLKITS "")
if(NOT ARCHGRID_CLANGXX OR NOT ARCHGRID_LLD_LINK OR NOT ARCHGRID_DLLTOOL)
  message(STATUS "archgrid: no samples of Windows files: clang, lld-link or llvm-dlltool was not found")
endif()

# _archgrid_windows_sample(<name> INPUTS <file>... COMMAND <program> <argument>...): builds <name>
# in the current toolkit's folder.
macro(_archgrid_windows_sample name)
  cmake_parse_arguments(arg "" "" "INPUTS;COMMAND" ${ARGN})
  set(sample "${ARCHGRID_SAMPLES_FOLDER}/${version}/${name}")
  add_custom_command(OUTPUT "${sample}" COMMAND ${arg_COMMAND} DEPENDS ${arg_INPUTS}
    WORKING_DIRECTORY "${ARCHGRID_SAMPLES_FOLDER}/${version}"
    COMMENT "Sample ${version}/${name}" VERBATIM)
  list(APPEND samples "${sample}")
endmacro()

# Adds objects, a DLL and a program that contain the current toolkit's sample.fatbin.
macro(_archgrid_windows_samples)
  set(here "${ARCHGRID_SAMPLES_FOLDER}/${version}")
  foreach(target IN ITEMS windows=x86_64 windows_arm=aarch64)
    string(REPLACE "=" ";" target ${target})
    list(GET target 0 name)
    list(GET target 1 machine)
    _archgrid_windows_sample(${name}.obj INPUTS "${here}/sample.fatbin" "${folder}/windows.s"
      COMMAND "${ARCHGRID_CLANGXX}" --target=${machine}-pc-windows-msvc -c "${folder}/windows.s" -o ${name}.obj)
  endforeach()
  _archgrid_windows_sample(nvcuda.lib INPUTS "${folder}/nvcuda.def"
    COMMAND "${ARCHGRID_DLLTOOL}" -m i386:x86-64 -d "${folder}/nvcuda.def" -l nvcuda.lib)
  set(parts "${here}/windows.obj" "${here}/nvcuda.lib")
  _archgrid_windows_sample(windows.dll INPUTS ${parts}
    COMMAND "${ARCHGRID_LLD_LINK}" /dll /noentry /out:windows.dll windows.obj nvcuda.lib)
  _archgrid_windows_sample(windows.exe INPUTS ${parts}
    COMMAND "${ARCHGRID_LLD_LINK}" /entry:start /subsystem:console /out:windows.exe windows.obj nvcuda.lib)
  list(APPEND ARCHGRID_WINDOWS_TOOLKITS ${version})
endmacro()
foreach(version IN ITEMS 11.8 12.4 13.0 13.5)
  archgrid_find_toolkit(${version} RESULT toolkit)
  if(NOT toolkit_FOUND)
    message(STATUS "archgrid: no samples of CUDA ${version}: ${toolkit_REASON}")
    continue()
  endif()
  archgrid_find_host_compiler(${version} RESULT host)
  list(APPEND ARCHGRID_SAMPLE_TOOLKITS ${version})
  file(MAKE_DIRECTORY "${ARCHGRID_SAMPLES_FOLDER}/${version}")
  set(nvcc "${toolkit_NVCC}" -ccbin "${host_CXX}")
  _archgrid_toolkit_fingerprint("${toolkit_ROOT}" "${host_CXX}" fingerprint)
  archgrid_tests_ccache_nvcc("${fingerprint}" launcher)
  file(GLOB sources "${folder}/*.cu")

  # Old: an arch before 7.0, with a different machine code. New: the latest archs of the toolkit.
  set(archs -gencode arch=compute_75,code=sm_75)
  set(suffixed -gencode arch=compute_80,code=sm_80)
  if(version VERSION_LESS 13)
    list(APPEND archs -gencode arch=compute_60,code=sm_60)
  endif()
  if(version VERSION_GREATER_EQUAL 12)
    list(APPEND suffixed -gencode "arch=compute_90a,code=[sm_90a,compute_90a]")
  endif()
  if(version VERSION_GREATER_EQUAL 13)
    list(APPEND suffixed -gencode "arch=compute_100f,code=[sm_100f,compute_100f]"
      -gencode arch=compute_120,code=sm_120)
  endif()
  list(APPEND archs -gencode "arch=compute_80,code=[sm_80,compute_80]")

  set(unit "${folder}/sample.cu")
  _archgrid_sample(plain.o -c ${unit} ${archs})
  _archgrid_sample(packed.o -c ${unit} ${archs} -Xfatbin -compress-all)
  _archgrid_sample(raw.o -c ${unit} ${archs} -Xfatbin --compress=false)
  _archgrid_sample(suffixed.o -c ${unit} ${suffixed})
  _archgrid_sample(ptx.o -c ${unit} -gencode arch=compute_80,code=compute_80)
  # Machine code beside PTX that it was compiled from only in part, or not at all.
  _archgrid_sample(lower.o -c ${unit} -gencode arch=compute_75,code=sm_80
    -gencode arch=compute_80,code=compute_80)
  _archgrid_sample(entry.o -c ${unit} -gencode "arch=compute_80,code=[sm_80,compute_80]"
    -Xptxas --entry=_Z7guardedPf)
  _archgrid_sample(stores.o -c "${folder}/stores.cu" ${archs})
  _archgrid_sample(inert.o -c "${folder}/inert.cu" -gencode "arch=compute_75,code=[sm_75,compute_75]"
    -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90)
  _archgrid_sample(lto.o -c "${folder}/first.cu" ${archs} -Xcompiler -flto)
  _archgrid_sample(lto_rdc.o -dc "${folder}/first.cu" ${archs} -O3 -Xcompiler -flto)
  _archgrid_sample(lto_host.o -c "${folder}/host_only.cu" ${archs} -Xcompiler -flto)
  _archgrid_sample(first_pic.o -dc "${folder}/first.cu" -Xcompiler -fPIC ${archs})
  _archgrid_linked_sample(unlinked.so first_pic.o -shared --no-device-link ${archs})
  _archgrid_linked_sample(linked.so first_pic.o -shared -Xcompiler -fPIC ${archs})
  # Stubs that only report must be recognised on every arch of the toolkit, and on 75 as PTX, too.
  _archgrid_data_toolkit(known ${version})
  set(every "")
  foreach(number IN LISTS known_ARCHS)
    if(number GREATER_EQUAL 50)
      list(APPEND every -gencode arch=compute_${number},code=sm_${number})
    endif()
  endforeach()
  set(few -gencode "arch=compute_75,code=[sm_75,compute_75]" -gencode arch=compute_80,code=sm_80
    -gencode arch=compute_90,code=sm_90)
  set(unit "${folder}/stubs.cu")
  _archgrid_sample(stubs.o -c ${unit} ${every} -gencode arch=compute_75,code=compute_75)
  _archgrid_sample(stubs_packed.o -c ${unit} ${few} -Xfatbin -compress-all)
  _archgrid_sample(stubs_lineinfo.o -c ${unit} ${few} -lineinfo)
  # --device-debug, not -G: ccache reads a -c after -G as the argument of -G.
  _archgrid_sample(stubs_debug.o -c ${unit} ${few} --device-debug)
  _archgrid_sample(stubs_rdc.o -dc ${unit} ${few})
  _archgrid_sample(stubs_guard_rdc.o -dc "${folder}/stubs_guard.cu" ${few})
  _archgrid_linked_sample(stubs_linked "stubs_rdc.o;stubs_guard_rdc.o" ${few})
  set(unit "${folder}/sample.cu")
  _archgrid_sample(large.o -c "${folder}/large.cu" ${archs} -Xfatbin -compress-all)
  _archgrid_sample(large_suffixed.o -c "${folder}/large.cu" ${suffixed} -Xfatbin -compress-all)
  _archgrid_sample(sample.cubin -cubin ${unit} -arch=sm_80)
  _archgrid_sample(variables.cubin -cubin "${folder}/variables.cu" -arch=sm_80)
  _archgrid_sample(sample.fatbin -fatbin ${unit} ${archs})
  _archgrid_sample(spills.ptx -ptx "${folder}/spills.cu" -arch=compute_80)
  _archgrid_sample(sample.ptx -ptx ${unit} -arch=compute_80)
  _archgrid_sample(sample_pic.o -c ${unit} -Xcompiler -fPIC ${archs})
  _archgrid_linked_sample(libsample.so sample_pic.o -shared ${archs})
  _archgrid_sample(newer_pic.o -c "${folder}/newer.cu" -Xcompiler -fPIC -gencode arch=compute_80,code=sm_80)
  _archgrid_linked_sample(newer.so "sample_pic.o;newer_pic.o" -shared ${archs})
  _archgrid_sample(first.o -dc "${folder}/first.cu" ${archs})
  _archgrid_sample(second.o -dc "${folder}/second.cu" ${archs})
  _archgrid_linked_sample(linked "first.o;second.o" ${archs})
  foreach(name IN ITEMS first second)
    _archgrid_sample(${name}_ptx.o -dc "${folder}/${name}.cu" -gencode arch=compute_80,code=compute_80)
  endforeach()
  _archgrid_linked_sample(linked_ptx "first_ptx.o;second_ptx.o" -gencode arch=compute_80,code=compute_80)
  if(version VERSION_GREATER_EQUAL 13)
    foreach(mode IN ITEMS none speed size balance default)
      _archgrid_sample(${mode}.o -c ${unit} ${archs} --compress-mode=${mode})
    endforeach()
  endif()

  # One build of each change, from a folder of its own, and device links in two orders.
  set(unit "${folder}/identity.cu")
  set(few -gencode arch=compute_75,code=sm_75 -gencode "arch=compute_80,code=[sm_80,compute_80]")
  if(version VERSION_LESS 13)
    list(APPEND few -gencode arch=compute_60,code=sm_60)
  endif()
  if(version VERSION_GREATER_EQUAL 12)
    list(APPEND few -gencode arch=compute_90a,code=sm_90a)
  endif()
  if(version VERSION_GREATER_EQUAL 13)
    list(APPEND few -gencode arch=compute_100,code=sm_100 -gencode arch=compute_120,code=sm_120)
  endif()
  _archgrid_sample(identity.fatbin -fatbin ${unit} ${few})
  configure_file("${unit}" "${ARCHGRID_SAMPLES_FOLDER}/moved/further/identity.cu" COPYONLY)
  _archgrid_sample(identity_moved.fatbin -fatbin "${ARCHGRID_SAMPLES_FOLDER}/moved/further/identity.cu" ${few})
  _archgrid_sample(identity_lineinfo.fatbin -fatbin ${unit} ${few} -lineinfo)
  _archgrid_sample(identity_constant.fatbin -fatbin ${unit} ${few} -DFACTOR=3.5F)
  _archgrid_sample(identity_instruction.fatbin -fatbin ${unit} ${few} -DMULTIPLIES)
  _archgrid_sample(identity_bound.fatbin -fatbin ${unit} ${few} -DBOUNDED)
  _archgrid_sample(identity_table.fatbin -fatbin ${unit} ${few} -DENTRY=2.5F)
  _archgrid_sample(identity_neighbour.fatbin -fatbin ${unit} ${few} -DNEIGHBOUR)
  _archgrid_sample(identity_part.o -dc ${unit} ${few} -DPARTS -Xcompiler -fPIC)
  _archgrid_sample(identity_remote.o -dc "${folder}/identity_remote.cu" ${few} -Xcompiler -fPIC)
  _archgrid_sample(identity_changed.o -dc "${folder}/identity_remote.cu" ${few} -DREMOTE=6.0F -Xcompiler -fPIC)
  _archgrid_linked_sample(identity_linked.so "identity_part.o;identity_remote.o" -shared ${few})
  _archgrid_linked_sample(identity_reversed.so "identity_remote.o;identity_part.o" -shared ${few})
  _archgrid_linked_sample(identity_changed.so "identity_changed.o;identity_part.o" -shared ${few})

  # Stores ptxas's report of spills, for comparison.
  set(sample "${ARCHGRID_SAMPLES_FOLDER}/${version}/spills.cubin")
  add_custom_command(OUTPUT "${sample}"
    COMMAND sh -c "\"$@\" >\"$0\" 2>&1" "${sample}.txt" ${nvcc} -cubin "${folder}/spills.cu" -arch=sm_80
      -maxrregcount=16 -Xptxas -v -o "${sample}"
    DEPENDS ${sources} BYPRODUCTS "${sample}.txt"
    COMMENT "Sample ${version}/spills.cubin" VERBATIM)
  list(APPEND samples "${sample}")

  set(stripped "${ARCHGRID_SAMPLES_FOLDER}/${version}/no_fatbin.so")
  add_custom_command(OUTPUT "${stripped}"
    COMMAND "${CMAKE_OBJCOPY}" --remove-section=.nv_fatbin
      "${ARCHGRID_SAMPLES_FOLDER}/${version}/libsample.so" "${stripped}"
    DEPENDS "${ARCHGRID_SAMPLES_FOLDER}/${version}/libsample.so" VERBATIM)
  set(without_symbols "${ARCHGRID_SAMPLES_FOLDER}/${version}/stripped")
  add_custom_command(OUTPUT "${without_symbols}"
    COMMAND "${CMAKE_STRIP}" -o "${without_symbols}" "${ARCHGRID_SAMPLES_FOLDER}/${version}/linked"
    DEPENDS "${ARCHGRID_SAMPLES_FOLDER}/${version}/linked" VERBATIM)
  list(APPEND samples "${stripped}" "${without_symbols}")
  if(ARCHGRID_CLANGXX AND ARCHGRID_LLD_LINK AND ARCHGRID_DLLTOOL)
    _archgrid_windows_samples()
  endif()
endforeach()
add_custom_target(archgrid_samples DEPENDS ${samples})
list(JOIN ARCHGRID_SAMPLE_TOOLKITS "," ARCHGRID_SAMPLE_TOOLKITS)
list(JOIN ARCHGRID_WINDOWS_TOOLKITS "," ARCHGRID_WINDOWS_TOOLKITS)
