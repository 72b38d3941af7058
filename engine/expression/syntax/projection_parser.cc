#include "engine/expression/syntax/projection_parser.h"

#include "engine/base/status_macros.h"
#include "engine/expression/syntax/token_reader.h"

namespace dolmen::engine {

Result<ProjectionSyntax> ParseProjection(std::string_view text) {
  DOLMEN_RETURN_IF_ERROR(CheckTextSize(text, ExpressionKind::kProjection));
  ProjectionSyntax syntax;
  TokenReader reader(text, ExpressionKind::kProjection, &syntax);
  bool more = true;
  while (more) {
    PathSyntax path;
    if (!reader.ReadPath(&path)) break;
    syntax.paths.push_back(path);
    more = reader.Accept(TokenKind::kComma);
    if (!more) reader.Expect(TokenKind::kEnd);
  }
  DOLMEN_RETURN_IF_ERROR(reader.Finish());
  return syntax;
}

}  // namespace dolmen::engine
