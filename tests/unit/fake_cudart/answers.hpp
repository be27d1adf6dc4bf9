// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the program `ask`, which runs with the fake runtime of one toolkit. The environment
// specifies the folder of the programs, the toolkit's folder and its version.
#ifndef ARCHGRID_TESTS_ANSWERS_HPP
#define ARCHGRID_TESTS_ANSWERS_HPP

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace archgrid::tests {

inline std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) {
    std::fprintf(stderr, "%s is not set; ctest sets it\n", name);
    std::exit(2);
  }
  return value;
}

inline std::string folder() {
  return variable("ARCHGRID_FAKE_PROGRAMS");
}

inline std::string toolkit() {
  return variable("ARCHGRID_FAKE_OF_TOOLKIT");
}

inline std::string toolkit_root() {
  return variable("ARCHGRID_FAKE_TOOLKIT_ROOT");
}

inline int cuda_major() {
  return std::atoi(toolkit().c_str());
}

struct Said {
  int code = -1;
  std::vector<std::string> lines;
};

inline Said run(const std::string& command) {
  Said said;
  auto* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return said;
  std::string line;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) {
    if (letter != '\n') {
      line += static_cast<char>(letter);
      continue;
    }
    said.lines.push_back(line);
    line.clear();
  }
  const int status = pclose(pipe);
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

/// Returns the output of a program on a machine that the environment describes:
/// "ARCHGRID_FAKE_DEVICES=9.0". `ask` prints one line per question.
inline Said ask(const std::vector<std::string>& environment,
                const std::vector<std::string>& questions, const std::string& program = "ask") {
  std::string command = "env -i LD_LIBRARY_PATH='" + folder() + "/fake_cudart'";
  for (const auto& item : environment) command += " '" + item + "'";
  command += " '" + folder() + "/" + program + "'";
  for (const auto& question : questions) command += " '" + question + "'";
  return run(command);
}

inline std::vector<std::string> answers(const std::vector<std::string>& environment,
                                        const std::vector<std::string>& questions) {
  const auto said = ask(environment, questions);
  EXPECT_EQ(said.code, 0) << ::testing::PrintToString(said.lines);
  return said.lines;
}

/// Returns the environment of a machine with the toolkit's own driver, and `rest`. Modules are
/// loaded lazily unless `rest` says otherwise: CUDA 11.8 with its own driver does not by default.
inline std::vector<std::string> machine(const std::string& devices,
                                        const std::vector<std::string>& rest = {},
                                        const std::string& driver = toolkit()) {
  std::vector<std::string> environment = {"ARCHGRID_FAKE_DEVICES=" + devices,
                                          "ARCHGRID_FAKE_DRIVER=" + driver,
                                          "CUDA_MODULE_LOADING=LAZY"};
  environment.insert(environment.end(), rest.begin(), rest.end());
  return environment;
}

inline std::string answer(const std::vector<std::string>& environment,
                          const std::string& question) {
  const auto lines = answers(environment, {question});
  return lines.empty() ? "nothing" : lines[0];
}

/// Parses "a=0 b=209".
inline std::map<std::string, int> launches(const std::string& line) {
  std::map<std::string, int> found;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    found[word.substr(0, equals)] = std::atoi(word.c_str() + equals + 1);
  }
  return found;
}

inline std::map<std::string, int> launches(const std::vector<std::string>& environment) {
  return launches(answer(environment, "launches"));
}

inline std::vector<int> numbers(const std::string& line) {
  std::vector<int> found;
  std::istringstream words(line);
  for (int number = 0; words >> number;) found.push_back(number);
  return found;
}

/// The numbers in the answer to `attributes`.
struct Attributes {
  int error = -1;
  int binary = -1;
  int ptx = -1;
  int registers = -1;
  int shared = -1;
  int local = -1;
  int constant = -1;
  int threads = -1;
  int dynamic_shared = -1;
};

inline Attributes attributes(const std::vector<std::string>& environment,
                             const std::string& kernel) {
  const auto found = numbers(answer(environment, "attributes:" + kernel));
  Attributes result;
  if (!found.empty()) result.error = found[0];
  if (found.size() != 9) return result;
  return {found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7], found[8]};
}

inline std::vector<std::string> failing(const std::string& rules) {
  return machine("9.0", {"ARCHGRID_FAKE_FAIL=" + rules});
}

class Answers : public ::testing::Test {};

}  // namespace archgrid::tests

#endif
