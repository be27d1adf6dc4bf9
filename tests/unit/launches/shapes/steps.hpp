// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that makes a function large.
#ifndef ARCHGRID_SHAPES_STEPS_HPP
#define ARCHGRID_SHAPES_STEPS_HPP

#include "cuda.hpp"

EXPORTED int step(int** places, int number);

/// Stores a pointer on the stack, and branches.
#define STEP(number)              \
  places[number] = data + number; \
  if (step(places, number) != 0) data[0] += number;

#define TEN_STEPS(tens) \
  STEP(tens##0)         \
  STEP(tens##1)         \
  STEP(tens##2)         \
  STEP(tens##3)         \
  STEP(tens##4)         \
  STEP(tens##5)         \
  STEP(tens##6)         \
  STEP(tens##7)         \
  STEP(tens##8)         \
  STEP(tens##9)

/// About 4 KiB of machine code.
#define HUNDRED_STEPS(hundreds) \
  TEN_STEPS(hundreds##0)        \
  TEN_STEPS(hundreds##1)        \
  TEN_STEPS(hundreds##2)        \
  TEN_STEPS(hundreds##3)        \
  TEN_STEPS(hundreds##4)        \
  TEN_STEPS(hundreds##5)        \
  TEN_STEPS(hundreds##6)        \
  TEN_STEPS(hundreds##7)        \
  TEN_STEPS(hundreds##8)        \
  TEN_STEPS(hundreds##9)

#endif
