// The warnings that the server writes into a policy's `status.typeChecking` (apiserver `validating/typechecking.go`).
import { DYN, type Type } from '../../../cel/check/type.ts';
import type { Environment } from '../../../cel/environment.ts';
import { displayIssues } from '../../../cel/issue/display-issues.ts';
import {
  type GroupVersionKind,
  type GroupVersionResource,
  kindKey,
  parseApiVersion,
} from '../../../kubernetes/api/group-version.ts';
import { isAtLeast, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import { DeclaredTypes } from '../../../kubernetes/cel/declared-types.ts';
import type { TypedKinds } from '../../../kubernetes/cel/published-kinds.ts';
import { compareUtf8 } from '../../../source/json/json.ts';
import { declaredType, type NamedExpression, VARIABLES_TYPE } from '../../expression/variables.ts';
import type { TypeWarning } from '../../language/policy-facts.ts';
import type { NamedRuleWithOperations } from '../../matching/match-resources.ts';
import type { ParamKind } from '../generic/admission-policy.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

class CheckedKind {
  readonly kind: GroupVersionKind;
  readonly #make: () => Environment;
  #environment: Environment | undefined;

  constructor(kind: GroupVersionKind, make: () => Environment) {
    this.kind = kind;
    this.#make = make;
  }

  get environment(): Environment {
    this.#environment ??= this.#make();
    return this.#environment;
  }
}

/** The server stops when one rule has this many kinds, duplicates included. */
const MAX_KINDS = 10;

/** The server treats it like no kind. */
const EMPTY_KIND = kindKey({ group: '', version: '', kind: '' });

export class TypeChecker {
  readonly #policy: ValidatingPolicy;
  readonly #checked: readonly CheckedKind[];

  constructor(
    policy: ValidatingPolicy,
    kinds: TypedKinds,
    environments: AdmissionEnvironments,
    version: KubernetesVersion,
  ) {
    this.#policy = policy;
    const params = paramsType(policy.paramKind, kinds, version);
    this.#checked = kindsToCheck(policy, kinds).flatMap((kind): CheckedKind[] => {
      const object = kinds.declare(kind);
      if (object === undefined) return [];
      return [new CheckedKind(kind, () => typedEnvironment(policy.variables, object, params, kinds, environments))];
    });
  }

  /** For validations and their messageExpressions, in order. The server checks nothing else. */
  warnings(): readonly TypeWarning[] {
    return this.#policy.validations.flatMap(({ expression, messageExpression }, index) => {
      const path = `spec.validations[${index}]`;
      const warnings = [this.#warning(`${path}.expression`, expression)];
      if (messageExpression !== '') warnings.push(this.#warning(`${path}.messageExpression`, messageExpression));
      return warnings.filter((warning) => warning !== undefined);
    });
  }

  /** True if there would be a warning. Does not build its text. */
  warnsOf(expression: string): boolean {
    return this.#checked.some(({ environment }) => environment.compile(expression).issues.length > 0);
  }

  #warning(fieldRef: string, expression: string): TypeWarning | undefined {
    const paragraphs = this.#checked.flatMap(({ kind: { group, version, kind }, environment }) => {
      const { issues } = environment.compile(expression);
      return issues.length === 0 ? [] : [`${group}/${version}, Kind=${kind}: ${displayIssues(expression, issues)}\n`];
    });
    return paragraphs.length === 0 ? undefined : { fieldRef, warning: paragraphs.join('\n') };
  }
}

/** Variables contribute their types to later expressions. Their own errors are not reported. */
function typedEnvironment(
  variables: readonly NamedExpression[],
  object: Type,
  params: Type | undefined,
  kinds: TypedKinds,
  environments: AdmissionEnvironments,
): Environment {
  const fields = new Map<string, Type>();
  const own = new DeclaredTypes();
  own.declare(VARIABLES_TYPE.name, () => fields);
  const environment = environments.forTypeChecking({ object, params, types: [own, kinds.types] });
  for (const { name, expression } of variables) {
    fields.set(name, declaredType(environment.compile(expression).ast?.outputType));
  }
  return environment;
}

/** Before 1.36, params of a kind without a schema are not declared. */
function paramsType(paramKind: ParamKind | undefined, kinds: TypedKinds, version: KubernetesVersion): Type | undefined {
  const groupVersion = paramKind && parseApiVersion(paramKind.apiVersion);
  if (paramKind === undefined || groupVersion === undefined) return undefined;
  const kind = { ...groupVersion, kind: paramKind.kind };
  if (kindKey(kind) === EMPTY_KIND) return undefined;
  return kinds.declare(kind) ?? (isAtLeast(version, '1.36') ? DYN : undefined);
}

/** Sorted by group, version and kind. Excludes rules with wildcards, and subresources. */
function kindsToCheck({ matchConstraints }: ValidatingPolicy, kinds: TypedKinds): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of matchConstraints?.resourceRules ?? []) {
    let count = 0;
    for (const kind of resourcesOf(rule).flatMap((resource) => kinds.kindsFor(resource))) {
      found.set(kindKey(kind), kind);
      count += 1;
      if (count === MAX_KINDS) return sorted(found.values());
    }
  }
  return sorted(found.values());
}

function resourcesOf({ apiGroups, apiVersions, resources }: NamedRuleWithOperations): readonly GroupVersionResource[] {
  if ([...apiGroups, ...apiVersions].some((item) => item.includes('*'))) return [];
  const plain = resources.filter((resource) => !/[*/]/.test(resource));
  const versions = [...apiVersions].sort(compareUtf8);
  return [...apiGroups]
    .sort(compareUtf8)
    .flatMap((group) =>
      versions.flatMap((version) =>
        [...plain].sort(compareUtf8).map((resource): GroupVersionResource => ({ group, version, resource })),
      ),
    );
}

function sorted(kinds: Iterable<GroupVersionKind>): readonly GroupVersionKind[] {
  return [...kinds].sort(
    (a, b) => compareUtf8(a.group, b.group) || compareUtf8(a.version, b.version) || compareUtf8(a.kind, b.kind),
  );
}
