#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "evaluation/result.hpp"

namespace weft::evaluation {

/// RFC 4180: a line for the columns, then the rows; numbers in full.
std::string csv_of(const Table& table);

nlohmann::ordered_json json_of(const Result& result);

}  // namespace weft::evaluation
