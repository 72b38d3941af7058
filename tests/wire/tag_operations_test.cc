// Tests of TagResource, UntagResource and ListTagsOfResource in DynamoDB's JSON.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "database/simulate/forwarding_backend.h"
#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kArn =
    R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table")";
constexpr std::string_view kNone =
    R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/none")";

std::string Tag(std::string_view key, std::string_view value) {
  return R"({"Key":")" + std::string(key) + R"(","Value":")" + std::string(value) + R"("})";
}
std::string Tags(std::string_view tags) { return R"("Tags":[)" + std::string(tags) + "]"; }

// A database whose program sets hide_expired of a table immediately after a read of it.
class ChangingDatabase final : public database::ForwardingBackend {
 public:
  // The database must outlive this object.
  explicit ChangingDatabase(const Database& database)
      : ForwardingBackend({std::shared_ptr<void>(), database.backend().get()}) {}

  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table) override {
    if (!failure.ok()) return failure;
    const Result<TimeToLiveDescription> before = engine()->DescribeTimeToLive(table);
    UpdateTimeToLiveInput change{.table_name = std::string(table)};
    change.specification = {.attribute_name = before->attribute_name, .hide_expired = hides};
    if (before->hide_expired != hides) {
      EXPECT_TRUE(engine()->UpdateTimeToLive(change).ok());
    }
    return before;
  }

  bool hides = false;  // the value that the program sets
  Status failure;      // an error: the result of DescribeTimeToLive

  // Operations on tags use none of these.
  Status GetItem(const TableRef&, const GetItemInput&, GetItemOutput*) override { return unused_; }
  Status Query(const TableRef&, const QueryInput&, QueryOutput*) override { return unused_; }
  Status Scan(const TableRef&, const ScanInput&, ScanOutput*) override { return unused_; }
  Result<WriteItemOutput> PutItem(const TableRef&, const PutItemInput&) override { return unused_; }
  Result<WriteItemOutput> UpdateItem(const TableRef&, const UpdateItemInput&) override {
    return unused_;
  }
  Result<WriteItemOutput> DeleteItem(const TableRef&, const DeleteItemInput&) override {
    return unused_;
  }
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput&) override { return unused_; }
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput&) override {
    return unused_;
  }
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput&) override {
    return unused_;
  }
  Result<TransactWriteItemsOutput> TransactWriteItems(const TransactWriteItemsInput&) override {
    return unused_;
  }
  Result<std::shared_ptr<internal::Backend>> Fork(const ForkOptions&) override { return unused_; }
  Result<std::shared_ptr<internal::Backend>> Reset() override { return unused_; }

 private:
  const Status unused_ = Status::Validation("an operation that the test does not expect");
};

class TagOperationsTest : public WireTableTest {
 protected:
  TagOperationsTest() { EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok()); }

  void AddTags(std::string_view tags) {
    EXPECT_EQ(Body("TagResource", Object({kArn, Tags(tags)})), "");
  }
  std::string List() { return Body("ListTagsOfResource", Object({kArn})); }

  bool Hides() { return db_.DescribeTimeToLive("table")->hide_expired; }
  void SetHiding(bool hides) {
    const TimeToLiveSpecification expiry{.attribute_name = "ttl", .hide_expired = hides};
    EXPECT_TRUE(db_.UpdateTimeToLive({.table_name = "table", .specification = expiry}).ok());
  }
  // Adds the tag a while a program sets hide_expired to `hides`.
  void AddTagWhileAProgramSets(bool hides) {
    const auto changing = std::make_shared<ChangingDatabase>(db_);
    changing->hides = hides;
    const Endpoint endpoint{Database(changing)};
    EXPECT_EQ(endpoint.Execute("TagResource", Object({kArn, Tags(Tag("a", "1"))})).status, 200);
  }
};

TEST_F(TagOperationsTest, ATableHasNoTagsAtFirst) { EXPECT_EQ(List(), R"({"Tags":[]})"); }

TEST_F(TagOperationsTest, AddsReplacesAndRemovesTags) {
  AddTags(Tag("b", "1") + "," + Tag("a", ""));
  EXPECT_EQ(List(), Object({Tags(Tag("a", "") + "," + Tag("b", "1"))}));
  AddTags(Tag("b", "2") + "," + Tag("c", "3"));
  EXPECT_EQ(List(), Object({Tags(Tag("a", "") + "," + Tag("b", "2") + "," + Tag("c", "3"))}));
  EXPECT_EQ(Body("UntagResource", Object({kArn, R"("TagKeys":["a","c","never"])"})), "");
  EXPECT_EQ(List(), Object({Tags(Tag("b", "2"))}));
}

TEST_F(TagOperationsTest, ATagStandsForHideExpired) {
  const std::string tag = Tag("dolmen:hide-expired", "true");
  SetHiding(true);
  EXPECT_EQ(List(), Object({Tags(tag)}));
  AddTags(Tag("a", "1"));
  EXPECT_EQ(List(), Object({Tags(Tag("a", "1") + "," + tag)}));
  EXPECT_TRUE(Hides());
  EXPECT_EQ(Body("UntagResource", Object({kArn, R"("TagKeys":["dolmen:hide-expired"])"})), "");
  EXPECT_FALSE(Hides());
  EXPECT_EQ(List(), Object({Tags(Tag("a", "1"))}));
  // A program that hides no expired items keeps the tag of another client, without an effect.
  AddTags(tag);
  EXPECT_FALSE(Hides());
  EXPECT_EQ(List(), Object({Tags(Tag("a", "1") + "," + tag)}));
}

TEST_F(TagOperationsTest, AnotherTagKeepsTheHideExpiredThatAProgramBeginsMeanwhile) {
  SetHiding(false);
  AddTagWhileAProgramSets(true);
  EXPECT_TRUE(Hides());
}

TEST_F(TagOperationsTest, AnotherTagStoresNoHideExpiredThatAProgramEndsMeanwhile) {
  SetHiding(true);
  AddTagWhileAProgramSets(false);
  EXPECT_EQ(List(), Object({Tags(Tag("a", "1"))}));
}

TEST_F(TagOperationsTest, FailsIfTheTimeToLiveCannotBeRead) {
  SetHiding(true);
  const auto failing = std::make_shared<ChangingDatabase>(db_);
  failing->failure = Status::Validation("cannot be read");
  const Endpoint endpoint{Database(failing)};
  const std::string untag = Object({kArn, R"("TagKeys":["dolmen:hide-expired"])"});
  const std::string expected = ErrorBody(kValidationType, "cannot be read");
  EXPECT_EQ(endpoint.Execute("UntagResource", untag).body, expected);
  EXPECT_EQ(endpoint.Execute("ListTagsOfResource", Object({kArn})).body, expected);
}

TEST_F(TagOperationsTest, CreateTableAcceptsTags) {
  Body("DeleteTable", R"({"TableName":"table"})");
  Body("CreateTable", TableWith(std::string(kOnDemand) + "," + Tags(Tag("k", "v"))));
  EXPECT_EQ(List(), Object({Tags(Tag("k", "v"))}));
  ExpectHasNot(Describe(), "Tags");
}

TEST_F(TagOperationsTest, NamesTheResourceThatDoesNotExist) {
  constexpr std::string_view kMissing =
      "Requested resource not found: ResourceArn: "
      "arn:aws:dynamodb:us-east-1:000000000000:table/none not found";
  ExpectNotFound("TagResource", Object({kNone, Tags(Tag("a", "b"))}), kMissing);
  ExpectNotFound("UntagResource", Object({kNone, R"("TagKeys":["a"])"}), kMissing);
  ExpectNotFound("ListTagsOfResource", Object({kNone}), kMissing);
}

TEST_F(TagOperationsTest, AcceptsArnsOfTablesOnly) {
  const std::string index = "arn:aws:dynamodb:us-east-1:000000000000:table/table/index/i";
  const std::string bucket = "arn:aws:s3:::table/table";
  const std::pair<std::string, std::string> cases[] = {
      {"table", "ARNs must start with 'arn:': table"},
      {bucket, "Provided Arn is not a DynamoDB resource arn: " + bucket},
      {index,
       "Invalid resource arn provided, only table or stream is accepted. Provided resource "
       "arn: " +
           index},
  };
  for (const auto& [arn, why] : cases) {
    const std::string resource = R"("ResourceArn":")" + arn + "\"";
    const std::string message = std::string(kInvalid) + why;
    ExpectInvalid("TagResource", Object({resource, Tags("")}), message);
    ExpectInvalid("UntagResource", Object({resource, R"("TagKeys":[])"}), message);
    ExpectInvalid("ListTagsOfResource", Object({resource}), message);
  }
}

TEST_F(TagOperationsTest, AcceptsTheCharactersThatDynamoDbAllows) {
  AddTags(Tag("Az 09+-=._:/@", "\u00e4\u4e16 a+-=._:/@"));
}

TEST_F(TagOperationsTest, RejectsInvalidTags) {
  const std::string long_key(129, 'k');
  const std::string long_value(257, 'v');
  std::vector<std::pair<std::string, std::string>> cases = {
      {"{}", "The Tag Key provided is invalid, Key: null"},
      {R"({"Value":"v"})", "The Tag Key provided is invalid, Key: null"},
      {Tag("", "v"), "The Tag Key provided is invalid, Key: "},
      {Tag(long_key, "v"), "The Tag Key provided is invalid, Key: " + long_key},
      {R"({"Key":"k"})", "The Tag Value provided is invalid, Value: null"},
      {Tag("k", long_value), "The Tag Value provided is invalid, Value: " + long_value},
      {Tag("aws:x", "v"), "Tag Key cannot be prefixed with aws:, Key: aws:x"},
      {Tag("k", "1") + "," + Tag("k", "2"),
       "Duplicate Tag Keys provided as input: Duplicate Tag Key found k"},
  };
  for (const std::string text : {"a!", "#", "a,b", "(a)", "a*", "a?b", "a&b", "a;b"}) {
    cases.emplace_back(Tag(text, "v"), "The Tag Key provided is invalid, Key: " + text);
    cases.emplace_back(Tag("k", text), "The Tag Value provided is invalid, Value: " + text);
  }
  for (const auto& [tags, message] : cases) {
    ExpectInvalid("TagResource", Object({kArn, Tags(tags)}), message);
    ExpectInvalid("CreateTable", TableWith(std::string(kOnDemand) + "," + Tags(tags)), message);
  }
}

// An empty list gives the same message for an existing table and for a missing table.
TEST_F(TagOperationsTest, RejectsAnEmptyListOfTags) {
  for (const std::string_view arn : {kArn, kNone}) {
    ExpectInvalid("TagResource", Object({arn, Tags("")}),
                  "Atleast one Tag needs to be provided as Input.");
    ExpectInvalid("UntagResource", Object({arn, R"("TagKeys":[])"}),
                  "Atleast one Tag Key needs to be provided as Input.");
  }
}

TEST_F(TagOperationsTest, RejectsInvalidMembers) {
  ExpectInvalid("TagResource", "{}",
                "2 validation errors detected: Value null at 'resourceArn' failed to satisfy "
                "constraint: Member must not be null; Value null at 'tags' failed to satisfy "
                "constraint: Member must not be null");
}

TEST_F(TagOperationsTest, RejectsMoreThan50Tags) {
  std::string fifty;
  for (int i = 0; i < 50; ++i) fifty += (i > 0 ? "," : "") + Tag("k" + std::to_string(i), "v");
  AddTags(fifty);
  ExpectInvalid("TagResource", Object({kArn, Tags(Tag("one more", "v"))}),
                "Number of Tags exceed the current limit for the provided ResourceArn");
}

TEST_F(TagOperationsTest, ConcurrentTagResourceCallsKeepAllTags) {
  constexpr int kThreads = 4;
  constexpr int kTagsEach = 10;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      const Endpoint endpoint(db_);  // one endpoint for each thread, on the same database
      for (int i = 0; i < kTagsEach; ++i) {
        const std::string key = std::to_string(thread) + "." + std::to_string(i);
        EXPECT_EQ(endpoint.Execute("TagResource", Object({kArn, Tags(Tag(key, "v"))})).status, 200);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string listed = List();
  std::size_t count = 0;
  for (std::size_t at = listed.find("Key"); at != listed.npos; at = listed.find("Key", at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, std::size_t{kThreads * kTagsEach});
}

}  // namespace
}  // namespace dolmen
