"""Data and requests of the HTTP benches, in DynamoDB's JSON. bench/data.h has similar data.

The data are conversations of ten participants and their messages, in one table with the index GSI1.
"""

import dataclasses
import datetime
import itertools
import json
import re
from collections.abc import Callable

TABLE = "chat"
INDEX = "GSI1"
PAGE = 50
PARTICIPANTS = 10
MILLISECONDS_APART = 40
FIRST_MILLISECONDS = 1_709_283_600_000  # 2024-03-01 09:00 UTC
FIRST_NEW_MILLISECONDS = 1_711_962_000_000  # 2024-04-01 09:00 UTC: later than all loaded items
ULID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
WORDS = (
    "we can ship by Friday if the tests pass tonight and nobody minds that our release notes are "
    "still a draft please look at thread before lunch tomorrow morning so let's talk"
).split()

# A placeholder that requests.lua replaces by the time of the run. requests.lua also replaces the
# placeholders that ulid_of_request returns. A placeholder is as long as the text that replaces it.
AT = "{at" + 20 * "-" + "}"


def ulid_of_request(before=0):
    """Returns a placeholder for the ULID of this request, or of an earlier request.

    The parameter `before` is the number of requests since that request; 0 means this request.
    """
    return f"{{ulid-{before:019}}}"


def filled(request, number):
    """Fills the placeholders with the values that requests.lua computes for request `number`."""

    def ulid_before(match):
        return time_of_ulid(FIRST_NEW_MILLISECONDS + number - int(match[1])) + 16 * "0"

    text = json.dumps(request).replace(AT, time_text(FIRST_NEW_MILLISECONDS + number))
    return json.loads(re.sub(r"\{ulid-(\d+)\}", ulid_before, text))


class Random:
    """The generator of bench/data.h: Steele, Lea, Flood, "Fast splittable pseudorandom number
    generators".
    """

    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = seed & self.MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound


def text_of(random):
    return " ".join(WORDS[random.below(len(WORDS))] for _ in range(8 + random.below(13)))


def time_of_ulid(milliseconds):
    return "".join(ULID_ALPHABET[(milliseconds >> shift) & 31] for shift in range(45, -1, -5))


def ulid(milliseconds, random):
    randomness = "".join(ULID_ALPHABET[random.below(32)] for _ in range(16))
    return time_of_ulid(milliseconds) + randomness


def time_text(milliseconds):
    at = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


def strings(**attributes):
    return {name: {"S": value} for name, value in attributes.items()}


def partition(conversation):
    return f"CONVO#c_{conversation + 1:06}"


def user(number):
    return f"u_{number:06}"


def message(conversation, message_id, sender, body, at):
    """Returns a message of about 250 bytes, as DynamoDB counts them."""
    return strings(
        PK=partition(conversation),
        SK=f"MSG#{message_id}",
        body=body,
        conversationId=partition(conversation).removeprefix("CONVO#"),
        createdAt=at,
        messageId=message_id,
        senderId=sender,
        type="Message",
    ) | {"edited": {"BOOL": False}}


@dataclasses.dataclass(frozen=True)
class Chat:
    """The test data. Each method computes one item from its number.

    Message i belongs to conversation i % conversations. Messages are numbered in sending order.
    Participant k of conversation c is the user (c * PARTICIPANTS + k) % users. If users divides
    conversations * PARTICIPANTS, all users are in the same number of conversations.
    """

    conversations: int = 100
    messages_each: int = 1000

    @property
    def users(self):
        return self.conversations

    @property
    def messages(self):
        return self.conversations * self.messages_each

    def member(self, conversation, k):
        return user((conversation * PARTICIPANTS + k) % self.users)

    def message_id(self, i):
        return ulid(FIRST_MILLISECONDS + i * MILLISECONDS_APART, Random(i))

    def message_key(self, i):
        return strings(PK=partition(i % self.conversations), SK=f"MSG#{self.message_id(i)}")

    def message(self, i):
        random = Random(~i)
        conversation = i % self.conversations
        sender = self.member(conversation, random.below(PARTICIPANTS))
        at = time_text(FIRST_MILLISECONDS + i * MILLISECONDS_APART)
        return message(conversation, self.message_id(i), sender, text_of(random), at)

    def conversation(self, c):
        at = time_text(FIRST_MILLISECONDS + c * MILLISECONDS_APART)
        return strings(
            PK=partition(c),
            SK="#METADATA",
            createdAt=at,
            entityType="conversation",
            name=f"Project {c + 1}",
            type="group",
            lastMessageBody=text_of(Random(~c)),
            lastMessageSender=self.member(c, 0),
            lastMessageAt=at,
            updatedAt=at,
        ) | {"participantCount": {"N": str(PARTICIPANTS)}}

    def participant(self, c, k):
        at = time_text(FIRST_MILLISECONDS + c * MILLISECONDS_APART)
        member = self.member(c, k)
        return strings(
            PK=partition(c),
            SK=f"PARTICIPANT#USER#{member}",
            GSI1PK=f"USER#{member}",
            GSI1SK=partition(c),
            entityType="participant",
            joinedAt=at,
            lastReadAt=at,
            role="admin" if k == 0 else "member",
        )

    def items(self):
        for c in range(self.conversations):
            yield self.conversation(c)
            for k in range(PARTICIPANTS):
                yield self.participant(c, k)
        for i in range(self.messages):
            yield self.message(i)

    # --- Requests: each is a pair of the name of an operation and the input of the operation. ---

    def create_table(self):
        def key(first, second):
            return [
                {"AttributeName": first, "KeyType": "HASH"},
                {"AttributeName": second, "KeyType": "RANGE"},
            ]

        names = ("PK", "SK", "GSI1PK", "GSI1SK")
        return "CreateTable", {
            "TableName": TABLE,
            "AttributeDefinitions": [
                {"AttributeName": name, "AttributeType": "S"} for name in names
            ],
            "KeySchema": key("PK", "SK"),
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": INDEX,
                    "KeySchema": key("GSI1PK", "GSI1SK"),
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
            "BillingMode": "PAY_PER_REQUEST",
        }

    def load(self):
        """Yields the BatchWriteItem requests that load all items."""
        batch = []
        for item in self.items():
            batch.append({"PutRequest": {"Item": item}})
            if len(batch) == 25:
                yield "BatchWriteItem", {"RequestItems": {TABLE: batch}}
                batch = []
        if batch:
            yield "BatchWriteItem", {"RequestItems": {TABLE: batch}}

    def get_item(self, i):
        return "GetItem", {"TableName": TABLE, "Key": self.message_key(i)}

    def query_newest_50(self, conversation):
        return "Query", {
            "TableName": TABLE,
            "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
            "ExpressionAttributeValues": {
                ":pk": {"S": partition(conversation)},
                ":prefix": {"S": "MSG#"},
            },
            "ScanIndexForward": False,
            "Limit": PAGE,
        }

    def newest_50(self, conversation):
        newest = range(conversation, self.messages, self.conversations)[-PAGE:]
        return [self.message(i) for i in reversed(newest)]

    def query_gsi(self, number):
        return "Query", {
            "TableName": TABLE,
            "IndexName": INDEX,
            "KeyConditionExpression": "GSI1PK = :user",
            "ExpressionAttributeValues": {":user": {"S": f"USER#{user(number)}"}},
            "ScanIndexForward": False,
        }

    def inbox(self, number):
        members = itertools.product(reversed(range(self.conversations)), range(PARTICIPANTS))
        name = user(number)
        return [self.participant(c, k) for c, k in members if self.member(c, k) == name]

    def new_message(self, i):
        """Returns a new message to conversation i % conversations, with the ULID of the request."""
        conversation = i % self.conversations
        random = Random(~(self.messages + i))
        sender = self.member(conversation, i // self.conversations % PARTICIPANTS)
        return message(conversation, ulid_of_request(), sender, text_of(random), AT)

    def put_item(self, i):
        return "PutItem", {"TableName": TABLE, "Item": self.new_message(i)}

    def transact_write_items(self, i):
        """Returns the transaction with which models/chat sends a message."""
        new = self.new_message(i)
        sender = new["senderId"]
        at = {":at": {"S": AT}}
        return "TransactWriteItems", {
            "TransactItems": [
                {
                    "Put": {
                        "TableName": TABLE,
                        "Item": new,
                        "ConditionExpression": "attribute_not_exists(PK)",
                    }
                },
                {
                    "Update": {
                        "TableName": TABLE,
                        "Key": {"PK": new["PK"], "SK": {"S": "#METADATA"}},
                        "UpdateExpression": "SET lastMessageBody = :body, lastMessageSender = "
                        ":sender, lastMessageAt = :at, updatedAt = :at",
                        "ConditionExpression": "attribute_exists(PK) AND (attribute_not_exists("
                        "lastMessageAt) OR lastMessageAt <= :at)",
                        "ExpressionAttributeValues": at
                        | {":body": new["body"], ":sender": sender},
                    }
                },
                {
                    "Update": {
                        "TableName": TABLE,
                        "Key": {
                            "PK": new["PK"],
                            "SK": {"S": f"PARTICIPANT#USER#{sender['S']}"},
                        },
                        "UpdateExpression": "SET lastReadAt = :at",
                        "ConditionExpression": "attribute_exists(PK) AND lastReadAt <= :at",
                        "ExpressionAttributeValues": at,
                    }
                },
            ]
        }


@dataclasses.dataclass(frozen=True)
class Read:
    """A read workload: one function returns a request, the other returns the expected items."""

    request: Callable
    items: Callable


READS = {
    "get_item": Read(
        lambda chat, i: chat.get_item(Random(i).below(chat.messages)),
        lambda chat, i: [chat.message(Random(i).below(chat.messages))],
    ),
    "query_newest_50": Read(
        lambda chat, i: chat.query_newest_50(Random(i).below(chat.conversations)),
        lambda chat, i: chat.newest_50(Random(i).below(chat.conversations)),
    ),
    "query_gsi": Read(
        lambda chat, i: chat.query_gsi(Random(i).below(chat.users)),
        lambda chat, i: chat.inbox(Random(i).below(chat.users)),
    ),
}
# Writes go to each conversation in turn, so concurrent requests seldom write the same rows.
WRITES = {"put_item": Chat.put_item, "transact_write_items": Chat.transact_write_items}


def write_requests(requests, path):
    """Writes the file that requests.lua reads. Each line is an operation, a tab and a body."""
    with open(path, "w", encoding="ascii") as file:
        for operation, body in requests:
            file.write(f"{operation}\t{json.dumps(body, separators=(',', ':'))}\n")
