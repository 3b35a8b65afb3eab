// Preadmit's own diagnostics for policies and bindings that the API server accepts.
import type { Diagnostic } from '../../../../diagnostic/diagnostic.ts';
import type { KubernetesVersion } from '../../../../kubernetes/api/version.ts';
import { type BuiltinResources, builtinResources } from '../../../../kubernetes/schema/resources.ts';
import type { AdmissionBinding, AdmissionPolicy } from '../admission-policy.ts';
import { unservedVersion } from '../served-versions.ts';
import type { CompiledRules } from './compiled-rules.ts';
import { ReleaseLint } from './lint-releases.ts';
import { lintRules } from './lint-rules.ts';
import { lintVariables } from './lint-variables.ts';

/** For one target. Lives for one run. */
export class PolicyLint {
  readonly #version: KubernetesVersion;
  readonly #builtin: BuiltinResources;
  readonly #releases: ReleaseLint;

  constructor(version: KubernetesVersion) {
    this.#version = version;
    this.#builtin = builtinResources(version.minor);
    this.#releases = new ReleaseLint(version);
  }

  ofPolicy(policy: AdmissionPolicy, compiled: CompiledRules): readonly Diagnostic[] {
    const { matchConstraints, resource } = policy;
    const path = ['spec', 'matchConstraints'];
    return [
      ...unservedVersion(resource, this.#version, this.#builtin),
      ...(matchConstraints === undefined ? [] : lintRules(resource, matchConstraints, path, this.#builtin)),
      ...lintVariables(policy, compiled),
      ...this.#releases.lint(policy, compiled),
    ];
  }

  ofBinding({ matchResources, resource }: AdmissionBinding): readonly Diagnostic[] {
    const path = ['spec', 'matchResources'];
    return [
      ...unservedVersion(resource, this.#version, this.#builtin),
      ...(matchResources === undefined ? [] : lintRules(resource, matchResources, path, this.#builtin)),
    ];
  }
}
