// The ResourceSet of the Flux operator: its templates without inputs are objects. What depends on inputs is unknown.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, optionalTextField, textField } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { Controller, ControllerPlan, DeclaredObject, UnknownPart } from '../sources/controller.ts';
import { FLUX_RESOURCE_SET } from '../sources/declaration/declared-kinds.ts';
import { openFolders } from '../sources/declaration/possible-paths.ts';
import { ownerMetadata, withMetadata } from './object-metadata.ts';
import { isDisabled, OPERATOR_GROUP, RECONCILE } from './operator-object.ts';
import { namespaceOf, specOf } from './source-reference.ts';

/** The delimiters of the templates, in `newTemplate`. */
const ACTION = '<<';
const HELP = 'check the objects that `flux-operator build resourceset` prints';

export function fluxResourceSet(): Controller {
  return { kinds: [FLUX_RESOURCE_SET], plan: planOf };
}

interface Template {
  readonly value: JsonValue;
  readonly at: FieldPath;
  /** From `resources`, which win over objects of `resourcesTemplate` with the same identity. */
  readonly isOwn: boolean;
}

/**
 * Follows `BuildResourceSet` (internal/builder/resourceset.go) of the operator: each template is rendered once for each set of inputs, and
 * objects with one identity are applied once. So a template without actions gives one object, unless providers give no inputs.
 */
function planOf(set: Resource): ControllerPlan {
  if (isDisabled(set)) return { declares: [] };
  const spec = specOf(set);
  const hasProviders = objectItems(spec.get('inputsFrom')).length > 0;
  const hasInputs = hasProviders || objectItems(spec.get('inputs')).length > 0;
  const unknown: JsonValue[] = [];
  const declares: DeclaredObject[] = [];
  const known = new Set<string>();
  for (const { value, at, isOwn } of templatesIn(spec)) {
    if (hasProviders || usesActions(value)) unknown.push(value);
    else {
      for (const object of objectsIn(value)) {
        const identity = identityOf(object);
        if ((hasInputs && isLeftOut(object)) || ((hasInputs || !isOwn) && known.has(identity))) continue;
        known.add(identity);
        declares.push(declared(object, set, at, isOwn));
      }
    }
  }
  return { declares, ...(unknown.length > 0 && { unknownParts: [unknownPart(unknown, hasProviders)] }) };
}

function templatesIn(spec: JsonObject): readonly Template[] {
  const steps = objectItems(spec.get('steps'));
  const parts: readonly (readonly [JsonObject, FieldPath])[] = [
    [spec, ['spec']],
    ...steps.map((step, index): [JsonObject, FieldPath] => [step, ['spec', 'steps', index]]),
  ];
  return parts.flatMap(([part, path]) => {
    const resources = part.get('resources');
    const own = isJsonArray(resources) ? resources : [];
    const text = optionalTextField(part, 'resourcesTemplate');
    return [
      ...own.map((value, index) => ({ value, at: [...path, 'resources', index], isOwn: true })),
      ...(text === undefined ? [] : [{ value: text, at: [...path, 'resourcesTemplate'], isOwn: false }]),
    ];
  });
}

function usesActions(value: JsonValue): boolean {
  return stringifyJson(value, { sortKeys: false, escapeHtml: false }).includes(ACTION);
}

function objectsIn(template: JsonValue): readonly JsonObject[] {
  if (isJsonObject(template)) return [template];
  if (typeof template !== 'string') return [];
  const { manifests } = readManifests(new SourceFile('resourcesTemplate', template));
  return manifests.flatMap(({ value }) => (isJsonObject(value) ? [value] : []));
}

function isLeftOut(object: JsonObject): boolean {
  const annotations = objectOrEmpty(objectOrEmpty(object.get('metadata')).get('annotations'));
  return textField(annotations, RECONCILE) === 'disabled';
}

/** Without the version, as `objectKey`. */
function identityOf(object: JsonObject): string {
  const apiVersion = textField(object, 'apiVersion');
  const metadata = objectOrEmpty(object.get('metadata'));
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return [group, textField(object, 'kind'), textField(metadata, 'namespace'), textField(metadata, 'name')].join('/');
}

function declared(object: JsonObject, set: Resource, at: FieldPath, isOwn: boolean): DeclaredObject {
  const metadata = ownerMetadata(`resourceset.${OPERATOR_GROUP}`, set.name, namespaceOf(set), specOf(set));
  return {
    value: withMetadata(object, metadata),
    written: (path) => (isOwn ? [...at, ...path] : at),
  };
}

function unknownPart(templates: readonly JsonValue[], hasProviders: boolean): UnknownPart {
  const count = `${templates.length} of its templates ${templates.length === 1 ? 'depends' : 'depend'}`;
  return {
    unknown: `${count} on inputs${hasProviders ? ' of providers, which are known only in the cluster' : ', which preadmit does not render'}`,
    help: HELP,
    mayBuild: templates.flatMap(openFolders),
  };
}
