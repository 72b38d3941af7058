package dolmen.aws;

import dolmen.Response;

/** The response to the next request of a thread, which a database has executed already. */
final class NextResponse {
  private final ThreadLocal<Response> ofThread = new ThreadLocal<>();

  void set(Response response) {
    ofThread.set(response);
  }

  /** Returns and forgets the response. Returns null if the database must execute the request. */
  Response take() {
    Response response = ofThread.get();
    ofThread.remove();
    return response;
  }
}
