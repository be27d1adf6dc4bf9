# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks archgrid_promise() and archgrid_audit() two folders below the top of a project that does
# not enable tests itself.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
e2e_cache_compilations("${toolkit_ROOT}")

# drop_in(<name> <promises>): builds a library for 9.0 only, and audits it for the promises in these
# lines.
function(drop_in name promises)
  set(source "${WORK}/${name}")
  file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(drop_in LANGUAGES CXX CUDA)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
add_subdirectory(src)
")
  file(WRITE "${source}/src/CMakeLists.txt" "add_subdirectory(deep)\n")
  file(WRITE "${source}/src/deep/CMakeLists.txt" "${promises}
add_library(deep SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(deep PRIVATE KERNEL=deep)
archgrid_audit(deep)
")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${source}/build" "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}"
    -DCMAKE_CUDA_ARCHITECTURES=90 "-DARCHGRID_COMMAND=${COMMAND}")
  set(configured "${output}")
  e2e_run("${NINJA}" -C "${source}/build")
  e2e_expect(pass)
  e2e_run("${CTEST}" --test-dir "${source}/build" --output-on-failure)
  set(output "${configured}${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

# ctest at the top finds the audit.
drop_in(planted "archgrid_promise(DEVICES 8.0 9.0)")
e2e_expect(fail MATCH "audit\\.deep .*Failed" "missing: libdeep\\.so: deep_kernel on 8\\.0" WITHOUT "Warning")
drop_in(green "archgrid_promise(DEVICES 9.0)")
e2e_expect(pass MATCH "audit\\.deep .*Passed" WITHOUT "Warning")
drop_in(ignored "archgrid_promise(DEVICES 8.0 9.0)
add_library(other SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(other PRIVATE KERNEL=other)
archgrid_audit(other IGNORE missing:other_kernel=tried)")
e2e_expect(fail MATCH "audit\\.other .*Passed" "audit\\.deep .*Failed")

# Ignores of a promise are for each audited target, and may name GPUs.
drop_in(promise_ignores
  "archgrid_promise(DEVICES 8.0 9.0 IGNORE \"missing:deep_kernel@8.0=tried\" \"*other*=tried, too\")")
e2e_expect(pass MATCH "audit\\.deep .*Passed" WITHOUT "Warning")
drop_in(ignores_elsewhere "archgrid_promise(DEVICES 8.0 9.0 IGNORE missing:deep_kernel@9.0=tried)")
e2e_expect(fail MATCH "audit\\.deep .*Failed" "missing: libdeep\\.so: deep_kernel on 8\\.0" WITHOUT "unused-ignore")

# Objects of another target, whose archs decide.
drop_in(objects "archgrid_promise(DEVICES 8.0 9.0)
add_library(part OBJECT [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(part PRIVATE KERNEL=part)
add_library(whole SHARED [==[${E2E}/shapes/kernel.cu]==] \$<TARGET_OBJECTS:part>)
set_target_properties(whole part PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(whole PRIVATE KERNEL=whole)
archgrid_audit(whole)")
e2e_expect(fail MATCH "missing: libwhole.*" "CUDA_ARCHITECTURES of[ \n]+the target that compiles it"
    "in CMakeLists.txt:\narchgrid_audit\\(whole IGNORE " WITHOUT "CUDA_ARCHITECTURES of whole" "--ignore" "gencode")
# A static library of another target, whose archs decide, too; the one target that compiles CUDA has
# its name in the fix.
foreach(source IN ITEMS kernel.cu host.cpp)
  file(WRITE "${WORK}/host.cpp" "int host() { return 0; }\n")
  set(own "${WORK}/host.cpp")
  if(source STREQUAL "kernel.cu")
    set(own "${E2E}/shapes/kernel.cu")
  endif()
  drop_in(static_${source} "archgrid_promise(DEVICES 8.0 9.0)
add_library(part STATIC [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(part PRIVATE KERNEL=part)
add_library(whole SHARED [==[${own}]==])
target_link_libraries(whole PRIVATE -Wl,--whole-archive part -Wl,--no-whole-archive)
set_target_properties(part PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(whole PRIVATE KERNEL=whole)
archgrid_audit(whole)")
  set(named "the target that compiles it")
  if(source STREQUAL "host.cpp")
    set(named "part")
  endif()
  e2e_expect(fail MATCH "missing: libwhole.*CUDA_ARCHITECTURES of[ \n]+${named}" WITHOUT "CUDA_ARCHITECTURES of whole")
endforeach()

# A promise that replaces one which no audit proves.
drop_in(replaced "archgrid_promise(DEVICES 8.0)\narchgrid_promise(DEVICES 9.0)")
e2e_expect(pass MATCH
  "nothing is audited for the promise before this one \\(--devices 8\\.0 --accept native,compatible\\)")
drop_in(one_each "archgrid_promise(DEVICES 9.0)
add_library(first SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(first PRIVATE KERNEL=first)
archgrid_audit(first)
archgrid_promise(DEVICES 9.0 ACCEPT native)")
e2e_expect(pass MATCH "audit\\.first .*Passed" "audit\\.deep .*Passed" WITHOUT "Warning")

# The same promise twice counts as one.
drop_in(twice "archgrid_promise(DEVICES 9.0)
add_library(first SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(first PRIVATE KERNEL=first)
archgrid_audit(first)
archgrid_promise(DEVICES 9.0)")
e2e_expect(pass MATCH "audit\\.first .*Passed" "audit\\.deep .*Passed" WITHOUT "Warning")

# A final promise that no audit proves. Its audit may be deferred by the project, or be in a folder
# below.
set(source "${WORK}/unaudited")
file(WRITE "${source}/below/CMakeLists.txt" "archgrid_audit(unaudited)\n")

# configure_unaudited(<lines>): configures a project with a library for 9.0 and these lines.
macro(configure_unaudited lines)
  file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(unaudited LANGUAGES CXX CUDA)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
add_library(unaudited SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(unaudited PRIVATE KERNEL=unaudited)
${lines}
")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${source}/build" "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}"
    -DCMAKE_CUDA_ARCHITECTURES=90 "-DARCHGRID_COMMAND=${COMMAND}")
endmacro()
set(warning "nothing is audited for the promise of ${source} \\(--devices 8\\.0,9\\.0 --accept native,compatible\\)")
configure_unaudited("archgrid_promise(DEVICES 9.0)\narchgrid_audit(unaudited)\narchgrid_promise(DEVICES 8.0 9.0)")
e2e_expect(pass MATCH "${warning}")
configure_unaudited("archgrid_promise(DEVICES 9.0)\ncmake_language(DEFER CALL archgrid_audit unaudited)")
e2e_expect(pass WITHOUT "Warning")
configure_unaudited("archgrid_promise(DEVICES 9.0)\nadd_subdirectory(below)")
e2e_expect(pass WITHOUT "Warning")
e2e_run("${NINJA}" -C "${source}/build")
e2e_run("${CTEST}" --test-dir "${source}/build")
e2e_expect(pass MATCH "audit\\.unaudited .*Passed")
# Without a command, configuring announces that one will be compiled.
e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${source}/without_command"
  "-DCMAKE_CUDA_COMPILER=${toolkit_NVCC}" -DCMAKE_CUDA_ARCHITECTURES=90)
e2e_expect(pass MATCH "the first build compiles the archgrid command")
# ctest forgets an audit that was removed from a project without other tests.
configure_unaudited("archgrid_promise(DEVICES 8.0 9.0)")
e2e_expect(pass MATCH "${warning}")
e2e_run("${CTEST}" --test-dir "${source}/build")
e2e_expect(pass MATCH "No tests were found" WITHOUT "audit\\.unaudited")

# Two targets and a matrix file: an ignore that only one of them uses is not a finding of the other.
foreach(kind IN ITEMS planted green)
  set(ignore "")
  if(kind STREQUAL "green")
    set(ignore "\"ignore\": [{\"kernel\": \"first_kernel*\", \"reason\": \"not shipped\"}],")
  endif()
  file(WRITE "${WORK}/two_${kind}/promises.json"
    "{\"name\": \"two\", \"toolkits\": [{\"cuda\": \"13.5\", \"archs\": [\"80\", \"90\"]}], ${ignore}
  \"promises\": [{\"devices\": [\"8.0\", \"9.0\"]}]}
")
  drop_in(two_${kind} "archgrid_promise(MATRIX [==[${WORK}/two_${kind}/promises.json]==])
add_library(first SHARED [==[${E2E}/shapes/kernel.cu]==])
target_compile_definitions(first PRIVATE KERNEL=first)
archgrid_audit(first)
set(CMAKE_CUDA_ARCHITECTURES 80 90)")
  if(kind STREQUAL "planted")
    e2e_expect(fail MATCH "audit\\.first .*Failed" "missing: libfirst\\.so: first_kernel on 8\\.0"
      "audit\\.deep .*Passed" WITHOUT "Warning")
  else()
    e2e_expect(pass MATCH "audit\\.first .*Passed" "audit\\.deep .*Passed" WITHOUT "Warning" "unused-ignore")
  endif()
endforeach()

# A matrix that a subfolder adds.
foreach(arch IN ITEMS 80 90)
  e2e_matrix(matrix CUDA 13.5 ARCHS ${arch} DEVICES 9.0 CELLS fat ACCEPT native)
  set(source "${WORK}/matrix_${arch}")
  file(WRITE "${source}/matrix/matrix.json" "${matrix}")
  file(WRITE "${source}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(above NONE)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
add_subdirectory(matrix)
")
  file(WRITE "${source}/matrix/CMakeLists.txt" "archgrid_add_matrix(MATRIX matrix.json SOURCE [==[${E2E}/shapes]==])\n")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${source}" -B "${source}/build" "-DARCHGRID_COMMAND=${COMMAND}")
  e2e_run("${NINJA}" -C "${source}/build")
  e2e_run("${CTEST}" --test-dir "${source}/build")
  if(arch EQUAL 80)
    e2e_expect(fail MATCH "cu135-fat/AUDIT/sm90 \\.+\\*+Failed" "promise broken")
  else()
    e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed" "promise holds")
  endif()
endforeach()
