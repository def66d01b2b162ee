#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace weft::test {

/// What `weft fft` with these arguments reports. It goes through.
inline nlohmann::json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "fft");
  arguments.insert(arguments.end(), {"--json", "-"});
  const CommandResult result = run_weft(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return nlohmann::json::parse(result.out);
}

}  // namespace weft::test
