"""Tests of the course platform, an application with boto3."""

from decimal import Decimal

from botocore.exceptions import ClientError

from course import AlreadyEnrolled, Platform
from support import EndpointTest

NOON = "2026-11-22T12:00:00Z"
LATER = "2026-11-22T18:30:00Z"
MODULES = {
    "m1": ("Keys", {"l1": ("Partitions", 12), "l2": ("Sort keys", 9)}),
    "m2": ("Indexes", {"l3": ("Sparse", 15)}),
    "m3": ("Questions", {}),
}


class CoursePlatform(EndpointTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.platform = Platform.create(cls.dynamodb, "edtech-platform")
        for student, name, day in (
            ("s1", "Ana", "2024-09-01"),
            ("s2", "Bruno", "2024-02-10"),
            ("s3", "Clara", "2024-03-01"),
        ):
            cls.platform.register_student(student, name, day)
        for course in ("c10", "c20", "c30"):
            cls.platform.create_course(course, "i5", f"Course {course}", MODULES)

    def edge(self, student, course, **more):
        """Returns the item that an enrolment stores under the student."""
        return {
            "PK": f"STUDENT#{student}",
            "SK": f"ENROLLMENT#{course}",
            "GSI1PK": f"COURSE#{course}",
            "GSI1SK": f"STUDENT#{student}",
            "enrolled_at": NOON,
            "progress": Decimal(0),
            **more,
        }

    def enroll(self, student, course):
        """Enrols a student for the duration of a test."""
        self.platform.enroll(student, course, NOON)
        self.addCleanup(self.platform.withdraw, student, course)

    def test_a_profile_is_found_by_its_key(self):
        self.assertEqual(
            {
                "PK": "STUDENT#s1",
                "SK": "PROFILE",
                "GSI1PK": "STUDENT",
                "GSI1SK": "2024-09-01",
                "name": "Ana",
            },
            self.platform.profile("s1"),
        )
        self.assertIsNone(self.platform.profile("s9"))

    def test_a_student_registers_once(self):
        with self.assert_error("ConditionalCheckFailedException", "The conditional request failed"):
            self.platform.register_student("s1", "Another", "2026-01-01")
        self.assertEqual("Ana", self.platform.profile("s1")["name"])

    def test_students_are_listed_by_the_day_of_their_registration(self):
        names = [student["name"] for student in self.platform.students_since("2024-03-01")]
        self.assertEqual(["Clara", "Ana"], names)

    def test_an_enrolment_is_found_by_student_and_by_course(self):
        self.enroll("s1", "c20")
        self.enroll("s1", "c10")
        self.enroll("s2", "c10")
        self.assertEqual(
            [self.edge("s1", "c10"), self.edge("s1", "c20")],
            self.platform.courses_of_student("s1"),
        )
        self.assertEqual(
            [self.edge("s1", "c10"), self.edge("s2", "c10")],
            self.platform.students_of_course("c10"),
        )
        self.assertEqual([], self.platform.students_of_course("c30"))

    def test_a_second_enrolment_changes_nothing(self):
        self.enroll("s1", "c10")
        with self.assertRaises(AlreadyEnrolled) as caught:
            self.platform.enroll("s1", "c10", LATER)
        response = caught.exception.__cause__.response
        self.assertEqual(
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[ConditionalCheckFailed, ConditionalCheckFailed, None, None]",
            response["Error"]["Message"],
        )
        self.assertEqual(
            ["ConditionalCheckFailed", "ConditionalCheckFailed", "None", "None"],
            [reason["Code"] for reason in response["CancellationReasons"]],
        )
        self.assertEqual(
            "The conditional request failed", response["CancellationReasons"][0]["Message"]
        )
        self.assertEqual([self.edge("s1", "c10")], self.platform.courses_of_student("s1"))

    def test_an_enrolment_in_an_absent_course_fails(self):
        with self.assertRaises(ClientError) as caught:
            self.platform.enroll("s1", "c99", NOON)
        self.assertEqual(
            ["None", "None", "None", "ConditionalCheckFailed"],
            [reason["Code"] for reason in caught.exception.response["CancellationReasons"]],
        )
        self.assertEqual([], self.platform.courses_of_student("s1"))

    def test_a_withdrawal_deletes_both_edges(self):
        self.platform.enroll("s2", "c20", NOON)
        self.platform.withdraw("s2", "c20")
        self.assertEqual([], self.platform.courses_of_student("s2"))
        self.assertEqual([], self.platform.students_of_course("c20"))

    def test_progress_is_stored_on_both_edges_and_never_decreases(self):
        self.enroll("s3", "c10")
        self.platform.set_progress("s3", "c10", Decimal("37.5"), LATER)
        with self.assertRaises(self.client.exceptions.ClientError):
            self.platform.set_progress("s3", "c10", 20, "2026-11-23T00:00:00Z")
        self.assertEqual(
            [self.edge("s3", "c10", progress=Decimal("37.5"), last_seen=LATER)],
            self.platform.courses_of_student("s3"),
        )
        attendance = self.platform.table.get_item(Key=Platform.edges("s3", "c10")[1])["Item"]
        self.assertEqual(
            (Decimal("37.5"), LATER), (attendance["progress"], attendance["last_seen"])
        )

    def test_a_completed_lesson_counts_once(self):
        self.enroll("s3", "c20")
        self.assertEqual({"l2"}, self.platform.complete_lesson("s3", "c20", "l2"))
        self.assertEqual({"l1", "l2"}, self.platform.complete_lesson("s3", "c20", "l1"))
        self.assertEqual({"l1", "l2"}, self.platform.complete_lesson("s3", "c20", "l2"))

    def test_an_index_lists_the_courses_of_an_instructor(self):
        self.assertEqual(
            ["Course c10", "Course c20", "Course c30"],
            [course["title"] for course in self.platform.courses_of_instructor("i5")],
        )
        self.assertEqual([], self.platform.courses_of_instructor("i6"))

    def test_one_query_returns_the_structure_of_a_course(self):
        self.assertEqual(
            {"Keys": ["Partitions", "Sort keys"], "Indexes": ["Sparse"], "Questions": []},
            self.platform.structure("c10"),
        )

    def test_a_filter_leaves_out_the_lessons_that_were_read(self):
        page = self.platform.modules("c10")
        self.assertEqual(["Keys", "Indexes", "Questions"], [m["title"] for m in page["Items"]])
        self.assertEqual((3, 6), (page["Count"], page["ScannedCount"]))

    def test_a_query_returns_the_lessons_of_a_module(self):
        self.assertEqual(
            [
                {
                    "PK": "COURSE#c10",
                    "SK": f"MODULE#m1#LESSON#{lesson}",
                    "title": title,
                    "duration_min": Decimal(minutes),
                }
                for lesson, title, minutes in (("l1", "Partitions", 12), ("l2", "Sort keys", 9))
            ],
            self.platform.lessons("c10", "m1"),
        )

    def test_reviews_are_counted_as_they_are_written(self):
        self.assertIsNone(self.platform.rating("c30"))
        for student, stars in (("s1", 5), ("s2", 3), ("s3", 4)):
            self.platform.review(student, "c30", Decimal(stars), "Well explained")
        with self.assertRaises(ClientError):
            self.platform.review("s1", "c30", Decimal(1), "On second thoughts")
        self.assertEqual(Decimal(4), self.platform.rating("c30"))
        self.assertEqual(
            ["REVIEW#s3", "REVIEW#s1"],
            [review["SK"] for review in self.platform.reviews("c30", at_least=4)],
        )
