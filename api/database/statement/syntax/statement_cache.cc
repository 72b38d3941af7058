#include "database/statement/syntax/statement_cache.h"

#include "database/statement/syntax/statement_parser.h"
#include "engine/expression/syntax/text_cache.h"

namespace dolmen::engine {

Result<internal::Shared<const Statement>> GetStatement(std::string_view text) {
  return FindOrParse<Statement>(text, [&] { return ParseStatement(text); });
}

}  // namespace dolmen::engine
