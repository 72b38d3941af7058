package dolmen;

/**
 * A response in the form of DynamoDB.
 *
 * @param status the HTTP status, 200 after a success
 * @param body DynamoDB's JSON
 */
public record Response(int status, byte[] body) {
  /** Returns true if the status is that of a success. */
  public boolean isSuccess() {
    return status == 200;
  }

  /**
   * Returns the body of a success.
   *
   * @throws DolmenException the response is that of an error
   */
  public byte[] bodyOfSuccess() {
    if (!isSuccess()) {
      throw DolmenException.of(this);
    }
    return body;
  }
}
