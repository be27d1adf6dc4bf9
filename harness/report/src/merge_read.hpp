// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the result files of CI jobs.
#ifndef ARCHGRID_REPORT_MERGE_READ_HPP
#define ARCHGRID_REPORT_MERGE_READ_HPP

#include <archgrid/report/gpu_runs.hpp>
#include <archgrid/report/merge.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

enum class ResultKind {
  none,       ///< without results, such as archgrid.list/1
  gpu_runs,   ///< archgrid.gpu-runs/1 or archgrid.gpu-tests/1
  gpu_junit,  ///< gpu-tests.xml
  ctest,      ///< JUnit of ctest: a case for each program
  audit_json,
  audit_junit,
  other
};

/// A case with the name of its ctest test, by which files of one run are compared.
struct ReadCase {
  std::string test;  ///< "cu130-sm90/gemm"
  JobCase one;
};

struct FileResults {
  ResultKind kind = ResultKind::none;
  std::string what;     ///< the format, for messages
  std::string verdict;  ///< of an audit
  std::vector<ReadCase> cases;
};

/// Reads a JSON document. Throws std::exception if it is damaged.
FileResults read_json_results(const std::string& text);

/// Reads a JUnit document; `file` names its program if the document names none. Throws
/// std::runtime_error if it is damaged or has no test case.
FileResults read_junit_results(const std::string& text, const ResultFile& file);

/// Returns the cases of a program.
std::vector<ReadCase> cases_of(const GpuProgram& program);

/// Splits the name of a ctest test, "cu130-sm90/gemm.Shapes", into cell, program and case. A name
/// without a cell becomes the case of `program`.
JobCase named_case(const std::string& test, const std::string& program);

/// Returns the parser's message without its name for the error.
std::string json_problem(const std::exception& error);

}  // namespace archgrid::report

#endif
