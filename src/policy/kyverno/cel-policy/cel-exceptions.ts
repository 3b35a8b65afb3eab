// Exceptions of group policies.kyverno.io: which apply to a request, and the policy's response (Kyverno `pkg/cel/policies/*/compiler`).
import type { UnknownValue } from '../../../cel/value/value.ts';
import { append } from '../../../go/slices/append.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { CelResponse, CelRuleType } from './cel-response.ts';
import { type AllowedByExceptions, evaluateCelConditions, type PolicyActivation } from './policy-activation.ts';
import type { CelProgram, ProgramCompiler } from './program-compiler.ts';

export interface CelException {
  /** `namespace/name`. */
  readonly key: string;
  readonly matchConditions: readonly CelProgram[];
  readonly images: readonly string[];
  readonly allowedValues: readonly string[];
  /** `pass` or `skip`. Empty means skip. */
  readonly reportResult: string;
  readonly priority: number;
}

/** Exceptions that name the policy, repeated for each reference. */
export function exceptionsNaming(exceptions: readonly JsonObject[], kind: string, name: string): readonly JsonObject[] {
  return exceptions.flatMap((exception) =>
    objectItems(objectOrEmpty(exception.get('spec')).get('policyRefs'))
      .filter((reference) => textField(reference, 'name') === name && textField(reference, 'kind') === kind)
      .map(() => exception),
  );
}

export function compileExceptions(
  exceptions: readonly JsonObject[],
  compiler: ProgramCompiler,
): readonly CelException[] {
  return exceptions.map((exception) => {
    const metadata = objectOrEmpty(exception.get('metadata'));
    const spec = objectOrEmpty(exception.get('spec'));
    const [namespace, name] = [textField(metadata, 'namespace'), textField(metadata, 'name')];
    const priority = textField(objectOrEmpty(metadata.get('labels')), PRIORITY_LABEL);
    const key = namespace === '' ? name : `${namespace}/${name}`;
    const conditions = compiler.matchConditions(objectItems(spec.get('matchConditions')));
    return {
      key,
      matchConditions: conditions.map((program) => ({ ...program, exception: key })),
      images: textItems(spec.get('images')),
      allowedValues: textItems(spec.get('allowedValues')),
      reportResult: textField(spec, 'reportResult'),
      priority: /^[+-]?[0-9]{1,9}$/.test(priority) ? Number(priority) : 0,
    };
  });
}

const PRIORITY_LABEL = 'polex.kyverno.io/priority';

export type ExceptionOutcome =
  /** `unknown`: whether an exception applies depends on an open field. */
  | { readonly error: string; readonly unknown?: UnknownValue }
  /** All exceptions that apply, if one of them exempts from the whole policy. */
  | { readonly exempting: readonly CelException[] }
  | { readonly allowed: AllowedByExceptions };

/** `ignoresErrors`: true if the policy has failurePolicy Ignore. */
export function applyExceptions(
  exceptions: readonly CelException[],
  activation: PolicyActivation,
  ignoresErrors: boolean,
): ExceptionOutcome {
  const applying: CelException[] = [];
  const allowedImages: string[] = [];
  const allowedValues: string[] = [];
  let isExempt = false;
  for (const exception of exceptions) {
    const answer = evaluateCelConditions(exception.matchConditions, activation);
    if (typeof answer === 'object') {
      if (answer.unknown !== undefined) return { error: answer.error, unknown: answer.unknown };
      if (isExempt || ignoresErrors) continue;
      return { error: answer.error };
    }
    if (!answer) continue;
    applying.push(exception);
    if (exception.images.length === 0 && exception.allowedValues.length === 0) isExempt = true;
    else if (!isExempt) {
      append(allowedImages, exception.images);
      append(allowedValues, exception.allowedValues);
    }
  }
  return isExempt ? { exempting: applying } : { allowed: { allowedImages, allowedValues } };
}

/** The exception with the highest priority decides between pass and skip. */
export function exemptedResponse(exempting: readonly CelException[], type: CelRuleType): CelResponse {
  let decisive = exempting[0] as CelException;
  let highest = 0;
  for (const exception of exempting) {
    if (exception.priority > highest) {
      highest = exception.priority;
      decisive = exception;
    }
  }
  const exceptions = exempting.map(({ key }) => key);
  const isPassed = decisive.reportResult === 'pass';
  const message = `rule is ${isPassed ? 'passed' : 'skipped'} due to policy exception: ${exceptions.join(', ')}`;
  return { rule: 'exception', type, status: isPassed ? 'pass' : 'skip', message, exceptions };
}
