// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <windows.h>

#include <archgrid/system/programs.hpp>
#include <archgrid/system/temporary_folder.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "problem.hpp"

namespace archgrid::system {
namespace {

namespace fs = std::filesystem;

/// Returns a word as programs read it from a command line (CommandLineToArgvW).
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\"") == std::wstring::npos) return word;
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t letter : word) {
    if (letter == L'"') text.append(backslashes + 1, L'\\');
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    text += letter;
  }
  text.append(backslashes, L'\\');
  return text + L'"';
}

std::wstring command_line_of(const std::vector<std::string>& words) {
  std::wstring line;
  for (const auto& word : words)
    line += (line.empty() ? L"" : L" ") + quoted(fs::path(word).wstring());
  return line;
}

/// Opens a file that a child inherits.
HANDLE open_inherited(const fs::path& path, DWORD access, DWORD creation) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
  return CreateFileW(path.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, creation,
                     FILE_ATTRIBUTE_NORMAL, nullptr);
}

/// Variables of this process, until the end of the object: a child inherits them.
class Variables {
 public:
  explicit Variables(const std::vector<Variable>& variables) {
    for (const auto& [name, value] : variables) {
      const char* before = std::getenv(name.c_str());
      before_.emplace_back(name, before == nullptr ? "" : before);
      _putenv_s(name.c_str(), value.c_str());
    }
  }
  ~Variables() {
    for (auto at = before_.rbegin(); at != before_.rend(); ++at) {
      _putenv_s(at->first.c_str(), at->second.c_str());  // an empty value removes it
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::vector<Variable> before_;
};

Ended run(const std::vector<std::string>& words, const fs::path& output, const fs::path& errors,
          DWORD flags) {
  auto line = command_line_of(words);
  STARTUPINFOW start = {};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = open_inherited("NUL", GENERIC_READ, OPEN_EXISTING);
  start.hStdOutput = open_inherited(output, GENERIC_WRITE, CREATE_ALWAYS);
  start.hStdError =
      errors == output ? start.hStdOutput : open_inherited(errors, GENERIC_WRITE, CREATE_ALWAYS);
  PROCESS_INFORMATION process = {};
  const bool started = start.hStdOutput != INVALID_HANDLE_VALUE &&
                       start.hStdError != INVALID_HANDLE_VALUE &&
                       CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, flags, nullptr,
                                      nullptr, &start, &process) != 0;
  const auto problem = GetLastError();
  CloseHandle(start.hStdInput);
  CloseHandle(start.hStdOutput);
  if (errors != output) CloseHandle(start.hStdError);
  if (!started) return {Ended::How::not_started, 0, problem_text(problem)};
  DWORD code = 0;
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &code);
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
  return {Ended::How::exited, static_cast<int>(code), {}};
}

std::string text_in(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

Captured capture(std::vector<std::string> words, Group group) {
  const TemporaryFolder folder;
  const auto output = folder.path() / "output";
  const auto errors = folder.path() / "errors";
  const auto ended = run(words, output, errors, group == Group::own ? CREATE_NEW_PROCESS_GROUP : 0);
  if (ended.how == Ended::How::not_started) {
    throw CannotStart(fmt::format("cannot run {}: {}: install it", words[0], ended.problem));
  }
  return {ended.good(), text_in(output), text_in(errors)};
}

Ended run_logged(std::vector<std::string> words, const fs::path& log,
                 const std::vector<Variable>& variables) {
  const Variables more(variables);
  return run(words, log, log, 0);
}

}  // namespace archgrid::system
