// Random operations on the table of ModelTable(), all of which a table accepts: what they come to
// depends on what it holds.  Keys and values are few and short, so that they meet often.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/model/operations.h"
#include "tests/support/random.h"

namespace dolmen::test {

class OperationGenerator {
 public:
  explicit OperationGenerator(Random* random) : random_(*random) {}

  WriteOperation Write();
  std::vector<WriteOperation> Transaction();  // of 1 to 6 actions on different items
  GetOperation Get();
  QueryOperation Query();

  // Every value that the partition key of the table or of an index can have, in order.
  static std::vector<AttributeValue> Partitions(std::string_view index);

 private:
  Item Key();
  Item NewItem();
  WriteOperation Write(WriteOperation::Kind kind);

  AttributeValue Scalar();
  AttributeValue Value();  // of any type
  AttributeValue ValueFor(const std::string& attribute);
  List SomeList();
  Map SomeMap();
  StringSet SomeStrings();
  NumberSet SomeNumbers();

  // Not into the key attributes of `index`, if that is given.
  Path SomePath(const char* index);
  Condition SomeCondition(const char* index, int depth);
  Condition Predicate(const char* index);
  Condition Comparison(const char* index);
  Condition Function(const char* index);
  std::vector<Path> Projection();

  std::vector<UpdateAction> Update();
  void AddActions(const std::string& attribute, std::vector<UpdateAction>* update);
  void ChangeNumber(UpdateAction action, std::vector<UpdateAction>* update);
  void ChangeList(UpdateAction action, std::vector<UpdateAction>* update);
  void ChangeMap(UpdateAction action, std::vector<UpdateAction>* update);
  void ChangeSet(UpdateAction action, std::vector<UpdateAction>* update);

  Random& random_;
};

}  // namespace dolmen::test
