// The object that `preadmit cel` binds: the first of a file, as the API server would hold it, and the request that creates it.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { objectRequest, requestNamespace } from '../engine/object-request.ts';
import { typedConverter } from '../engine/typed-converter.ts';
import { requestVariable } from '../kubernetes/admission-request.ts';
import { RepositoryCluster } from '../kubernetes/cluster/repository-cluster.ts';
import { resourcesOf } from '../kubernetes/resource.ts';
import { BuiltinResources } from '../kubernetes/schema/resources.ts';
import type { KubernetesVersion } from '../kubernetes/version.ts';
import { defaultConfiguration } from '../settings/configuration.ts';
import { isJsonObject, type JsonObject } from '../source/json.ts';
import { readManifests } from '../source/read-manifests.ts';
import { SourceFile } from '../source/source-file.ts';
import { reasonOf, WorkspaceError } from '../workspace/workspace-error.ts';

export interface CelSubject {
  readonly object: JsonObject;
  /** Absent for what is no Kubernetes object. */
  readonly request?: JsonObject;
  /** What the server would say of it, with the line. */
  readonly remarks: readonly string[];
}

const DEFAULT_NAMESPACE = 'default';

/** CustomResourceDefinitions further down in the file count. Throws WorkspaceError. */
export async function readSubject(path: string, directory: string, version: KubernetesVersion): Promise<CelSubject> {
  const text = await readFile(resolve(directory, path), 'utf8').catch((cause: unknown) => {
    throw new WorkspaceError('unreadable', `cannot read \`${path}\`: ${reasonOf(cause)}`, { cause });
  });
  const { manifests } = readManifests(new SourceFile(path, text));
  const resources = manifests.flatMap((manifest) =>
    resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : [])),
  );
  const [resource] = resources;
  if (resource === undefined || resource.manifest !== manifests[0]) {
    const value = manifests[0]?.value;
    if (!isJsonObject(value)) throw new WorkspaceError('unreadable', `\`${path}\` holds no object`);
    return { object: value, remarks: [] };
  }
  const converter = typedConverter({ kubernetesVersion: version, facts: resources });
  const cluster = new RepositoryCluster({
    version,
    builtin: new BuiltinResources(version.minor),
    resources,
    stored: ({ value }) => value,
    defaultNamespace: DEFAULT_NAMESPACE,
    isComplete: false,
  });
  const mapping = cluster.mappingFor(resource.gvk);
  const namespace = requestNamespace(resource, mapping, DEFAULT_NAMESPACE);
  const { object, diagnostics } = converter.convert(resource, mapping, namespace);
  const { refusals } = converter.validate(resource, undefined, mapping, namespace);
  const [target] = defaultConfiguration().targets;
  const request =
    target &&
    objectRequest({
      resource,
      operation: 'CREATE',
      object,
      oldObject: null,
      mapping,
      userInfo: target.user,
      namespace,
    });
  return {
    object,
    ...(request && { request: requestVariable(request, request.kind, request.resource) }),
    remarks: [...diagnostics, ...refusals].map(({ primary, message }) => {
      const line = primary?.file.positionAt(primary.range.start).line;
      return `${path}${line === undefined ? '' : `:${line}`}: ${message}`;
    }),
  };
}
