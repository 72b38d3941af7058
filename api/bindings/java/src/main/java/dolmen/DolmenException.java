package dolmen;

import com.google.gson.JsonParseException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An error of a request or of the database. */
public class DolmenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The name of the error. */
  private final String name;

  /** The HTTP status. */
  private final int status;

  /** The response in DynamoDB's JSON. */
  private final byte[] response;

  DolmenException(String name, String message, int status, byte[] response) {
    super(message);
    this.name = name;
    this.status = status;
    this.response = response;
  }

  static DolmenException of(Response response) {
    Map<String, Object> members = membersOf(response.body());
    String type = String.valueOf(members.getOrDefault("__type", "InternalServerError"));
    Object message = members.getOrDefault("message", members.getOrDefault("Message", ""));
    return new DolmenException(
        type.substring(type.lastIndexOf('#') + 1),
        String.valueOf(message),
        response.status(),
        response.body());
  }

  /** Returns the error of a wrong argument that the library does not see. */
  static DolmenException validation(String message) {
    Map<String, Object> members =
        Map.of("__type", "com.amazon.coral.validate#ValidationException", "message", message);
    return of(new Response(400, Json.write(members)));
  }

  /** Returns DynamoDB's name of the error, for example "ConditionalCheckFailedException". */
  public String name() {
    return name;
  }

  /** Returns the HTTP status of DynamoDB's response, for example 400. */
  public int status() {
    return status;
  }

  /** Returns the response in DynamoDB's JSON. */
  public String json() {
    return new String(response, StandardCharsets.UTF_8);
  }

  /**
   * Returns all members of the response, with plain Java values. The item of a failed condition and
   * the reasons of a canceled transaction are among them.
   */
  public Map<String, Object> response() {
    return Shapes.decodeError(membersOf(response));
  }

  /** Returns the name and the message. */
  @Override
  public String toString() {
    return getClass().getName() + ": " + name + ": " + getMessage();
  }

  /** Returns no members if the response is no JSON object. */
  private static Map<String, Object> membersOf(byte[] response) {
    try {
      return Json.readObject(response);
    } catch (JsonParseException | ClassCastException e) {
      return Map.of();
    }
  }
}
