#pragma once

// Shapes of the kernel that is translated: those of the loads.
#define WEFT_PE_SHAPES(shape) shape(4, 2) shape(8, 2)
