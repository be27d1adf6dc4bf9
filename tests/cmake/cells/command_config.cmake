# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# write_command_config(<source> <build> <line> [<incremental>]): writes config.cmake, with the
# record that detail/command_cell/run.cmake reads, for the sources in a folder, the tree of a cell
# and a command line.
function(write_command_config source build line)
  set(incremental FALSE)
  if(ARGC GREATER 3)
    set(incremental "${ARGV3}")
  endif()
  file(WRITE "${CASE_BINARY}/config.cmake" "set(command_source [==[${source}]==])
set(command_line ${line})
set(command_environment NOTE=none)
set(command_jobs 1)
set(command_incremental ${incremental})
set(command_excluded [==[${build}]==])
set(command_path /usr/bin)
")
  file(MAKE_DIRECTORY "${build}")
endfunction()
