// What `preadmit cel` says of expressions: type, value, cost and how it came about; or one JSON answer a line.
import { DYN } from '../cel/check/type.ts';
import type { Expr } from '../cel/syntax/ast.ts';
import { visitPostOrder } from '../cel/syntax/children.ts';
import type { TraceEvent } from '../cel/trace.ts';
import type { Value } from '../cel/value/value.ts';
import { AdmissionEnvironments } from '../kubernetes/cel/admission-environment.ts';
import { answerExpression, type ExpressionAnswer, type ObservedAnswer, tagValue } from '../kubernetes/cel/answer.ts';
import { callCosts } from '../kubernetes/cel/cost.ts';
import { kubernetesEnvironment } from '../kubernetes/cel/environment.ts';
import { DEFAULT_VERSION, type KubernetesVersion, parseKubernetesVersion } from '../kubernetes/version.ts';
import { isJsonObject, type JsonValue } from '../source/json.ts';
import { objectOrEmpty, textField } from '../source/json-field.ts';
import { parseJson } from '../source/parse-json.ts';
import { versionProblem } from './asked-version.ts';
import { readSubject } from './cel-subject.ts';

export interface CelOptions {
  readonly directory: string;
  readonly kubernetesVersion: KubernetesVersion;
  /** File with the manifest to bind to `object`. */
  readonly object?: string;
  readonly explain: boolean;
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
  const { kubernetesVersion: version, explain } = options;
  const subject =
    options.object === undefined ? undefined : await readSubject(options.object, options.directory, version);
  const environments = new AdmissionEnvironments(version);
  const { environment, costs } = environments.context({ mode: 'stored', hasParams: true, hasAuthorizer: false });
  const bound = new Map<string, Value>([
    ['object', subject?.object ?? null],
    ['oldObject', null],
    ['params', null],
    ['namespaceObject', null],
  ]);
  if (subject?.request !== undefined) bound.set('request', subject.request);
  const answer = answerExpression(expression, environment, { resolve: (name) => bound.get(name) }, costs, explain);
  const lines = describeAnswer(answer);
  if (answer.trace !== undefined) lines.push('', ...describeTrace(answer.trace, answer, expression));
  const hasValue = answer.value !== undefined;
  return { description: `${lines.join('\n')}\n`, hasValue, remarks: subject?.remarks ?? [] };
}

function describeAnswer(answer: ExpressionAnswer): string[] {
  if (answer.compileError !== undefined) return [answer.compileError];
  const rows: [string, string | undefined][] = [
    ['type', answer.type],
    ['value', answer.value === undefined ? undefined : JSON.stringify(answer.value)],
    ['error', answer.error ?? answer.programError],
    ['cost', answer.cost?.toString()],
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [`${name.padEnd(6)} ${text}`]));
}

const MAX_TRACE_LINES = 200;
const MAX_VALUE_LENGTH = 60;

/** Each part of the expression that ran, indented under the part it belongs to, with its type and value. */
function describeTrace(trace: TraceEvent, { ast }: ObservedAnswer, expression: string): string[] {
  if (ast === undefined) return [];
  const characters = [...expression];
  const places = new Map<number, Expr>();
  visitPostOrder(ast.expr, (node) => places.set(node.id, node));
  const lines: string[] = [];
  const describe = (event: TraceEvent, depth: number, outer: string): void => {
    const place = places.get(event.nodeId);
    const text = place === undefined ? '' : characters.slice(place.start, place.end).join('').replace(/\s+/g, ' ');
    const isOwn = text !== '' && text !== outer;
    if (isOwn) {
      const value = JSON.stringify(tagValue(event.value)) ?? '';
      const shown = value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
      lines.push(`${'  '.repeat(depth)}${text}  ${ast.types.get(event.nodeId) ?? ''}  ${shown}`);
    }
    for (const child of event.children) describe(child, depth + (isOwn ? 1 : 0), isOwn ? text : outer);
  };
  describe(trace, 0, '');
  if (lines.length <= MAX_TRACE_LINES) return lines;
  return [...lines.slice(0, MAX_TRACE_LINES), `… ${lines.length - MAX_TRACE_LINES} more`];
}

/**
 * `preadmit cel --batch`: `{"expr": …, "vars": {…}?, "kubernetes": "1.36"?}` in, the answer out. The variables of a line are declared
 * as dyn; nothing else is. A line that is no such object is answered with `{"inputError"}`.
 */
export class CelBatch {
  readonly #environments = new Map<string, ReturnType<typeof kubernetesEnvironment>>();
  readonly #defaultVersion: KubernetesVersion;

  constructor(defaultVersion: KubernetesVersion = DEFAULT_VERSION) {
    this.#defaultVersion = defaultVersion;
  }

  answer(line: string): ExpressionAnswer | { readonly inputError: string } {
    const parsed = parseJson(line);
    const input = 'value' in parsed ? parsed.value : undefined;
    if (!isJsonObject(input) || typeof input.get('expr') !== 'string') {
      return { inputError: 'expected a JSON object with the string `expr`' };
    }
    const written = input.get('kubernetes');
    const problem = typeof written === 'string' ? versionProblem(written) : undefined;
    if (problem !== undefined) return { inputError: `\`${String(written)}\` ${problem}` };
    const version = (typeof written === 'string' && parseKubernetesVersion(written)) || this.#defaultVersion;
    const variables = objectOrEmpty(input.get('vars'));
    const environment = this.#environment(version).extend({
      variables: [...variables.keys()].map((name) => ({ name, type: DYN })),
    });
    const resolveVariable = (name: string): JsonValue | undefined => variables.get(name);
    return answerExpression(textField(input, 'expr'), environment, { resolve: resolveVariable }, callCosts(version));
  }

  #environment(version: KubernetesVersion): ReturnType<typeof kubernetesEnvironment> {
    const key = `${version.major}.${version.minor}`;
    const environment = this.#environments.get(key) ?? kubernetesEnvironment(version, 'stored');
    this.#environments.set(key, environment);
    return environment;
  }
}
