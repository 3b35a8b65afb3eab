// Typed conversion of manifests with what the server would say of them, each done once in a run.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { CustomResourceKinds } from '../kubernetes/custom-resource/custom-resource-kinds.ts';
import { formatApiVersion, type GroupVersionKind, kindKey } from '../kubernetes/group-version.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type AdmissionObjectResult, AdmissionObjects, refusalMessage } from '../kubernetes/schema/admission-object.ts';
import type { ServerFacts } from '../kubernetes/schema/creation/creation-function.ts';
import { managedFields, POSSIBLE_FACTS } from '../kubernetes/schema/creation/server-facts.ts';
import type { KubernetesVersion } from '../kubernetes/version.ts';
import { type FieldPath, isSamePath } from '../source/field-path.ts';
import type { JsonObject, JsonValue } from '../source/json.ts';
import { objectOrEmpty } from '../source/json-field.ts';
import type { ConvertedObject, ObjectConverter } from './admission-object.ts';
import { readCustomResources } from './custom-resources.ts';

/**
 * For one target; `facts` is what is known of its cluster: ServiceAccounts and PriorityClasses decide what becomes of a Pod. What the
 * server refuses is converted to the manifest's own value, for want of a better one.
 */
export function typedConverter(version: KubernetesVersion, facts: readonly Resource[] = []): ObjectConverter {
  const byKind = new Map<string, Resource[]>();
  for (const fact of facts) {
    const key = kindKey(fact.gvk);
    const sameKind = byKind.get(key);
    if (sameKind === undefined) byKind.set(key, [fact]);
    else sameKind.push(fact);
  }
  const known = (gvk: GroupVersionKind, namespace: string): readonly JsonObject[] =>
    (byKind.get(kindKey(gvk)) ?? [])
      .filter((fact) => namespace === '' || fact.namespace === namespace)
      .map((fact) => fact.value);
  const builtin = new Map<ServerFacts, AdmissionObjects>();
  const objectsOf = (server: ServerFacts): AdmissionObjects => {
    const objects = builtin.get(server) ?? new AdmissionObjects(version, { facts: server, known });
    builtin.set(server, objects);
    return objects;
  };
  const definitions = new Map<string, Resource>();
  for (const fact of facts) {
    for (const custom of readCustomResources(fact)) {
      if (!definitions.has(kindKey(custom))) definitions.set(kindKey(custom), fact);
    }
  }
  const customKinds = new CustomResourceKinds(version);
  const admitCustom = ({ value, gvk }: Resource, namespace: string, server: ServerFacts): Conversion | undefined => {
    const definition = definitions.get(kindKey(gvk));
    const custom = definition && customKinds.kind(definition, gvk.version);
    if (custom === undefined || 'problems' in custom) return undefined;
    return custom.kind.admit(value, { namespace, facts: server });
  };
  const admit = (resource: Resource, namespace: string, server: ServerFacts): Conversion | undefined =>
    objectsOf(server).convert(resource.value, resource.gvk, namespace) ?? admitCustom(resource, namespace, server);
  const converted = new Map<Resource, ConvertedObject>();
  return {
    convert(resource, _mapping, namespace) {
      let result = converted.get(resource);
      if (result === undefined) {
        const [server] = POSSIBLE_FACTS;
        result = {
          ...convertedObject(resource, admit(resource, namespace, server)),
          possible: () =>
            POSSIBLE_FACTS.map((facts) => storedObject(resource, admit(resource, namespace, facts), facts)),
        };
        converted.set(resource, result);
      }
      return result;
    },
  };
}

/** What built-in and custom kinds have in common. */
type Conversion =
  | Pick<Extract<AdmissionObjectResult, { validating: unknown }>, 'validating' | 'strictErrors'>
  | Extract<AdmissionObjectResult, { error: unknown }>;

/** Of every object, whatever its kind. */
const INVENTED_METADATA: readonly FieldPath[] = ['uid', 'creationTimestamp', 'managedFields'].map((field) => [
  'metadata',
  field,
]);

/** With the fields that are on every server and left out elsewhere: what they hold tells nobody anything. */
function storedObject(resource: Resource, conversion: Conversion | undefined, facts: ServerFacts): JsonObject {
  const isTyped = conversion !== undefined && !('error' in conversion);
  const object = isTyped ? conversion.validating.object : resource.value;
  if (isTyped && !conversion.validating.invented.some((path) => isSamePath(path, ['metadata', 'managedFields']))) {
    return object;
  }
  const metadata = new Map<string, JsonValue>(objectOrEmpty(object.get('metadata')));
  metadata.set('uid', facts.uid).set('creationTimestamp', facts.now);
  metadata.set('managedFields', managedFields(facts, resource.apiVersion));
  return new Map<string, JsonValue>(object).set('metadata', metadata);
}

function convertedObject(resource: Resource, result: Conversion | undefined): Omit<ConvertedObject, 'possible'> {
  const duplicates = duplicateFields(resource);
  if (result === undefined) {
    return {
      object: resource.value,
      diagnostics: duplicates,
      refused: false,
      invented: INVENTED_METADATA,
      isDefaulted: () => false,
    };
  }
  if ('error' in result) {
    const diagnostic: Diagnostic = {
      code: 'refused-object',
      severity: 'error',
      message: refusalMessage(resource.gvk, result.error.message),
      primary: resource.locate(result.error.path, 'value'),
      related: [],
      help: 'no policy sees this object: the API server refuses it first',
    };
    return {
      object: resource.value,
      diagnostics: [diagnostic],
      refused: true,
      invented: INVENTED_METADATA,
      isDefaulted: () => false,
    };
  }
  const { validating, strictErrors } = result;
  const unknown = strictErrors.map(
    ({ message, path }): Diagnostic => ({
      code: 'unknown-field',
      severity: 'error',
      message: refusalMessage(resource.gvk, `strict decoding error: ${message}`),
      primary: resource.locate(path, 'key'),
      related: [],
      help: `${describeKind(resource.gvk)} has no such field; policies do not see it`,
    }),
  );
  return {
    object: validating.object,
    diagnostics: [...unknown, ...duplicates],
    refused: false,
    invented: validating.invented,
    isDefaulted: (path) =>
      validating.isDefaulted(path) || validating.invented.some((invented) => isSamePath(path, invented)),
  };
}

/** Keys written twice; merge keys are meant to be overridden. */
function duplicateFields({ manifest, rootPath }: Resource): readonly Diagnostic[] {
  return manifest.duplicateFields
    .filter(({ path, isMerged }) => !isMerged && rootPath.every((step, index) => path[index] === step))
    .map(({ message, path, range, firstRange }) => ({
      code: 'duplicate-field',
      severity: 'error',
      message: `strict decoding error: yaml: ${message === '' ? `key "${path.at(-1)}" already set in map` : message}`,
      primary: { file: manifest.file, range },
      related:
        firstRange === undefined
          ? []
          : [{ message: 'first written here', location: { file: manifest.file, range: firstRange } }],
      help: 'the last value counts where the client does not ask for strict validation',
    }));
}

function describeKind({ group, version, kind }: GroupVersionKind): string {
  return `${formatApiVersion(group, version)} ${kind}`;
}
