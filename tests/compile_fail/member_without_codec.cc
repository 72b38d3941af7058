// Checks that the compiler names a member whose type cannot be stored.
// error: no AttributeCodec stores a member of this type
// error: &dolmen::Message::sender

#include <dolmen/entity.h>

#include <string>
#include <vector>

namespace dolmen {

struct Person {
  std::string name = {};
};
#ifndef WRONG
constexpr auto DescribeAttributes(const Person*) {
  return DefineAttributes<Person>({Attribute<&Person::name>("name")});
}
#endif

struct Message {
  std::string id = {};
  std::vector<Person> sender = {};
};
constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message", {Attribute<&Message::id>("messageId"), Attribute<&Message::sender>("sender")},
      {PrimaryKey("MESSAGE#{messageId}")});
}

Result<Message> Send(const EntityTable& table) { return table.Create(Message{.id = "1"}); }

}  // namespace dolmen
