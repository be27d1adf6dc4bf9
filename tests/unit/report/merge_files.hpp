// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Made-up results of CI jobs.
#ifndef ARCHGRID_TESTS_REPORT_MERGE_FILES_HPP
#define ARCHGRID_TESTS_REPORT_MERGE_FILES_HPP

#include <archgrid/report/merge.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::tests {

/// A GPU test with its cases, as a run of archgrid.gpu-runs/1.
struct MadeRun {
  std::string test = "cu130-sm90/gemm";
  std::vector<std::vector<std::string>> cases;  ///< name, outcome, reason
  std::string gpu = "NVIDIA H100";              ///< empty for none
  std::string capability = "9.0";
  std::string outcome = "passed";
  std::string code = "gpu";
  std::string message;
  bool fake = false;
};

inline nlohmann::ordered_json run_json(const MadeRun& made) {
  nlohmann::ordered_json run = {{"test", made.test},
                                {"schema", "archgrid.gpu-tests/1"},
                                {"program", "/x/gemm"},
                                {"outcome", made.outcome},
                                {"code", made.code},
                                {"gpu", nullptr},
                                {"uncounted", nlohmann::ordered_json::array()},
                                {"tests", nlohmann::ordered_json::array()}};
  run["kernels"] = {{"judged", 0},
                    {"asked", 0},
                    {"seconds", 0},
                    {"findings", nlohmann::ordered_json::array()},
                    {"disagreements", nlohmann::ordered_json::array()}};
  if (!made.message.empty()) run["message"] = made.message;
  if (!made.gpu.empty()) {
    run["gpu"] = {{"name", made.gpu}, {"capability", made.capability}, {"ordinal", 0}};
  }
  if (made.fake) run["fake"] = "no kernel executes here";
  for (const auto& one : made.cases) {
    nlohmann::ordered_json test = {
        {"name", one[0]}, {"outcome", one[1]}, {"seconds", 0.5}, {"launches", 1}};
    if (one.size() > 2) test["reason"] = one[2];
    run["tests"].push_back(test);
  }
  return run;
}

inline std::string runs_json(const std::vector<MadeRun>& runs) {
  nlohmann::ordered_json json = {{"schema", "archgrid.gpu-runs/1"},
                                 {"runs", nlohmann::ordered_json::array()}};
  for (const auto& run : runs) json["runs"].push_back(run_json(run));
  return json.dump();
}

/// Files of jobs: "sm90/Testing/gpu-tests.json" and their texts.
class MadeJobs {
 public:
  MadeJobs& add(const std::string& path, const std::string& text, bool is_named = false) {
    const auto slash = path.find('/');
    auto folder = path.substr(slash + 1, path.rfind('/') - slash);
    for (const std::string end : {"Testing/", "/"}) {
      if (folder.ends_with(end)) folder.resize(folder.size() - end.size());
    }
    files_.push_back({path.substr(0, slash), path, folder, "all", is_named});
    texts_[path] = text;
    return *this;
  }

  MadeJobs& add_runs(const std::string& job, const std::vector<MadeRun>& runs) {
    return add(job + "/Testing/gpu-tests.json", runs_json(runs));
  }

  MadeJobs& add_missing(const std::string& path) {
    files_.push_back({path.substr(0, path.find('/')), path, "", "all", false});
    return *this;
  }

  [[nodiscard]] report::MergedReport merged(const report::MergeRequest& request = {}) const {
    return report::merge_results(
        files_,
        [this](const std::string& path) {
          const auto found = texts_.find(path);
          if (found == texts_.end()) throw std::runtime_error("cannot open");
          return found->second;
        },
        request);
  }

 private:
  std::vector<report::ResultFile> files_;
  std::map<std::string, std::string> texts_;
};

template <typename Writer>
std::string merged_document(const Writer& writer) {
  std::string text;
  writer([&text](std::string_view part) { text += part; });
  return text;
}

}  // namespace archgrid::tests

#endif
