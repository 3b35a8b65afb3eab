// A test suite of Kyverno's command line as it is written: `kyverno-test.yaml`, kind Test of cli.kyverno.io (`apis/v1alpha1/test.go`).
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';

/** Paths are relative to the folder of the suite's file; those of folders and addresses are left to whoever reads them. */
export interface KyvernoTest {
  readonly name: string;
  readonly policies: readonly string[];
  readonly resources: readonly string[];
  /** Objects that rules patch which are asked about others. */
  readonly targetResources: readonly string[];
  readonly paramResources: readonly string[];
  readonly exceptions: readonly string[];
  /** Files of kind ClusterResource: objects and definitions that the cluster is to have. */
  readonly clusterResources: readonly string[];
  readonly jsonPayloads: readonly string[];
  /** Requests of other services; no policy for Kubernetes is asked about them. */
  readonly servicePayloads: readonly string[];
  /** Empty where none is named. */
  readonly variables: string;
  readonly userInfo: string;
  readonly context: string;
  /** Written in the suite instead of a file of variables. */
  readonly values: JsonObject | undefined;
  readonly apiCallResponses: readonly JsonObject[];
  readonly globalContextEntries: readonly JsonObject[];
  readonly results: readonly ExpectedResult[];
}

export interface ExpectedResult {
  readonly policy: string;
  /** Empty unless the policy is named as `namespace/name`. */
  readonly policyNamespace: string;
  /** Empty where all rules are meant. */
  readonly rule: string;
  /** None: every object of the suite. */
  readonly resources: readonly ExpectedResource[];
  /** Empty where none is written. */
  readonly kind: string;
  readonly result: 'pass' | 'fail' | 'skip' | 'warn' | 'error' | '';
  /** Empty where the suite's values or CREATE count. */
  readonly operation: string;
  /** Files that hold what a rule makes of objects; empty where none is named. */
  readonly patchedResources: string;
  readonly generatedResources: readonly string[];
  readonly cloneSourceResource: string;
  readonly failsOnMissingResources: boolean;
}

/** Fields that are undefined are left open. */
export interface ExpectedResource {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly apiVersion: string | undefined;
}

/** Suites of the policies' own group are read, too: the command line does not look at it. */
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

/** `name` or `namespace/name`; a file's path where it names a payload. */
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
