// Tests of the search for the endpoint and the region.

#include "remote/target.h"

#include <gmock/gmock.h>

#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;

class TargetTest : public ::testing::Test {
 protected:
  Result<remote::Target> Find(const std::string& endpoint, const std::string& region = "") {
    return remote::FindTarget({.endpoint = endpoint, .region = region}, profile_,
                              system_.Functions(), [this] { return instance_region_; });
  }
  std::string Url(const std::string& endpoint, const std::string& region = "") {
    return Value(Find(endpoint, region)).url;
  }
  std::string Region(const std::string& endpoint, const std::string& region = "") {
    return Value(Find(endpoint, region)).region;
  }

  TestSystem system_;
  remote::Profile profile_;
  std::string instance_region_;
};

TEST_F(TargetTest, TheEndpointIsTheFirstThatIsGiven) {
  EXPECT_EQ(Url("", "eu-west-1"), "https://dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(Url("", "cn-north-1"), "https://dynamodb.cn-north-1.amazonaws.com.cn");
  profile_["endpoint_url"] = "http://profile";
  EXPECT_EQ(Url(""), "http://profile");
  system_.variables["AWS_ENDPOINT_URL"] = "http://all";
  EXPECT_EQ(Url(""), "http://all");
  system_.variables["AWS_ENDPOINT_URL_DYNAMODB"] = "http://dynamodb";
  EXPECT_EQ(Url(""), "http://dynamodb");
  EXPECT_EQ(Url("http://127.0.0.1:8000/"), "http://127.0.0.1:8000");
}

TEST_F(TargetTest, TheRegionIsTheFirstThatIsGiven) {
  constexpr const char* kAmazon = "https://dynamodb.eu-central-1.amazonaws.com";
  EXPECT_EQ(Region("http://alternator:8000"), "us-east-1");
  instance_region_ = "sa-east-1";
  EXPECT_EQ(Region("http://alternator:8000"), "us-east-1");
  EXPECT_EQ(Region(""), "sa-east-1");
  profile_["region"] = "ap-south-1";
  EXPECT_EQ(Region(""), "ap-south-1");
  system_.variables["AWS_DEFAULT_REGION"] = "eu-west-2";
  EXPECT_EQ(Region(""), "eu-west-2");
  system_.variables["AWS_REGION"] = "eu-west-3";
  EXPECT_EQ(Region("http://alternator:8000"), "eu-west-3");
  EXPECT_EQ(Region(kAmazon), "eu-central-1");
  EXPECT_EQ(Region(kAmazon, "us-west-2"), "us-west-2");
}

TEST_F(TargetTest, RefusesAnEndpointOrARegionThatIsNotValid) {
  for (const char* const endpoint :
       {"localhost:8000", "ftp://host", "http://", "https://:8000", "http://host/path",
        "http://user@host", "http://host?query", "http://ho st"}) {
    EXPECT_THAT(Find(endpoint), StatusIs(StatusCode::kValidation, HasSubstr(endpoint)));
  }
  for (const char* const region : {"eu west", "EU", "a/b"}) {
    EXPECT_THAT(Find("", region), StatusIs(StatusCode::kValidation, HasSubstr(region)));
  }
  EXPECT_THAT(Find(""), StatusIs(StatusCode::kValidation, HasSubstr("AWS_REGION")));
}

TEST_F(TargetTest, DynamoDbStreamsHasAnEndpointOfItsOwnAtAmazon) {
  EXPECT_EQ(Value(Find("", "eu-west-1")).streams_url,
            "https://streams.dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(Value(Find("http://127.0.0.1:8000")).streams_url, "http://127.0.0.1:8000");
}

TEST(HostTest, TheHostHasItsPortUnlessTheSchemeImpliesIt) {
  EXPECT_EQ(remote::HostOf("http://a:8000"), "a:8000");
  EXPECT_EQ(remote::HostOf("http://a:80/"), "a");
  EXPECT_EQ(remote::HostOf("https://a:443"), "a");
  EXPECT_EQ(remote::HostOf("https://a:80/b"), "a:80");
}

TEST(HostTest, RecognizesThisMachine) {
  for (const char* const url : {"http://localhost:8000", "https://a.localhost", "http://127.0.0.1",
                                "http://127.1.2.3:1", "http://[::1]:8000"}) {
    EXPECT_TRUE(remote::IsLocal(url)) << url;
  }
  for (const char* const url : {"http://localhost.com", "http://127.example.com", "http://10.0.0.1",
                                "http://[::2]", "https://dynamodb.eu-west-1.amazonaws.com",
                                "http://localhost:a@example.com", "http://[::1]@example.com",
                                "http://example.com#.localhost", "http://example.com?.localhost"}) {
    EXPECT_FALSE(remote::IsLocal(url)) << url;
  }
}

}  // namespace
}  // namespace dolmen::test
