#pragma once

// Of code for GPUs, too. WEFT_HD: inlined. WEFT_HD_ONCE: called on a GPU, where a copy at each
// place would make the kernel twice as large. WEFT_HD_RARE: and on a CPU, as that keeps what it
// needs out of the way of others. WEFT_HD_TABLE: an array.
#if defined(__CUDACC__)
#define WEFT_HD __device__ __forceinline__
#define WEFT_HD_ONCE static __device__ __noinline__
#define WEFT_HD_RARE WEFT_HD_ONCE
#define WEFT_HD_TABLE static __constant__ constexpr
#else
#define WEFT_HD inline __attribute__((always_inline))
#define WEFT_HD_ONCE WEFT_HD
#define WEFT_HD_RARE static __attribute__((noinline, cold))
#define WEFT_HD_TABLE inline constexpr
#endif
