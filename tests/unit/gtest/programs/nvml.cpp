// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A stand-in for NVIDIA's libnvidia-ml.so.1: one GPU at 1500 and 1700 MHz alternately, hot and
// throttled.
#include <cstdio>
#include <cstring>

extern "C" {

int nvmlInit_v2() {
  return 0;
}

int nvmlShutdown() {
  return 0;
}

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "610.43.02");
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
  static int only = 0;
  *device = &only;
  return std::strchr(id, ':') == nullptr ? 6 : 0;  // NVML_ERROR_NOT_FOUND
}

int nvmlDeviceGetClockInfo(void*, int type, unsigned* megahertz) {
  static unsigned turn = 0;
  *megahertz = type == 1 ? 1500 + 200 * (turn++ % 2) : 2600;
  return 0;
}

int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  *celsius = 91;
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x40 | 0x4;
  return 0;
}

}  // extern "C"
