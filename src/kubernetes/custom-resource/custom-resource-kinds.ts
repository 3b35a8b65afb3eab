// Custom resources by their definitions: the one entry to everything in this folder.
import { readDefinition } from '../custom-resource-definition.ts';
import type { Resource } from '../resource.ts';
import type { RunBudget } from '../run-budget.ts';
import type { KubernetesVersion } from '../version.ts';
import { CustomResourceKind } from './custom-resource-kind.ts';
import { versionOf } from './custom-resource-version.ts';
import type { DefinitionProblem } from './definition/definition-problem.ts';
import { customResourceSchema } from './schema/custom-resource-schema.ts';
import { CustomResourceServer } from './server.ts';

export type CustomResourceKindResult =
  | { readonly kind: CustomResourceKind }
  /** The server would refuse the definition, so nothing is known of objects of the kind. */
  | { readonly problems: readonly DefinitionProblem[] };

/** For one Kubernetes release and one run; each kind is made when it first comes up. */
export class CustomResourceKinds {
  readonly #version: KubernetesVersion;
  readonly #work: RunBudget | undefined;
  readonly #kinds = new Map<Resource, Map<string, CustomResourceKindResult>>();
  #server: CustomResourceServer | undefined;

  constructor(version: KubernetesVersion, work?: RunBudget) {
    this.#version = version;
    this.#work = work;
  }

  /** A version that the definition does not have is a problem of it. */
  kind(definition: Resource, version: string): CustomResourceKindResult {
    let versions = this.#kinds.get(definition);
    if (versions === undefined) {
      versions = new Map();
      this.#kinds.set(definition, versions);
    }
    let result = versions.get(version);
    if (result === undefined) {
      result = this.#make(definition, version);
      versions.set(version, result);
    }
    return result;
  }

  #make(definition: Resource, version: string): CustomResourceKindResult {
    this.#server ??= new CustomResourceServer(this.#version, this.#work);
    const read = versionOf(readDefinition(definition), version);
    if (read === undefined) {
      return { problems: [{ path: ['spec', 'versions'], message: `spec.versions: no version ${version}` }] };
    }
    const spender = this.#server.work.spender(`CustomResourceDefinition ${definition.name}`, definition);
    this.#server.work.begin(spender);
    const schema = customResourceSchema(read, this.#server);
    return 'problems' in schema ? schema : { kind: new CustomResourceKind(read, schema, this.#server, spender) };
  }
}
