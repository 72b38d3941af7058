package dolmen;

/** The error of a call after {@link Database#close}. */
public final class ClosedException extends DolmenException {
  private static final long serialVersionUID = 1;

  ClosedException() {
    super("ClosedException", "the database is closed", 0, new byte[0]);
  }
}
