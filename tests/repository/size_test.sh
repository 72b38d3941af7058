#!/usr/bin/env bash
# Checks that no function has more than 60 lines and no source file more than 400.
set -euo pipefail
measure="$(dirname "$0")/size.awk"

# Runs size.awk on a function of $2 lines, which opens with line $3 and closes with line $4. $1 is 1
# if size.awk must report the function, otherwise 0.
expect() {
  local source status=0
  source=$(
    printf '%s\n' "namespace n {" "$3"
    for ((i = 2; i < $2; ++i)); do echo "  if (x != '{') { y(R\"(})\", 1'000); }  // {"; done
    printf '%s\n' "$4" "}  // namespace n"
  )
  awk -v function_max=60 -v file_max=400 -f "$measure" <<<"$source" >/dev/null || status=1
  [[ $status -eq $1 ]] || { echo "the self-test failed: size.awk is wrong about $2 lines of: $3"; exit 1; }
}

# Tests the check itself: it must find planted violations.
for lines in 60 61; do
  over=$((lines > 60))
  expect $over $lines 'int F(int x) {' '}'
  expect $over $lines 'TEST_F(FooTest, DoesThis) {' '}'
  expect $over $lines 'Foo::Foo(int x) : a_{x}, b_(x), c_{{x}} {' '}'
  expect $over $lines 'template <class T, int n = (3 > 2)> auto F(T x) -> std::vector<T> {' '}'
  expect $over $lines 'class Foo : public Bar { public: void Get() const override {' '} int x_ = 0; };'
  expect 0 $lines 'constexpr std::array<int, 3> kTable = {' '};'
  expect 0 $lines 'enum class Foo : std::uint8_t {' '};'
done
expect 1 500 'struct Foo {' '};'

find api engine models bench tests -name '*.h' -o -name '*.cc' |
  xargs -r awk -v function_max=60 -v file_max=400 -f "$measure"
