// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/formats.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace archgrid::sparse {
namespace {

std::string number(Index value) {
  return std::to_string(value);
}

template <class T>
Index count_of(const std::vector<T>& elements) {
  return static_cast<Index>(elements.size());
}

template <class Matrix>
const Matrix& checked(const Matrix& matrix) {
  if (const FormatError error = validate(matrix)) throw std::invalid_argument(error.text());
  return matrix;
}

// Compressed rows. `names` says what a row and an entry stand for.
struct Compressed {
  Index rows;
  Index columns;
  const std::vector<Index>& offsets;
  const std::vector<Index>& column;
  const AxisNames& names;
};

FormatError validate_row(const Compressed& m, Index row) {
  const Index begin = m.offsets[at(row)];
  const Index end = m.offsets[at(row + 1)];
  if (const FormatError error =
          validate_offsets(m.names, row, begin, end, row == m.rows - 1, count_of(m.column))) {
    return error;
  }
  Index before = -1;
  for (Index i = begin; i < end; ++i) {
    const Index column = m.column[at(i)];
    if (const FormatError error = validate_index(m.names, row, i, column, m.columns, before))
      return error;
    before = column;
  }
  return {};
}

// Returns the error in the numbers of rows and columns, if any.
FormatError validate_extents(Index rows, Index columns) {
  for (const auto& [name, extent] : {std::pair{"rows", rows}, {"columns", columns}}) {
    const std::string is = std::string("the number of ") + name + " is " + number(extent);
    if (extent < 0) return {is, -1, -1};
    if (extent > max_extent)
      return {is + ", and at most " + number(max_extent) + " is taken", -1, -1};
  }
  return {};
}

FormatError validate(const Compressed& m) {
  if (count_of(m.offsets) - 1 != m.rows) {
    return {"there are " + number(count_of(m.offsets)) + " offsets for " + number(m.rows) + " " +
                m.names.majors + ", not one more",
            -1, -1};
  }
  if (m.rows == 0) return validate_empty(m.names, m.offsets[0], count_of(m.column));
  for (Index row = 0; row < m.rows; ++row) {
    if (const FormatError error = validate_row(m, row)) return error;
  }
  return {};
}

FormatError validate_values(std::size_t values, std::size_t wanted) {
  if (values == wanted) return {};
  return {"the entries have " + std::to_string(wanted) + " elements, and there are " +
              std::to_string(values) + " values",
          -1, -1};
}

Index blocks_of(Index extent, Index block) {
  return extent / block + (extent % block == 0 ? 0 : 1);
}

// Computes the compressed rows of the transposed matrix.
void transpose(const Compressed& from, const std::vector<double>& values,
               std::vector<Index>* offsets, std::vector<Index>* column,
               std::vector<double>* value) {
  offsets->assign(at(from.columns + 1), 0);
  for (const Index c : from.column) ++(*offsets)[at(c + 1)];
  std::partial_sum(offsets->begin(), offsets->end(), offsets->begin());
  std::vector<Index> next(offsets->begin(), offsets->end() - 1);
  column->resize(from.column.size());
  value->resize(values.size());
  for (Index row = 0; row < from.rows; ++row) {
    for (Index i = from.offsets[at(row)]; i < from.offsets[at(row + 1)]; ++i) {
      const Index to = next[at(from.column[at(i)])]++;
      (*column)[at(to)] = row;
      (*value)[at(to)] = values[at(i)];
    }
  }
}

// Returns the block columns of the entries of a row of blocks, sorted and without duplicates.
std::vector<Index> block_columns_of(const Csr& m, Index first_row, Index last_row,
                                    Index block_columns) {
  std::vector<Index> found;
  for (Index i = m.offsets[at(first_row)]; i < m.offsets[at(last_row)]; ++i)
    found.push_back(m.column[at(i)] / block_columns);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Returns the error of the first nonzero element beyond the matrix, if any.
FormatError validate_padding(const Bsr& m) {
  const Index elements = m.block_rows * m.block_columns;
  for (Index row = 0; row + 1 < count_of(m.offsets); ++row) {
    for (Index b = m.offsets[at(row)]; b < m.offsets[at(row + 1)]; ++b) {
      for (Index e = 0; e < elements; ++e) {
        const bool is_within = row * m.block_rows + e / m.block_columns < m.rows &&
                               m.column[at(b)] * m.block_columns + e % m.block_columns < m.columns;
        if (!is_within && m.value[at(b * elements + e)] != 0) return padding_error(row, b, e);
      }
    }
  }
  return {};
}

}  // namespace

std::string FormatError::text() const {
  std::string place;
  if (row >= 0) place += std::string(names.major) + " " + number(row);
  if (position >= 0) place += std::string(", ") + names.entry + " " + number(position);
  return place.empty() ? what : place + ": " + what;
}

FormatError validate_empty(const AxisNames& names, Index first_offset, Index entries) {
  if (first_offset != 0) return {"the first offset is " + number(first_offset) + ", not 0", -1, -1};
  if (entries == 0) return {};
  return {"there are " + number(entries) + " " + names.entries + ", and no " + names.major, -1, -1};
}

FormatError validate_offsets(const AxisNames& names, Index major, Index begin, Index end,
                             bool is_last, Index entries) {
  const std::string all = ", and there are " + number(entries) + " " + names.entries;
  if (major == 0 && begin != 0)
    return {"the first offset is " + number(begin) + ", not 0", 0, -1, names};
  if (end < begin)
    return {"the offsets fall from " + number(begin) + " to " + number(end), major, -1, names};
  if (begin < 0 || end > entries)
    return {"it ends at offset " + number(end) + all, major, -1, names};
  if (is_last && end != entries)
    return {"the last offset is " + number(end) + all, major, -1, names};
  return {};
}

FormatError validate_index(const AxisNames& names, Index major, Index entry, Index minor,
                           Index minors, Index before) {
  const std::string named = std::string(names.minor) + " " + number(minor);
  if (minor < 0 || minor >= minors)
    return {named + " is not one of " + number(minors), major, entry, names};
  if (minor == before) return {named + " is there twice", major, entry, names};
  if (minor < before) return {named + " comes after " + number(before), major, entry, names};
  return {};
}

FormatError validate_coordinates(Index rows, Index columns, Index row, Index column, Index entry) {
  if (row < 0 || row >= rows)
    return {"row " + number(row) + " is not one of " + number(rows), row, entry};
  return validate_index(names_in_csr, row, entry, column, columns, -1);
}

std::string validate_block(Index block_rows, Index block_columns) {
  for (const Index extent : {block_rows, block_columns}) {
    if (extent < 1 || extent > max_block_extent)
      return "blocks have 1 to " + number(max_block_extent) + " rows and columns, not " +
             number(extent);
  }
  return "";
}

FormatError padding_error(Index row_of_blocks, Index block, Index element) {
  return {"element " + number(element) + " of the block is beyond the matrix, and not zero",
          row_of_blocks, block, names_in_bsr};
}

FormatError validate(const Coo& m) {
  if (const FormatError error = validate_extents(m.rows, m.columns)) return error;
  if (m.column.size() != m.row.size() || m.value.size() != m.row.size()) {
    return {"there are " + std::to_string(m.row.size()) + " rows, " +
                std::to_string(m.column.size()) + " columns and " + std::to_string(m.value.size()) +
                " values of entries",
            -1, -1};
  }
  for (Index i = 0; i < count_of(m.row); ++i) {
    if (const FormatError error =
            validate_coordinates(m.rows, m.columns, m.row[at(i)], m.column[at(i)], i)) {
      return error;
    }
  }
  return {};
}

FormatError validate(const Csr& m) {
  if (const FormatError error = validate_extents(m.rows, m.columns)) return error;
  const FormatError error = validate({m.rows, m.columns, m.offsets, m.column, names_in_csr});
  return error ? error : validate_values(m.value.size(), m.column.size());
}

FormatError validate(const Csc& m) {
  if (const FormatError error = validate_extents(m.rows, m.columns)) return error;
  const FormatError error = validate({m.columns, m.rows, m.offsets, m.row, names_in_csc});
  return error ? error : validate_values(m.value.size(), m.row.size());
}

FormatError validate(const Bsr& m) {
  if (const FormatError error = validate_extents(m.rows, m.columns)) return error;
  const std::string block = validate_block(m.block_rows, m.block_columns);
  if (!block.empty()) return {block, -1, -1};
  const FormatError error =
      validate({blocks_of(m.rows, m.block_rows), blocks_of(m.columns, m.block_columns), m.offsets,
                m.column, names_in_bsr});
  if (error) return error;
  const FormatError count =
      validate_values(m.value.size(), m.column.size() * at(m.block_rows * m.block_columns));
  return count ? count : validate_padding(m);
}

Csr csr_of(const Coo& matrix) {
  checked(matrix);
  std::vector<Index> order(matrix.row.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    if (matrix.row[at(a)] != matrix.row[at(b)]) return matrix.row[at(a)] < matrix.row[at(b)];
    return matrix.column[at(a)] < matrix.column[at(b)];
  });
  Csr csr{matrix.rows, matrix.columns, std::vector<Index>(at(matrix.rows + 1), 0), {}, {}};
  Index last_row = -1;
  for (const Index i : order) {
    const Index row = matrix.row[at(i)];
    const Index column = matrix.column[at(i)];
    if (row == last_row && csr.column.back() == column) {
      csr.value.back() += matrix.value[at(i)];
      continue;
    }
    csr.column.push_back(column);
    csr.value.push_back(matrix.value[at(i)]);
    ++csr.offsets[at(row + 1)];
    last_row = row;
  }
  std::partial_sum(csr.offsets.begin(), csr.offsets.end(), csr.offsets.begin());
  return csr;
}

Csr csr_of(const Csc& matrix) {
  checked(matrix);
  Csr csr{matrix.rows, matrix.columns, {}, {}, {}};
  transpose({matrix.columns, matrix.rows, matrix.offsets, matrix.row, names_in_csc}, matrix.value,
            &csr.offsets, &csr.column, &csr.value);
  return csr;
}

Csc csc_of(const Csr& matrix) {
  checked(matrix);
  Csc csc{matrix.rows, matrix.columns, {}, {}, {}};
  transpose({matrix.rows, matrix.columns, matrix.offsets, matrix.column, names_in_csr},
            matrix.value, &csc.offsets, &csc.row, &csc.value);
  return csc;
}

Coo coo_of(const Csr& matrix) {
  checked(matrix);
  Coo coo{matrix.rows, matrix.columns, {}, matrix.column, matrix.value};
  for (Index row = 0; row < matrix.rows; ++row) {
    const Index entries = matrix.offsets[at(row + 1)] - matrix.offsets[at(row)];
    coo.row.insert(coo.row.end(), at(entries), row);
  }
  return coo;
}

Bsr bsr_of(const Csr& matrix, Index block_rows, Index block_columns) {
  checked(matrix);
  Bsr bsr{matrix.rows, matrix.columns, block_rows, block_columns, {0}, {}, {}};
  checked(Bsr{0, 0, block_rows, block_columns, {0}, {}, {}});
  const Index elements = block_rows * block_columns;
  for (Index first = 0; first < matrix.rows; first += block_rows) {
    const Index last = std::min(first + block_rows, matrix.rows);
    const std::vector<Index> found = block_columns_of(matrix, first, last, block_columns);
    const Index before = count_of(bsr.column);
    bsr.column.insert(bsr.column.end(), found.begin(), found.end());
    bsr.offsets.push_back(count_of(bsr.column));
    bsr.value.resize(bsr.column.size() * at(elements), 0.0);
    for (Index row = first; row < last; ++row) {
      for (Index i = matrix.offsets[at(row)]; i < matrix.offsets[at(row + 1)]; ++i) {
        const Index column = matrix.column[at(i)];
        const auto block =
            std::lower_bound(found.begin(), found.end(), column / block_columns) - found.begin();
        bsr.value[at((before + block) * elements + (row - first) * block_columns +
                     column % block_columns)] = matrix.value[at(i)];
      }
    }
  }
  return bsr;
}

Csr csr_of(const Bsr& matrix) {
  checked(matrix);
  Csr csr{matrix.rows, matrix.columns, {0}, {}, {}};
  const Index elements = matrix.block_rows * matrix.block_columns;
  for (Index row = 0; row < matrix.rows; ++row) {
    const Index block_row = row / matrix.block_rows;
    for (Index b = matrix.offsets[at(block_row)]; b < matrix.offsets[at(block_row + 1)]; ++b) {
      for (Index c = 0; c < matrix.block_columns; ++c) {
        const double value =
            matrix.value[at(b * elements + row % matrix.block_rows * matrix.block_columns + c)];
        if (value == 0) continue;
        csr.column.push_back(matrix.column[at(b)] * matrix.block_columns + c);
        csr.value.push_back(value);
      }
    }
    csr.offsets.push_back(count_of(csr.column));
  }
  return csr;
}

std::vector<std::int32_t> narrowed(const std::vector<Index>& numbers, const char* what) {
  std::vector<std::int32_t> narrow;
  narrow.reserve(numbers.size());
  for (Index i = 0; i < count_of(numbers); ++i) {
    const Index value = numbers[at(i)];
    if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) {
      throw std::invalid_argument(std::string(what) + " " + number(i) + " is " + number(value) +
                                  ", which integers of 32 bits do not hold: take those of 64");
    }
    narrow.push_back(static_cast<std::int32_t>(value));
  }
  return narrow;
}

}  // namespace archgrid::sparse
