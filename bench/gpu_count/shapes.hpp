#pragma once

// The shapes of PEs that the loads have.
#define WEFT_PE_SHAPES(shape) shape(4, 2) shape(8, 2)
