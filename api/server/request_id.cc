#include "server/request_id.h"

#include <cstdint>

namespace dolmen::server {
namespace {

// The size of the alphabet is a power of two. So a few bits of a random number select a character,
// without a division.
constexpr std::string_view kAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
constexpr int kBitsPerCharacter = 5;
constexpr std::size_t kCharactersPerNumber = 64 / kBitsPerCharacter;

}  // namespace

RequestIds::RequestIds() {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device()};
  random_.seed(seed);
}

std::string_view RequestIds::Next() {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < id_.size(); ++i) {
    if (i % kCharactersPerNumber == 0) bits = random_();
    id_[i] = kAlphabet[bits % kAlphabet.size()];
    bits >>= kBitsPerCharacter;
  }
  return {id_.data(), id_.size()};
}

}  // namespace dolmen::server
