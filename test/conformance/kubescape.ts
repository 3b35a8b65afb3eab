// Tests of kubescape/cel-admission-library: a policy, an object made from a template, and the verdict of a cluster.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkState } from '../../src/pipeline/check-state.ts';
import type { Report } from '../../src/report/report.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../src/source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

export const KUBESCAPE = 'kubescape+cel-admission-library';

/** `fail`: `kubectl apply` failed; `warn`: it printed a warning. */
export type KubescapeVerdict = 'pass' | 'warn' | 'fail';

interface KubescapeLine {
  readonly id: string;
  /** Texts by path: the policy, its binding, params and their definition. */
  readonly context: Readonly<Record<string, string>>;
  readonly object: string;
  readonly verdict: KubescapeVerdict;
}

export interface KubescapeAnswer {
  readonly id: string;
  readonly verdict: KubescapeVerdict;
  /** Result of each finding: `fail`, `error`, … */
  readonly results: readonly string[];
  /** The server's errors about the object before policies. */
  readonly refusals: readonly string[];
}

/** A JSON line for each entry of every `controls/<control>/tests.json`, in order. */
export function kubescapeLines(folder: string): readonly string[] {
  return readdirSync(join(folder, 'controls'))
    .filter((control) => existsSync(join(folder, 'controls', control, 'tests.json')))
    .sort()
    .flatMap((control) => controlLines(folder, control))
    .map((line) => JSON.stringify(line));
}

export function answerKubescape(line: string): KubescapeAnswer {
  const [answer] = answerKubescapeLines([line]);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** An answer for each line, in order. Lines with the same context share one repository, with one file per object. */
export function answerKubescapeLines(lines: readonly string[]): readonly KubescapeAnswer[] {
  const asked = lines.map((line, index) => {
    const { id, context, object } = JSON.parse(line) as KubescapeLine;
    return { id, context, file: new SourceFile(`objects/${index}.json`, object) };
  });
  const files = new Map<string, SourceFile[]>();
  for (const { context, file } of asked) {
    const key = JSON.stringify(context);
    files.set(key, [...(files.get(key) ?? []), file]);
  }
  const reports = new Map([...files].map(([key, group]) => [key, report(JSON.parse(key), group)]));
  return asked.map(({ id, context, file }) => answerOf(id, reports.get(JSON.stringify(context)) as Report, file.path));
}

function report(context: KubescapeLine['context'], files: readonly SourceFile[]): Report {
  const facts = Object.entries(context).map(([path, text]) => new SourceFile(path, text));
  return checkState({
    files: [
      ...facts.map((fact) => ({ file: fact, selected: false })),
      ...files.map((file) => ({ file, selected: true })),
    ],
    paths: new Set([...facts, ...files].map(({ path }) => path)),
    notRead: [],
    configuration: defaultConfiguration(),
  });
}

function answerOf(id: string, { findings, diagnostics }: Report, path: string): KubescapeAnswer {
  const refusals = diagnostics
    // Tests share a repository, so several objects with the same name are expected.
    .filter(({ code, severity, primary }) => code !== 'defined-twice' && severity === 'error' && primary?.path === path)
    .map(({ message }) => message);
  const results = findings.filter(({ primary }) => primary.path === path);
  const isDenied = refusals.length > 0 || results.some(({ actions }) => actions.includes('Deny'));
  const verdict = isDenied ? 'fail' : results.length > 0 ? 'warn' : 'pass';
  return { id, verdict, results: results.map(({ result }) => result), refusals };
}

function controlLines(folder: string, control: string): readonly KubescapeLine[] {
  const template = (name: string): JsonObject => readObject(join(folder, 'test-resources', name));
  const policyPath = join(folder, 'controls', control, 'policy.yaml');
  const policyName = textField(objectOrEmpty(objectField(readObject(policyPath), 'metadata')), 'name');
  const unchanging = {
    'policy.yaml': readFileSync(policyPath, 'utf8'),
    'kinds.yaml': readFileSync(join(folder, 'configuration', 'policy-configuration-definition.yaml'), 'utf8'),
  };
  const tests = parseJson(readFileSync(join(folder, 'controls', control, 'tests.json'), 'utf8'));
  return objectItems('value' in tests ? tests.value : null).map((test) => {
    const params = template(textField(test, 'param_template') || 'default-control-configuration.yaml');
    const binding = template(textField(test, 'binding_template') || 'policy-binding.yaml');
    return {
      id: `${control}: ${textField(test, 'name')}`,
      context: {
        ...unchanging,
        'params.json': changed(params, ['metadata.name=params']),
        'binding.json': changed(binding, [
          `spec.policyName=${policyName}`,
          'metadata.name=binding',
          'spec.paramRef.name=params',
        ]),
      },
      object: changed(template(textField(test, 'template')), textItems(test.get('field_change_list'))),
      verdict: textField(test, 'expected') as KubescapeVerdict,
    };
  });
}

/** `spec.containers.[0].image=web`: the value is JSON if possible, else a string. Creates missing objects on the path. */
function changed(object: JsonObject, changes: readonly string[]): string {
  const result = changes.reduce<JsonValue>((value, change) => {
    const equals = change.indexOf('=');
    const text = change.slice(equals + 1);
    const parsed = parseJson(text);
    return withField(value, change.slice(0, equals).split('.'), 'value' in parsed ? parsed.value : text);
  }, object);
  return stringifyJson(result, { sortKeys: false, escapeHtml: false });
}

function withField(value: JsonValue | undefined, [step, ...rest]: readonly string[], leaf: JsonValue): JsonValue {
  if (step === undefined) return leaf;
  const index = /^\[(\d+)\]$/.exec(step)?.[1];
  if (index !== undefined) {
    const items = isJsonArray(value) ? [...value] : [];
    items[Number(index)] = withField(items[Number(index)], rest, leaf);
    return items;
  }
  const fields = new Map(isJsonObject(value) ? value : []);
  return fields.set(step, withField(fields.get(step), rest, leaf));
}

function readObject(path: string): JsonObject {
  const [manifest] = readManifests(new SourceFile(path, readFileSync(path, 'utf8'))).manifests;
  if (!isJsonObject(manifest?.value)) throw new Error(`${path} holds no object`);
  return manifest.value;
}
