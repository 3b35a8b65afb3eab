// Why a variable has no value.
import type { SearchErrorKind } from '../jmespath/search-error.ts';

export class VariableError {
  /** A missing key becomes `failure` once its message is wrapped. `unknown` and `limit` are never Kyverno's answer. */
  readonly kind: SearchErrorKind;
  readonly message: string;
  /** Policy validation found a variable that is not allowed. The message is not wrapped. */
  readonly isInvalidVariable: boolean;

  constructor(kind: SearchErrorKind, message: string, isInvalidVariable = false) {
    this.kind = kind;
    this.message = message;
    this.isInvalidVariable = isInvalidVariable;
  }

  /** Wraps the message, like Go's `fmt.Errorf`. Errors that are not Kyverno's answer stay unchanged. */
  within(wrap: (message: string) => string): VariableError {
    if (!this.isAnswer) return this;
    const kind = this.kind === 'not-found' ? 'failure' : this.kind;
    return new VariableError(kind, wrap(this.message));
  }

  /** True if Kyverno can continue after this error, for example with a default. */
  get isAnswer(): boolean {
    return this.kind === 'failure' || this.kind === 'not-found';
  }
}

export function variableFailure(message: string): VariableError {
  return new VariableError('failure', message);
}
