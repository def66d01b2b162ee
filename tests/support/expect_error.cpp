#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace weft::test {

void expect_error_with(ErrorCategory category, const std::function<void()>& action,
                       const std::vector<std::string>& parts) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.category(), category) << message;
    EXPECT_NE(message.find(" ("), std::string::npos) << message;
    EXPECT_NE(message.find("); "), std::string::npos) << message;
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' not in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "no weft::Error was thrown";
}

}  // namespace weft::test
