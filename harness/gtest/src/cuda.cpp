// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/gtest.hpp>
#include <string>

namespace archgrid {
namespace {

std::string described(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + " (" + std::to_string(error) + "), " +
         cudaGetErrorString(error);
}

}  // namespace

::testing::AssertionResult cuda_succeeded(const char* expression, cudaError_t error) {
  if (error == cudaSuccess) return ::testing::AssertionSuccess();
  static_cast<void>(cudaGetLastError());
  return ::testing::AssertionFailure() << expression << "\n  returned " << described(error);
}

::testing::AssertionResult cuda_failed_with(const char*, const char* expression,
                                            cudaError_t expected, cudaError_t error) {
  if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
  if (error == expected) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << expression << "\n  returned " << described(error)
                                       << "\n  instead of " << described(expected);
}

::testing::AssertionResult LaunchSucceeded::operator()(const char*, cudaError_t error) const {
  if (error != cudaSuccess) return cuda_succeeded(launch, error);
  const ::testing::AssertionResult result =
      cuda_succeeded("cudaDeviceSynchronize()", cudaDeviceSynchronize());
  return result ? result
                : ::testing::AssertionFailure()
                      << launch << "\n  was launched, but " << result.message();
}

CudaError::CudaError(const std::string& what, cudaError_t code)
    : std::runtime_error(what + ": " + described(code)), error(code) {}

void throw_on_error(const std::string& what, cudaError_t error) {
  if (error != cudaSuccess) throw CudaError(what, error);
}

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
