// Catches errors of the core library, each as the class that it was thrown as.
#include <cstdio>
#include <weft/weft.hpp>

int main() {
  try {
    const weft::FftPlan plan({7, 7, 7}, weft::FftPrecision::fp32);
  } catch (const weft::Error& caught) {
    std::printf("weft %s: caught %s\n", weft::version(), caught.what());
    return caught.category() == weft::ErrorCategory::usage ? 0 : 1;
  }
  return 2;
}
