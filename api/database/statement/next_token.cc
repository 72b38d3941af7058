#include "database/statement/next_token.h"

#include <xxhash.h>

#include <cstdint>
#include <cstring>

#include "database/base64.h"
#include "engine/base/status_macros.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/copy.h"

namespace dolmen::database {
namespace {

Status InvalidToken() { return Status::Validation("Invalid NextToken"); }

// Returns the bytes that say to which statement a token belongs.
std::string DigestOf(const Statement& statement, const Parameters& parameters) {
  std::string bytes;
  engine::AppendBlock(statement.table, &bytes);
  engine::AppendBlock(statement.index, &bytes);
  if (statement.where != nullptr) engine::AppendSyntax(*statement.where, &bytes);
  // The order of the partitions and of the rows decides where the next page begins.
  for (const StatementOrder& order : statement.order) {
    engine::AppendBlock(order.attribute, &bytes);
    engine::AppendBlock(order.descending ? "DESC" : "ASC", &bytes);
  }
  parameters.encoded()->AppendTo(&bytes);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return std::string(reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest);
}

Result<Item> ReadKey(std::string_view bytes) {
  if (bytes.empty()) return Item();
  const Result<ItemView> key = ItemView::Parse(bytes);
  if (!key.ok() || !key->Check().ok()) return InvalidToken();
  return engine::CopyChecked(key->attributes());
}

}  // namespace

Result<std::string> MakeNextToken(const Statement& statement, const Parameters& parameters,
                                  const NextPlace& place) {
  std::string bytes = DigestOf(statement, parameters);
  engine::AppendVarint(static_cast<std::uint32_t>(place.range), &bytes);
  if (!place.key.empty()) DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(place.key, &bytes));
  std::string token;
  internal::AppendBase64(bytes, &token);
  return token;
}

Result<NextPlace> ReadNextToken(const Statement& statement, const Parameters& parameters,
                                std::string_view token) {
  if (token.empty()) return NextPlace();
  std::string bytes;
  if (!internal::DecodeBase64(token, &bytes).ok()) return InvalidToken();
  const std::string digest = DigestOf(statement, parameters);
  if (bytes.size() <= digest.size()) return InvalidToken();
  if (!bytes.starts_with(digest)) return Status::Validation("NextToken does not match request");
  const char* position = bytes.data() + digest.size();
  const char* const end = bytes.data() + bytes.size();
  std::uint32_t range = 0;
  if (!engine::ReadVarint(&position, end, &range)) return InvalidToken();
  DOLMEN_ASSIGN_OR_RETURN(
      Item key, ReadKey(std::string_view(position, static_cast<std::size_t>(end - position))));
  return NextPlace{range, std::move(key)};
}

}  // namespace dolmen::database
