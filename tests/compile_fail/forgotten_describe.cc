// Checks that the compiler names a struct that has no DescribeEntity.
// error: declare constexpr auto DescribeEntity(const T*) in the namespace of T
// error: Message

#include <dolmen/entity.h>

#include <string>

namespace dolmen {

struct Message {
  std::string id = {};
};

#ifndef WRONG
constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>("message", {Attribute<&Message::id>("messageId")},
                               {PrimaryKey("MESSAGE#{messageId}")});
}
#endif

Result<Message> Send(const EntityTable& table) { return table.Create(Message{.id = "1"}); }

}  // namespace dolmen
