// All public headers of the core, the library `weft`. The header of `weft-io`, files of arrays and
// references, is weft/io.hpp.
#pragma once

#include "weft/accelerations.hpp"
#include "weft/deadlock.hpp"
#include "weft/design.hpp"
#include "weft/element.hpp"
#include "weft/engine.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"
#include "weft/fabric_options.hpp"
#include "weft/fft.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/patterns.hpp"
#include "weft/pe_program.hpp"
#include "weft/pe_vector.hpp"
#include "weft/program.hpp"
#include "weft/report.hpp"
#include "weft/types.hpp"
#include "weft/version.hpp"
#include "weft/volume.hpp"
#include "weft/words.hpp"
