#include "support/expect_fault.hpp"

#include <gtest/gtest.h>

namespace weft::test {

void expect_fault(const std::function<void()>& action, const ExpectedFault& expected,
                  const std::vector<std::string>& parts) {
  try {
    action();
  } catch (const FaultError& error) {
    const Fault& fault = error.fault();
    const std::string message = error.what();
    EXPECT_EQ(fault.kind, expected.kind) << message;
    EXPECT_EQ(fault.cycle, expected.cycle) << message;
    EXPECT_EQ(fault.x, expected.x) << message;
    EXPECT_EQ(fault.y, expected.y) << message;
    EXPECT_EQ(fault.color, expected.color) << message;
    if (expected.detail) {
      EXPECT_EQ(fault.detail, *expected.detail) << message;
    }
    EXPECT_EQ(error.category(), ErrorCategory::program) << message;
    EXPECT_NE(message.find(" ("), std::string::npos) << message;
    const std::size_t remedy = message.rfind("); ");
    EXPECT_TRUE(remedy != std::string::npos && remedy + 3 < message.size())
        << "no remedy: " << message;
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' not in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "nothing was caught";
}

void expect_fault(Mesh& mesh, const ExpectedFault& expected, const std::vector<std::string>& parts,
                  std::uint64_t limit) {
  expect_fault([&] { mesh.run(limit); }, expected, parts);
}

}  // namespace weft::test
