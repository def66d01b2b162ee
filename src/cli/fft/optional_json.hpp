#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace weft::cli {

/// null where there is no value.
template <class T>
nlohmann::ordered_json optional_json(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// Numbers that something does not have are -1.
inline nlohmann::ordered_json number_json(int number) {
  return number < 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(number);
}

}  // namespace weft::cli
