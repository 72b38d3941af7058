// Random operations on a table of any description. Most of them are valid requests. Their
// outcomes depend on the table's contents.

#pragma once

#include <string>
#include <vector>

#include "tests/model/operations.h"
#include "tests/model/random_values.h"

namespace dolmen::test {

class OperationGenerator : public RandomValues {
 public:
  using RandomValues::RandomValues;

  WriteOperation Write();
  GetOperation Get();
  QueryOperation Query();
  ScanOperation Scan();

  // Return at most `count` elements for transactions and batches. Two elements seldom have the same
  // key.
  std::vector<WriteOperation> Actions(std::size_t count);
  std::vector<Item> Keys(std::size_t count);
  std::vector<WriteOperation> BatchWrites(const std::vector<Item>& keys);

  ReturnConsumedCapacity SomeCapacity();  // kNone in most cases

  // Returns random paths of attributes. In most cases the index whose shape is `shape` projects all
  // of these attributes.
  std::vector<Path> Projection(const Shape& shape);

 private:
  WriteOperation Write(WriteOperation::Kind kind);

  // Return random parts of a condition. The parts contain no key attribute of the table or index
  // `barred`. They may contain any attribute if `barred` is null.
  Path SomePath(const Shape* barred);
  Condition SomeCondition(const Shape* barred, int depth);
  Condition Predicate(const Shape* barred);
  Condition Comparison(const Shape* barred);
  Condition Function(const Shape* barred);

  void ChooseIndex(ReadOperation* read);
  void ChooseWhat(const Shape& shape, ReadOperation* read);
  void ChoosePartition(const Shape& shape, QueryOperation* query);
  SortKeyCondition SortCondition(const KeyAttribute& key);

  std::vector<UpdateAction> Update();
  void AddActions(const std::string& attribute, std::vector<UpdateAction>* update);
  void ChangeNumber(UpdateAction action, std::vector<UpdateAction>* update);
  void ChangeList(UpdateAction action, std::vector<UpdateAction>* update);
  void ChangeMap(UpdateAction action, std::vector<UpdateAction>* update);
  void ChangeSet(UpdateAction action, std::vector<UpdateAction>* update);
};

}  // namespace dolmen::test
