#include "c/answer.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace dolmen::c {
namespace {

// The largest capacity, in bytes, of a response that a thread keeps for its next call.
constexpr std::size_t kKeptResponseBytesMax = 1 << 20;

// The responses that need no memory. dolmen_free does not free them.
constexpr const char* kNoBody = "";
constexpr const char* kOutOfMemory =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
    R"("message":"Memory ran out. End the program. The next process finds every acknowledged )"
    R"(write."})";

std::atomic<const char*> unusable_response = nullptr;

}  // namespace

const char* UnusableResponse() { return unusable_response.load(std::memory_order_relaxed); }

EndpointResponse& ResponseOfThread() {
  static thread_local EndpointResponse response;
  if (response.body.capacity() > kKeptResponseBytesMax) response = EndpointResponse();
  response.status = 200;
  response.body.clear();
  return response;
}

int Give(const EndpointResponse& response, dolmen_buffer* buffer) {
  if (buffer == nullptr) return response.status;
  if (response.body.empty()) {
    *buffer = {kNoBody, 0};
    return response.status;
  }
  const std::size_t size = response.body.size();
  char* const data = static_cast<char*>(std::malloc(size + 1));
  if (data == nullptr) return GiveOutOfMemory(buffer);
  std::memcpy(data, response.body.c_str(), size + 1);
  *buffer = {data, size};
  return response.status;
}

int GiveUnusable(const char* text, dolmen_buffer* buffer) {
  if (buffer != nullptr) *buffer = {text, std::strlen(text)};
  return 500;
}

int GiveOutOfMemory(dolmen_buffer* buffer) {
  unusable_response.store(kOutOfMemory, std::memory_order_relaxed);
  return GiveUnusable(kOutOfMemory, buffer);
}

}  // namespace dolmen::c

void dolmen_free(dolmen_buffer* buffer) {
  using namespace dolmen::c;
  if (buffer == nullptr) return;
  const char* const data = buffer->data;
  if (data != kNoBody && data != kOutOfMemory) std::free(const_cast<char*>(data));
  *buffer = {nullptr, 0};
}
