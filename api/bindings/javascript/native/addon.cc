// The module of Node.js that the package loads.
//
// - open, execute, fork, ...: (handle, mode, ...arguments) => the result of Execute in call.h
// - close: (handle, mode) => the result of Execute
// - id, find: the number of a handle's database, and a new handle by this number or undefined
// - subscribe: (handle, table, name, handler) => [status, response, subscription]
// - unsubscribe: (subscription) => a promise
// - answer: (delivery, isHandled)
// - closeAll: closes all databases of the thread
// - version: the release of the C library

#include <utility>

#include "bindings/javascript/native/call.h"
#include "bindings/javascript/native/functions.h"
#include "bindings/javascript/native/subscription.h"

namespace dolmen_node {
namespace {

using SharedSubscription = std::shared_ptr<Subscription>;

// The arguments of a call from JavaScript. Absent arguments are undefined.
struct Arguments {
  Arguments(napi_env env, napi_callback_info info) {
    size_t count = values.size();
    napi_get_cb_info(env, info, &count, values.data(), nullptr, &data);
  }

  napi_value operator[](size_t index) const { return values[index]; }

  std::array<napi_value, 5> values = {};
  void* data = nullptr;
};

napi_value Throw(napi_env env, const char* message) {
  napi_throw_type_error(env, nullptr, message);
  return nullptr;
}

bool ReadString(napi_env env, napi_value value, std::string* out) {
  size_t size = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &size) != napi_ok) return false;
  out->resize(size);
  return napi_get_value_string_utf8(env, value, out->data(), size + 1, &size) == napi_ok;
}

// Returns true if the string has half of a surrogate pair, for which Node-API writes U+FFFD.
bool HasHalfSurrogate(napi_env env, napi_value value, const std::string& read) {
  if (read.find("\xef\xbf\xbd") == std::string::npos) return false;
  size_t size = 0;
  napi_get_value_string_utf16(env, value, nullptr, 0, &size);
  std::u16string text(size, u'\0');
  napi_get_value_string_utf16(env, value, text.data(), size + 1, &size);
  for (size_t i = 0; i < size; ++i) {
    if ((text[i] & 0xf800) != 0xd800) continue;
    const bool is_pair = text[i] < 0xdc00 && i + 1 < size && (text[i + 1] & 0xfc00) == 0xdc00;
    if (!is_pair) return true;
    ++i;
  }
  return false;
}

bool ReadText(napi_env env, napi_value value, std::string* out) {
  return ReadString(env, value, out) && out->find('\0') == std::string::npos &&
         !HasHalfSurrogate(env, value, *out);
}

bool ReadBytes(napi_env env, napi_value value, std::string* out) {
  bool is_array = false;
  napi_is_typedarray(env, value, &is_array);
  if (!is_array) return ReadString(env, value, out);
  napi_typedarray_type type = napi_int8_array;
  size_t length = 0;
  void* data = nullptr;
  napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr);
  if (type != napi_uint8_array) return false;
  out->assign(static_cast<const char*>(data), length);
  return true;
}

bool IsAbsent(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  napi_typeof(env, value, &type);
  return type == napi_undefined || type == napi_null;
}

// Reads an argument into the call. Returns false if it has a wrong type.
bool Read(napi_env env, Argument kind, napi_value value, size_t index, Call* call) {
  std::optional<std::string>& text = call->texts[index];
  switch (kind) {
    case Argument::kNone:
      return true;
    case Argument::kOptionalText:
      return IsAbsent(env, value) || ReadText(env, value, &text.emplace());
    case Argument::kText:
      return ReadText(env, value, &text.emplace());
    case Argument::kOptionalBytes:
      return IsAbsent(env, value) || ReadBytes(env, value, &text.emplace());
    case Argument::kBytes:
      return ReadBytes(env, value, &text.emplace());
    case Argument::kNumber:
      return napi_get_value_int64(env, value, &call->number) == napi_ok;
  }
  return false;
}

template <typename T>
T* ExternalOf(napi_env env, napi_value value) {
  void* external = nullptr;
  napi_get_value_external(env, value, &external);
  return static_cast<T*>(external);
}

// Returns the database of a handle, or nullptr if it is closed.
std::shared_ptr<OpenDatabase> DatabaseOf(napi_env env, napi_value value) {
  const auto* handle = ExternalOf<Handle>(env, value);
  return handle == nullptr ? nullptr : handle->database;
}

uint32_t ModeOf(napi_env env, napi_value value) {
  uint32_t mode = 0;
  napi_get_value_uint32(env, value, &mode);
  return mode;
}

napi_value CallFunction(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  const auto& definition = *static_cast<const Definition*>(arguments.data);
  auto call = std::make_unique<Call>();
  if (definition.has_database) {
    call->database = DatabaseOf(env, arguments[0]);
    if (call->database == nullptr) return Throw(env, "the database is closed");
  }
  for (size_t i = 0; i < definition.arguments.size(); ++i) {
    if (!Read(env, definition.arguments[i], arguments[i + 2], i, call.get())) {
      return Throw(
          env,
          "an argument has a wrong type, or a text contains U+0000 or half of a surrogate pair");
    }
  }
  return Execute(env, definition.function, ModeOf(env, arguments[1]), std::move(call));
}

napi_value Close(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  auto call = std::make_unique<Call>();
  call->database = std::move(ExternalOf<Handle>(env, arguments[0])->database);
  const auto close = [](Call* closed) {
    closed->database.reset();
    closed->status = 200;
  };
  return Execute(env, close, ModeOf(env, arguments[1]), std::move(call));
}

napi_value Id(napi_env env, napi_callback_info info) {
  const auto database = DatabaseOf(env, Arguments(env, info)[0]);
  napi_value id = nullptr;
  if (database != nullptr) napi_create_uint32(env, database->id(), &id);
  return id;
}

napi_value Find(napi_env env, napi_callback_info info) {
  auto database = FindDatabase(ModeOf(env, Arguments(env, info)[0]));
  if (database == nullptr) return nullptr;
  return Environment::Of(env)->NewHandle(env, std::move(database));
}

napi_value Subscribe(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  auto database = DatabaseOf(env, arguments[0]);
  std::string table;
  std::string name;
  if (database == nullptr) return Throw(env, "the database is closed");
  if (!ReadText(env, arguments[1], &table) || !ReadText(env, arguments[2], &name)) {
    return Throw(env, "the name of a table or of a subscription is not a text");
  }
  auto subscription = std::make_shared<Subscription>(std::move(database));
  Call call;
  call.status = subscription->Begin(env, arguments[3], table, name, &call.response);
  napi_value parts[3] = {};
  napi_create_int32(env, call.status, &parts[0]);
  napi_create_string_utf8(env, call.response.data == nullptr ? "" : call.response.data,
                          call.response.size, &parts[1]);
  if (call.status == 200) {
    Environment::Of(env)->Add(subscription);
    const auto destroy = [](napi_env, void* data, void*) {
      delete static_cast<SharedSubscription*>(data);
    };
    napi_create_external(env, new SharedSubscription(subscription), destroy, nullptr, &parts[2]);
  }
  napi_value result = nullptr;
  napi_create_array_with_length(env, 3, &result);
  for (uint32_t i = 0; i < 3; ++i) {
    if (parts[i] != nullptr) napi_set_element(env, result, i, parts[i]);
  }
  return result;
}

napi_value Unsubscribe(napi_env env, napi_callback_info info) {
  const SharedSubscription subscription =
      *ExternalOf<SharedSubscription>(env, Arguments(env, info)[0]);
  auto call = std::make_unique<Call>();
  call->subscription = subscription;
  const auto end = [](Call* ended) {
    ended->subscription->End();
    ended->status = 200;
  };
  return Execute(env, end, kAsync, std::move(call));
}

// Releases the handler, after unsubscribe.
napi_value Release(napi_env env, napi_callback_info info) {
  const auto* external = ExternalOf<SharedSubscription>(env, Arguments(env, info)[0]);
  (*external)->ReleaseHandler();
  Environment::Of(env)->Remove(*external);
  return nullptr;
}

napi_value Answer(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  const auto& delivery = *ExternalOf<std::shared_ptr<Delivery>>(env, arguments[0]);
  bool is_handled = false;
  napi_get_value_bool(env, arguments[1], &is_handled);
  delivery->subscription->Answer(delivery.get(), is_handled);
  return nullptr;
}

napi_value CloseAll(napi_env env, napi_callback_info) {
  Environment::Of(env)->CloseAll();
  return nullptr;
}

void Export(napi_env env, napi_value exports, const char* name, napi_callback callback,
            const void* data = nullptr) {
  napi_value function = nullptr;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, const_cast<void*>(data), &function);
  napi_set_named_property(env, exports, name, function);
}

}  // namespace
}  // namespace dolmen_node

NAPI_MODULE_INIT() {
  namespace node = dolmen_node;
  if (dolmen_abi() < DOLMEN_ABI) {
    return node::Throw(env, "libdolmen_c.so is older than this package: install the package anew");
  }
  node::Environment::Attach(env);
  for (const node::Definition& definition : node::Definitions()) {
    node::Export(env, exports, definition.name, node::CallFunction, &definition);
  }
  node::Export(env, exports, "close", node::Close);
  node::Export(env, exports, "id", node::Id);
  node::Export(env, exports, "find", node::Find);
  node::Export(env, exports, "subscribe", node::Subscribe);
  node::Export(env, exports, "unsubscribe", node::Unsubscribe);
  node::Export(env, exports, "release", node::Release);
  node::Export(env, exports, "answer", node::Answer);
  node::Export(env, exports, "closeAll", node::CloseAll);
  napi_value version = nullptr;
  napi_create_string_utf8(env, dolmen_version(), NAPI_AUTO_LENGTH, &version);
  napi_set_named_property(env, exports, "version", version);
  return exports;
}
