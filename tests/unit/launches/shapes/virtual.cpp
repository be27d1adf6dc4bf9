// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

class Algorithm {
 public:
  virtual ~Algorithm() = default;
  virtual bool is_available(int size) const = 0;
  virtual void exec(int size) const = 0;
};

class Tensor : public Algorithm {
 public:
  bool is_available(int size) const override;
  void exec(int size) const override;
};

bool Tensor::is_available(int size) const {
  if (queried_capability() < 80) return false;
  return size % 8 == 0;
}

void Tensor::exec(int size) const {
  kernel(size);
}

EXPORTED Algorithm* make() {
  return new Tensor;
}
