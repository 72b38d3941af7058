// Tests of the search for credentials, and of the services that give them.

#include "remote/credential_chain.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/remote/scripted_server.h"
#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kJson =
    R"({"Code":"Success","AccessKeyId":"json","SecretAccessKey":"s","Token":"t",)"
    R"("Expiration":"2026-01-01T06:00:00Z"})";
constexpr Timestamp kExpiration =
    std::chrono::sys_days(std::chrono::January / 1 / 2026) + std::chrono::hours(6);

class CredentialChainTest : public ::testing::Test {
 protected:
  Result<remote::Credentials> Find() {
    auto source = remote::FindCredentials(options_, profile_, target_, system_.Functions(),
                                          std::make_shared<remote::HttpPool>(1));
    if (!source.ok()) return source.status();
    return (*source)();
  }
  // Returns the access key's id, or the error's message.
  std::string Key() {
    const auto credentials = Find();
    return credentials.ok() ? credentials->access_key_id : credentials.status().message();
  }
  void SetEnvironment() {
    system_.variables["AWS_ACCESS_KEY_ID"] = "environment";
    system_.variables["AWS_SECRET_ACCESS_KEY"] = "s";
  }

  ConnectOptions options_;
  remote::Profile profile_;
  remote::Target target_ = {.url = "https://dynamodb.eu-west-1.amazonaws.com",
                            .region = "eu-west-1"};
  TestSystem system_;
  TempDirectory directory_;
};

TEST_F(CredentialChainTest, EachSourceHasPrecedenceOverTheNext) {
  EXPECT_THAT(Key(), HasSubstr("There are no credentials."));
  target_.is_local = true;
  EXPECT_EQ(Key(), "local");

  ScriptedServer container({ResponseText(200, kJson)});
  system_.container_host = container.url();
  system_.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/v2/id";
  EXPECT_EQ(Key(), "json");
  EXPECT_EQ(container.requests()[0].line, "GET /v2/id HTTP/1.1");

  profile_ = {{"aws_access_key_id", "profile"}, {"aws_secret_access_key", "s"}};
  EXPECT_EQ(Key(), "profile");
  SetEnvironment();
  EXPECT_EQ(Key(), "environment");
  options_.profile = "default";
  EXPECT_EQ(Key(), "profile") << "an explicit profile has precedence over the environment";
  options_.access_key_id = "options";
  options_.secret_access_key = "s";
  EXPECT_EQ(Key(), "options");
}

TEST_F(CredentialChainTest, AllPartsOfAnAccessKeyAreRead) {
  SetEnvironment();
  system_.variables["AWS_SESSION_TOKEN"] = "token";
  auto credentials = Value(Find());
  EXPECT_EQ(credentials.secret_access_key, "s");
  EXPECT_EQ(credentials.session_token, "token");
  EXPECT_EQ(credentials.expires, std::nullopt);
}

TEST_F(CredentialChainTest, AnIncompleteAccessKeyIsRefused) {
  options_.access_key_id = "id";
  EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr("ConnectOptions")));
  options_ = {};
  profile_ = {{"aws_secret_access_key", "s"}};
  EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr("aws_access_key_id")));
  system_.variables["AWS_ACCESS_KEY_ID"] = "id";
  EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr("AWS_SECRET_ACCESS_KEY")));
}

TEST_F(CredentialChainTest, AProfileThatDolmenDoesNotSupportIsRefusedByName) {
  for (const char* const setting : {"source_profile", "credential_source", "sso_session",
                                    "sso_start_url", "credential_process"}) {
    profile_ = {{setting, "value"}, {"role_arn", "arn"}};
    EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr(setting)));
  }
}

TEST_F(CredentialChainTest, AContainerIsAskedWithItsToken) {
  ScriptedServer container({ResponseText(500, ""), ResponseText(200, kJson)});
  system_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = container.url() + "/creds";
  system_.variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "first";
  const remote::Credentials credentials = Value(Find());
  EXPECT_EQ(credentials.access_key_id, "json");
  EXPECT_EQ(credentials.secret_access_key, "s");
  EXPECT_EQ(credentials.session_token, "t");
  EXPECT_EQ(credentials.expires, kExpiration);
  EXPECT_EQ(container.requests()[1].fields.at("authorization"), "first");
  std::ofstream(directory_ / "token") << "second\n";
  system_.variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = directory_ / "token";
  EXPECT_EQ(Key(), "json");
  EXPECT_EQ(container.requests()[2].fields.at("authorization"), "second");

  for (const char* const url :
       {"http://example.com/creds", "http://localhost:a@example.com/creds"}) {
    system_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url;
    EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr("Use https"))) << url;
  }
}

// Answers as the instance metadata service, version 2.
std::string AnswerMetadata(const ReceivedRequest& request) {
  if (request.line == "PUT /latest/api/token HTTP/1.1") {
    const auto ttl = request.fields.find("x-aws-ec2-metadata-token-ttl-seconds");
    return ResponseText(ttl == request.fields.end() ? 400 : 200, "TOKEN");
  }
  const auto token = request.fields.find("x-aws-ec2-metadata-token");
  if (token == request.fields.end() || token->second != "TOKEN") return ResponseText(401, "");
  if (request.line == "GET /latest/meta-data/iam/security-credentials/ HTTP/1.1") {
    return ResponseText(200, "role");
  }
  if (request.line == "GET /latest/meta-data/iam/security-credentials/role HTTP/1.1") {
    return ResponseText(200, kJson);
  }
  if (request.line == "GET /latest/meta-data/placement/region HTTP/1.1") {
    return ResponseText(200, "eu-west-3");
  }
  return ResponseText(404, "");
}

TEST_F(CredentialChainTest, AnInstanceIsAskedWithASessionToken) {
  ScriptedServer metadata(AnswerMetadata);
  system_.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = metadata.url() + "/";
  EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr("AWS_EC2_METADATA_DISABLED")));
  system_.variables.erase("AWS_EC2_METADATA_DISABLED");
  const remote::Credentials credentials = Value(Find());
  EXPECT_EQ(credentials.access_key_id, "json");
  EXPECT_EQ(credentials.expires, kExpiration);
  remote::HttpPool pool(1);
  EXPECT_EQ(Value(remote::InstanceRegion(system_.Functions(), &pool)), "eu-west-3");
}

TEST_F(CredentialChainTest, AResponseWithoutCredentialsIsAnError) {
  for (const char* const body : {"", "[]", R"({"AccessKeyId":"a"})",
                                 R"({"AccessKeyId":"a","SecretAccessKey":"b","Expiration":"x"})"}) {
    ScriptedServer container({ResponseText(200, body)});
    system_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = container.url();
    EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, testing::_)) << body;
  }
  ScriptedServer refusing({ResponseText(403, "")});
  system_.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = refusing.url();
  EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr("403")));
  EXPECT_EQ(refusing.requests().size(), 1U);
}

constexpr const char* kXml =
    "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
    "<SessionToken>token</SessionToken><SecretAccessKey>secret</SecretAccessKey>"
    "<Expiration>2026-01-01T06:00:00Z</Expiration><AccessKeyId>sts</AccessKeyId>"
    "</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>";

TEST_F(CredentialChainTest, AWebIdentityAssumesARole) {
  ScriptedServer sts({ResponseText(200, kXml)});
  std::ofstream(directory_ / "token") << "a.b/c\n";
  system_.variables["AWS_ENDPOINT_URL_STS"] = sts.url();
  system_.variables["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/r";
  system_.variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = directory_ / "token";
  const remote::Credentials credentials = Value(Find());
  EXPECT_EQ(credentials.access_key_id, "sts");
  EXPECT_EQ(credentials.secret_access_key, "secret");
  EXPECT_EQ(credentials.session_token, "token");
  EXPECT_EQ(credentials.expires, kExpiration);
  EXPECT_EQ(sts.requests()[0].body,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3A"
            "role%2Fr&RoleSessionName=dolmen&WebIdentityToken=a.b%2Fc");

  for (const char* const name : {"AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE"}) {
    system_.variables.erase(name);
  }
  profile_ = {{"role_arn", "arn"},
              {"web_identity_token_file", directory_ / "token"},
              {"role_session_name", "name"}};
  EXPECT_EQ(Key(), "sts");
  EXPECT_THAT(sts.requests()[1].body, HasSubstr("RoleArn=arn&RoleSessionName=name&"));
  profile_["web_identity_token_file"] = directory_ / "absent";
  EXPECT_THAT(Find(), StatusIs(StatusCode::kValidation, HasSubstr("has no token")));
}

}  // namespace
}  // namespace dolmen::test
