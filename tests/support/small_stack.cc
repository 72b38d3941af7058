#include "tests/support/small_stack.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

namespace dolmen::test {

std::size_t StackBytesOf(const std::function<void()>& run) {
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  constexpr unsigned char kUnused = 0xA5;
  void* const memory =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  std::memset(memory, kUnused, kBytes);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, kBytes);
  const auto call = [](void* function) -> void* {
    (*static_cast<const std::function<void()>*>(function))();
    return nullptr;
  };
  pthread_t thread;
  void* const function = const_cast<std::function<void()>*>(&run);
  if (pthread_create(&thread, &attributes, call, function) != 0) std::abort();
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  const std::span bytes(static_cast<const unsigned char*>(memory), kBytes);
  const auto deepest =
      std::ranges::find_if(bytes, [](unsigned char byte) { return byte != kUnused; });
  const auto used = static_cast<std::size_t>(bytes.end() - deepest);
  munmap(memory, kBytes);
  return used;
}

}  // namespace dolmen::test
