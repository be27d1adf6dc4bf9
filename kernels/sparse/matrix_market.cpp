// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix_market.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace archgrid::sparse {
namespace {

enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew };

struct Header {
  bool is_array = false;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// Reads a number, which may have a Fortran exponent. A number outside the range of double gives the
// nearest double, and result_out_of_range.
std::errc read_real(std::string text, double* value) {
  std::replace(text.begin(), text.end(), 'D', 'e');
  std::replace(text.begin(), text.end(), 'd', 'e');
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, *value);
  if (end != last) return std::errc::invalid_argument;
  if (error == std::errc::result_out_of_range) {
    // from_chars() does not set the value.
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    stream >> *value;
  }
  return error;
}

bool is_too_small(std::errc error, double value) {
  return error == std::errc::result_out_of_range && std::abs(value) < 1;
}

// Returns a colon and the system's reason for the last failed call, or an empty string.
std::string last_reason() {
  return errno == 0 ? "" : ": " + std::generic_category().message(errno);
}

// A reader of the lines of a stream, and of the words of the current line.
class Lines {
 public:
  Lines(std::istream& stream, std::string name) : stream_(stream), name_(std::move(name)) {}

  // Reads the next line that is neither empty nor a comment. Returns false at the end.
  bool next() {
    while (next_line()) {
      const std::size_t first = line_.find_first_not_of(" \t\r");
      if (first != std::string::npos && line_[first] != '%') {
        rest_ = line_;
        return true;
      }
    }
    return false;
  }
  bool next_line() {
    if (!std::getline(stream_, line_)) {
      if (stream_.bad()) fail("it cannot be read");
      return false;
    }
    ++number_;
    rest_ = line_;
    return true;
  }

  std::string_view word() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest_.size() && !is_space(rest_[length])) ++length;
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
  }
  Index number(const char* what) {
    const std::string_view text = word_of_number(what);
    const std::string_view digits = without_plus(text);
    Index value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail("the " + std::string(what) + " is no number that fits: " + std::string(text));
    return value;
  }
  // Reads a value. Numbers that are too small for a double become the nearest double.
  double value(Field field) {
    const std::string text(word_of_number("value"));
    double value = 0;
    const std::errc error = read_real(std::string(without_plus(text)), &value);
    if (error == std::errc::invalid_argument) fail("the value is no number: " + text);
    if (error != std::errc() && !is_too_small(error, value))
      fail("the value does not fit a double: " + text);
    if (field == Field::integer) expect_whole(value, error, text);
    return value;
  }
  void expect_end() {
    const std::string_view extra = word();
    if (!extra.empty()) fail("there is more than belongs in the line: " + std::string(extra));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(name_ + ":" + std::to_string(number_) + ": " + what);
  }

 private:
  void expect_whole(double value, std::errc error, const std::string& text) const {
    if (error != std::errc() || !std::isfinite(value) || value != std::trunc(value))
      fail("the value of an integer matrix is no whole number: " + text);
    const std::string_view digits = without_plus(text);
    Index exact = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, overflow] = std::from_chars(digits.data(), last, exact);
    const bool is_exact =
        overflow == std::errc() && value < 0x1p63 && static_cast<Index>(value) == exact;
    if (end == last && !is_exact)
      fail("the value is a whole number that doubles do not hold: " + text);
  }
  std::string_view word_of_number(const char* what) {
    const std::string_view text = word();
    if (text.empty()) fail(std::string("the ") + what + " is missing");
    return text;
  }
  // Removes a plus sign, which std::from_chars() does not accept. Keeps two signs, so that it
  // refuses them.
  static std::string_view without_plus(std::string_view text) {
    const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return has_plus ? text.substr(1) : text;
  }

  std::istream& stream_;
  std::string name_;
  std::string line_;
  std::string_view rest_;
  Index number_ = 0;
};

// Returns the next word of the first line, which describes the contents of the file.
std::string banner_word(Lines& lines, const char* what, const char* choices) {
  const std::string word = lower(std::string(lines.word()));
  if (word.empty())
    lines.fail(std::string("the first line ends before the ") + what + ": " + choices);
  return word;
}

Field read_field(Lines& lines) {
  const std::string word = banner_word(lines, "field", "real, integer or pattern");
  // "double" is not in the standard, but occurs in files.
  if (word == "real" || word == "double") return Field::real;
  if (word == "integer") return Field::integer;
  if (word == "pattern") return Field::pattern;
  lines.fail("entries are " + word + ", and only real, integer and pattern ones are read");
}

Symmetry read_symmetry(Lines& lines) {
  const std::string word = banner_word(lines, "symmetry", "general, symmetric or skew-symmetric");
  if (word == "general") return Symmetry::general;
  if (word == "symmetric") return Symmetry::symmetric;
  if (word == "skew-symmetric") return Symmetry::skew;
  lines.fail("the matrix is " + word +
             ", and only general, symmetric and skew-symmetric ones are read");
}

Header read_header(Lines& lines) {
  if (!lines.next_line()) lines.fail("it is empty");
  const std::string first = lower(std::string(lines.word()));
  if (first.compare(0, 2, "\x1f\x8b") == 0) lines.fail("it is compressed: unpack it first");
  if (first != "%%matrixmarket") lines.fail("the first line does not begin with %%MatrixMarket");
  const std::string object = banner_word(lines, "object", "matrix");
  if (object != "matrix") lines.fail("it holds a " + object + ", not a matrix");
  const std::string format = banner_word(lines, "format", "coordinate or array");
  if (format != "coordinate" && format != "array")
    lines.fail("the format is " + format + ", not coordinate or array");
  Header header;
  header.is_array = format == "array";
  header.field = read_field(lines);
  header.symmetry = read_symmetry(lines);
  if (header.is_array && header.field == Field::pattern) lines.fail("an array has no pattern");
  return header;
}

Index extent(Lines& lines, const char* what) {
  const Index value = lines.number(what);
  if (value < 0) lines.fail("the " + std::string(what) + " is negative: " + std::to_string(value));
  return value;
}

// Reads a 1-based place. Returns it 0-based.
Index place(Lines& lines, const char* what, Index end) {
  const Index value = lines.number(what);
  if (value < 1 || value > end) {
    lines.fail(std::string(what) + " " + std::to_string(value) + " is not one of 1 to " +
               std::to_string(end));
  }
  return value - 1;
}

void add(Coo* matrix, Index row, Index column, double value) {
  matrix->row.push_back(row);
  matrix->column.push_back(column);
  matrix->value.push_back(value);
}

void add_with_mirror(const Lines& lines, const Header& header, Coo* matrix, Index row, Index column,
                     double value) {
  if (header.symmetry != Symmetry::general && row < column)
    lines.fail("an entry of a symmetric matrix lies above its diagonal");
  if (header.symmetry == Symmetry::skew && row == column && value != 0)
    lines.fail("an entry of a skew-symmetric matrix lies on its diagonal, and is not zero");
  add(matrix, row, column, value);
  if (header.symmetry == Symmetry::general || row == column) return;
  add(matrix, column, row, header.symmetry == Symmetry::skew ? -value : value);
}

void next_entry(Lines& lines, Index entry, Index entries) {
  if (lines.next()) return;
  lines.fail("it ends after " + std::to_string(entry) + " entries of " + std::to_string(entries));
}

void read_coordinates(Lines& lines, const Header& header, Coo* matrix) {
  const Index entries = extent(lines, "number of entries");
  lines.expect_end();
  for (Index entry = 0; entry < entries; ++entry) {
    next_entry(lines, entry, entries);
    const Index row = place(lines, "row", matrix->rows);
    const Index column = place(lines, "column", matrix->columns);
    const double value = header.field == Field::pattern ? 1.0 : lines.value(header.field);
    lines.expect_end();
    add_with_mirror(lines, header, matrix, row, column, value);
  }
}

// Returns the number of entries in the file of an array: all, or those of the lower triangle.
Index entries_of_array(const Lines& lines, Symmetry symmetry, const Coo& matrix) {
  Index count = matrix.rows;
  Index length = matrix.columns;
  if (symmetry != Symmetry::general) {
    // n * (n + 1) / 2 or n * (n - 1) / 2. Halve the factor that is even.
    const Index longer = symmetry == Symmetry::symmetric ? 1 : 0;
    count = matrix.rows % 2 == 0 ? matrix.rows / 2 : matrix.rows;
    length = matrix.rows % 2 == 0 ? matrix.rows - 1 + 2 * longer : matrix.rows / 2 + longer;
  }
  Index entries = 0;
  if (__builtin_mul_overflow(count, length, &entries)) {
    lines.fail("an array of " + std::to_string(matrix.rows) + " rows and " +
               std::to_string(matrix.columns) + " columns has more entries than can be counted");
  }
  return entries;
}

// Reads an array column by column: symmetric matrices from the diagonal down, skew-symmetric ones
// from below the diagonal.
void read_array(Lines& lines, const Header& header, Coo* matrix) {
  lines.expect_end();
  const Index entries = entries_of_array(lines, header.symmetry, *matrix);
  Index column = 0;
  Index row = header.symmetry == Symmetry::skew ? 1 : 0;
  for (Index entry = 0; entry < entries; ++entry, ++row) {
    if (row == matrix->rows) {
      ++column;
      row = header.symmetry == Symmetry::general     ? 0
            : header.symmetry == Symmetry::symmetric ? column
                                                     : column + 1;
    }
    next_entry(lines, entry, entries);
    const double value = lines.value(header.field);
    lines.expect_end();
    if (value != 0) add_with_mirror(lines, header, matrix, row, column, value);
  }
}

}  // namespace

Coo read_matrix_market(std::istream& stream, const std::string& name) {
  Lines lines(stream, name);
  const Header header = read_header(lines);
  if (!lines.next()) lines.fail("it ends before the line of sizes");
  Coo matrix;
  matrix.rows = extent(lines, "number of rows");
  matrix.columns = extent(lines, "number of columns");
  if (header.symmetry != Symmetry::general && matrix.rows != matrix.columns)
    lines.fail("a symmetric matrix has as many rows as columns");
  if (header.is_array) {
    read_array(lines, header, &matrix);
  } else {
    read_coordinates(lines, header, &matrix);
  }
  if (lines.next()) lines.fail("there is an entry more than was announced");
  return matrix;
}

Coo read_matrix_market(const std::string& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(file + ": it cannot be opened" + last_reason());
  return read_matrix_market(stream, file);
}

void write_matrix_market(const Coo& matrix, std::ostream& stream) {
  if (const FormatError error = validate(matrix)) throw std::invalid_argument(error.text());
  // Write digits alone, whatever the stream's locale.
  using std::to_string;
  stream << "%%MatrixMarket matrix coordinate real general\n"
         << to_string(matrix.rows) << ' ' << to_string(matrix.columns) << ' '
         << to_string(matrix.row.size()) << '\n';
  char number[32];
  for (std::size_t i = 0; i < matrix.row.size(); ++i) {
    // The shortest text that is read as the same number.
    const auto [end, error] = std::to_chars(number, number + sizeof number, matrix.value[i]);
    if (error != std::errc()) throw std::runtime_error("a value cannot be written");
    stream << to_string(matrix.row[i] + 1) << ' ' << to_string(matrix.column[i] + 1) << ' '
           << std::string_view(number, static_cast<std::size_t>(end - number)) << '\n';
  }
}

void write_matrix_market(const Coo& matrix, const std::string& file) {
  if (const FormatError error = validate(matrix)) throw std::invalid_argument(error.text());
  const std::string beside = file + ".part";
  errno = 0;
  std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
  if (!stream) throw std::runtime_error(file + ": it cannot be written" + last_reason());
  write_matrix_market(matrix, stream);
  stream.close();
  std::string reason = stream ? "" : last_reason();
  std::error_code error;
  if (stream) std::filesystem::rename(beside, file, error);
  if (error) reason = ": " + error.message();
  if (!stream || error) {
    std::remove(beside.c_str());
    throw std::runtime_error(file + ": it cannot be written" + reason);
  }
}

}  // namespace archgrid::sparse
