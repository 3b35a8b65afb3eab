// Expressions that cannot work for a kind the policy is about: stricter than the API server's type checking, without its false alarms.
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

/** Kinds that are looked at, of those that rules name and of those that they do not. */
const MAX_KINDS = 50;
/** Of all expressions of a policy, each counted for each kind: with long ones fewer kinds are looked at. */
const MAX_CHARACTERS = 500_000;
/** More of one policy are only counted. */
const MAX_FINDINGS = 100;

/** The same remark at one place. */
interface Finding {
  readonly remark: ExpressionRemark;
  /** The kinds for which it was made, with the object whose field is concerned, if one is. */
  readonly objects: Map<MatchedKind, Type | undefined>;
  /** Of a test: that some kind has the field. */
  isDefined: boolean;
}

type Findings = Map<string, Finding>;

const WARNING = { code: 'ill-typed-expression', severity: 'warning', related: [] } as const;

export interface TypingOptions {
  readonly hasPatchTypes?: boolean;
  readonly warnings?: (kinds: KnownKinds) => (path: FieldPath) => boolean;
}

/** Made for one run; what it needs to know of the cluster's kinds is gathered for the first policy. */
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
   * Of expressions that do not compile nothing is said. `warnings`: asked for where there is something to say, which expressions a
   * cluster's own type checking warns of.
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
    const told = findings
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
    const more = findings.length - told.length;
    if (more === 0) return told;
    const primary = policy.resource.locate(['metadata', 'name'], 'value');
    return [...told, { ...WARNING, message: `${more} more places of this policy cannot work`, primary }];
  }
}

/** Without the kinds of whose objects nothing is known. */
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
 * Rules for everything go with expressions that look at what they got, in ways that cannot all be followed: what fails for a
 * kind that no rule names counts only if it fails for all of those.
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
 * Asking for a field that is not there is how one expression serves several kinds and releases, unless the name is no field's
 * and nearly that of one.
 */
function isSlip({ observation }: ExpressionRemark, objects: Finding['objects'], known: KnownKinds): boolean {
  if (observation.kind !== 'test' || known.catalog.isFieldName(observation.field)) return false;
  const { field } = observation;
  return [...objects.values()].every(
    (object) => object !== undefined && similarField(object, field, known) !== undefined,
  );
}
