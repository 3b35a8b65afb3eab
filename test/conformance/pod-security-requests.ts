// Answers recorded requests to the PodSecurity plugin (format: scripts/record/pod-security/requests).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseApiVersion } from '../../src/kubernetes/api/group-version.ts';
import { type Resource, resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { RepositoryCluster } from '../../src/kubernetes/cluster/repository-cluster.ts';
import {
  type PodSecurityLevel,
  parsePodSecurityLevel,
  parsePodSecurityVersion,
} from '../../src/kubernetes/pod-security/level-version.ts';
import type { AdmissionRequest } from '../../src/kubernetes/request/admission-request.ts';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import type { AdmissionOutcome } from '../../src/policy/language/policy-language.ts';
import { podSecurityLanguage } from '../../src/policy/pod-security/pod-security-language.ts';
import { DEFAULT_POD_SECURITY, type PodSecuritySettings } from '../../src/policy/pod-security/settings.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../src/source/json/json.ts';
import { objectOrEmpty, textField, textItems } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

const RECORDING = join(import.meta.dirname, 'pod-security/requests-0.36.jsonl.gz');
const VERSION = { major: 1, minor: 36 };
const PREFIX = 'pod-security.kubernetes.io/';

export function podSecurityRequestLines(): readonly string[] {
  return gunzipSync(readFileSync(RECORDING)).toString('utf8').trim().split('\n');
}

export interface RequestAnswer {
  readonly allowed: boolean;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export function recordedRequest(text: string): { readonly id: string; readonly answer: RequestAnswer } {
  const { id, allowed, message, reason, code, warnings, auditAnnotations } = JSON.parse(text) as RequestAnswer & {
    id: string;
  };
  return { id, answer: withoutEmpty({ allowed, message, reason, code, warnings, auditAnnotations }) };
}

/** Includes the field errors, which a server does not return. */
export function answerPodSecurityRequest(text: string): {
  readonly answer: RequestAnswer;
  readonly outcome: AdmissionOutcome;
} {
  const parsed = parseJson(text);
  const line = objectOrEmpty('value' in parsed ? parsed.value : undefined);
  const [object, oldObject] = ['object', 'oldObject'].map((field) => line.get(field));
  const cluster = new RepositoryCluster({
    version: VERSION,
    builtin: new BuiltinResources(VERSION.minor),
    resources: clusterResources(line),
    stored: (resource) => resource.value,
    defaultNamespace: 'default',
    isComplete: false,
  });
  const request = requestOf(line, objectOrEmpty(object), isJsonObject(oldObject) ? oldObject : null, cluster);
  const outcome = podSecurityLanguage(settingsOf(line)).load([], cluster).evaluate(request);
  const { denial, warnings, auditAnnotations } = outcome;
  const annotations = Object.fromEntries(
    [...auditAnnotations].map(([key, value]) => [key.slice(PREFIX.length), value]),
  );
  const answer = withoutEmpty({
    allowed: denial === undefined,
    message: denial?.message,
    reason: denial?.reason,
    code: denial?.code,
    warnings,
    auditAnnotations: annotations,
  });
  return { answer, outcome };
}

function requestOf(
  line: JsonObject,
  object: JsonObject,
  oldObject: JsonObject | null,
  cluster: RepositoryCluster,
): AdmissionRequest {
  const kindName = textField(object, 'kind');
  const groupVersion = parseApiVersion(textField(object, 'apiVersion')) ?? { group: '', version: '' };
  const kind = { ...groupVersion, kind: kindName };
  const metadata = objectOrEmpty(object.get('metadata'));
  const name = textField(metadata, 'name');
  return {
    operation: oldObject === null ? 'CREATE' : 'UPDATE',
    kind,
    resource: cluster.mappingFor(kind).resource,
    subResource: textField(line, 'subresource'),
    name,
    namespace: kindName === 'Namespace' ? name : textField(metadata, 'namespace'),
    object,
    oldObject,
    options: null,
    dryRun: false,
    userInfo: { username: textField(line, 'user'), uid: '', groups: [], extra: new Map() },
  };
}

/** The object's Namespace, or the Namespace before the update, with its Pods. */
function clusterResources(line: JsonObject): readonly Resource[] {
  const namespace = new Map<string, JsonValue>([
    ['apiVersion', 'v1'],
    ['kind', 'Namespace'],
    [
      'metadata',
      new Map<string, JsonValue>([
        ['name', 'shop'],
        ['labels', line.get('labels') ?? new Map()],
      ]),
    ],
  ]);
  const pods = line.get('pods');
  return [namespace, ...(isJsonArray(pods) ? pods : [])].flatMap(resourcesIn);
}

function resourcesIn(value: JsonValue): readonly Resource[] {
  const text = stringifyJson(value, { sortKeys: false, escapeHtml: false });
  return readManifests(new SourceFile('recorded.json', text)).manifests.flatMap((manifest) =>
    resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : [])),
  );
}

function settingsOf(line: JsonObject): PodSecuritySettings {
  const defaults = objectOrEmpty(line.get('defaults'));
  const exemptions = objectOrEmpty(line.get('exemptions'));
  const mode = (name: string) => ({
    level: parsePodSecurityLevel(textField(defaults, name)) ?? ('privileged' satisfies PodSecurityLevel),
    version:
      parsePodSecurityVersion(textField(defaults, `${name}-version`)) ?? DEFAULT_POD_SECURITY.defaults.enforce.version,
  });
  return {
    isEnabled: true,
    defaults: { enforce: mode('enforce'), audit: mode('audit'), warn: mode('warn') },
    exemptions: {
      usernames: textItems(exemptions.get('usernames')),
      namespaces: textItems(exemptions.get('namespaces')),
      runtimeClasses: textItems(exemptions.get('runtimeClasses')),
    },
  };
}

function withoutEmpty(fields: { readonly [K in keyof RequestAnswer]: RequestAnswer[K] | undefined }): RequestAnswer {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === '' || (typeof value === 'object' && Object.keys(value as object).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as unknown as RequestAnswer;
}
