#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace weft::cli {

/// null where there is no value.
template <class T>
nlohmann::ordered_json optional_json(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace weft::cli
