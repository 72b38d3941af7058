// Tests of randomly damaged requests. Every response is JSON with a status that DynamoDB uses, and
// a table that no request names keeps its contents.

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/wire_response.h"
#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

using test::Random;
using test::TestSeed;
using test::TestSteps;

// A JSON value that a test damages. Its printed text may be invalid JSON.
struct Node {
  std::string text = {};  // the text of a scalar; "{" for an object, "[" for an array
  std::vector<std::pair<std::string, Node>> members = {};  // an array's members have empty names

  bool is_object() const { return text == "{"; }
  bool is_array() const { return text == "["; }
};

void Print(const Node& node, std::string* out) {
  *out += node.text;
  if (!node.is_object() && !node.is_array()) return;
  for (const auto& [name, member] : node.members) {
    if (&member != &node.members.front().second) *out += ",";
    if (node.is_object()) *out += "\"" + name + "\":";
    Print(member, out);
  }
  *out += node.is_object() ? "}" : "]";
}

Node Parsed(simdjson::dom::element json) {
  Node node;
  if (json.is_object()) {
    node.text = "{";
    for (const auto [name, value] : simdjson::dom::object(json)) {
      node.members.emplace_back(name, Parsed(value));
    }
  } else if (json.is_array()) {
    node.text = "[";
    for (const simdjson::dom::element element : simdjson::dom::array(json)) {
      node.members.emplace_back("", Parsed(element));
    }
  } else {
    node.text = simdjson::minify(json);
  }
  return node;
}

Node Parsed(std::string_view json) {
  simdjson::dom::parser parser;
  return Parsed(parser.parse(json).value());
}

struct Request {
  std::string_view operation;
  std::string_view json;
};

// Valid requests. Together they use most members that a request can have.
constexpr Request kGoodRequests[] = {
    {"PutItem",
     R"~({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"3"},"age":{"N":"7"},"b":{"B":"AQID"},
           "t":{"BOOL":true},"z":{"NULL":true},"ns":{"NS":["1","2"]},"bs":{"BS":["AQ=="]},
           "m":{"M":{"k":{"L":[{"S":"x"},{"SS":["y"]}]}}}},"ConditionExpression":
           "attribute_not_exists(q)","ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES",
           "ReturnItemCollectionMetrics":"SIZE"})~"},
    {"PutItem",
     R"~({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"9"}},"ConditionalOperator":"OR",
           "Expected":{"n":{"Value":{"N":"1"}},"q":{"Exists":false},"age":{"ComparisonOperator":
           "BETWEEN","AttributeValueList":[{"N":"1"},{"N":"9"}]}}})~"},
    {"GetItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},"ProjectionExpression":
           "m.k[0], #b","ExpressionAttributeNames":{"#b":"b"},"ConsistentRead":true})~"},
    {"UpdateItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},"UpdateExpression":
           "SET n = if_not_exists(n, :one) + :one, #l[1] = :x REMOVE m.k ADD ss :ss DELETE s2 :ss",
           "ExpressionAttributeNames":{"#l":"l"},"ExpressionAttributeValues":{":one":{"N":"1"},
           ":x":{"S":"x"},":ss":{"SS":["c"]}},"ReturnValues":"UPDATED_NEW"})~"},
    {"UpdateItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},"AttributeUpdates":{"n":{
           "Action":"ADD","Value":{"N":"1"}},"ss":{"Action":"DELETE","Value":{"SS":["a"]}},"l":{
           "Action":"ADD","Value":{"L":[{"S":"x"}]}},"q":{"Value":{"S":"x"}}}})~"},
    {"DeleteItem",
     R"~({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"2"}},"ConditionExpression":"n > :a",
           "ExpressionAttributeValues":{":a":{"N":"3"}},"ReturnValues":"ALL_OLD",
           "ReturnValuesOnConditionCheckFailure":"ALL_OLD"})~"},
    {"Query",
     R"~({"TableName":"app","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p",
           "FilterExpression":"size(l) > :n AND n IN (:n)","ExpressionAttributeValues":{":p":{
           "S":"g"},":n":{"N":"1"}},"ExclusiveStartKey":{"PK":{"S":"p"},"SK":{"S":"1"},"GSI1PK":{
           "S":"g"},"GSI1SK":{"S":"s"}},"Select":"COUNT","Limit":3,"ScanIndexForward":false})~"},
    {"Query",
     R"~({"TableName":"app","KeyConditions":{"PK":{"ComparisonOperator":"EQ",
           "AttributeValueList":[{"S":"p"}]},"SK":{"ComparisonOperator":"BEGINS_WITH",
           "AttributeValueList":[{"S":"1"}]}},"QueryFilter":{"n":{"ComparisonOperator":"IN",
           "AttributeValueList":[{"N":"1"},{"N":"2"}]}},"AttributesToGet":["n","SK"]})~"},
    {"Scan",
     R"~({"TableName":"app","IndexName":"by_age","Segment":0,"TotalSegments":2,
           "ReturnConsumedCapacity":"TOTAL","ScanFilter":{"n":{"ComparisonOperator":"NOT_NULL"}}})~"},
    {"BatchWriteItem",
     R"~({"RequestItems":{"app":[{"PutRequest":{"Item":{"PK":{"S":"p"},"SK":{"S":"4"}}}},{
           "DeleteRequest":{"Key":{"PK":{"S":"p"},"SK":{"S":"9"}}}}]}})~"},
    {"BatchGetItem",
     R"~({"RequestItems":{"app":{"Keys":[{"PK":{"S":"p"},"SK":{"S":"4"}},{"PK":{"S":"p"},"SK":{
           "S":"2"}}],"ProjectionExpression":"SK,#l[0]","ExpressionAttributeNames":{"#l":"l"}}}})~"},
    {"TransactWriteItems",
     R"~({"TransactItems":[{"ConditionCheck":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{
           "S":"1"}},"ConditionExpression":"attribute_exists(n)"}},{"Put":{"TableName":"app",
           "Item":{"PK":{"S":"p"},"SK":{"S":"5"}}}},{"Update":{"TableName":"app","Key":{"PK":{
           "S":"p"},"SK":{"S":"2"}},"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{
           ":n":{"N":"2"}}}}],"ClientRequestToken":"t1"})~"},
    {"TransactGetItems",
     R"~({"TransactItems":[{"Get":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"5"}}}},{
           "Get":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"2"}},
           "ProjectionExpression":"n"}}]})~"},
    {"CreateTable",
     R"~({"TableName":"two","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{
           "AttributeName":"b","AttributeType":"N"}],"KeySchema":[{"AttributeName":"a","KeyType":
           "HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{
           "IndexName":"glo","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],"Projection":{
           "ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],"BillingMode":
           "PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":
           "KEYS_ONLY"},"Tags":[{"Key":"k","Value":"v"}]})~"},
    {"DescribeTable", R"({"TableName":"app"})"},
    {"UpdateTable",
     R"~({"TableName":"two","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"glo"}}]})~"},
    {"DeleteTable", R"({"TableName":"two"})"},
    {"ListTables", R"({"Limit":1,"ExclusiveStartTableName":"app"})"},
    {"TagResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:ddblocal:000000000000:table/app",
           "Tags":[{"Key":"k","Value":"v"}]})~"},
    {"UntagResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:ddblocal:000000000000:table/app","TagKeys":["k"]})~"},
    {"ListTagsOfResource",
     R"~({"ResourceArn":"arn:aws:dynamodb:ddblocal:000000000000:table/app"})~"},
    {"UpdateTimeToLive",
     R"~({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})~"},
    {"DescribeTimeToLive", R"({"TableName":"app"})"},
    {"ListStreams", R"({"TableName":"app","Limit":10})"},
    {"DescribeStream",
     R"~({"StreamArn":"arn:aws:dynamodb:ddblocal:000000000000:table/app/stream/x","Limit":1})~"},
    {"GetShardIterator",
     R"~({"StreamArn":"arn:aws:dynamodb:ddblocal:000000000000:table/app/stream/x","ShardId":
           "shardId-00000000000000000001-00000000","ShardIteratorType":"AT_SEQUENCE_NUMBER",
           "SequenceNumber":"000000000000000000001"})~"},
    {"GetRecords", R"({"ShardIterator":"arn:aws:dynamodb:x|1|AAAA","Limit":10})"},
    {"DescribeLimits", "{}"},
    {"DescribeEndpoints", "{}"},
};

// A source of damage for requests. It changes their structure first and their bytes after that.
class Spoiler {
 public:
  explicit Spoiler(Random* random) : random_(*random) {}

  void SpoilSome(Node* request) {
    for (std::size_t i = random_.Below(4); i > 0; --i) Spoil(SomeNode(request));
  }

  void SpoilBytes(std::string* text) {
    if (!random_.OneIn(8) || text->empty()) return;
    const std::size_t at = random_.Below(text->size());
    switch (random_.Below(3)) {
      case 0:
        text->resize(at);
        break;
      case 1:
        (*text)[at] = static_cast<char>(random_.Next());
        break;
      default:
        text->insert(at, 1, random_.Pick(std::vector<char>{'"', '{', '}', ',', '\0', '\xFF'}));
    }
  }

 private:
  Node* SomeNode(Node* node) {
    while (!node->members.empty() && !random_.OneIn(4)) {
      node = &node->members[random_.Below(node->members.size())].second;
    }
    return node;
  }

  void Spoil(Node* node) {
    if (node->members.empty() || random_.OneIn(3)) {
      *node = Anything(3);
      return;
    }
    const std::size_t at = random_.Below(node->members.size());
    auto& [name, member] = node->members[at];
    switch (random_.Below(5)) {
      case 0:
        node->members.erase(node->members.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:  // repeats an object's member, or makes a list longer
        node->members.insert(node->members.end(), 1 + random_.Below(3) * random_.Below(60),
                             std::pair(name, member));
        break;
      case 2:
        name = random_.Pick(Names());
        break;
      case 3:
        member = node->members[random_.Below(node->members.size())].second;
        break;
      default:
        member = Anything(3);
    }
  }

  Node Anything(int depth) {
    switch (random_.Below(depth > 0 ? 8 : 4)) {
      case 0:
        return {"null"};
      case 1:
        return {random_.Pick(Numbers())};
      case 2:
      case 3:
        return {Quoted()};
      case 4:
        return Container("[", depth);
      case 5:
        return Container("{", depth);
      case 6:
        return Nested();
      default:
        return AnAttributeValue(depth);
    }
  }

  Node Container(std::string bracket, int depth) {
    Node node{std::move(bracket)};
    for (std::size_t i = random_.Below(4); i > 0; --i) {
      node.members.emplace_back(random_.Pick(Names()), Anything(depth - 1));
    }
    return node;
  }

  Node AnAttributeValue(int depth) {
    static const std::vector<std::string> kTags = {"S",    "N",    "B",  "M",  "L",
                                                   "BOOL", "NULL", "SS", "NS", "BS"};
    Node node{"{"};
    node.members.emplace_back(random_.Pick(kTags), Anything(depth - 1));
    if (random_.OneIn(5)) node.members.emplace_back(random_.Pick(kTags), Anything(depth - 1));
    return node;
  }

  // Returns a nested value, often deeper than DynamoDB's 32 levels. One value in ten has 3000
  // levels, which would overflow the stack of a recursive parser.
  Node Nested() {
    Node node{R"({"S":"deep"})"};
    const std::size_t levels = random_.OneIn(10) ? 3000 : random_.Below(80);
    static const std::vector<std::pair<std::string, std::string>> kWays = {
        {R"({"L":[)", "]}"}, {R"({"M":{"k":)", "}}"}, {"[", "]"}, {R"({"k":)", "}"}};
    const auto& [before, after] = random_.Pick(kWays);
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += before;
    text += node.text;
    for (std::size_t i = 0; i < levels; ++i) text += after;
    return {text};
  }

  std::string Quoted() {
    if (random_.OneIn(20)) return '"' + std::string(random_.Below(70'000), 'x') + '"';
    return '"' + random_.Pick(Texts()) + '"';
  }

  static const std::vector<std::string>& Numbers() {
    static const std::vector<std::string> numbers = {
        "0",
        "-1",
        "1.5",
        "1e400",
        "-0.0",
        "9223372036854775808",
        "18446744073709551616",
        "true",
        "123456789012345678901234567890123456789012345678901234567890",
        "1e-400",
        "false",
        "NaN"};
    return numbers;
  }

  // Returns texts to put between quotes without escaping. Some of them are invalid in a string.
  static const std::vector<std::string>& Texts() {
    static const std::vector<std::string> texts = {"",
                                                   "app",
                                                   "two",
                                                   "p",
                                                   "1",
                                                   "-1e125",
                                                   "1e999",
                                                   "0x10",
                                                   "AQ==",
                                                   "AQ=",
                                                   "A",
                                                   "%%%%",
                                                   "éab",
                                                   "a€",
                                                   "😀",
                                                   "\xFF",
                                                   "\xC3",
                                                   "\xED\xA0\x80",
                                                   R"(\ud800)",
                                                   R"(\u0000)",
                                                   R"(\ud83d\ude00)",
                                                   "\n",
                                                   "é",
                                                   "true",
                                                   "yes",
                                                   "ALL_OLD",
                                                   "NULL",
                                                   "SET n = n + n",
                                                   "a = :a",
                                                   "((((",
                                                   "size(n)",
                                                   "#n",
                                                   ":n",
                                                   "arn:aws:dynamodb:x:y:table/app",
                                                   "arn:",
                                                   "PK",
                                                   "a.b",
                                                   "n[0]"};
    return texts;
  }

  static const std::vector<std::string>& Names() {
    static const std::vector<std::string> names = {
        "TableName", "Item",  "Key", "PK",           "SK", "S",    "N",         "L",
        "M",         "n",     "",    "#n",           ":n", "\xFF", R"(\ud800)", "Expected",
        "Select",    "Limit", "app", "TransactItems"};
    return names;
  }

  Random& random_;
};

class BadRequestsTest : public WireItemTest {
 protected:
  BadRequestsTest() {
    // The seed is printed first because a crash prints nothing afterwards.
    std::cout << "DOLMEN_SEED=" << TestSeed() << std::endl;
    CreateTableInput kept;
    kept.name = "kept-apart";
    EXPECT_TRUE(db_.CreateTable(kept).ok());
    for (const std::string_view sort : {"1", "2"}) {
      Put(R"({"PK":{"S":"p"},"SK":{"S":")" + std::string(sort) +
          R"("},"n":{"N":"4"},"l":{"L":[]},"ss":{"SS":["a","b"]},"m":{"M":{}}})");
    }
    Body("PutItem", R"({"TableName":"kept-apart","Item":{"PK":{"S":"p"},"SK":{"S":"s"}}})");
  }

  std::string Kept() { return Body("Scan", R"({"TableName":"kept-apart"})"); }
};

TEST_F(BadRequestsTest, EveryDamagedRequestGetsAWellFormedResponse) {
  Random random(TestSeed());
  Spoiler spoiler(&random);
  const std::string before = Kept();
  const std::vector<Request> good(std::begin(kGoodRequests), std::end(kGoodRequests));
  for (std::size_t step = TestSteps(5'000); step > 0; --step) {
    const Request& request = random.Pick(good);
    Node node = Parsed(request.json);
    spoiler.SpoilSome(&node);
    std::string json;
    Print(node, &json);
    spoiler.SpoilBytes(&json);
    const std::string_view operation =
        random.OneIn(20) ? random.Pick(good).operation : request.operation;
    const EndpointResponse response = endpoint_.Execute(operation, json);
    ASSERT_EQ(test::FaultOf(operation, response), "") << operation << ' ' << json.substr(0, 4000);
  }
  EXPECT_EQ(Kept(), before);
}

// An error about anything else would need a complete JSON body.
TEST_F(BadRequestsTest, ATruncatedBodyIsASerializationException) {
  for (const Request& request : kGoodRequests) {
    for (std::size_t size = 0; size < request.json.size(); ++size) {
      const EndpointResponse response =
          endpoint_.Execute(request.operation, request.json.substr(0, size));
      ASSERT_EQ(response.body, R"({"__type":"com.amazon.coral.service#SerializationException"})")
          << request.json.substr(0, size);
    }
  }
}

// Damage to a request tests something only if the undamaged request is valid.
TEST_F(BadRequestsTest, TheUndamagedRequestsSucceed) {
  for (const Request& request : kGoodRequests) {
    const bool of_a_stream = request.operation.find("Stream") != std::string_view::npos ||
                             request.operation.starts_with("GetShard") ||
                             request.operation == "GetRecords";
    if (of_a_stream) continue;  // the requests name streams that do not exist
    EXPECT_EQ(endpoint_.Execute(request.operation, request.json).status, 200)
        << request.operation << ' ' << endpoint_.Execute(request.operation, request.json).body;
  }
}

}  // namespace
}  // namespace dolmen
