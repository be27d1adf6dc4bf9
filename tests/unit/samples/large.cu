// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A cubin that is long when compressed, too: a reader needs only its start for the names and the
// sizes of its kernels.

// Values that look like chance.
#define ONE(i) ((i)*2654435761u ^ ((i)*40503u << 13))
#define FOUR(i) ONE(i), ONE(i + 1), ONE(i + 2), ONE(i + 3)
#define MANY_4(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define MANY_16(i) MANY_4(i), MANY_4(i + 16), MANY_4(i + 32), MANY_4(i + 48)
#define MANY_64(i) MANY_16(i), MANY_16(i + 64), MANY_16(i + 128), MANY_16(i + 192)
#define MANY_256(i) MANY_64(i), MANY_64(i + 256), MANY_64(i + 512), MANY_64(i + 768)
#define MANY_1024(i) MANY_256(i), MANY_256(i + 1024), MANY_256(i + 2048), MANY_256(i + 3072)
#define MANY_4096(i) MANY_1024(i), MANY_1024(i + 4096), MANY_1024(i + 8192), MANY_1024(i + 12288)

__device__ unsigned table[] = {MANY_4096(1u), MANY_4096(16385u), MANY_4096(32769u),
                               MANY_4096(49153u)};

__global__ void look_up(unsigned* p, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + table[(sum ^ p[i]) % 65536];
  *p = sum;
}
