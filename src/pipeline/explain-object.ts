// Explains why the policies allow or deny one object of a repository. Pure: reads no files and prints nothing.

import { typedConverter } from '../engine/conversion/typed-converter.ts';
import { UNOBSERVED } from '../engine/stages.ts';
import { readsSecrets } from '../engine/target/looked-up-secrets.ts';
import { TargetEvaluator } from '../engine/target/target-evaluator.ts';
import {
  type CustomResourceDefinition,
  isCustomResourceDefinition,
  readDefinition,
} from '../kubernetes/api/custom-resource-definition.ts';
import { isSecretKind } from '../kubernetes/api/group-version.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import { isResourceArgument } from '../kubernetes/cluster/resource-argument.ts';
import { shownMessage } from '../kubernetes/secret/shown-lines.ts';
import type { PolicyExplanation } from '../policy/explanation/explanation.ts';
import {
  byHardness,
  EXPLANATION_SCHEMA_VERSION,
  type ExplainedObject,
  type Explanation,
  explainedPolicy,
  linesOf,
} from '../report/explanation/explanation.ts';
import { ValueMask } from '../report/explanation/value-mask.ts';
import type { JsonObject } from '../source/json/json.ts';
import { formatFieldPath } from '../source/node/field-path.ts';
import { VERSION } from '../version.ts';
import { plannedTargets, stateClusters } from './clusters/planned-targets.ts';
import { ownValidation, targetOf } from './clusters/targets.ts';
import { languagesOf } from './state/languages.ts';
import type { FoundResource, RepositoryContent } from './state/read-repository.ts';
import { type StateOptions, stateContent } from './state/state-content.ts';

/** Identifies an object by a line of its file, or by kind and name. */
export type ObjectQuery =
  | { readonly path: string; readonly line: number }
  /** `kind`: as `isResourceArgument` accepts it. `namespace` undefined: any namespace. */
  | { readonly kind: string; readonly namespace: string | undefined; readonly name: string };

export interface ExplainInput extends StateOptions {
  /** As `2026-11-21`. Without a date nothing expires. */
  readonly today?: string;
  readonly object: ObjectQuery;
  /** Name of the only policy to explain. Default: all. */
  readonly policy?: string;
}

/** `known`: objects of the kind or in the file, if the query matches no object. `policies`: the names of all policies. */
export type ExplainOutcome =
  | { readonly explanation: Explanation }
  | { readonly known: readonly string[] }
  /** Files with the object, if no controller applies it. */
  | { readonly unreached: readonly string[] }
  | { readonly policies: readonly string[] };

/** `Deployment/shop/web`, `deploy/shop/web`, `Namespace/shop`, `apps/web.yaml:12`; undefined for anything else. */
export function parseObjectQuery(text: string): ObjectQuery | undefined {
  const place = /^(?<path>.+):(?<line>[1-9][0-9]{0,8})$/.exec(text)?.groups;
  if (place !== undefined) return { path: String(place['path']), line: Number(place['line']) };
  const [kind, ...names] = text.split('/');
  const name = names.pop();
  if (kind === undefined || kind === '' || name === undefined || name === '' || names.length > 1) return undefined;
  return { kind, namespace: names[0], name };
}

export function explainObject({ object: query, policy: wanted, today, ...input }: ExplainInput): ExplainOutcome {
  const content = stateContent(input, UNOBSERVED);
  const objects: ExplainedObject[] = [];
  const secrets = content.resources.flatMap(({ resource }) => (isSecretKind(resource.gvk) ? [resource.value] : []));
  const names = new Set<string>();
  const taken = new Set<FoundResource>();
  const meant = meantBy(query, content.resources);
  const clusters = stateClusters(input.configuration, content);
  for (const { configured, belongs } of plannedTargets(input.configuration, clusters, content)) {
    const target = {
      ...targetOf(configured, content.resources, taken, () => true, belongs),
      ...ownValidation(configured, input.serverValidation),
    };
    const asked = target.manifests.filter((resource) => meant.has(resource));
    if (asked.length === 0) continue;
    const evaluator = new TargetEvaluator(target, languagesOf(configured, today), typedConverter(target), UNOBSERVED);
    for (const { identity } of evaluator.policies) names.add(identity.name);
    for (const resource of asked) objects.push(explained(resource, target.name, evaluator, { wanted, secrets }));
  }
  if (objects.length === 0) {
    const unreached = unreachedPlaces(query, content.unreached, definitionsIn(content.resources));
    return unreached.length > 0 ? { unreached } : { known: similarTo(query, content.resources) };
  }
  if (wanted !== undefined && !names.has(wanted)) return { policies: [...names].sort() };
  return { explanation: { schemaVersion: EXPLANATION_SCHEMA_VERSION, preadmit: VERSION, objects } };
}

function explained(
  resource: Resource,
  target: string,
  evaluator: TargetEvaluator,
  { wanted, secrets }: { readonly wanted: string | undefined; readonly secrets: readonly JsonObject[] },
): ExplainedObject {
  const { evaluated, unevaluated, diagnostics, policies } = evaluator.explain({ operation: 'CREATE', resource });
  const { root } = resource.manifest;
  const objects = [resource.value, evaluated?.request.object ?? null];
  const fed = resource.manifest.secrets;
  const mask = new ValueMask(objects, fed);
  /** Policies may read other Secrets as params or through lookups. */
  const maskOf = ({ policy }: PolicyExplanation): ValueMask =>
    readsSecrets(policy.resource) ? new ValueMask([...objects, ...secrets], fed) : mask;
  const isWanted = ({ name }: { readonly name: string }): boolean => wanted === undefined || name === wanted;
  return {
    target,
    resource: {
      apiVersion: resource.apiVersion,
      kind: resource.gvk.kind,
      ...(resource.namespace !== '' && { namespace: resource.namespace }),
      name: resource.name,
    },
    place: linesOf(resource.locate(['kind'], 'key')),
    ...(root !== undefined && { root }),
    ...(unevaluated && { notEvaluated: { reason: unevaluated.reason, detail: unevaluated.detail } }),
    problems: diagnostics.map(({ code, severity, message, primary }) => ({
      code,
      severity,
      message: mask.text(shownMessage(message, primary?.file)),
      ...(primary && { place: linesOf(primary) }),
    })),
    changes: (evaluated?.changes ?? []).map(({ policy, paths }) => ({
      policy: policy.name,
      fieldPaths: paths.map(formatFieldPath),
    })),
    policies: byHardness(
      policies.filter(({ policy }) => isWanted(policy)).map((each) => explainedPolicy(each, maskOf(each))),
    ),
  };
}

function meantBy(query: ObjectQuery, resources: readonly FoundResource[]): ReadonlySet<Resource> {
  const all = resources.filter(({ selected }) => selected).map(({ resource }) => resource);
  if ('kind' in query) {
    const definitions = definitionsIn(resources);
    return new Set(all.filter((resource) => isNamed(resource, query, definitions)));
  }
  const inFile = all.flatMap((resource) => {
    const { file, range } = resource.locate(['kind'], 'key');
    return file.path === query.path ? [{ resource, line: file.positionAt(range.start).line }] : [];
  });
  const lines = inFile.map(({ line }) => line).sort((one, other) => one - other);
  // The last object that begins before the line. Lines above the first object belong to the first object.
  const nearest = lines.findLast((line) => line <= query.line) ?? lines[0];
  return new Set(inFile.filter(({ line }) => line === nearest).map(({ resource }) => resource));
}

/** Files that contain the object, if no controller applies them; sorted. */
function unreachedPlaces(
  query: ObjectQuery,
  { objects, has }: RepositoryContent['unreached'],
  definitions: readonly CustomResourceDefinition[],
): readonly string[] {
  if ('path' in query) return has(query.path) ? [query.path] : [];
  const paths = objects.flatMap((resource) =>
    isNamed(resource, query, definitions) ? [resource.manifest.file.path] : [],
  );
  return [...new Set(paths)].sort();
}

function isNamed(
  resource: Resource,
  { kind, namespace, name }: Extract<ObjectQuery, { readonly kind: string }>,
  definitions: readonly CustomResourceDefinition[],
): boolean {
  if (resource.name !== name || (namespace !== undefined && resource.namespace !== namespace)) return false;
  return isResourceArgument(kind, resource.gvk, definitions);
}

function definitionsIn(resources: readonly FoundResource[]): readonly CustomResourceDefinition[] {
  return resources.flatMap(({ resource }) => (isCustomResourceDefinition(resource) ? [readDefinition(resource)] : []));
}

/** At most ten. */
function similarTo(query: ObjectQuery, resources: readonly FoundResource[]): readonly string[] {
  const definitions = definitionsIn(resources);
  const near = resources.filter(({ resource, selected }) => {
    if (!selected) return false;
    if ('path' in query) return resource.manifest.file.path === query.path;
    return resource.name === query.name || isResourceArgument(query.kind, resource.gvk, definitions);
  });
  const names = near.map(({ resource: { gvk, namespace, name } }) =>
    [gvk.kind, namespace, name].filter(Boolean).join('/'),
  );
  return [...new Set(names)].slice(0, 10);
}
