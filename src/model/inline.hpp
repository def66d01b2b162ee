#pragma once

// The step is compiled for several instruction sets (variants/), and none may come to run another's
// functions: they are inlined, or their file's own, or templates over a type of the variant. What
// is inlined and has a lambda is static, too, so that the lambda is its file's own.
#define WEFT_INLINE inline __attribute__((always_inline))
// The same, for a lambda: else all that it captures is read by way of a pointer to it.
#define WEFT_INLINED __attribute__((always_inline))
#define WEFT_OWN static inline
