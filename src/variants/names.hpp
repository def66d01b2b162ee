#pragma once

/// Names that have that of a variant in them: WEFT_STEP_VARIANT is baseline, avx2 or avx512.
#define WEFT_JOIN2(a, b) a##b
#define WEFT_JOIN(a, b) WEFT_JOIN2(a, b)
#define WEFT_TEXT2(a) #a
#define WEFT_TEXT(a) WEFT_TEXT2(a)
