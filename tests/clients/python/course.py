"""A course platform in one table, written like an application of boto3.

item        PK            SK                        GSI1PK           GSI1SK
student     STUDENT#<s>   PROFILE                   STUDENT          <day>
enrolment   STUDENT#<s>   ENROLLMENT#<c>            COURSE#<c>       STUDENT#<s>
course      COURSE#<c>    METADATA                  INSTRUCTOR#<i>   COURSE#<c>
module      COURSE#<c>    MODULE#<m>
lesson      COURSE#<c>    MODULE#<m>#LESSON#<l>
attendance  COURSE#<c>    ENROLLMENT#STUDENT#<s>
review      COURSE#<c>    REVIEW#<s>
"""

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from support import definitions, index, key_schema


class AlreadyEnrolled(Exception):
    pass


class Platform:
    def __init__(self, dynamodb, name):
        self.table = dynamodb.Table(name)
        self.client = dynamodb.meta.client  # the resource's client, which converts Python values

    @classmethod
    def create(cls, dynamodb, name):
        dynamodb.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=definitions(PK="S", SK="S", GSI1PK="S", GSI1SK="S"),
            KeySchema=key_schema("PK", "SK"),
            GlobalSecondaryIndexes=[index("GSI1", "GSI1PK", "GSI1SK")],
        ).wait_until_exists()
        return cls(dynamodb, name)

    # ---- Students and courses ----

    def register_student(self, student, name, day):
        self.table.put_item(
            Item={
                "PK": f"STUDENT#{student}",
                "SK": "PROFILE",
                "GSI1PK": "STUDENT",
                "GSI1SK": day,
                "name": name,
            },
            ConditionExpression=Attr("PK").not_exists(),
        )

    def create_course(self, course, instructor, title, modules):
        """Adds a course. `modules` is {module: (title, {lesson: (title, minutes)})}."""
        partition = f"COURSE#{course}"
        with self.table.batch_writer() as batch:
            batch.put_item(
                Item={
                    "PK": partition,
                    "SK": "METADATA",
                    "GSI1PK": f"INSTRUCTOR#{instructor}",
                    "GSI1SK": partition,
                    "title": title,
                }
            )
            for module, (module_title, lessons) in modules.items():
                batch.put_item(
                    Item={"PK": partition, "SK": f"MODULE#{module}", "title": module_title}
                )
                for lesson, (lesson_title, minutes) in lessons.items():
                    batch.put_item(
                        Item={
                            "PK": partition,
                            "SK": f"MODULE#{module}#LESSON#{lesson}",
                            "title": lesson_title,
                            "duration_min": minutes,
                        }
                    )

    def profile(self, student):
        return self.table.get_item(Key={"PK": f"STUDENT#{student}", "SK": "PROFILE"}).get("Item")

    # ---- Enrolments: one item under the student and one under the course ----

    @staticmethod
    def edges(student, course):
        return (
            {"PK": f"STUDENT#{student}", "SK": f"ENROLLMENT#{course}"},
            {"PK": f"COURSE#{course}", "SK": f"ENROLLMENT#STUDENT#{student}"},
        )

    def enroll(self, student, course, now):
        """Enrols a student: puts an item under the student and an item under the course.

        Only the student's item is in the index, so the index lists a student of a course once.
        """
        of_student, of_course = self.edges(student, course)
        of_student |= {"GSI1PK": f"COURSE#{course}", "GSI1SK": f"STUDENT#{student}"}
        puts = [
            {
                "Put": {
                    "TableName": self.table.name,
                    "Item": {**edge, "enrolled_at": now, "progress": 0},
                    "ConditionExpression": "attribute_not_exists(PK)",
                }
            }
            for edge in (of_student, of_course)
        ]
        checks = [
            {
                "ConditionCheck": {
                    "TableName": self.table.name,
                    "Key": key,
                    "ConditionExpression": "attribute_exists(PK)",
                }
            }
            for key in (
                {"PK": f"STUDENT#{student}", "SK": "PROFILE"},
                {"PK": f"COURSE#{course}", "SK": "METADATA"},
            )
        ]
        try:
            self.client.transact_write_items(TransactItems=puts + checks)
        except ClientError as error:
            if error.response["Error"]["Code"] != "TransactionCanceledException":
                raise
            if error.response["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed":
                raise AlreadyEnrolled(student, course) from error
            raise

    def set_progress(self, student, course, progress, now):
        """Sets the progress in both items of the enrolment. The progress never decreases."""
        self.client.transact_write_items(
            TransactItems=[
                {
                    "Update": {
                        "TableName": self.table.name,
                        "Key": edge,
                        "UpdateExpression": "SET progress = :p, last_seen = :now",
                        "ConditionExpression": "progress < :p",
                        "ExpressionAttributeValues": {":p": progress, ":now": now},
                    }
                }
                for edge in self.edges(student, course)
            ]
        )

    def withdraw(self, student, course):
        self.client.transact_write_items(
            TransactItems=[
                {"Delete": {"TableName": self.table.name, "Key": edge}}
                for edge in self.edges(student, course)
            ]
        )

    def complete_lesson(self, student, course, lesson):
        """Returns the lessons that the student has completed."""
        return self.table.update_item(
            Key=self.edges(student, course)[0],
            UpdateExpression="ADD completed :lesson",
            ConditionExpression=Attr("PK").exists(),
            ExpressionAttributeValues={":lesson": {lesson}},
            ReturnValues="UPDATED_NEW",
        )["Attributes"]["completed"]

    # ---- Reviews: one per student, with a sum in the course ----

    def review(self, student, course, stars, text):
        course_key = {"PK": f"COURSE#{course}", "SK": "METADATA"}
        self.client.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": self.table.name,
                        "Item": {
                            "PK": f"COURSE#{course}",
                            "SK": f"REVIEW#{student}",
                            "stars": stars,
                            "text": text,
                        },
                        "ConditionExpression": "attribute_not_exists(SK)",
                    }
                },
                {
                    "Update": {
                        "TableName": self.table.name,
                        "Key": course_key,
                        "UpdateExpression": "ADD reviews :one, stars :stars",
                        "ExpressionAttributeValues": {":one": 1, ":stars": stars},
                    }
                },
            ]
        )

    def rating(self, course):
        """Returns the exact mean of the stars of a course, or None if the course has no reviews."""
        found = self.table.get_item(
            Key={"PK": f"COURSE#{course}", "SK": "METADATA"},
            ProjectionExpression="reviews, stars",
        )["Item"]
        return found["stars"] / found["reviews"] if found else None

    # ---- Lists ----

    def query(self, condition, **options):
        return self.table.query(KeyConditionExpression=condition, **options)["Items"]

    def students_since(self, day):
        return self.query(Key("GSI1PK").eq("STUDENT") & Key("GSI1SK").gte(day), IndexName="GSI1")

    def courses_of_student(self, student):
        return self.query(Key("PK").eq(f"STUDENT#{student}") & Key("SK").begins_with("ENROLLMENT#"))

    def students_of_course(self, course):
        return self.query(
            Key("GSI1PK").eq(f"COURSE#{course}") & Key("GSI1SK").begins_with("STUDENT#"),
            IndexName="GSI1",
        )

    def courses_of_instructor(self, instructor):
        return self.query(
            Key("GSI1PK").eq(f"INSTRUCTOR#{instructor}") & Key("GSI1SK").begins_with("COURSE#"),
            IndexName="GSI1",
        )

    def reviews(self, course, at_least):
        return self.query(
            Key("PK").eq(f"COURSE#{course}") & Key("SK").begins_with("REVIEW#"),
            FilterExpression=Attr("stars").gte(at_least),
            ScanIndexForward=False,
        )

    def modules(self, course):
        """Returns a page of modules. The filter removes lessons, but ScannedCount counts them."""
        return self.table.query(
            KeyConditionExpression=Key("PK").eq(f"COURSE#{course}")
            & Key("SK").begins_with("MODULE#"),
            FilterExpression=Attr("duration_min").not_exists(),
        )

    def lessons(self, course, module):
        return self.query(
            Key("PK").eq(f"COURSE#{course}") & Key("SK").begins_with(f"MODULE#{module}#LESSON#")
        )

    def structure(self, course):
        """Returns {module's title: [lessons' titles]} in the order of the keys."""
        tree = {}
        titles = {}
        for item in self.query(
            Key("PK").eq(f"COURSE#{course}") & Key("SK").begins_with("MODULE#"),
            ScanIndexForward=True,
        ):
            _, module, *lesson = item["SK"].split("#")
            if lesson:
                tree[titles[module]].append(item["title"])
            else:
                titles[module] = item["title"]
                tree[item["title"]] = []
        return tree
