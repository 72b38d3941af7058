// Tests of compressed bodies of requests and responses. The checksum x-amz-crc32 is computed over the
// compressed bytes. The AWS SDKs that ask for gzip (Go's and Java's) check it that way. The other
// SDKs do not ask for gzip.

#include "server/compression.h"

#include <zlib.h>

#include <string>

#include "tests/server/server_fixture.h"

namespace dolmen::test {
namespace {

using server::Codec;
using server::Coding;
using server::CodingOf;
using server::DecompressOutcome;
using server::PreferredCoding;

std::string Compressed(Coding coding, const std::string& plain) {
  std::string compressed;
  EXPECT_TRUE(Codec().Compress(coding, plain, &compressed));
  return compressed;
}

std::string InGzip(const std::string& plain) { return Compressed(Coding::kGzip, plain); }

RequestParts WithCoding(Coding coding) {
  return {.more = "Content-Encoding: " + std::string(NameOf(coding)) + "\r\n"};
}

class CompressionTest : public ServerFixture {
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

TEST_F(CompressionTest, ALargeResponseIsCompressedOnRequest) {
  MakeTables();
  const HttpResponse plain = Ask(RequestText("{}"));
  EXPECT_EQ(plain.Field("content-encoding"), "");
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    const std::string name(NameOf(coding));
    const HttpResponse response =
        Ask(RequestText("{}", {.more = "Accept-Encoding: " + name + "\r\n"}));
    EXPECT_EQ(response.Field("content-encoding"), name);
    EXPECT_LT(response.body.size(), plain.body.size() / 4);
    std::string contents;
    EXPECT_EQ(Codec().Decompress(coding, response.body, kBodyBytesMax, &contents),
              DecompressOutcome::kDone);
    EXPECT_EQ(contents, plain.body);
    EXPECT_EQ(response.Field("x-amz-crc32"),
              std::to_string(::crc32(0, reinterpret_cast<const Bytef*>(response.body.data()),
                                     static_cast<uInt>(response.body.size()))));
  }
}

TEST_F(CompressionTest, ASmallResponseIsNotCompressed) {
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Accept-Encoding: gzip\r\n"})).body,
            R"({"TableNames":[]})");
}

TEST_F(CompressionTest, TheFirstOfSeveralAcceptEncodingLinesCounts) {
  MakeTables();
  EXPECT_EQ(
      Ask(RequestText("{}", {.more = "Accept-Encoding: deflate\r\nAccept-Encoding: gzip\r\n"}))
          .Field("content-encoding"),
      "deflate");
}

TEST_F(CompressionTest, AcceptEncodingIsParsed) {
  struct {
    const char* header;
    Coding coding;
  } const cases[] = {
      {"gzip", Coding::kGzip},
      {"GZIP", Coding::kGzip},
      {"gzip, deflate", Coding::kGzip},
      {"br, identity, deflate, gzip", Coding::kDeflate},
      {"br;q=1.0, gzip;q=0.8, *;q=0.1", Coding::kGzip},
      {"gzip;q=0.001, deflate;q=0", Coding::kGzip},
      {"deflate", Coding::kDeflate},
      {"gzip;q=0, Deflate", Coding::kDeflate},
      {"gzip;q=0.25, deflate;q=0.3", Coding::kDeflate},
      {"gzip;q=0.5,deflate", Coding::kDeflate},
      {"gzip ; Q=0.5 , deflate ;q=0.6", Coding::kDeflate},
      {"gzip;q=0.999, deflate;q=1.0", Coding::kDeflate},
      {"", Coding::kIdentity},
      {"identity", Coding::kIdentity},
      {"gzip;q=0", Coding::kIdentity},
      {"gzip;q=0.0, deflate;q=0.000", Coding::kIdentity},
      {"x-gzipped", Coding::kIdentity},
      {"br", Coding::kIdentity},
      {",;=", Coding::kIdentity},
  };
  for (const auto& [header, coding] : cases) EXPECT_EQ(PreferredCoding(header), coding) << header;
}

TEST_F(CompressionTest, ACompressedRequestIsRead) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    EXPECT_EQ(Ask(RequestText(Compressed(coding, "{}"), WithCoding(coding))).body,
              R"({"TableNames":[]})");
  }
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Content-Encoding: identity\r\n"})).status, 200);
}

TEST_F(CompressionTest, OneCodecAlternatesBetweenTheCodings) {
  Codec codec;
  std::string compressed;
  std::string plain;
  for (const Coding coding :
       {Coding::kDeflate, Coding::kGzip, Coding::kGzip, Coding::kDeflate, Coding::kDeflate}) {
    ASSERT_TRUE(codec.Compress(coding, "abc", &compressed));
    EXPECT_EQ(codec.Decompress(coding, compressed, 3, &plain), DecompressOutcome::kDone);
    EXPECT_EQ(plain, "abc");
  }
}

// The name "deflate" means the zlib format, which zlib's compress() writes.
TEST_F(CompressionTest, DeflateIsTheZlibFormat) {
  std::string compressed(100, '\0');
  uLongf size = compressed.size();
  ASSERT_EQ(::compress(reinterpret_cast<Bytef*>(compressed.data()), &size,
                       reinterpret_cast<const Bytef*>("{}"), 2),
            Z_OK);
  compressed.resize(size);
  EXPECT_EQ(Ask(RequestText(compressed, WithCoding(Coding::kDeflate))).body,
            R"({"TableNames":[]})");
}

TEST_F(CompressionTest, TheContentCodingIsCaseInsensitive) {
  EXPECT_EQ(CodingOf("GZip"), Coding::kGzip);
  EXPECT_EQ(CodingOf("Deflate"), Coding::kDeflate);
  EXPECT_EQ(CodingOf("Identity"), Coding::kIdentity);
  EXPECT_EQ(CodingOf(""), Coding::kIdentity);
  EXPECT_EQ(CodingOf("br"), std::nullopt);
}

// The gzip format allows several compressed members in sequence. The server must join their
// contents.
TEST_F(CompressionTest, ARequestOfSeveralGzipMembersIsRead) {
  EXPECT_EQ(
      Ask(RequestText(InGzip("{") + InGzip("") + InGzip("}"), WithCoding(Coding::kGzip))).body,
      R"({"TableNames":[]})");
}

// Each member and each block costs time, even if it has no content.
TEST_F(CompressionTest, ABodyOfManyMembersOrBlocksWithLittleContentIsRejected) {
  const auto repeated = [](const std::string& part, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += part;
    return all;
  };
  // Returns a body of the zlib format with `count` blocks, each of which has the content.
  const auto blocks = [](const std::string& content, int count) {
    z_stream stream = {};
    EXPECT_EQ(deflateInit(&stream, 1), Z_OK);
    std::string compressed(deflateBound(&stream, content.size() + 100) * (count + 1), 0);
    stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
    stream.avail_out = static_cast<uInt>(compressed.size());
    for (int i = 0; i <= count; ++i) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
      stream.avail_in = i == count ? 0 : static_cast<uInt>(content.size());
      EXPECT_GE(deflate(&stream, i == count ? Z_FINISH : Z_PARTIAL_FLUSH), Z_OK);
    }
    compressed.resize(stream.total_out);
    deflateEnd(&stream);
    return compressed;
  };
  std::string plain;
  const auto outcome = [&](Coding coding, const std::string& compressed) {
    return Codec().Decompress(coding, compressed, kBodyBytesMax, &plain);
  };
  EXPECT_EQ(outcome(Coding::kGzip, repeated(InGzip(""), 30)), DecompressOutcome::kDone);
  EXPECT_EQ(outcome(Coding::kGzip, repeated(InGzip(""), 100)), DecompressOutcome::kBad);
  EXPECT_EQ(outcome(Coding::kGzip, repeated(InGzip(std::string(8192, ' ')), 100)),
            DecompressOutcome::kDone);
  EXPECT_EQ(outcome(Coding::kDeflate, blocks("x", 20)), DecompressOutcome::kDone);
  EXPECT_EQ(outcome(Coding::kDeflate, blocks("x", 200)), DecompressOutcome::kBad);
  EXPECT_EQ(outcome(Coding::kDeflate, blocks(std::string(8192, 'x'), 200)),
            DecompressOutcome::kDone);
  EXPECT_EQ(plain, std::string(200 * 8192, 'x'));
}

TEST_F(CompressionTest, TheLimitHoldsForAllMembersTogether) {
  std::string plain;
  const std::string members = InGzip("ab") + InGzip("cd");
  EXPECT_EQ(Codec().Decompress(Coding::kGzip, members, 4, &plain), DecompressOutcome::kDone);
  EXPECT_EQ(plain, "abcd");
  EXPECT_EQ(Codec().Decompress(Coding::kGzip, members, 3, &plain), DecompressOutcome::kTooLarge);
}

TEST_F(CompressionTest, ADamagedBodyIsRejected) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    const std::string good = Compressed(coding, "{}");
    const std::string other =
        Compressed(coding == Coding::kGzip ? Coding::kDeflate : Coding::kGzip, "{}");
    for (const std::string& bad :
         {std::string(), std::string("{}"), good.substr(0, good.size() - 1), good + "x",
          good + good.substr(0, good.size() - 1), other}) {
      const HttpResponse response = Ask(RequestText(bad, WithCoding(coding)));
      EXPECT_EQ(response.status, 400);
      EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#SerializationException"})");
    }
  }
  const std::string two = Compressed(Coding::kDeflate, "{}") + Compressed(Coding::kDeflate, "");
  EXPECT_EQ(Ask(RequestText(two, WithCoding(Coding::kDeflate))).status, 400)
      << "deflate has no members";
  EXPECT_EQ(Ask(RequestText("{}", {.more = "Content-Encoding: br\r\n"})).status, 400);
}

TEST_F(CompressionTest, TheBodyLimitHoldsForTheDecompressedBody) {
  const auto padded = [](std::size_t bytes) { return "{" + std::string(bytes - 2, ' ') + "}"; };
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    const auto request = [&](std::size_t bytes) {
      return RequestText(Compressed(coding, padded(bytes)), WithCoding(coding));
    };
    EXPECT_EQ(Ask(request(kBodyBytesMax)).status, 200);
    HttpClient client = Connect();
    EXPECT_EQ(client.Ask(request(kBodyBytesMax + 1))->status, 413);
    EXPECT_EQ(client.Ask(RequestText("{}"))->status, 200)
        << "the rejected body was read to its end";
  }
}

TEST_F(CompressionTest, ATruncatedBodyOfTheLargestSizeIsBad) {
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    std::string compressed = Compressed(coding, "abc");
    compressed.pop_back();
    std::string plain;
    EXPECT_EQ(Codec().Decompress(coding, compressed, 3, &plain), DecompressOutcome::kBad);
  }
}

TEST_F(CompressionTest, DecompressionStopsAtTheLimit) {
  std::string plain;
  EXPECT_EQ(Codec().Decompress(Coding::kGzip, InGzip(std::string(1 << 20, 'x')), 1000, &plain),
            DecompressOutcome::kTooLarge);
  EXPECT_LE(plain.capacity(), 2000U);
  EXPECT_EQ(Codec().Decompress(Coding::kGzip, InGzip("abc"), 3, &plain), DecompressOutcome::kDone);
  EXPECT_EQ(plain, "abc");
}

}  // namespace
}  // namespace dolmen::test
