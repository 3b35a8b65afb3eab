// Typed conversion of manifests with what the server would say of them, each done once in a run.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { CustomResourceKinds } from '../kubernetes/custom-resource/custom-resource-kinds.ts';
import { formatApiVersion, type GroupVersionKind, kindKey } from '../kubernetes/group-version.ts';
import type { Resource } from '../kubernetes/resource.ts';
import {
  type AdmissionObjectResult,
  AdmissionObjects,
  PLACEHOLDER_FACTS,
  refusalMessage,
} from '../kubernetes/schema/admission-object.ts';
import type { KubernetesVersion } from '../kubernetes/version.ts';
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
  const objects = new AdmissionObjects(version, {
    known: (gvk, namespace) =>
      (byKind.get(kindKey(gvk)) ?? [])
        .filter((fact) => namespace === '' || fact.namespace === namespace)
        .map((fact) => fact.value),
  });
  const definitions = new Map<string, Resource>();
  for (const fact of facts) {
    for (const custom of readCustomResources(fact)) {
      if (!definitions.has(kindKey(custom))) definitions.set(kindKey(custom), fact);
    }
  }
  const customKinds = new CustomResourceKinds(version);
  const admitCustom = ({ value, gvk }: Resource, namespace: string): Conversion | undefined => {
    const definition = definitions.get(kindKey(gvk));
    const known = definition && customKinds.kind(definition, gvk.version);
    if (known === undefined || 'problems' in known) return undefined;
    return known.kind.admit(value, { namespace, facts: PLACEHOLDER_FACTS });
  };
  const converted = new Map<Resource, ConvertedObject>();
  return {
    convert(resource, _mapping, namespace) {
      let result = converted.get(resource);
      if (result === undefined) {
        const conversion = objects.convert(resource.value, resource.gvk, namespace) ?? admitCustom(resource, namespace);
        result = convertedObject(resource, conversion);
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

function convertedObject(resource: Resource, result: Conversion | undefined): ConvertedObject {
  const duplicates = duplicateFields(resource);
  if (result === undefined) {
    return { object: resource.value, diagnostics: duplicates, refused: false, isDefaulted: () => false };
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
    return { object: resource.value, diagnostics: [diagnostic], refused: true, isDefaulted: () => false };
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
    isDefaulted: (path) => validating.isDefaulted(path) || validating.isInvented(path),
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
