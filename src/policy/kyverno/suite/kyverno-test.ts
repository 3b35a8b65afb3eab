// Reads a test suite of Kyverno's CLI: `kyverno-test.yaml`, kind Test of cli.kyverno.io (`apis/v1alpha1/test.go`).
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';

/** Paths are relative to the suite's folder. The caller resolves folders and URLs. */
export interface KyvernoTest {
  readonly name: string;
  readonly policies: readonly string[];
  readonly resources: readonly string[];
  /** Targets of rules that patch other objects. */
  readonly targetResources: readonly string[];
  readonly paramResources: readonly string[];
  readonly exceptions: readonly string[];
  /** Files of kind ClusterResource: objects and CRDs of the cluster. */
  readonly clusterResources: readonly string[];
  readonly jsonPayloads: readonly string[];
  /** Requests of other services. Kubernetes policies do not apply to them. */
  readonly servicePayloads: readonly string[];
  /** Empty if not set. */
  readonly variables: string;
  readonly userInfo: string;
  readonly context: string;
  /** Values written in the suite itself, instead of a variables file. */
  readonly values: JsonObject | undefined;
  readonly apiCallResponses: readonly JsonObject[];
  readonly globalContextEntries: readonly JsonObject[];
  readonly results: readonly ExpectedResult[];
}

export interface ExpectedResult {
  readonly policy: string;
  /** Empty unless the policy is written as `namespace/name`. */
  readonly policyNamespace: string;
  /** Empty: all rules. */
  readonly rule: string;
  /** Empty: every object of the suite. */
  readonly resources: readonly ExpectedResource[];
  /** Empty if not set. */
  readonly kind: string;
  readonly result: 'pass' | 'fail' | 'skip' | 'warn' | 'error' | '';
  /** Empty: from the suite's values, otherwise CREATE. */
  readonly operation: string;
  /** Files with the expected results of the rule. Empty if not set. */
  readonly patchedResources: string;
  readonly generatedResources: readonly string[];
  readonly cloneSourceResource: string;
  readonly failsOnMissingResources: boolean;
}

/** Undefined fields match anything. */
export interface ExpectedResource {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly apiVersion: string | undefined;
}

/** Accepts suites of the policies' own API group too, because the CLI does not check it. */
export function isKyvernoTest(document: JsonValue): document is JsonObject {
  if (!isJsonObject(document) || document.get('kind') !== 'Test') return false;
  return /^(?:cli\.)?kyverno\.io\//.test(textField(document, 'apiVersion'));
}

export function readKyvernoTest(document: JsonObject): KyvernoTest {
  const paths = (field: string): readonly string[] => textItems(document.get(field));
  const text = (field: string): string => textField(document, field);
  const [payload, jsonPayloads] = [text('jsonPayload'), paths('jsonPayloads')];
  return {
    name: textField(objectOrEmpty(document.get('metadata')), 'name') || text('name'),
    policies: paths('policies'),
    resources: paths('resources'),
    targetResources: paths('targetResources'),
    paramResources: paths('paramResources'),
    exceptions: paths('exceptions'),
    clusterResources: paths('clusterResources'),
    jsonPayloads: payload === '' ? jsonPayloads : [...jsonPayloads, payload],
    servicePayloads: [...paths('httpPayloads'), ...paths('envoyPayloads')],
    variables: text('variables'),
    userInfo: text('userinfo'),
    context: text('context'),
    values: objectField(document, 'values'),
    apiCallResponses: objectItems(document.get('apiCallResponses')),
    globalContextEntries: objectItems(document.get('globalContextEntries')),
    results: objectItems(document.get('results')).map(readResult),
  };
}

const RESULTS = ['pass', 'fail', 'skip', 'warn', 'error'] as const;

function readResult(entry: JsonObject): ExpectedResult {
  const text = (field: string): string => textField(entry, field);
  const names = text('policy').split('/');
  const generated = text('generatedResource');
  const result = text('result') || text('status');
  return {
    policy: names.at(-1) as string,
    policyNamespace: names.slice(0, -1).join('/'),
    rule: text('rule'),
    resources: [
      ...textItems(entry.get('resources')).map(namedResource),
      ...objectItems(entry.get('resourceSpecs')).map(specifiedResource),
    ],
    kind: text('kind'),
    result: RESULTS.find((known) => known === result) ?? '',
    operation: text('operation'),
    patchedResources: text('patchedResources'),
    generatedResources: [...textItems(entry.get('generatedResources')), ...(generated === '' ? [] : [generated])],
    cloneSourceResource: text('cloneSourceResource'),
    failsOnMissingResources: entry.get('failOnMissingResources') === true,
  };
}

/** `name` or `namespace/name`; for a payload, a file path. */
function namedResource(text: string): ExpectedResource {
  const [first = '', second, ...others] = text.split('/');
  if (second === undefined || others.length > 0) return { name: text, namespace: undefined, apiVersion: undefined };
  return { name: second, namespace: first, apiVersion: undefined };
}

function specifiedResource(spec: JsonObject): ExpectedResource {
  const [group, version] = [textField(spec, 'group'), textField(spec, 'version')];
  return {
    name: textField(spec, 'name'),
    namespace: textField(spec, 'namespace'),
    apiVersion: group === '' ? version : `${group}/${version}`,
  };
}
