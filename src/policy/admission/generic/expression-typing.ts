// Reports expressions that cannot work for a matched kind. Finds more than the API server's type checking, without its false alarms.
import { DYN, type Type } from '../../../cel/check/type.ts';
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import { KnownKinds } from '../../../kubernetes/cel/known-kinds.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { AdmissionPolicy, ParamKind } from './admission-policy.ts';
import {
  type ExpressionRemark,
  expressionRemarks,
  type PolicyExpressions,
  type RemarkContext,
  type RuleExpression,
} from './expression-remarks.ts';
import { helpFor, messageFor } from './ill-typed-wording.ts';
import { type MatchedKind, type MatchedKinds, matchedKinds } from './matched-kinds.ts';
import { similarField } from './similar-field.ts';

/** Limit for kinds that rules name, and separately for kinds that they match by wildcard. */
const MAX_KINDS = 50;
/** Limit for a policy's expressions times kinds. Long expressions are checked for fewer kinds. */
const MAX_CHARACTERS = 500_000;
/** Further findings of a policy are only counted. */
const MAX_FINDINGS = 100;

/** The same remark at the same location, for several kinds. */
interface Finding {
  readonly remark: ExpressionRemark;
  /** The kinds concerned, with the object type that lacks the field, if any. */
  readonly objects: Map<MatchedKind, Type | undefined>;
  /** For tests: at least one kind has the field. */
  isDefined: boolean;
}

type Findings = Map<string, Finding>;

const WARNING = { code: 'ill-typed-expression', severity: 'warning', related: [] } as const;

export interface TypingOptions {
  readonly hasPatchTypes?: boolean;
  readonly warnings?: (kinds: KnownKinds) => (path: FieldPath) => boolean;
}

/** Lives for one run. Collects the cluster's kinds on first use. */
export class ExpressionTyping {
  readonly #cluster: Cluster;
  readonly #environments: AdmissionEnvironments;
  #known: KnownKinds | undefined;

  constructor(cluster: Cluster, environments: AdmissionEnvironments) {
    this.#cluster = cluster;
    this.#environments = environments;
  }

  get kinds(): KnownKinds {
    this.#known ??= new KnownKinds(this.#cluster);
    return this.#known;
  }

  /**
   * Skips expressions that do not compile. `warnings` is called only if there are findings; it identifies the
   * expressions that the server's type checking also reports.
   */
  diagnostics(
    policy: AdmissionPolicy,
    expressions: PolicyExpressions,
    { hasPatchTypes = false, warnings = () => () => false }: TypingOptions = {},
  ): readonly Diagnostic[] {
    if (policy.matchConstraints === undefined) return [];
    const { kinds } = this;
    const { work } = this.#cluster;
    work.begin(work.spender(`${policy.kind} ${policy.name}`, policy.resource));
    const matched = withObjects(matchedKinds(policy.matchConstraints, kinds.all), kinds);
    const hasParams = policy.paramKind !== undefined;
    const { environment } = this.#environments.context({ mode: 'new', hasParams, hasAuthorizer: true, hasPatchTypes });
    const context = { policy, expressions, environment, work, kinds, params: paramsType(policy.paramKind, kinds) };
    const findings = findingsFor(matched.kinds, context).filter(
      ({ remark, isDefined, objects }) =>
        remark.observation.kind !== 'test' || (matched.isComplete && !isDefined && isSlip(remark, objects, kinds)),
    );
    if (findings.length === 0) return [];
    const isWarned = warnings(kinds);
    const shown = findings
      .slice(0, MAX_FINDINGS)
      .map(({ remark: { path, leading, observation }, objects }): Diagnostic => {
        const help = helpFor(observation, kinds, isWarned(path));
        return {
          ...WARNING,
          message: messageFor(observation, objects),
          primary: policy.resource.locateText(path, leading + observation.start, leading + observation.end),
          ...(help !== undefined && { help }),
        };
      });
    const more = findings.length - shown.length;
    if (more === 0) return shown;
    const primary = policy.resource.locate(['metadata', 'name'], 'value');
    return [
      ...shown,
      {
        ...WARNING,
        message: `${more} more ${more === 1 ? 'expression' : 'expressions'} of this policy cannot work`,
        primary,
      },
    ];
  }
}

/** Drops kinds whose object type is unknown. */
function withObjects({ kinds, isComplete }: MatchedKinds, known: KnownKinds): MatchedKinds {
  const withObject = kinds.filter(({ kind }) => (known.objectType(kind) ?? DYN) !== DYN);
  return { kinds: withObject, isComplete: isComplete && withObject.length === kinds.length };
}

function paramsType(paramKind: ParamKind | undefined, kinds: KnownKinds): Type {
  const groupVersion = paramKind && parseApiVersion(paramKind.apiVersion);
  if (paramKind === undefined || groupVersion === undefined) return DYN;
  return kinds.objectType({ ...groupVersion, kind: paramKind.kind }) ?? DYN;
}

/**
 * Wildcard rules often come with expressions that test which kind they have, in ways that type inference cannot follow.
 * A finding for kinds that no rule names is reported only if it applies to all of them.
 */
function findingsFor(matched: readonly MatchedKind[], context: RemarkContext): readonly Finding[] {
  const limit = Math.min(MAX_KINDS, Math.max(1, Math.floor(MAX_CHARACTERS / lengthOf(context))));
  const named = matched.filter(({ isNamed }) => isNamed).slice(0, limit);
  const unnamed = matched.filter(({ isNamed }) => !isNamed).slice(0, limit);
  const findings: Findings = new Map();
  for (const kind of named) addRemarks(findings, kind, context);
  const common: Findings = new Map();
  for (const [index, kind] of unnamed.entries()) {
    addRemarks(common, kind, context);
    for (const [key, { objects }] of common) if (objects.size <= index) common.delete(key);
    if (common.size === 0) break;
  }
  for (const [key, finding] of common) {
    const known = findings.get(key);
    if (known === undefined) findings.set(key, finding);
    else for (const [kind, object] of finding.objects) known.objects.set(kind, object);
  }
  return [...findings.values()];
}

function lengthOf({ policy, expressions }: RemarkContext): number {
  const lengthIn = ({ written, otherwise }: RuleExpression): number =>
    written.length + (otherwise?.written.length ?? 0);
  const texts = [...policy.matchConditions, ...policy.variables].map(({ expression }) => expression.length);
  return [...texts, ...expressions.rules.map(lengthIn)].reduce((sum, length) => sum + length, 1);
}

function addRemarks(findings: Findings, kind: MatchedKind, context: RemarkContext): void {
  const object = context.kinds.objectType(kind.kind) ?? DYN;
  for (const remark of expressionRemarks(context, kind, object)) {
    const { path, observation } = remark;
    const what = observation.kind === 'mismatch' ? observation.message : observation.field;
    const key = JSON.stringify([path, observation.start, observation.end, observation.kind, what]);
    const finding = findings.get(key) ?? { remark, objects: new Map<MatchedKind, Type>(), isDefined: false };
    findings.set(key, finding);
    finding.objects.set(kind, observation.kind === 'mismatch' ? undefined : observation.object);
    if (observation.kind === 'test' && observation.isDefined) finding.isDefined = true;
  }
}

/**
 * Testing for an absent field is a normal way to support several kinds and releases. It is a mistake only if no type
 * has a field of this name and a similar name exists.
 */
function isSlip({ observation }: ExpressionRemark, objects: Finding['objects'], known: KnownKinds): boolean {
  if (observation.kind !== 'test' || known.catalog.isFieldName(observation.field)) return false;
  const { field } = observation;
  return [...objects.values()].every(
    (object) => object !== undefined && similarField(object, field, known) !== undefined,
  );
}
