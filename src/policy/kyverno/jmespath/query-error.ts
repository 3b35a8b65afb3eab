// Why a JMESPath query does not compile.

export class QueryError {
  /** Kyverno's text: `SyntaxError: Invalid token: tDot`, or the message of Go's JSON decoder. */
  readonly message: string;
  /** Offset in the query, in UTF-16 units from 0. */
  readonly offset: number;
  /** Kyverno would compile the query, but it exceeds Preadmit's limit. */
  readonly isLimit: boolean;

  constructor(message: string, offset: number, isLimit = false) {
    this.message = message;
    this.offset = offset;
    this.isLimit = isLimit;
  }
}

export function syntaxError(message: string, offset: number): QueryError {
  return new QueryError(`SyntaxError: ${message}`, offset);
}
