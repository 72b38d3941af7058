// The entities of the table of users and how each is stored.

#pragma once

#include <dolmen/entity.h>
#include <dolmen/entity/sharded.h>
#include <dolmen/entity/token.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/user/contact.h"

namespace dolmen::user {

// The attribute with the time to live: the last second in which the item lives.
inline constexpr std::string_view kTimeToLive = "ttl";

enum class UserStatus : std::uint8_t { kActive, kSuspended, kDeleted };

constexpr auto Spellings(UserStatus) {
  return std::to_array<Spelling<UserStatus>>({{UserStatus::kActive, "active"},
                                              {UserStatus::kSuspended, "suspended"},
                                              {UserStatus::kDeleted, "deleted"}});
}

struct Profile {
  std::string user_id = {};
  std::string email = {};  // a copy of the primary address
  std::string first_name = {};
  std::string last_name = {};
  std::optional<std::string> phone = {};  // E.164: +4930123456
  UserStatus status = UserStatus::kActive;
  std::int64_t version = 0;
  Timestamp created_at = {};
  Timestamp updated_at = {};

  friend bool operator==(const Profile&, const Profile&) = default;
};

// GSI1 holds e-mail records only, so that an address has one entry there. GSI2 finds the profile by
// its primary address.
constexpr auto DescribeEntity(const Profile*) {
  return DefineEntity<Profile>(
      "profile",
      {Attribute<&Profile::user_id>("userId"),
       Attribute<&Profile::email>("email").Check<IsEmailAddress>("is not an e-mail address"),
       Attribute<&Profile::first_name>("firstName"), Attribute<&Profile::last_name>("lastName"),
       Attribute<&Profile::phone>("phone").Check<IsPhoneNumber>(
           "is not a telephone number like +4930123456"),
       Attribute<&Profile::status>("status"), Attribute<&Profile::version>("version").Version(),
       Attribute<&Profile::created_at>("createdAt").IfUnset<Now>().ReadOnly(),
       Attribute<&Profile::updated_at>("updatedAt").Always<Now>()},
      {PrimaryKey("USER#{userId}", "PROFILE"),
       IndexKey("GSI2", "EMAIL#{email:any}", "USER#{userId}")});
}

struct Email {
  std::string user_id = {};
  std::string email_id = {};
  std::string email = {};  // the normalised address
  bool is_primary = false;
  bool is_verified = false;
  std::optional<Timestamp> verified_at = {};
  Timestamp created_at = {};

  friend bool operator==(const Email&, const Email&) = default;
};

// The template of the key in GSI1 contains {email:any} instead of {email}. Only :any allows a '#'
// in the value, and an address can contain a '#'. An address has one owner, so it is unique.
constexpr auto DescribeEntity(const Email*) {
  return DefineEntity<Email>(
             "email",
             {Attribute<&Email::user_id>("userId"), Attribute<&Email::email_id>("emailId"),
              Attribute<&Email::email>("email")
                  .Check<IsEmailAddress>("is not an e-mail address")
                  .ReadOnly(),
              Attribute<&Email::is_primary>("isPrimary"),
              Attribute<&Email::is_verified>("isVerified"),
              Attribute<&Email::verified_at>("verifiedAt"),
              Attribute<&Email::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
             {PrimaryKey("USER#{userId}", "EMAIL#{emailId}"),
              IndexKey("GSI1", "EMAIL#{email:any}", "USER#{userId}")})
      .Unique<&Email::email>("emailClaim");
}

struct Session {
  std::string user_id = {};
  std::string session_id = {};  // a secret: it proves that its holder is the user
  bool stays_signed_in = false;
  Timestamp created_at = {};
  Timestamp expires_at = {};

  friend bool operator==(const Session&, const Session&) = default;
};

constexpr auto DescribeEntity(const Session*) {
  return DefineEntity<Session>(
      "session",
      {Attribute<&Session::user_id>("userId"), Attribute<&Session::session_id>("sessionId"),
       Attribute<&Session::stays_signed_in>("staySignedIn"),
       Attribute<&Session::created_at>("createdAt").IfUnset<Now>().ReadOnly(),
       Attribute<&Session::expires_at>(kTimeToLive).AsEpochSeconds()},
      {PrimaryKey("USER#{userId}", "SESSION#{sessionId}")});
}

enum class Tier : std::uint8_t { kBronze, kSilver, kGold };

constexpr auto Spellings(Tier) {
  return std::to_array<Spelling<Tier>>(
      {{Tier::kBronze, "bronze"}, {Tier::kSilver, "silver"}, {Tier::kGold, "gold"}});
}

struct Achievement {
  std::string user_id = {};
  std::string badge = {};
  Tier tier = Tier::kBronze;
  std::int64_t score = 0;  // 0 to 9999
  Timestamp earned_at = {};
  Sharded<4> shard = {};  // of the leaderboard; depends on the user

  friend bool operator==(const Achievement&, const Achievement&) = default;
};

constexpr auto DescribeEntity(const Achievement*) {
  return DefineEntity<Achievement>(
      "achievement",
      {Attribute<&Achievement::user_id>("userId"), Attribute<&Achievement::badge>("badge"),
       Attribute<&Achievement::tier>("tier"), Attribute<&Achievement::score>("score"),
       Attribute<&Achievement::earned_at>("earnedAt").IfUnset<Now>().ReadOnly(),
       Attribute<&Achievement::shard>("shard")
           .Derived<Sharded<4>::OfHash, &Achievement::user_id>()},
      {PrimaryKey("USER#{userId}", "ACHIEVEMENT#{badge}"),
       IndexKey("GSI1", "TIER#{tier}#{shard}", "SCORE#{score:04}")});
}

struct Connection {
  std::string user_id = {};   // the user who has connected
  std::string other_id = {};  // the user that the connection leads to
  Timestamp created_at = {};

  friend bool operator==(const Connection&, const Connection&) = default;
};

constexpr auto DescribeEntity(const Connection*) {
  return DefineEntity<Connection>(
      "connection",
      {Attribute<&Connection::user_id>("userId"), Attribute<&Connection::other_id>("otherId"),
       Attribute<&Connection::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("CONNECTION#{userId}", "TARGET#{otherId}"),
       IndexKey("GSI1", "CONNECTION#{otherId}", "SOURCE#{userId}")});
}

// The hits of one subject in one window and one shard.
struct RateCounter {
  std::string subject = {};
  Sharded<10> shard = {};
  std::int64_t window_seconds = 0;
  Timestamp window_start = {};
  std::int64_t hits = 0;
  Timestamp expires_at = {};

  friend bool operator==(const RateCounter&, const RateCounter&) = default;
};

constexpr auto DescribeEntity(const RateCounter*) {
  return DefineEntity<RateCounter>(
      "rateCounter",
      {Attribute<&RateCounter::subject>("subject").InKeyOnly(),
       Attribute<&RateCounter::shard>("shard").InKeyOnly(),
       Attribute<&RateCounter::window_seconds>("windowSeconds").InKeyOnly(),
       Attribute<&RateCounter::window_start>("windowStart").InKeyOnly(),
       Attribute<&RateCounter::hits>("hits"),
       Attribute<&RateCounter::expires_at>(kTimeToLive).AsEpochSeconds()},
      {PrimaryKey("RATELIMIT#{subject}#{shard:02}",
                  "WINDOW#{windowSeconds:unpadded}#{windowStart}")});
}

// A bucket that lacks tokens. A full bucket has no item.
struct TokenBucket {
  std::string subject = {};
  Timestamp full_at = {};  // the bucket gets its last token back at this time
  std::int64_t version = 0;
  Timestamp expires_at = {};

  friend bool operator==(const TokenBucket&, const TokenBucket&) = default;
};

constexpr auto DescribeEntity(const TokenBucket*) {
  return DefineEntity<TokenBucket>(
      "tokenBucket",
      {Attribute<&TokenBucket::subject>("subject").InKeyOnly(),
       Attribute<&TokenBucket::full_at>("fullAt"),
       Attribute<&TokenBucket::version>("version").Version(),
       Attribute<&TokenBucket::expires_at>(kTimeToLive).AsEpochSeconds()},
      {PrimaryKey("RATELIMIT#{subject}", "BUCKET")});
}

// The failures of a service. A service without failures has no item.
struct Circuit {
  std::string service = {};
  std::int64_t failures = 0;
  Timestamp retry_at = {};  // an open circuit lets one call pass at this time
  std::int64_t version = 0;
  Timestamp expires_at = {};

  friend bool operator==(const Circuit&, const Circuit&) = default;
};

constexpr auto DescribeEntity(const Circuit*) {
  return DefineEntity<Circuit>(
      "circuit",
      {Attribute<&Circuit::service>("service").InKeyOnly(),
       Attribute<&Circuit::failures>("failures"), Attribute<&Circuit::retry_at>("retryAt"),
       Attribute<&Circuit::version>("version").Version(),
       Attribute<&Circuit::expires_at>(kTimeToLive).AsEpochSeconds()},
      {PrimaryKey("CIRCUIT#{service:any}", "STATE")});
}

// A value that can be found until its end, and up to two seconds longer, because a time to live has
// whole seconds.
struct CachedValue {
  std::string name = {};
  std::string value = {};
  Timestamp expires_at = {};

  friend bool operator==(const CachedValue&, const CachedValue&) = default;
};

constexpr auto DescribeEntity(const CachedValue*) {
  return DefineEntity<CachedValue>(
      "cachedValue",
      {Attribute<&CachedValue::name>("name").InKeyOnly(), Attribute<&CachedValue::value>("value"),
       Attribute<&CachedValue::expires_at>(kTimeToLive).AsEpochSeconds()},
      {PrimaryKey("CACHE#{name:any}", "VALUE")});
}

// A setting of a program. A scope groups the settings of one part of the program. A Put of a setting
// that another program has changed after it was read fails with kTransactionConflict.
struct Setting {
  std::string scope = {};
  std::string name = {};
  AttributeValue value = {};
  std::int64_t version = 0;  // 0 = the setting was not read from the table
  Timestamp updated_at = {};

  friend bool operator==(const Setting&, const Setting&) = default;
};

constexpr auto DescribeEntity(const Setting*) {
  return DefineEntity<Setting>(
      "setting",
      {Attribute<&Setting::scope>("scope").InKeyOnly(), Attribute<&Setting::name>("name"),
       Attribute<&Setting::value>("value"), Attribute<&Setting::version>("version").Version(),
       Attribute<&Setting::updated_at>("updatedAt").Always<Now>()},
      {PrimaryKey("CONFIG#{scope}", "SETTING#{name:any}")});
}

constexpr auto DescribeEntity(const EmailRules*) {
  return DefineEntity<EmailRules>("emailRules",
                                  {Attribute<&EmailRules::organisation>("organisation").InKeyOnly(),
                                   Attribute<&EmailRules::strip_plus_suffix>("stripPlusSuffix"),
                                   Attribute<&EmailRules::strip_dots>("stripDots"),
                                   Attribute<&EmailRules::only_domains>("onlyDomains")},
                                  {PrimaryKey("CONFIG#{organisation}", "EMAILRULES")});
}

static_assert(CheckTable<Profile, Email, Session, Achievement, Connection, Token, RateCounter,
                         TokenBucket, Circuit, CachedValue, Setting, EmailRules>());

}  // namespace dolmen::user
