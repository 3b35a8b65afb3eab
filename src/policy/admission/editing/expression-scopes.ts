// The compilation environments for an expression in an editor: one for each kind of object that the policy matches.
import { DYN, type Type } from '../../../cel/check/type.ts';
import type { Environment } from '../../../cel/environment.ts';
import { formatApiVersion, type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import { DeclaredTypes } from '../../../kubernetes/cel/declared-types.ts';
import { KnownKinds } from '../../../kubernetes/cel/known-kinds.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { VARIABLES_TYPE } from '../../expression/variables.ts';
import type { ParamKind } from '../generic/admission-policy.ts';
import { matchedKinds } from '../generic/matched-kinds.ts';
import type { ExpressionSite } from './expression-site.ts';

export interface ExpressionScope {
  /** `apps/v1 Deployment`. Empty if the matched kinds are unknown. */
  readonly label: string;
  readonly environment: Environment;
}

export interface TriedScope extends Pick<ExpressionSite, 'visibleVariables' | 'hasAuthorizer' | 'isMutation'> {
  readonly policy: Pick<ExpressionSite['policy'], 'paramKind' | 'variables'>;
  /** Undefined: any kind. */
  readonly object: GroupVersionKind | undefined;
}

/** Maximum number of kinds. Wildcard rules would have hundreds. */
const MAX_KINDS = 8;

/** Valid as long as the cluster's kinds do not change. */
export class ExpressionScopes {
  readonly #kinds: KnownKinds;
  readonly #environments: AdmissionEnvironments;
  readonly #known = new WeakMap<Resource, Map<string, readonly ExpressionScope[]>>();

  constructor(cluster: Cluster) {
    this.#kinds = new KnownKinds(cluster);
    this.#environments = new AdmissionEnvironments(cluster.version);
  }

  /** Returns at least one scope. */
  scopesOf(site: ExpressionSite): readonly ExpressionScope[] {
    const known = this.#known.get(site.resource) ?? new Map<string, readonly ExpressionScope[]>();
    this.#known.set(site.resource, known);
    const key = [site.visibleVariables, site.hasAuthorizer, site.isMutation].join();
    const scopes = known.get(key) ?? this.#scopes(site);
    known.set(key, scopes);
    return scopes;
  }

  /** For an expression outside a policy, or one that is tried with a single object. */
  scopeFor({ object, ...written }: TriedScope): ExpressionScope {
    const type = object && this.#kinds.objectType(object);
    const label = object === undefined ? '' : `${formatApiVersion(object.group, object.version)} ${object.kind}`;
    return { label, environment: this.#environment(written, type ?? DYN) };
  }

  #scopes(site: ExpressionSite): readonly ExpressionScope[] {
    const { matchConstraints } = site.policy;
    const { kinds = [] } = (matchConstraints && matchedKinds(matchConstraints, this.#kinds.all)) ?? {};
    const objects = new Map<string, { readonly label: string; readonly object: Type }>();
    for (const { kind } of [...kinds].sort((one, other) => Number(other.isNamed) - Number(one.isNamed))) {
      const object = this.#kinds.objectType(kind);
      if (object === undefined || objects.has(object.name)) continue;
      objects.set(object.name, { label: `${formatApiVersion(kind.group, kind.version)} ${kind.kind}`, object });
      if (objects.size === MAX_KINDS) break;
    }
    if (objects.size === 0) objects.set('', { label: '', object: DYN });
    return [...objects.values()].map(({ label, object }) => ({ label, environment: this.#environment(site, object) }));
  }

  /** A variable has the type of its expression, or dyn if that does not compile. */
  #environment(site: Omit<TriedScope, 'object'>, object: Type): Environment {
    const { policy, hasAuthorizer, isMutation, visibleVariables } = site;
    const fields = new Map<string, Type>();
    const own = new DeclaredTypes();
    if (visibleVariables !== undefined) own.declare(VARIABLES_TYPE.name, () => fields);
    const { environment } = this.#environments.context({
      mode: 'new',
      hasParams: policy.paramKind !== undefined,
      hasAuthorizer,
      hasPatchTypes: isMutation,
      ...(visibleVariables !== undefined && { variables: own }),
    });
    const typed = environment.extend({
      variables: [
        { name: 'object', type: object },
        { name: 'oldObject', type: object },
        ...(policy.paramKind === undefined ? [] : [{ name: 'params', type: this.#paramsType(policy.paramKind) }]),
      ],
      types: [this.#kinds.types],
    });
    for (const { name, expression } of policy.variables.slice(0, visibleVariables ?? 0)) {
      fields.set(name, typed.compile(expression).ast?.outputType ?? DYN);
    }
    return typed;
  }

  #paramsType({ apiVersion, kind }: ParamKind): Type {
    const groupVersion = parseApiVersion(apiVersion);
    return (groupVersion && this.#kinds.objectType({ ...groupVersion, kind })) ?? DYN;
  }
}
