// Why a JMESPath query cannot be compiled.

export class QueryError {
  /** As Kyverno words it: `SyntaxError: Invalid token: tDot`, or the text of Go's JSON decoder. */
  readonly message: string;
  /** Where in the query, in UTF-16 units from 0. */
  readonly offset: number;
  /** Kyverno would compile the query; this implementation bounds how deep one may be nested. */
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
