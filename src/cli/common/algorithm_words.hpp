#pragma once

#include <string>

#include "weft/fft.hpp"

namespace weft::cli {

/// All that the command says of an algorithm, and of its own options.
struct AlgorithmWords {
  FftAlgorithm algorithm;
  bool exchanges;       ///< --transpose and --pencil are its own
  bool forms;           ///< --s3dft-form is its own
  std::string sides;    ///< that arrays may have
  std::string shapes;   ///< the same of several axes, with an example
  const char* formula;  ///< the label of cycles by formula in a plan, and their key in JSON
  const char* formula_key;
  const char* formula_from;  ///< whose formula it is
};

const AlgorithmWords& words_about(FftAlgorithm algorithm);

}  // namespace weft::cli
