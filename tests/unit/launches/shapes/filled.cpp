// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(other)
KERNEL(guarded)

struct Provider {
  long id;
  char name[0x80];
  cudaDeviceProp properties;
};

struct Session {
  Provider* provider;
  Provider* backup;
};

struct Task {
  long id;
  Session* session;
};

ALONE static void fill(Provider* provider) {
  provider->id = 1;
  cudaGetDeviceProperties(&provider->properties, 0);
}

EXPORTED Provider* allocate();

EXPORTED Provider* create() {
  auto* provider = allocate();
  fill(provider);
  return provider;
}

ALONE static bool is_supported(const cudaDeviceProp& properties, int size) {
  return properties.major >= 8 && size % 8 == 0;
}

EXPORTED void launch_guarded(Task* task, int size) {
  if (is_supported(task->session->provider->properties, size)) guarded(size);
}

// Another member of the object is no properties.
EXPORTED void launch_other(Task* task, int size) {
  const auto* name = task->session->provider->name;
  if (is_supported(*reinterpret_cast<const cudaDeviceProp*>(name), size)) other(size);
}

// An object that the caller has is not known to be that of a provider.
EXPORTED void launch(Provider* provider, int size) {
  if (is_supported(provider->properties, size)) kernel(size);
}
