// Why a search in a document gives no value.

/**
 * `failure`: Kyverno gives this error. `panic`: Kyverno crashes. `limit`: more work than a query may claim here. `unknown`: the
 * answer depends on what only the cluster has (time, chance, names of the network).
 */
export type SearchErrorKind = 'not-found' | 'failure' | 'panic' | 'limit' | 'unknown';

export class SearchError {
  readonly kind: SearchErrorKind;
  /** Kyverno's text, exactly, for `not-found`, `failure` and `panic`; otherwise ours. */
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
