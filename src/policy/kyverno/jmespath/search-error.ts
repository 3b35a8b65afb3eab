// Why a query returned no value.

/**
 * `failure`: Kyverno returns this error. `panic`: Kyverno crashes. `limit`: the query exceeds Preadmit's work limit.
 * `unknown`: the result depends on the cluster (time, randomness, DNS).
 */
export type SearchErrorKind = 'not-found' | 'failure' | 'panic' | 'limit' | 'unknown';

export class SearchError {
  readonly kind: SearchErrorKind;
  /** Kyverno's exact text for `not-found`, `failure` and `panic`; otherwise Preadmit's, a noun phrase for "depends on …". */
  readonly message: string;

  constructor(kind: SearchErrorKind, message: string) {
    this.kind = kind;
    this.message = message;
  }
}

export function searchFailure(message: string): SearchError {
  return new SearchError('failure', message);
}

export function panic(message: string): SearchError {
  return new SearchError('panic', message);
}
