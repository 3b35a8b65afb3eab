// Reports expressions that only a newer Kubernetes accepts. The API server reports only the error.
import type { Diagnostic } from '../../../../diagnostic/diagnostic.ts';
import { formatVersion, type KubernetesVersion, NEWEST_VERSION } from '../../../../kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../../kubernetes/cel/admission-environment.ts';
import type { AdmissionPolicy, PlacedExpression } from '../admission-policy.ts';
import type { CompiledRules } from './compiled-rules.ts';

/** Compiles policies for other releases. Lives for one run. */
export class ReleaseLint {
  readonly #target: KubernetesVersion;
  readonly #environments = new Map<number, AdmissionEnvironments>();

  constructor(target: KubernetesVersion) {
    this.#target = target;
  }

  /** `compiled`: the policy compiled as on creation in the target. */
  lint(policy: AdmissionPolicy, compiled: CompiledRules): readonly Diagnostic[] {
    // No release accepts an empty expression in a new policy; a stored one compiles.
    const failed = compiled.expressions.filter(
      ({ compiled: { error, expression } }) => error !== undefined && expression.trim() !== '',
    );
    if (failed.length === 0) return [];
    const newest = this.#environmentsOf(NEWEST_VERSION.minor);
    const known = compiledKeys(compiled.compileFor('stored', newest));
    // In stored policies, match conditions see variables. No release accepts that in a new policy.
    const accepted = compiledKeys(compiled.compileFor('new', newest));
    const hopeful = failed.filter(({ path }) => (path[1] === 'matchConditions' ? accepted : known).has(path.join()));
    if (hopeful.length === 0) return [];
    const releases = this.#acceptedSince(compiled);
    return hopeful.map(({ path }) => ({
      code: 'needs-newer-kubernetes',
      severity: 'warning',
      message: `this expression needs Kubernetes ${releases(path.join())}; the target is ${formatVersion(this.#target)}`,
      primary: policy.resource.locate(path, 'value'),
      related: [],
      help: 'new policies may use only features that the previous release already has; set `kubernetesVersion` if the cluster is newer',
    }));
  }

  /** The first release that accepts an expression, by path. */
  #acceptedSince(compiled: CompiledRules): (key: string) => string {
    const first = new Map<string, string>();
    for (let minor = this.#target.minor + 1; minor <= NEWEST_VERSION.minor; minor++) {
      for (const key of compiledKeys(compiled.compileFor('new', this.#environmentsOf(minor)))) {
        if (!first.has(key)) first.set(key, formatVersion({ major: 1, minor }));
      }
    }
    return (key) => first.get(key) ?? `after ${formatVersion(NEWEST_VERSION)}`;
  }

  #environmentsOf(minor: number): AdmissionEnvironments {
    let environments = this.#environments.get(minor);
    if (environments === undefined) {
      environments = new AdmissionEnvironments({ major: 1, minor });
      this.#environments.set(minor, environments);
    }
    return environments;
  }
}

/** The paths of expressions that compile. */
function compiledKeys(expressions: readonly PlacedExpression[]): ReadonlySet<string> {
  const sound = expressions.filter((expression) => expression.compiled.error === undefined);
  return new Set(sound.map(({ path }) => path.join()));
}
