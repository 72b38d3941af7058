// Checks that the compiler rejects wrong key templates.
//
// A closing brace without an opening brace in a key template.
// wrong close_brace: TEST_KEY=PrimaryKey("CONVO#conversationId}")
// error: a } without a {
//
// An opening brace without a closing brace in a key template.
// wrong open_brace: TEST_KEY=PrimaryKey("CONVO#{conversationId")
// error: a { without a }
//
// A key template that names an attribute that the entity does not have.
// wrong unknown_attribute: TEST_KEY=PrimaryKey("CONVO#{conversation}")
// error: a key template names an attribute that the entity does not have
// error: "conversation"
//
// A zero-padded format for an attribute that is not an integer.
// wrong padded_text: TEST_KEY=PrimaryKey("CONVO#{conversationId:04}")
// right: TEST_KEY=PrimaryKey("CONVO#{number:04}")
// error: {name:04} needs an integer
// error: "conversationId:04"
//
// An unknown format in a key template. The known formats are a zero-padded width, `date` and `any`.
// wrong unknown_format: TEST_KEY=PrimaryKey("CONVO#{number:4}")
// right: TEST_KEY=PrimaryKey("CONVO#{number:04}")
// error: unknown format in {name:format}
// error: "number:4"
//
// Two adjacent parts of a key without a separator between them.
// wrong no_separator: TEST_KEY=PrimaryKey("{conversationId}{number}")
// right: TEST_KEY=PrimaryKey("{conversationId}#{number}")
// error: two parts of a key need a separator
//
// A key part of format `any` that is not the last part of its key.
// wrong any_in_the_middle: TEST_KEY=PrimaryKey("{conversationId:any}#{number}")
// right: TEST_KEY=PrimaryKey("{number}#{conversationId:any}")
// error: {name:any} must be the last part
//
// The format `date` for an attribute that is not a time.
// wrong date_of_text: TEST_KEY=PrimaryKey("CONVO#{conversationId:date}")
// right: TEST_KEY=PrimaryKey("CONVO#{sentAt:date}")
// error: {name:date} needs a time
//
// The format `lower` for an attribute that is not a text.
// wrong lower_number: TEST_KEY=PrimaryKey("CONVO#{number:lower}")
// right: TEST_KEY=PrimaryKey("CONVO#{conversationId:lower}")
// error: {name:lower} needs a text
//
// A Boolean attribute as a part of a key.
// wrong part_of_wrong_type: TEST_KEY=PrimaryKey("CONVO#{isRead}")
// right: TEST_KEY=PrimaryKey("CONVO#{number}")
// error: an attribute of this type cannot be in a key template
// error: "isRead"
//
// A number without a width in a sort key, where 10 would sort before 5.
// wrong sorted_number: TEST_KEY=PrimaryKey("CONVO#{conversationId}", "MSG#{number}#{part:unpadded}")
// right: TEST_KEY=PrimaryKey("CONVO#{conversationId}", "MSG#{number:08}#{part:unpadded}")
// error: a number in a sort key needs a width, as in {name:08}
// error: "number"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

#ifndef TEST_KEY
#define TEST_KEY PrimaryKey("CONVO#{conversationId}")
#endif

struct Message {
  std::string conversation_id = {};
  int number = 0;
  int part = 0;
  bool is_read = false;
  Timestamp sent_at = {};
};
constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message",
      {Attribute<&Message::conversation_id>("conversationId"),
       Attribute<&Message::number>("number"), Attribute<&Message::part>("part"),
       Attribute<&Message::is_read>("isRead"), Attribute<&Message::sent_at>("sentAt")},
      {TEST_KEY});
}
static_assert(entity::kSpec<Message>.name == "message");

}  // namespace dolmen
