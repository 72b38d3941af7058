#include "engine/statement/syntax/statement_cache.h"

#include "engine/expression/syntax/text_cache.h"
#include "engine/statement/syntax/statement_parser.h"

namespace dolmen::engine {

Result<internal::Shared<const Statement>> GetStatement(std::string_view text) {
  return FindOrParse<Statement>(text, [&] { return ParseStatement(text); });
}

}  // namespace dolmen::engine
