// Builds the kind of one version of a CustomResourceDefinition, or returns the server's errors about the definition.
import { readDefinition } from '../api/custom-resource-definition.ts';
import type { Resource } from '../api/resource.ts';
import type { KubernetesVersion } from '../api/version.ts';
import type { RunBudget } from '../request/run-budget.ts';
import { CustomResourceKind } from './custom-resource-kind.ts';
import { versionOf } from './custom-resource-version.ts';
import type { DefinitionProblem } from './definition/definition-problem.ts';
import { specErrors } from './definition/spec-errors.ts';
import { customResourceSchema } from './schema/custom-resource-schema.ts';
import { CustomResourceServer } from './server.ts';

export type CustomResourceKindResult =
  | { readonly kind: CustomResourceKind }
  /** The server refuses the definition, so the structure of objects is unknown. */
  | { readonly problems: readonly DefinitionProblem[] };

/** Shared by all definitions of a run. */
export function customResourceServer(version: KubernetesVersion, work?: RunBudget): CustomResourceServer {
  return new CustomResourceServer(version, work);
}

/** Returns problems if the definition lacks the version. */
export function kindOfDefinition(
  definition: Resource,
  version: string,
  server: CustomResourceServer,
): CustomResourceKindResult {
  const read = versionOf(readDefinition(definition), version);
  if (read === undefined) {
    return { problems: [{ path: ['spec', 'versions'], message: `spec.versions: no version ${version}` }] };
  }
  const spender = server.work.spender(`CustomResourceDefinition ${definition.name}`, definition);
  server.work.begin(spender);
  const schema = customResourceSchema(read, server);
  return 'problems' in schema ? schema : { kind: new CustomResourceKind(read, schema, server, spender) };
}

/** The problems of the definition's `spec` outside its schemas; none for v1beta1, which current servers do not serve. */
export function problemsOfSpec(
  { gvk, value }: Resource,
  old: Resource | undefined,
  { errors }: CustomResourceServer,
): readonly DefinitionProblem[] {
  return gvk.version === 'v1' ? specErrors(value, old?.value, errors) : [];
}
