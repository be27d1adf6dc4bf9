# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that every file of a cell with device code is audited, whatever its name and format, and
# that what was not built is recorded as such.
e2e_cache_by_hand()
e2e_matrix(matrix CUDA 13.5 ARCHS 75 80 90 DEVICES 8.0 9.0 CELLS fat ACCEPT native compatible)

# expect_lists(<artifacts> <excluded>): compares with the status of the cell.
function(expect_lists artifacts excluded)
  file(READ "${TREE}/cells/cu135-fat.json" status)
  foreach(list IN ITEMS artifacts excluded)
    string(JSON found GET "${status}" ${list})
    string(REGEX REPLACE "[][\n\"]|^ +| +$" "" found "${found}")
    string(REGEX REPLACE "\n? *, *" "|" found "${found}")
    string(STRIP "${found}" found)
    if(NOT found STREQUAL "${${list}}")
      message(FATAL_ERROR "${list} are ${found}, not ${${list}}")
    endif()
  endforeach()
endfunction()

# Each kind of file, with machine code for 7.5 only, beside a program with that for all archs of the
# cell. Each kind is reported, but not what the build excludes.
set(kinds versioned module unlinked objects dependency handmade archive loaded picked embedded cudart plugin thin)
list(JOIN kinds " " words)
e2e_tree(planted MATRIX "${matrix}" SOURCE "${E2E}/shapes"
  DEFINITIONS "SHAPES=program ${words} excluded" "SHAPES_ARCHS=75-real")
e2e_expect(pass)
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +built")
set(files
  "CMakeFiles/objects.dir/kernel.cu.o|hand/libarchive.a|hand/libcudart.so.13|hand/libhandmade.so|hand/libnvinfer_my_plugin.so|hand/loaded.fatbin|hand/picked-75.cubin|libdependency.so|libembedded.a|libunlinked.a|libversioned.so|out put/_C.cpython-311-x86_64-linux-gnu.so|program|thin/libthin.a")
expect_lists("${files}" "excluded")
e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
e2e_expect(fail WITHOUT "program_kernel\\(float\\*\\) on" "excluded_kernel")
foreach(kind IN LISTS kinds)
  e2e_expect(fail MATCH "missing: ${kind}_kernel\\(float\\*\\) on 8\\.0")
endforeach()
e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
e2e_expect(fail MATCH "note: not built, so not audited: excluded\n")
set(by_nvcc "of libhandmade\\.so for [^\n]*90 too: add( -gencode arch=compute_[89]0,code=sm_[89]0)+ to nvcc's options")
set(by_cmake "of libversioned\\.so for 80 and 90 too: add 80 90 to the CUDA_ARCHITECTURES")
e2e_expect(fail MATCH "${by_nvcc}" "${by_cmake}")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "versioned_kernel" "libdependency\\.so" "handmade_kernel" "${by_nvcc}"
  "add 90 to the CUDA_ARCHITECTURES of the target")

# The same with the promised machine code.
e2e_tree(green MATRIX "${matrix}" SOURCE "${E2E}/shapes" DEFINITIONS "SHAPES=program ${words} excluded")
e2e_build(matrix)
string(REPLACE "picked-75.cubin" "picked-75.cubin|hand/picked-80.cubin|hand/picked-90.cubin" files "${files}")
expect_lists("${files}" "excluded")
e2e_ctest(--preset sm90)
e2e_expect(pass)
e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
e2e_expect(pass MATCH "promise holds: 14 kernels" "picked-90\\.cubin.*: host code picks the file"
  WITHOUT "not audited: it")
# Built by somebody else and up to date: audited.
e2e_run("${NINJA}" -C "${TREE}/cells/cu135-fat" excluded)
file(WRITE "${TREE}/cells/cu135-fat.json" "{}")
e2e_build(matrix)
string(REPLACE "libunlinked" "libexcluded.so|libunlinked" files "${files}")
expect_lists("${files}" "")

# PTX that a program loads, once where machine code is promised, once where PTX is accepted.
foreach(accept IN ITEMS compatible jit)
  string(REPLACE "\"compatible\"" "\"${accept}\"" taken "${matrix}")
  e2e_tree(ptx_${accept} MATRIX "${taken}" SOURCE "${E2E}/shapes" DEFINITIONS "SHAPES=program ptx packed")
  e2e_build(matrix)
  expect_lists("CMakeFiles/packed.dir/kernel.ptx|hand/ptx.ptx|libpacker.a|program" "")
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  if(accept STREQUAL "jit")
    e2e_expect(pass MATCH "promise holds: 3 kernels")
  else()
    e2e_expect(fail MATCH "jit: packed_kernel\\(float\\*\\) on 8\\.0 and 9\\.0"
      "jit: ptx_kernel\\(float\\*\\) on 8\\.0 and 9\\.0")
  endif()
endforeach()

# Files that may ship without being audited are reported.
include("${ROOT}/cmake-modules/ArchGrid.cmake")
archgrid_find_toolkit(13.5 RESULT toolkit)
set(sources "${WORK}/unaudited sources")
file(COPY "${E2E}/shapes/" DESTINATION "${sources}")
e2e_run("${toolkit_NVCC}" -DKERNEL=prebuilt -shared -Xcompiler -fPIC -arch=sm_75
  -o "${sources}/libprebuilt.so" "${sources}/kernel.cu")
e2e_expect(pass)
e2e_run("${toolkit_NVCC}" -DKERNEL=installed -cubin -arch=sm_75 -o "${sources}/installed.cubin" "${sources}/kernel.cu")
e2e_expect(pass)
foreach(folder IN ITEMS folder/below patterned matched chosen)
  file(COPY "${sources}/installed.cubin" DESTINATION "${sources}/${folder}")
endforeach()
# Libraries by path, by -L and -l, and by -l: in a folder that is a separate word. Also a folder
# that a project fetches, with one library that it links and one that it does not.
foreach(name IN ITEMS libby_name later/libby_name apart/libcolon apart/libunused vendor/libfetched
  vendor/libunused libnvinfer_my_plugin)
  get_filename_component(folder "${sources}/${name}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  file(COPY_FILE "${sources}/libprebuilt.so" "${sources}/${name}.so")
endforeach()
file(COPY_FILE "${sources}/libprebuilt.so" "${sources}/out;side.so")
# An archive, a cubin and a package appear while the project is configured: their origin is unknown.
file(APPEND "${sources}/CMakeLists.txt" "
target_link_libraries(program PRIVATE \${CMAKE_CURRENT_SOURCE_DIR}/libprebuilt.so)
target_link_directories(program PRIVATE \${CMAKE_CURRENT_SOURCE_DIR})
target_link_directories(program PRIVATE \${CMAKE_CURRENT_SOURCE_DIR}/later)
target_link_libraries(program PRIVATE by_name -l:libcolon.so)
target_link_options(program PRIVATE \"SHELL:-L '\${CMAKE_CURRENT_SOURCE_DIR}/apart'\")
file(WRITE \${CMAKE_BINARY_DIR}/venv/pyvenv.cfg \"\")
file(COPY libprebuilt.so DESTINATION \${CMAKE_BINARY_DIR}/venv/lib)
file(COPY vendor/ DESTINATION \${CMAKE_BINARY_DIR}/_deps/vendor-src)
target_link_libraries(program PRIVATE \${CMAKE_BINARY_DIR}/_deps/vendor-src/libfetched.so)
install(FILES README installed.cubin libnvinfer_my_plugin.so DESTINATION share OPTIONAL)
install(DIRECTORY folder/ DESTINATION share)
install(DIRECTORY patterned/ DESTINATION share PATTERN *.txt EXCLUDE)
install(DIRECTORY matched/ DESTINATION share FILES_MATCHING PATTERN *.h)
install(DIRECTORY chosen/ DESTINATION share FILES_MATCHING PATTERN *.h PATTERN *.cubin PERMISSIONS OWNER_READ)
execute_process(COMMAND ar rcs \${CMAKE_BINARY_DIR}/libvendor.a \${CMAKE_CURRENT_SOURCE_DIR}/libprebuilt.so)
execute_process(COMMAND \${CMAKE_COMMAND} -E tar cJf \${CMAKE_BINARY_DIR}/vendor.txz libprebuilt.so
  WORKING_DIRECTORY \${CMAKE_CURRENT_SOURCE_DIR})
configure_file(installed.cubin vendor.cubin COPYONLY)
install(FILES \${CMAKE_BINARY_DIR}/vendor.cubin DESTINATION share)
file(COPY_FILE \${CMAKE_CURRENT_SOURCE_DIR}/libprebuilt.so \"\${CMAKE_BINARY_DIR}/vendor;1.so\")
# A copy of an audited file, and files in the sources that the build may have written, one of which
# is installed.
add_custom_command(TARGET program POST_BUILD
  COMMAND \${CMAKE_COMMAND} -E copy \$<TARGET_FILE:program> \${CMAKE_BINARY_DIR}/venv/lib/program
  COMMAND \${CMAKE_COMMAND} -E touch \${CMAKE_CURRENT_SOURCE_DIR}/folder/below/installed.cubin
  COMMAND sh -c \"touch out*side.so\" WORKING_DIRECTORY \${CMAKE_CURRENT_SOURCE_DIR} VERBATIM)
")
e2e_tree(unaudited MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS "SHAPES=program nccl")
e2e_build(matrix)
expect_lists("program" "")
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "hand/libnccl\\.so\\.2: not audited: it has the name of a library of NVIDIA"
  "8 files, the first [^\n]*: not audited: it is prebuilt"
  "2 files, the first [^\n]*/folder/below/installed\\.cubin: not audited: it was written outside"
  "4 files, the first [^\n]*libvendor\\.a: not audited: no command"
  "venv/lib/libprebuilt\\.so: not audited: it lies in a virtual" "promise holds: 1 kernel ")
file(READ "${TREE}/cells/cu135-fat.json" status)
string(JSON unaudited GET "${status}" unaudited)
set(recorded "")
string(JSON count LENGTH "${unaudited}")
foreach(index RANGE 1 ${count})
  math(EXPR index "${index} - 1")
  string(JSON path GET "${unaudited}" ${index} path)
  string(REPLACE "${sources}/" "SOURCE/" path "${path}")
  string(REPLACE "${TREE}/cells/cu135-fat/" "CELL/" path "${path}")
  string(REPLACE ";" "%" path "${path}")
  list(APPEND recorded "${path}")
endforeach()
list(SORT recorded)
set(expected CELL/_deps/vendor-src/libfetched.so SOURCE/apart/libcolon.so
  SOURCE/chosen/installed.cubin SOURCE/folder/below/installed.cubin
  SOURCE/installed.cubin SOURCE/libby_name.so SOURCE/libnvinfer_my_plugin.so SOURCE/libprebuilt.so
  SOURCE/out%side.so SOURCE/patterned/installed.cubin hand/libnccl.so.2
  libvendor.a vendor%1.so vendor.cubin vendor.txz venv/lib/libprebuilt.so)
if(NOT recorded STREQUAL expected)
  message(FATAL_ERROR "what is not audited is recorded as ${recorded}")
endif()

# Selected targets: their dependencies are built, the others are recorded as not built, and their
# tests are disabled.
string(REPLACE "\"cells\"" "\"targets\": [\"needs_it\", \"versioned\"], \"cells\"" chosen "${matrix}")
e2e_tree(chosen MATRIX "${chosen}" SOURCE "${E2E}/shapes" DEFINITIONS "SHAPES=program discovered ${words}")
e2e_build(matrix)
expect_lists("libdependency.so|libversioned.so" "discovered|embedded|module|objects|program|thin|unlinked")
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(pass MATCH "cu135-fat/program \\.+\\*+Not Run \\(Disabled\\)" "promise holds: 2 kernels"
  "cu135-fat/discovered_NOT_BUILT \\.+\\*+Not Run \\(Disabled\\)")
string(REPLACE "needs_it" "nothing" unknown "${chosen}")
e2e_tree(unknown MATRIX "${unknown}" SOURCE "${E2E}/shapes" DEFINITIONS "SHAPES=program versioned")
e2e_build(matrix)
e2e_expect(pass MATCH
  "cu135-fat +failed .*\"targets\" name nothing, which the project does not have. It has: program, versioned")

# Files that commands write outside the cell's tree are reported; if nvcc writes them, the cell
# fails before it compiles.
file(COPY "${E2E}/shapes/" DESTINATION "${WORK}/outside sources")
file(MAKE_DIRECTORY "${WORK}/outside folder")
e2e_tree(copied MATRIX "${matrix}" SOURCE "${WORK}/outside sources"
  DEFINITIONS "SHAPES=program copied" "SHAPES_FOLDER=${WORK}/outside folder")
e2e_build(matrix)
expect_lists("libcopied.so|program" "")
e2e_run("${COMMAND}" audit --tree "${TREE}" --all)
e2e_expect(pass MATCH "2 files, the first [^\n]*libcopied\\.so: not audited: it was written outside"
  "promise holds: 2 kernels")
e2e_tree(elsewhere MATRIX "${matrix}" SOURCE "${E2E}/shapes"
  DEFINITIONS "SHAPES=program elsewhere" "SHAPES_FOLDER=${WORK}/outside folder")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +failed" "nvcc writes [^\n]*outside[ \n]+folder/libelsewhere\\.so,[ \n]+outside")
if(EXISTS "${WORK}/outside folder/libelsewhere.so")
  message(FATAL_ERROR "it was compiled before it was refused")
endif()
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "step: artifacts")

# A script compiles and packs a wheel; a wheel without device code is not an artifact.
foreach(case IN ITEMS planted green)
  set(archs 75-real)
  if(case STREQUAL "green")
    set(archs "")
  endif()
  e2e_tree(wheel_${case} MATRIX "${matrix}" SOURCE "${E2E}/shapes"
    DEFINITIONS "SHAPES=program wheel" "SHAPES_ARCHS=${archs}" "SHAPES_FOLDER=${WORK}/outside folder")
  e2e_build(matrix)
  expect_lists("dist.whl|program" "")
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  if(case STREQUAL "planted")
    e2e_expect(fail MATCH "missing: wheel_kernel\\(float\\*\\) on 8\\.0" "dist\\.whl" WITHOUT "cublas_kernel")
  else()
    e2e_expect(pass MATCH "promise holds: 2 kernels"
      "dist\\.whl!libcublas-0ab1\\.so\\.12: not audited: it has the name of a library"
      "torch-2\\.9\\.0-py3-none-any\\.whl: not audited: it has the name of another project's package"
      WITHOUT "cublas_kernel")
    e2e_ctest(--preset sm90)
    e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed")
  endif()
endforeach()

# If it compiles code for an arch that the cell does not ask for, the cell fails.
e2e_tree(wheel_unasked MATRIX "${matrix}" SOURCE "${E2E}/shapes"
  DEFINITIONS "SHAPES=program wheel" "SHAPES_ARCHS=86-real" "SHAPES_FOLDER=${WORK}/outside folder")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +failed" "not asked for: 86-real")

# A versioned library as the only file.
e2e_tree(alone MATRIX "${matrix}" SOURCE "${E2E}/shapes" DEFINITIONS "SHAPES=versioned")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-fat/AUDIT/sm90 \\.+ +Passed")
# It is bundled with the file behind its name.
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/alone.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(pass)
file(ARCHIVE_EXTRACT INPUT "${WORK}/alone.tar.zst" DESTINATION "${WORK}/travelled")
e2e_run("${COMMAND}" audit --tree "${WORK}/travelled/build/matrix")
e2e_expect(pass MATCH "versioned_kernel")

# A file that has vanished after its target was built.
e2e_tree(moved MATRIX "${matrix}" SOURCE "${E2E}/shapes" DEFINITIONS "SHAPES=program moved")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +failed .*no audit can see libmoved\\.so, which target moved made")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "moved: libmoved\\.so" "step: artifacts")

# FindCUDA, CMake's old module for CUDA.
foreach(kind IN ITEMS planted green)
  e2e_tree(findcuda_${kind} MATRIX "${matrix}" SOURCE "${E2E}/findcuda" DEFINITIONS "FINDCUDA_DEFECT=${kind}")
  e2e_build(matrix)
  e2e_expect(pass MATCH "cu135-fat +built")
  e2e_build(matrix) # FindCUDA finds dependencies, and builds again
  e2e_build(matrix)
  e2e_expect(pass MATCH "cu135-fat +built" WITHOUT "built in")
  e2e_run("${COMMAND}" audit --tree "${TREE}")
  if(kind STREQUAL "planted")
    e2e_expect(fail MATCH "missing: old_kernel\\(float\\*\\) on 9\\.0" "libold\\.so"
      "add -gencode arch=compute_90,code=sm_90 to nvcc's options" WITHOUT "CUDA_ARCHITECTURES")
  else()
    e2e_expect(pass MATCH "old_kernel")
  endif()
endforeach()
