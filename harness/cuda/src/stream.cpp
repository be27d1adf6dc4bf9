// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/cuda/error.hpp>
#include <archgrid/cuda/stream.hpp>

namespace archgrid {

Stream::Stream(int priority) {
  throw_on_error("cudaStreamCreateWithPriority",
                 cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority));
}

Stream::~Stream() {
  static_cast<void>(cudaStreamDestroy(stream_));
}

void Stream::synchronize() const {
  throw_on_error("cudaStreamSynchronize", cudaStreamSynchronize(stream_));
}

Event::Event() {
  throw_on_error("cudaEventCreate", cudaEventCreate(&event_));
}

Event::~Event() {
  static_cast<void>(cudaEventDestroy(event_));
}

void Event::record(const Stream& stream) {
  throw_on_error("cudaEventRecord", cudaEventRecord(event_, stream.get()));
}

void Event::synchronize() const {
  throw_on_error("cudaEventSynchronize", cudaEventSynchronize(event_));
}

double Event::seconds_since(const Event& begin) const {
  synchronize();
  float milliseconds = 0;
  throw_on_error("cudaEventElapsedTime", cudaEventElapsedTime(&milliseconds, begin.get(), event_));
  return static_cast<double>(milliseconds) / 1000;
}

}  // namespace archgrid
