// Tests of gzip bodies of requests and responses. The checksum x-amz-crc32 is computed over the
// compressed bytes. The AWS SDKs that ask for gzip (Go's and Java's) check it that way. The other
// SDKs do not ask for gzip.

#include "server/gzip.h"

#include <zlib.h>

#include <string>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using server::AcceptsGzip;
using server::GunzipOutcome;
using server::Gzip;

std::string Compressed(const std::string& plain) {
  std::string compressed;
  EXPECT_TRUE(Gzip().Compress(plain, &compressed));
  return compressed;
}

RequestParts InGzip() { return {.more = "Content-Encoding: gzip\r\n"}; }

class GzipTest : public ServerFixture {
 protected:
  // Creates enough tables that the list of their names is longer than 4096 bytes. The server
  // compresses no shorter response.
  void MakeTables() {
    for (int i = 0; i < 30; ++i) {
      ASSERT_THAT(database_.CreateTable({.name = std::to_string(i) + std::string(200, 'x')}),
                  IsOk());
    }
  }
};

TEST_F(GzipTest, ALargeResponseIsCompressedOnRequest) {
  MakeTables();
  const HttpResponse plain = Ask(RequestText("{}"));
  EXPECT_EQ(plain.Field("content-encoding"), "");
  const HttpResponse response = Ask(RequestText("{}", {.more = "Accept-Encoding: gzip\r\n"}));
  EXPECT_EQ(response.Field("content-encoding"), "gzip");
  EXPECT_LT(response.body.size(), plain.body.size() / 4);
  std::string contents;
  EXPECT_EQ(Gzip().Decompress(response.body, kBodyBytesMax, &contents), GunzipOutcome::kDone);
  EXPECT_EQ(contents, plain.body);
  EXPECT_EQ(response.Field("x-amz-crc32"),
            std::to_string(::crc32(0, reinterpret_cast<const Bytef*>(response.body.data()),
                                   static_cast<uInt>(response.body.size()))));
}

TEST_F(GzipTest, ASmallResponseIsNotCompressed) {
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Accept-Encoding: gzip\r\n"})).body,
            R"({"TableNames":[]})");
}

TEST_F(GzipTest, AcceptEncodingIsParsed) {
  for (const char* yes : {"gzip", "GZIP", "deflate, gzip", "br;q=1.0, gzip;q=0.8, *;q=0.1"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const char* no : {"", "identity", "gzip;q=0", "gzip;q=0.0", "x-gzipped", "br", ",;="}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

TEST_F(GzipTest, ACompressedRequestIsRead) {
  EXPECT_EQ(Ask(RequestText(Compressed("{}"), InGzip())).body, R"({"TableNames":[]})");
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Content-Encoding: identity\r\n"})).status, 200);
}

TEST_F(GzipTest, TheContentCodingIsCaseInsensitive) {
  EXPECT_EQ(Ask(RequestText(Compressed("{}"), {.more = "Content-Encoding: GZip\r\n"})).status, 200);
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Content-Encoding: Identity\r\n"})).status, 200);
}

// The gzip format allows several compressed members in sequence. The server must join their
// contents.
TEST_F(GzipTest, ARequestOfSeveralGzipMembersIsRead) {
  const std::string members = Compressed("{") + Compressed("") + Compressed("}");
  EXPECT_EQ(Ask(RequestText(members, InGzip())).body, R"({"TableNames":[]})");
}

TEST_F(GzipTest, TheLimitHoldsForAllMembersTogether) {
  std::string plain;
  const std::string members = Compressed("ab") + Compressed("cd");
  EXPECT_EQ(Gzip().Decompress(members, 4, &plain), GunzipOutcome::kDone);
  EXPECT_EQ(plain, "abcd");
  EXPECT_EQ(Gzip().Decompress(members, 3, &plain), GunzipOutcome::kTooLarge);
}

TEST_F(GzipTest, DamagedGzipIsRejected) {
  const std::string good = Compressed("{}");
  for (const std::string& bad : {std::string(), std::string("{}"), good.substr(0, good.size() - 1),
                                 good + "x", good + good.substr(0, good.size() - 1)}) {
    const HttpResponse response = Ask(RequestText(bad, InGzip()));
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#SerializationException"})");
  }
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Content-Encoding: br\r\n"})).status, 400);
}

TEST_F(GzipTest, TheBodyLimitHoldsForTheDecompressedBody) {
  const auto padded = [](std::size_t bytes) { return "{" + std::string(bytes - 2, ' ') + "}"; };
  EXPECT_EQ(Ask(RequestText(Compressed(padded(kBodyBytesMax)), InGzip())).status, 200);
  HttpClient client = Connect();
  EXPECT_EQ(client.Ask(RequestText(Compressed(padded(kBodyBytesMax + 1)), InGzip()))->status, 413);
  EXPECT_EQ(client.Ask(RequestText("{}"))->status, 200) << "the rejected body was read to its end";
}

TEST_F(GzipTest, DecompressionStopsAtTheLimit) {
  std::string plain;
  EXPECT_EQ(Gzip().Decompress(Compressed(std::string(1 << 20, 'x')), 1000, &plain),
            GunzipOutcome::kTooLarge);
  EXPECT_LE(plain.capacity(), 2000U);
  EXPECT_EQ(Gzip().Decompress(Compressed("abc"), 3, &plain), GunzipOutcome::kDone);
  EXPECT_EQ(plain, "abc");
}

}  // namespace
}  // namespace dolmen::test
