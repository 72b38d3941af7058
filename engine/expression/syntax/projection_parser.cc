#include "engine/expression/syntax/projection_parser.h"

#include "engine/expression/syntax/token_reader.h"

namespace dolmen::engine {

Result<ProjectionSyntax> ParseProjection(std::string_view text) {
  if (Status size = CheckTextSize(text, ExpressionKind::kProjection); !size.ok()) return size;
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
  if (Status status = reader.Finish(); !status.ok()) return status;
  return syntax;
}

}  // namespace dolmen::engine
