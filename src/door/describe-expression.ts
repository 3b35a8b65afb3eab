// What `preadmit cel` says of expressions: type, value, cost and how it came about; or one JSON answer a line.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DYN } from '../cel/check/type.ts';
import type { Expr } from '../cel/syntax/ast.ts';
import { visitPostOrder } from '../cel/syntax/children.ts';
import type { TraceEvent } from '../cel/trace.ts';
import type { Value } from '../cel/value/value.ts';
import { AdmissionEnvironments } from '../kubernetes/cel/admission-environment.ts';
import { answerExpression, type ExpressionAnswer, type ObservedAnswer, tagValue } from '../kubernetes/cel/answer.ts';
import { callCosts } from '../kubernetes/cel/cost.ts';
import { kubernetesEnvironment } from '../kubernetes/cel/environment.ts';
import { parseApiVersion } from '../kubernetes/group-version.ts';
import { AdmissionObjects } from '../kubernetes/schema/admission-object.ts';
import { DEFAULT_VERSION, type KubernetesVersion, parseKubernetesVersion } from '../kubernetes/version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../source/json.ts';
import { objectOrEmpty, textField } from '../source/json-field.ts';
import { parseJson } from '../source/parse-json.ts';
import { readManifests } from '../source/read-manifests.ts';
import { SourceFile } from '../source/source-file.ts';
import { WorkspaceError } from '../workspace/workspace-error.ts';
import { versionProblem } from './asked-version.ts';

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
}

/** Throws WorkspaceError if the object cannot be read. */
export async function describeExpression(expression: string, options: CelOptions): Promise<DescribedExpression> {
  const { kubernetesVersion: version, explain } = options;
  const object = options.object === undefined ? null : await readObject(options.object, options);
  const environments = new AdmissionEnvironments(version);
  const { environment, costs } = environments.context({ mode: 'stored', hasParams: true, hasAuthorizer: false });
  const bound = new Map<string, Value>([
    ['object', object],
    ['oldObject', null],
    ['params', null],
    ['namespaceObject', null],
  ]);
  const answer = answerExpression(expression, environment, { resolve: (name) => bound.get(name) }, costs, explain);
  const lines = describeAnswer(answer);
  if (answer.trace !== undefined) lines.push('', ...describeTrace(answer.trace, answer, expression));
  return { description: `${lines.join('\n')}\n`, hasValue: answer.value !== undefined };
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

/** The first manifest of a file, as the API server would hold it. */
async function readObject(path: string, { directory, kubernetesVersion }: CelOptions): Promise<JsonObject> {
  const absolute = resolve(directory, path);
  const text = await readFile(absolute, 'utf8').catch((cause: unknown) => {
    throw new WorkspaceError('unreadable', `cannot read \`${path}\``, { cause });
  });
  const value = readManifests(new SourceFile(path, text)).manifests[0]?.value;
  if (!isJsonObject(value)) throw new WorkspaceError('unreadable', `\`${path}\` holds no manifest`);
  const groupVersion = parseApiVersion(textField(value, 'apiVersion'));
  if (groupVersion === undefined) return value;
  const gvk = { ...groupVersion, kind: textField(value, 'kind') };
  const namespace = textField(objectOrEmpty(value.get('metadata')), 'namespace');
  const converted = new AdmissionObjects(kubernetesVersion).convert(value, gvk, namespace);
  return converted === undefined || 'error' in converted ? value : converted.validating.object;
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
