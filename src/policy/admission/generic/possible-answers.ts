// Evaluates a policy for every possible answer to authorizer checks that the repository leaves open.
import { type AccessQuestion, describeAccess } from '../../../kubernetes/access/access.ts';
import type { RbacAuthorizer } from '../../../kubernetes/access/rbac.ts';
import type { AuthorizationDecision, AuthorizationSource } from '../../../kubernetes/cel/authorization-source.ts';

/** Four open checks have 16 combinations. Policies make one or two. */
const MAX_RUNS = 16;

export interface PossibleResults<Result> {
  /** The first result assumes "no" for every open check. It is the only one if no check is open. */
  readonly results: readonly Result[];
  /** What would settle the open checks, one phrase each. */
  readonly missing: readonly string[];
  /** False if there are more combinations than were tried. */
  readonly isExhaustive: boolean;
}

/**
 * Runs `evaluate` once, and again for each other combination of answers. Few policies call the authorizer, so the
 * source is created on demand.
 */
export function withEveryAnswer<Result>(
  authorizer: RbacAuthorizer,
  evaluate: (source: () => AuthorizationSource) => Result,
): PossibleResults<Result> {
  let first: AssumedAnswers | undefined;
  const result = evaluate(() => {
    first ??= new AssumedAnswers(authorizer, [], new Set());
    return first;
  });
  if (first === undefined) return { results: [result], missing: [], isExhaustive: true };
  const { missing } = first;
  const results: [Result, ...Result[]] = [result];
  let assumed = first.given();
  for (;;) {
    const lastNo = assumed.lastIndexOf(false);
    if (lastNo < 0) return { results, missing: [...missing], isExhaustive: true };
    if (results.length === MAX_RUNS) return { results, missing: [...missing], isExhaustive: false };
    const answers = new AssumedAnswers(authorizer, [...assumed.slice(0, lastNo), true], missing);
    results.push(evaluate(() => answers));
    assumed = answers.given();
  }
}

/** Answers open checks from a list, in the order of the first call. Checks beyond the list get "no". */
class AssumedAnswers implements AuthorizationSource {
  readonly #authorizer: RbacAuthorizer;
  readonly #assumed: readonly boolean[];
  readonly missing: Set<string>;
  readonly #given = new Map<string, boolean>();

  constructor(authorizer: RbacAuthorizer, assumed: readonly boolean[], missing: Set<string>) {
    this.#authorizer = authorizer;
    this.#assumed = assumed;
    this.missing = missing;
  }

  check(question: AccessQuestion): AuthorizationDecision {
    const answer = this.#authorizer.answer(question);
    if (answer.allowed !== 'unknown') {
      return { decision: answer.allowed ? 'allow' : 'noOpinion', reason: answer.reason };
    }
    const text = describeAccess(question);
    let allowed = this.#given.get(text);
    if (allowed === undefined) {
      allowed = this.#assumed[this.#given.size] ?? false;
      this.#given.set(text, allowed);
      this.missing.add(`whether ${text} (${answer.missing})`);
    }
    return { decision: allowed ? 'allow' : 'noOpinion', reason: '' };
  }

  /** One answer per check, in the order of the first call. */
  given(): readonly boolean[] {
    return [...this.#given.values()];
  }
}
