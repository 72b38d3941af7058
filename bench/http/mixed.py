"""The requests of the load: all operations on items in turn. Each new message is deleted later."""

from chat_data import INDEX, READS, TABLE, Random, partition, strings, ulid_of_request

TURN = 16  # number of requests in a turn
PUT, SEND, BATCH, DELETE_PUT, DELETE_SENT = 2, 7, 8, 14, 15  # positions in a turn
# A message is deleted at least this many requests after its put, so the put has been answered.
LATER = 100 * TURN
BATCH_SIZE = 5


class Mix:
    """The requests of the load. kinds[i % TURN] builds request i.

    The number of requests from a put to its delete is a multiple of four. With one, two or four
    threads of wrk, one thread therefore sends both, first the put and then the delete. The
    transactions of a thread do not conflict with each other.
    """

    def __init__(self, chat):
        self.chat = chat
        self.kinds = [self.get_item] * TURN
        self.kinds[1] = self.kinds[6] = self.kinds[12] = self.query_newest_50
        self.kinds[PUT] = lambda turn, _: chat.put_item(turn)
        self.kinds[4] = self.query_gsi
        self.kinds[5] = self.update_item
        self.kinds[SEND] = lambda turn, _: chat.transact_write_items(turn)
        self.kinds[BATCH] = self.batch_write_item
        self.kinds[10] = self.batch_get_item
        self.kinds[11] = self.transact_get_items
        self.kinds[13] = self.scan
        self.kinds[DELETE_PUT] = lambda turn, _: self.delete_item(turn, DELETE_PUT - PUT + LATER)
        self.kinds[DELETE_SENT] = lambda turn, _: self.delete_item(turn, DELETE_SENT - SEND + LATER)

    def requests(self):
        """Returns the requests of one turn for each participant of each conversation."""
        turns = self.chat.conversations * 10
        return [self.kinds[i % TURN](i // TURN, Random(i)) for i in range(TURN * turns)]

    def get_item(self, _, random):
        return READS["get_item"].request(self.chat, random.next())

    def query_newest_50(self, _, random):
        return READS["query_newest_50"].request(self.chat, random.next())

    def query_gsi(self, _, random):
        return READS["query_gsi"].request(self.chat, random.next())

    def update_item(self, _, random):
        return "UpdateItem", {
            "TableName": TABLE,
            "Key": self.chat.message_key(random.below(self.chat.messages)),
            "UpdateExpression": "SET edited = :true ADD edits :one",
            "ConditionExpression": "attribute_exists(PK) AND begins_with(senderId, :u)",
            "ExpressionAttributeValues": {
                ":true": {"BOOL": True},
                ":one": {"N": "1"},
                ":u": {"S": "u_"},
            },
            "ReturnValues": "ALL_NEW",
        }

    def batch_write_item(self, turn, _):
        writes = []
        for conversation in range(turn, turn + BATCH_SIZE):
            new = self.chat.new_message(conversation)
            writes.append({"PutRequest": {"Item": new}})
            old = strings(PK=new["PK"]["S"], SK="MSG#" + ulid_of_request(LATER))
            writes.append({"DeleteRequest": {"Key": old}})
        return "BatchWriteItem", {"RequestItems": {TABLE: writes}}

    def batch_get_item(self, _, random):
        keys = [self.chat.message_key(random.below(self.chat.messages)) for _ in range(20)]
        unique = {key["SK"]["S"]: key for key in keys}
        return "BatchGetItem", {"RequestItems": {TABLE: {"Keys": list(unique.values())}}}

    def transact_get_items(self, turn, _):
        """Returns a request for a conversation to which no message is being sent."""
        conversation = (turn + self.chat.conversations // 2) % self.chat.conversations
        keys = [self.chat.participant(conversation, k) for k in range(5)]
        keys.append(self.chat.conversation(conversation))
        gets = [
            {"Get": {"TableName": TABLE, "Key": {"PK": key["PK"], "SK": key["SK"]}}} for key in keys
        ]
        return "TransactGetItems", {"TransactItems": gets}

    def scan(self, turn, random):
        of_index = {"IndexName": INDEX} if turn % 2 else {}
        return "Scan", of_index | {
            "TableName": TABLE,
            "Limit": 100,
            "FilterExpression": "contains(PK, :digit) OR size(SK) > :length",
            "ExpressionAttributeValues": {
                ":digit": {"S": str(random.below(10))},
                ":length": {"N": "30"},
            },
        }

    def delete_item(self, turn, before):
        """Returns a request that deletes the message that an earlier request put.

        The number of requests between the two is `before`.
        """
        sort_key = "MSG#" + ulid_of_request(before)
        return "DeleteItem", {
            "TableName": TABLE,
            "Key": strings(PK=partition(turn % self.chat.conversations), SK=sort_key),
            "ReturnValues": "ALL_OLD",
        }
