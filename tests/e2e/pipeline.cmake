# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Runs every step of the reusable workflow matrix.yml and of the actions, from plan to report, with
# a pretended GitHub and fake GPUs, and with planted failures.
find_program(python NAMES python3 python)
if(NOT python)
  message("skipped: python3 was not found")
  return()
endif()
execute_process(COMMAND "${python}" -B "${E2E}/pipeline/pipeline.py" "${ROOT}" "${WORK}/runs" "${BUILD}" "${COMMAND}"
  RESULT_VARIABLE result)
if(result EQUAL 77)
  message("skipped: python3 has no module yaml: ./setup --dev")
elseif(NOT result EQUAL 0)
  message(FATAL_ERROR "see above")
endif()
