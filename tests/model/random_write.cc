#include <set>
#include <utility>

#include "tests/model/random_operation.h"

namespace dolmen::test {
namespace {

using Section = UpdateAction::Section;
using Source = UpdateAction::Source;

const std::vector<std::string> kUpdatable = {
    "GSI1PK", "GSI1SK", "GSI2PK", "n", "n", "s", "l", "m", "ss", "ns", "status", "dot.dot"};

}  // namespace

WriteOperation OperationGenerator::Write() {
  using Kind = WriteOperation::Kind;
  WriteOperation write = Write(random().OneIn(6)   ? Kind::kDelete
                               : random().OneIn(2) ? Kind::kUpdate
                                                   : Kind::kPut);
  write.capacity = SomeCapacity();
  return write;
}

WriteOperation OperationGenerator::Write(WriteOperation::Kind kind) {
  using Kind = WriteOperation::Kind;
  WriteOperation write{.kind = kind, .item = kind == Kind::kPut ? NewItem() : Key()};
  if (kind == Kind::kCheck || random().OneIn(2)) write.condition = SomeCondition(nullptr, 2);
  if (kind == Kind::kUpdate) {
    write.update = Update();
    write.return_values = static_cast<ReturnValues>(random().Below(5));
  } else if (random().OneIn(2)) {
    write.return_values = ReturnValues::kAllOld;
  }
  write.return_item_on_condition_failure = random().OneIn(2);
  return write;
}

std::vector<WriteOperation> OperationGenerator::Actions(std::size_t count) {
  using Kind = WriteOperation::Kind;
  static const std::vector<Kind> kKinds = {Kind::kPut,    Kind::kPut,    Kind::kUpdate,
                                           Kind::kUpdate, Kind::kDelete, Kind::kCheck};
  std::vector<WriteOperation> actions;
  const bool distinct = !random().OneIn(100);
  std::set<std::string> keys;
  for (std::size_t i = 0; i < count; ++i) {
    WriteOperation write = Write(random().Pick(kKinds));
    // A transaction whose actions all have conditions would seldom succeed. Therefore most actions
    // get no condition.
    if (write.kind != Kind::kCheck && !random().OneIn(4)) write.condition.reset();
    write.return_values = ReturnValues::kNone;
    if (write.kind == Kind::kUpdate && write.update.empty()) continue;  // refused here
    const Item key = PartOf(write.item, KeyOf(table()));
    if (keys.insert(ToString(AttributeValue(key))).second || !distinct) {
      actions.push_back(std::move(write));
    }
  }
  return actions;
}

std::vector<WriteOperation> OperationGenerator::BatchWrites(const std::vector<Item>& keys) {
  using Kind = WriteOperation::Kind;
  std::vector<WriteOperation> writes;
  for (const Item& key : keys) {
    WriteOperation& write = writes.emplace_back();
    write.kind = random().OneIn(4) ? Kind::kDelete : Kind::kPut;
    write.item = key;
    if (write.kind == Kind::kDelete) continue;
    const Item item = NewItem();
    write.item.insert(item.begin(), item.end());  // adds all attributes except the key
  }
  return writes;
}

std::vector<UpdateAction> OperationGenerator::Update() {
  std::vector<UpdateAction> update;
  if (random().OneIn(20)) return update;  // an empty update creates an absent item
  std::set<std::string> attributes;
  for (std::size_t count = 1 + random().Below(4); attributes.size() < count;) {
    attributes.insert(random().Pick(kUpdatable));
  }
  for (const std::string& attribute : attributes) AddActions(attribute, &update);
  random().Shuffle(&update);
  return update;
}

void OperationGenerator::AddActions(const std::string& attribute,
                                    std::vector<UpdateAction>* update) {
  UpdateAction action{.target = {.attribute = attribute}};
  if (random().OneIn(6)) {
    action.section = Section::kRemove;
    return update->push_back(action);
  }
  if (random().OneIn(6)) {
    action.left = OperandOf(ValueFor(attribute));
    return update->push_back(action);
  }
  if (attribute == "n") return ChangeNumber(action, update);
  if (attribute == "l") return ChangeList(action, update);
  if (attribute == "m") return ChangeMap(action, update);
  if (attribute == "ss" || attribute == "ns") return ChangeSet(action, update);
  if (attribute == "GSI1PK" && random().OneIn(3)) {
    action.left = OperandAt({.attribute = "s"});  // the value of `s` may be invalid as a key
  } else if (attribute.starts_with("GSI") || random().OneIn(2)) {
    action.left = OperandOf(ValueFor(attribute));
  } else {
    action.left = OperandAt(SomePath(nullptr));
    if (random().OneIn(2)) action.left_default = Value();
  }
  update->push_back(action);
}

void OperationGenerator::ChangeNumber(UpdateAction action, std::vector<UpdateAction>* update) {
  if (random().OneIn(3)) {
    action.section = Section::kAdd;
    action.left = OperandOf(random().Between(-3, 3));
    return update->push_back(action);
  }
  action.source = random().OneIn(2) ? Source::kPlus : Source::kMinus;
  action.left =
      OperandAt(random().OneIn(5) ? Path{.attribute = "m", .member = "x"} : action.target);
  if (random().OneIn(2)) action.left_default = 0;
  action.right = OperandOf(random().Between(-3, 3));
  update->push_back(action);
}

void OperationGenerator::ChangeList(UpdateAction action, std::vector<UpdateAction>* update) {
  if (random().OneIn(2)) {
    action.source = Source::kListAppend;
    action.left = OperandAt(action.target);
    if (random().OneIn(2)) action.left_default = List();
    action.right = OperandOf(SomeList());
    return update->push_back(action);
  }
  std::vector<std::size_t> indexes = {0, 1, 2, 5, 7};
  random().Shuffle(&indexes);
  indexes.resize(1 + random().Below(3));
  for (const std::size_t i : indexes) {
    action.target.index = i;
    action.section = random().OneIn(2) ? Section::kSet : Section::kRemove;
    action.left = OperandOf(Scalar());
    update->push_back(action);
  }
}

void OperationGenerator::ChangeMap(UpdateAction action, std::vector<UpdateAction>* update) {
  for (const char* member : {"status", "x"}) {
    if (random().OneIn(3)) continue;
    action.target.member = member;
    action.section = random().OneIn(3)   ? Section::kRemove
                     : random().OneIn(3) ? Section::kAdd
                                         : Section::kSet;
    action.left = OperandOf(random().Between(-3, 3));
    update->push_back(action);
  }
}

void OperationGenerator::ChangeSet(UpdateAction action, std::vector<UpdateAction>* update) {
  action.section = random().OneIn(2) ? Section::kAdd : Section::kDelete;
  action.left = OperandOf(action.target.attribute == "ss" ? AttributeValue(SomeStrings())
                                                          : AttributeValue(SomeNumbers()));
  update->push_back(action);
}

}  // namespace dolmen::test
