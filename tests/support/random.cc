#include "tests/support/random.h"

#include <cstdlib>
#include <iostream>
#include <optional>

#include "tests/support/sanitizer.h"

namespace dolmen::test {
namespace {

std::optional<std::uint64_t> FromEnvironment(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::strtoull(text, nullptr, 0);
}

}  // namespace

std::uint64_t TestSeed() {
  static const std::uint64_t kSeed =
      FromEnvironment("DOLMEN_SEED").value_or(std::random_device{}());
  return kSeed;
}

std::size_t TestSteps(std::size_t otherwise) {
  const std::size_t steps = kUnderAddressSanitizer ? (otherwise + 1) / 2 : otherwise;
  return static_cast<std::size_t>(FromEnvironment("DOLMEN_STEPS").value_or(steps));
}

SeededTest::SeededTest() {
  std::cout << "repeat this run with DOLMEN_SEED=" << TestSeed() << std::endl;
}

}  // namespace dolmen::test
