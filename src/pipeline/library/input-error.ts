// What the caller of the library did wrong: the only exception that its functions throw on purpose.

/**
 * `bad-version`: not a Kubernetes release that verdicts can be given for. `bad-operation`: the operation and the objects do not go together.
 * `no-object`: nothing to judge was given. `not-json`: a value that JSON cannot hold, or a circle. `bad-configuration`: the configuration is
 * wrong. `bad-review`: not an AdmissionReview with a request.
 */
export type InputErrorCode =
  | 'bad-version'
  | 'bad-operation'
  | 'no-object'
  | 'not-json'
  | 'bad-configuration'
  | 'bad-review';

/**
 * Thrown where the arguments of a function of the library cannot mean anything. What is wrong with the texts of policies and manifests is
 * never thrown: it is in the result, with its place.
 */
export class InputError extends Error {
  /** What a program can tell cases apart by; the message is for people and may change. */
  readonly code: InputErrorCode;

  constructor(code: InputErrorCode, message: string) {
    super(message);
    this.name = 'InputError';
    this.code = code;
  }
}
