// What `preadmit cel` says of one expression: type, value, cost and how it came about.
import { AdmissionEnvironments } from '../kubernetes/cel/admission-environment.ts';
import { answerExpression } from '../kubernetes/cel/answer.ts';
import { describeAnswer } from '../kubernetes/cel/describe-answer.ts';
import type { KubernetesVersion } from '../kubernetes/version.ts';
import type { JsonValue } from '../source/json.ts';
import { readSubject } from './cel-subject.ts';

export interface CelOptions {
  readonly directory: string;
  readonly kubernetesVersion: KubernetesVersion;
  /** File with the manifest to bind to `object`. */
  readonly object?: string;
  readonly explain: boolean;
  /** The types of patches are there. */
  readonly isMutation: boolean;
}

/** What `preadmit cel '<expression>'` prints; `hasValue`: neither compiling nor evaluating failed. */
export interface DescribedExpression {
  readonly description: string;
  readonly hasValue: boolean;
  /** What the server would say of the object. */
  readonly remarks: readonly string[];
}

/** Throws WorkspaceError if the object cannot be read. */
export async function describeExpression(expression: string, options: CelOptions): Promise<DescribedExpression> {
  const { kubernetesVersion: version, explain, isMutation: hasPatchTypes } = options;
  const subject =
    options.object === undefined ? undefined : await readSubject(options.object, options.directory, version);
  const environments = new AdmissionEnvironments(version);
  const { environment, costs } = environments.context({
    mode: 'stored',
    hasParams: true,
    hasAuthorizer: false,
    hasPatchTypes,
  });
  const bound = new Map<string, JsonValue>([
    ['object', subject?.object ?? null],
    ['oldObject', null],
    ['params', null],
    ['namespaceObject', null],
  ]);
  if (subject?.request !== undefined) bound.set('request', subject.request);
  const answer = answerExpression(expression, environment, { resolve: (name) => bound.get(name) }, costs, explain);
  const lines = describeAnswer(answer, expression);
  const hasValue = answer.value !== undefined;
  return { description: `${lines.join('\n')}\n`, hasValue, remarks: subject?.remarks ?? [] };
}
