"""The requests that the models' documents print, sent as they are printed.

The document of the courses prints a program with boto3 and commands of the AWS CLI. The CLI sends the
parameters of its options unchanged, so a low-level client sends the same requests here.

Two printed requests fail on DynamoDB, too:
- enroll_student passes typed values to the client of a resource, which adds the types itself.
- The update of the users' document adds the literal 1, but values come from placeholders only.
"""

from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

from support import EndpointTest, definitions, index, key_schema

NAME = "edtech-documents"
LESSONS = {"m1": ["l1", "l2"], "m2": ["l3"]}


def edges(student, course, now="2026-04-15T12:00:00+00:00"):
    """Returns the two actions of enroll_student."""
    shared = {
        "GSI1PK": {"S": f"COURSE#{course}"},
        "GSI1SK": {"S": f"STUDENT#{student}"},
        "entity_type": {"S": "ENROLLMENT"},
        "enrolled_at": {"S": now},
        "progress": {"N": "0"},
    }
    keys = (
        {"PK": {"S": f"STUDENT#{student}"}, "SK": {"S": f"ENROLLMENT#{course}"}},
        {
            "PK": {"S": f"COURSE#{course}"},
            "SK": {"S": f"ENROLLMENT#STUDENT#{student}"},
            "last_seen": {"S": now},
        },
    )
    return [
        {
            "Put": {
                "TableName": NAME,
                "Item": {**key, **shared},
                "ConditionExpression": "attribute_not_exists(PK)",
            }
        }
        for key in keys
    ]


class Documents(EndpointTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.dynamodb.create_table(
            TableName=NAME,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=key_schema("PK", "SK"),
            AttributeDefinitions=definitions(PK="S", SK="S", GSI1PK="S", GSI1SK="S"),
            GlobalSecondaryIndexes=[index("GSI1", "GSI1PK", "GSI1SK")],
        )
        cls.addClassCleanup(cls.table.delete)
        course = {"PK": "COURSE#c10", "GSI1PK": "INSTRUCTOR#i5", "GSI1SK": "COURSE#c10"}
        cls.table.put_item(Item={**course, "SK": "METADATA"})
        for module, lessons in LESSONS.items():
            cls.table.put_item(Item={"PK": "COURSE#c10", "SK": f"MODULE#{module}"})
            for lesson in lessons:
                key = f"MODULE#{module}#LESSON#{lesson}"
                cls.table.put_item(Item={"PK": "COURSE#c10", "SK": key})
        cls.client.transact_write_items(TransactItems=edges("s1", "c10"))

    def sort_keys(self, **query):
        return [item["SK"] for item in self.table.query(**query).get("Items", [])]

    def command(self, values, **options):
        """Sends what `aws dynamodb query` sends for these options."""
        response = self.client.query(
            TableName=NAME, ExpressionAttributeValues=values, **options
        )
        return [item["SK"]["S"] for item in response["Items"]]

    def reasons(self, client, *edge):
        """Sends enroll_student by the client and returns why it is cancelled."""
        with self.assertRaises(ClientError) as caught:
            client.transact_write_items(TransactItems=edges(*edge))
        return [reason["Code"] for reason in caught.exception.response["CancellationReasons"]]

    def test_a_second_enrolment_is_cancelled(self):
        self.assertEqual(["ConditionalCheckFailed"] * 2, self.reasons(self.client, "s1", "c10"))

    def test_the_printed_enrolment_has_keys_of_type_m(self):
        resource = self.dynamodb.meta.client
        # DynamoDB stops at the first action whose key does not match.
        self.assertEqual(["ValidationError", "None"], self.reasons(resource, "s2", "c10"))

    def test_ap2_the_courses_of_a_student(self):
        condition = Key("PK").eq("STUDENT#s1") & Key("SK").begins_with("ENROLLMENT#")
        self.assertEqual(["ENROLLMENT#c10"], self.sort_keys(KeyConditionExpression=condition))

    def test_ap3_the_index_holds_both_edges(self):
        """Both edges have the same index key, so the document's query returns each student twice."""
        condition = Key("GSI1PK").eq("COURSE#c10") & Key("GSI1SK").begins_with("STUDENT#")
        found = self.sort_keys(IndexName="GSI1", KeyConditionExpression=condition)
        self.assertEqual(["ENROLLMENT#STUDENT#s1", "ENROLLMENT#c10"], sorted(found))

    def test_ap5_modules_and_lessons_in_order(self):
        condition = Key("PK").eq("COURSE#c10") & Key("SK").begins_with("MODULE#")
        found = self.sort_keys(KeyConditionExpression=condition, ScanIndexForward=True)
        expected = []
        for module, lessons in LESSONS.items():
            expected += [f"MODULE#{module}"] + [f"MODULE#{module}#LESSON#{one}" for one in lessons]
        self.assertEqual(expected, found)

    def test_ap7_the_lessons_of_a_module(self):
        condition = Key("PK").eq("COURSE#c10") & Key("SK").begins_with("MODULE#m1#LESSON#")
        found = self.sort_keys(KeyConditionExpression=condition, ScanIndexForward=True)
        self.assertEqual(["MODULE#m1#LESSON#l1", "MODULE#m1#LESSON#l2"], found)

    def test_the_commands(self):
        of_index = {
            "IndexName": "GSI1",
            "KeyConditionExpression": "GSI1PK = :pk AND begins_with(GSI1SK, :prefix)",
        }
        students = {":pk": {"S": "COURSE#c10"}, ":prefix": {"S": "STUDENT#"}}
        self.assertEqual(2, len(self.command(students, **of_index)))
        courses = {":pk": {"S": "INSTRUCTOR#i5"}, ":prefix": {"S": "COURSE#"}}
        self.assertEqual(["METADATA"], self.command(courses, **of_index))
        lessons = {":pk": {"S": "COURSE#c10"}, ":prefix": {"S": "MODULE#m1#LESSON#"}}
        of_table = {"KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)"}
        self.assertEqual(2, len(self.command(lessons, **of_table)))

    def test_an_update_with_a_literal_is_rejected(self):
        with self.assertRaises(ClientError) as caught:
            self.client.update_item(
                TableName=NAME,
                Key={"PK": {"S": "USER#123"}, "SK": {"S": "PROFILE"}},
                UpdateExpression="SET firstName = :name, version = version + 1",
                ConditionExpression="version = :expectedVersion",
                ExpressionAttributeValues={":name": {"S": "Ann"}, ":expectedVersion": {"N": "1"}},
            )
        error = caught.exception.response["Error"]
        self.assertEqual("ValidationException", error["Code"])
        self.assertIn('Syntax error; token: "1"', error["Message"])
