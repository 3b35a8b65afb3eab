// Invalid arguments of the library's callers. Its functions throw no other exception deliberately.

/**
 * `bad-version`: a Kubernetes release that is not supported. `bad-operation`: the operation does not fit the objects. `no-object`: there
 * is no object to evaluate. `not-json`: a value that JSON cannot represent, or a circular reference. `bad-configuration`: the
 * configuration has errors. `bad-review`: not an AdmissionReview with a request.
 */
export type InputErrorCode =
  | 'bad-version'
  | 'bad-operation'
  | 'no-object'
  | 'not-json'
  | 'bad-configuration'
  | 'bad-review';

/** Thrown for invalid arguments of a library function. Errors in policies and manifests are in the result, with their location. */
export class InputError extends Error {
  /** Stable identifier for programs. The message is for people and may change. */
  readonly code: InputErrorCode;

  constructor(code: InputErrorCode, message: string) {
    super(message);
    this.name = 'InputError';
    this.code = code;
  }
}
