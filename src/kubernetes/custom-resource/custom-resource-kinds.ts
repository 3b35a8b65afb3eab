// Custom resource kinds by definition: the entry point of this folder.
import type { Resource } from '../api/resource.ts';
import type { KubernetesVersion } from '../api/version.ts';
import type { RunBudget } from '../request/run-budget.ts';
import type { DefinitionProblem } from './definition/definition-problem.ts';
import {
  type CustomResourceKindResult,
  customResourceServer,
  kindOfDefinition,
  problemsOfSpec,
} from './kind-of-definition.ts';
import type { CustomResourceServer } from './server.ts';

/** For one Kubernetes release and one run. Builds each kind on first use. */
export class CustomResourceKinds {
  readonly #version: KubernetesVersion;
  readonly #work: RunBudget | undefined;
  readonly #kinds = new Map<Resource, Map<string, CustomResourceKindResult>>();
  #server: CustomResourceServer | undefined;

  constructor(version: KubernetesVersion, work?: RunBudget) {
    this.#version = version;
    this.#work = work;
  }

  /** Returns problems if the definition lacks the version. */
  kind(definition: Resource, version: string): CustomResourceKindResult {
    let versions = this.#kinds.get(definition);
    if (versions === undefined) {
      versions = new Map();
      this.#kinds.set(definition, versions);
    }
    let result = versions.get(version);
    if (result === undefined) {
      this.#server ??= customResourceServer(this.#version, this.#work);
      result = kindOfDefinition(definition, version, this.#server);
      versions.set(version, result);
    }
    return result;
  }

  /** Why the server refuses the definition apart from its schemas. `old`: the definition that an update replaces. */
  specProblems(definition: Resource, old: Resource | undefined): readonly DefinitionProblem[] {
    this.#server ??= customResourceServer(this.#version, this.#work);
    return problemsOfSpec(definition, old, this.#server);
  }
}
