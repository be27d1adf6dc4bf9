// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_REPORT_GPU_RECORD_HPP
#define ARCHGRID_REPORT_GPU_RECORD_HPP

#include <archgrid/report/gpu_runs.hpp>
#include <nlohmann/json.hpp>

namespace archgrid::report {

/// Reads a record, archgrid.gpu-tests/1 or a run of archgrid.gpu-runs/1. Throws std::exception if
/// it is none.
GpuProgram read_gpu_record(const nlohmann::ordered_json& record);

}  // namespace archgrid::report

#endif
