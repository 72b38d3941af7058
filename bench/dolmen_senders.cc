#include "bench/dolmen_senders.h"

#include <variant>

#include "dolmen/condition_builder.h"
#include "dolmen/update_builder.h"

namespace dolmen::bench {
namespace {

// The position of each action in the transaction.
enum ActionIndex : std::size_t { kMessage, kConversation, kParticipant };

const std::string& TextOf(const Item& item, std::string_view attribute) {
  return *item.find(attribute)->second.get_if<std::string>();
}

// Assigns `text` to a string attribute that the map already has.
void SetText(std::string_view attribute, const std::string& text, Map* map) {
  *map->find(attribute)->second.get_if<std::string>() = text;
}

Item MessageOf(const MessageTexts& texts) {
  return {{"PK", texts.partition}, {"SK", texts.message_sort}, {"body", texts.body},
          {"createdAt", texts.at}, {"entityType", "message"},  {"senderId", texts.sender},
          {"type", "text"}};
}

PutItemInput InsertMessage(const MessageTexts& texts) {
  return {.item = MessageOf(texts), .condition = AttributeNotExists("PK")};
}

UpdateItemInput TouchConversation(const MessageTexts& texts) {
  return {.key = {{"PK", texts.partition}, {"SK", kMetadataSortKey}},
          .update = Update()
                        .Set("lastMessageBody", texts.body)
                        .Set("lastMessageSender", texts.sender)
                        .Set("lastMessageAt", texts.at)
                        .Set("updatedAt", texts.at),
          .condition = AttributeExists("PK") &&
                       (AttributeNotExists("lastMessageAt") || Attr("lastMessageAt") <= texts.at),
          .return_item_on_condition_failure = true};
}

UpdateItemInput TouchParticipant(const MessageTexts& texts) {
  return {.key = {{"PK", texts.partition}, {"SK", texts.participant_sort}},
          .update = Update().Set("lastReadAt", texts.at),
          .condition = AttributeExists("PK") && Attr("lastReadAt") <= texts.at,
          .return_item_on_condition_failure = true};
}

// Copies the texts of a message into an item that MessageOf returned.
void SetMessage(const MessageTexts& texts, Item* item) {
  SetText("PK", texts.partition, item);
  SetText("SK", texts.message_sort, item);
  SetText("body", texts.body, item);
  SetText("createdAt", texts.at, item);
  SetText("senderId", texts.sender, item);
}

// Returns an input for TouchConversation that a sender reuses. Its update and condition are texts.
// Its values are empty strings, which the sender replaces before each send.
UpdateItemInput KeptConversation() {
  return {.key = {{"PK", ""}, {"SK", kMetadataSortKey}},
          .update =
              "SET lastMessageBody = :body, lastMessageSender = :sender, lastMessageAt = :at, "
              "updatedAt = :at",
          .condition =
              "attribute_exists(PK) AND "
              "(attribute_not_exists(lastMessageAt) OR lastMessageAt <= :at)",
          .values = {{":at", ""}, {":body", ""}, {":sender", ""}},
          .return_item_on_condition_failure = true};
}

// Returns an input for TouchParticipant that a sender reuses. Its update and condition are texts.
// Its values are empty strings, which the sender replaces before each send.
UpdateItemInput KeptParticipant() {
  return {.key = {{"PK", ""}, {"SK", ""}},
          .update = "SET lastReadAt = :at",
          .condition = "attribute_exists(PK) AND lastReadAt <= :at",
          .values = {{":at", ""}},
          .return_item_on_condition_failure = true};
}

}  // namespace

MessageTexts::MessageTexts(const SentMessage& sent)
    : partition(TextOf(sent.message, "PK")),
      message_sort(TextOf(sent.message, "SK")),
      participant_sort(TextOf(sent.participant, "SK")),
      sender(TextOf(sent.message, "senderId")),
      body(TextOf(sent.message, "body")),
      at(TextOf(sent.message, "createdAt")) {}

Result<StoredRow> DolmenSenderBase::Read(const StoredRow& row) const {
  const Result<ItemView> item = ItemView::Parse(row.item);
  if (!item.ok()) return item.status();
  if (row.key != EntryKeyOf(*item).bytes()) {
    const auto read = table().GetItem({.key = {{"PK", *(*item)["PK"].AsString()},  //
                                               {"SK", *(*item)["SK"].AsString()}}});
    if (!read.ok()) return read.status();
    if (!read->item) return StoredRow{};
    const ItemView found = read->item->view();
    return StoredRow{std::string(RowKeyOf(found).bytes()), std::string(found.bytes())};
  }
  const auto page =
      table().Query({.index = kIndexName,
                     .key_condition = Partition(*(*item)["GSI1PK"].AsString(),
                                                Equal(*(*item)["GSI1SK"].AsString()))});
  if (!page.ok()) return page.status();
  if (page->size() != 1) return StoredRow{};
  const ItemView found = (*page)[0];
  return StoredRow{std::string(EntryKeyOf(found).bytes()), std::string(found.bytes())};
}

DolmenSender::DolmenSender(const DolmenStore& store) : DolmenSenderBase(store) {
  put_.item = MessageOf(MessageTexts());
  actions() = {{.table = table(), .action = InsertMessage(MessageTexts())},
               {.table = table(), .action = KeptConversation()},
               {.table = table(), .action = KeptParticipant()}};
}

Status DolmenSender::Send(const MessageTexts& texts) {
  SetMessage(texts, &std::get_if<PutItemInput>(&actions()[kMessage].action)->item);
  SetConversation(texts);
  SetParticipant(texts);
  return Commit();
}

Status DolmenSender::Put(const MessageTexts& texts) {
  SetMessage(texts, &put_.item);
  return table().PutItem(put_).status();
}

void DolmenSender::SetConversation(const MessageTexts& texts) {
  auto* input = std::get_if<UpdateItemInput>(&actions()[kConversation].action);
  SetText("PK", texts.partition, &input->key);
  SetText(":at", texts.at, &input->values);
  SetText(":body", texts.body, &input->values);
  SetText(":sender", texts.sender, &input->values);
}

void DolmenSender::SetParticipant(const MessageTexts& texts) {
  auto* input = std::get_if<UpdateItemInput>(&actions()[kParticipant].action);
  SetText("PK", texts.partition, &input->key);
  SetText("SK", texts.participant_sort, &input->key);
  SetText(":at", texts.at, &input->values);
}

Status DolmenBuiltSender::Send(const MessageTexts& texts) {
  actions() = {{.table = table(), .action = InsertMessage(texts)},
               {.table = table(), .action = TouchConversation(texts)},
               {.table = table(), .action = TouchParticipant(texts)}};
  return Commit();
}

}  // namespace dolmen::bench
