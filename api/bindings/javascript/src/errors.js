// The errors of a database.

// An error of a request or of the database. `name` is DynamoDB's name of the error, for example
// ConditionalCheckFailedException.
export class DolmenError extends Error {
  constructor(name, message, response = {}) {
    super(message);
    this.name = name;
    this.response = response;
  }

  // Returns the error that the answer of a failed call describes.
  static fromAnswer(text) {
    const members = text ? JSON.parse(text) : {};
    const name = String(members.__type ?? 'InternalServerError')
      .split('#')
      .pop();
    return new DolmenError(name, members.message ?? members.Message ?? '', members);
  }
}

// The error of a call after close().
export class ClosedError extends DolmenError {
  constructor() {
    super('ClosedError', 'the database is closed');
  }
}
