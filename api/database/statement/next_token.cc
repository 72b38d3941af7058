#include "database/statement/next_token.h"

#include <nettle/base64.h>
#include <xxhash.h>

#include <cstdint>
#include <cstring>

#include "engine/base/status_macros.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/copy.h"

namespace dolmen::engine {
namespace {

Status InvalidToken() { return Status::Validation("Invalid NextToken"); }

// Returns the bytes that say to which statement a token belongs.
std::string DigestOf(const Statement& statement, const Parameters& parameters) {
  std::string bytes;
  AppendBlock(statement.table, &bytes);
  AppendBlock(statement.index, &bytes);
  if (statement.where != nullptr) AppendSyntax(*statement.where, &bytes);
  // The order of the partitions and of the rows decides where the next page begins.
  for (const StatementOrder& order : statement.order) {
    AppendBlock(order.attribute, &bytes);
    AppendBlock(order.descending ? "DESC" : "ASC", &bytes);
  }
  parameters.encoded()->AppendTo(&bytes);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return std::string(reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest);
}

std::string ToBase64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

Result<std::string> FromBase64(std::string_view text) {
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  std::size_t size = bytes.size();
  base64_decode_ctx decoder;
  base64_decode_init(&decoder);
  const bool decoded =
      base64_decode_update(&decoder, &size, reinterpret_cast<std::uint8_t*>(bytes.data()),
                           text.size(), text.data()) != 0 &&
      base64_decode_final(&decoder) != 0;
  if (!decoded) return InvalidToken();
  bytes.resize(size);
  return bytes;
}

Result<Item> ReadKey(std::string_view bytes) {
  if (bytes.empty()) return Item();
  const Result<ItemView> key = ItemView::Parse(bytes);
  if (!key.ok() || !key->Check().ok()) return InvalidToken();
  return CopyChecked(key->attributes());
}

}  // namespace

Result<std::string> MakeNextToken(const Statement& statement, const Parameters& parameters,
                                  const NextPlace& place) {
  std::string bytes = DigestOf(statement, parameters);
  AppendVarint(static_cast<std::uint32_t>(place.range), &bytes);
  if (!place.key.empty()) DOLMEN_RETURN_IF_ERROR(EncodeItem(place.key, &bytes));
  return ToBase64(bytes);
}

Result<NextPlace> ReadNextToken(const Statement& statement, const Parameters& parameters,
                                std::string_view token) {
  if (token.empty()) return NextPlace();
  DOLMEN_ASSIGN_OR_RETURN(const std::string& bytes, FromBase64(token));
  const std::string digest = DigestOf(statement, parameters);
  if (bytes.size() <= digest.size()) return InvalidToken();
  if (!bytes.starts_with(digest)) return Status::Validation("NextToken does not match request");
  const char* position = bytes.data() + digest.size();
  const char* const end = bytes.data() + bytes.size();
  std::uint32_t range = 0;
  if (!ReadVarint(&position, end, &range)) return InvalidToken();
  DOLMEN_ASSIGN_OR_RETURN(
      Item key, ReadKey(std::string_view(position, static_cast<std::size_t>(end - position))));
  return NextPlace{range, std::move(key)};
}

}  // namespace dolmen::engine
