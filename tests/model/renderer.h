// Rendering of conditions, updates, projections and key conditions as DynamoDB's expressions.

#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"

namespace dolmen::test {

// Writes the expressions of one request and collects the names and values that they use.
class Renderer {
 public:
  std::string Expression(const Condition& condition);
  std::string Expression(const std::vector<UpdateAction>& update);
  std::string Expression(const std::vector<Path>& projection);
  std::string KeyCondition(const QueryOperation& query, const Shape& shape);

  Names TakeNames() { return std::move(names_); }
  Values TakeValues() { return std::move(values_); }

 private:
  std::string Range(const std::string& name, const SortKeyCondition& condition);
  std::string Name(const std::string& name);
  std::string Text(const Path& path);
  std::string Text(const AttributeValue& value);
  std::string Text(const Operand& operand);
  std::string Text(const UpdateAction& action);
  std::string Texts(const std::vector<Operand>& operands, std::size_t from);

  Names names_;
  Values values_;
};

}  // namespace dolmen::test
