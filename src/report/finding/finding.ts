// Converts a policy result to a finding at the line that caused it.

import type { Code } from '../../diagnostic/code-table.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { secretTextsIn, withoutSecrets } from '../../kubernetes/secret/secret-object.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import { undecidedMessage } from '../../policy/evaluation/unknown.ts';
import type { PolicyIdentity } from '../../policy/language/policy.ts';
import type { ObjectChangeByPolicy } from '../../policy/language/policy-language.ts';
import { followedPlace } from '../../source/edit/followed-place.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { SourceFile, SourceLocation } from '../../source/text/source-file.ts';
import { placeOf } from '../location/place.ts';
import type { Finding, Place, RelatedPlace, ResourceName, Severity, UnlistedFindings } from '../report.ts';
import {
  addUnlisted,
  type FindingRank,
  type LimitedFindings,
  MAX_FINDINGS_OF_OBJECT,
  NOTHING_UNLISTED,
  rankedObject,
  SEVERITY_RANK,
  speakerOf,
  tallySeverities,
} from './finding-limits.ts';
import type { FindingParts } from './finding-parts.ts';
import { findingIdentity } from './fingerprint.ts';
import { flatText } from './flat-text.ts';
import { serverAnswers } from './server-answer.ts';

/** Maximum number of named policies that may change an object. */
const MAX_MUTATORS = 5;
/** Findings with the files of their primary locations, by path. */
export interface PlacedFindings extends LimitedFindings {
  readonly files: ReadonlyMap<string, SourceFile>;
}

/** A finding under construction. */
type DraftedFinding = { -readonly [Field in keyof Finding]: Finding[Field] };

export interface PlacedFinding {
  readonly finding: DraftedFinding;
  /** File of the primary location. */
  readonly file: SourceFile;
}

export interface DraftedFindings {
  readonly drafts: readonly FindingDraft[];
  readonly unlisted: UnlistedFindings;
}

/** Maximum number of listed exception uses per object. */
const MAX_EXCEPTIONS = 20;

/** Maximum number of additional locations of a rendered field. */
const MAX_RENDERED_PLACES = 5;

/** Like `draftFindings`, with completed findings. */
export function findingsOf(
  evaluated: EvaluatedResource,
  target: string,
  parts: FindingParts,
  changedBy?: string,
): PlacedFindings {
  const { drafts, unlisted } = draftFindings(evaluated, target, changedBy);
  const files = new Map<string, SourceFile>();
  const findings = drafts.map((draft) => {
    const { finding, file } = draft.finish(parts);
    files.set(finding.primary.path, file);
    return finding;
  });
  return { findings, unlisted, files };
}

/** Drafts for one resource. Passed, skipped and ignored results give none. Beyond the per-object limit, keeps the most severe. */
export function draftFindings(evaluated: EvaluatedResource, target: string, changedBy?: string): DraftedFindings {
  const denying = evaluated.outcomes
    .flatMap((outcome) => outcome.evaluations)
    .filter((evaluation) => evaluation.action === 'deny');
  const { taken, unlisted } = mostSevere(denying);
  const omitted = { ...NOTHING_UNLISTED };
  for (const outcome of evaluated.outcomes) {
    for (const evaluations of outcome.omitted) omitted[severityOf(evaluations)] += evaluations.count;
  }
  const answers = serverAnswers(evaluated);
  const subject = diagnosticSubject(evaluated, target);
  const mayBeChangedBy = evaluated.mayBeChangedBy?.slice(0, MAX_MUTATORS);
  const more = { ...(changedBy !== undefined && { changedBy }), ...(mayBeChangedBy && { mayBeChangedBy }) };
  const drafts = taken.map((evaluation) => new FindingDraft(evaluation, subject, more, answers.get(evaluation)));
  for (const { exceptions = [] } of evaluated.outcomes) {
    for (const { evaluation, exception, until } of exceptions.slice(0, MAX_EXCEPTIONS)) {
      const place = placeOf(exception.locate(['metadata', 'name'], 'value'));
      const reason = `${exception.gvk.kind} ${exception.namespace === '' ? '' : `${exception.namespace}/`}${exception.name}`;
      const excuse = { by: 'exception' as const, reason, ...(until !== undefined && { expires: until }), place };
      drafts.push(new FindingDraft(evaluation, subject, { excuse }));
    }
  }
  return { drafts, unlisted: addUnlisted(unlisted, omitted) };
}

/** Shared data of an object's findings; must not keep all evaluations alive. */
interface Subject extends Pick<EvaluatedResource, 'resource' | 'request' | 'changes' | 'isDefaulted' | 'lookedUp'> {
  readonly target: string;
  readonly name: ResourceName;
  readonly object: string;
  /** Values that no message may quote. */
  secrets(): ReadonlySet<string>;
}

function diagnosticSubject(evaluated: EvaluatedResource, target: string): Subject {
  const { resource, request, changes, isDefaulted, lookedUp } = evaluated;
  const name = resourceName(resource, request.namespace);
  const object = rankedObject(target, resource.manifest.root, name);
  let secrets: ReadonlySet<string> | undefined;
  return {
    ...{ resource, request, changes, isDefaulted, target, name, object },
    ...(lookedUp && { lookedUp }),
    secrets: () => {
      secrets ??= requestSecrets(evaluated);
      return secrets;
    },
  };
}

/** A text that a policy computed from a request, without the values of Secrets that it may have read. */
export function shownText(text: string, policy: PolicyIdentity, evaluated: EvaluatedResource): string {
  const own = withoutSecrets(text, requestSecrets(evaluated));
  return evaluated.lookedUp === undefined ? own : withoutSecrets(own, evaluated.lookedUp(policy));
}

function requestSecrets({ resource, request, changes }: EvaluatedResource): ReadonlySet<string> {
  const params = changes.flatMap(({ param }) => (param === undefined ? [] : [param.value]));
  const objects = [resource.value, request.object, request.oldObject, ...params];
  const fed = resource.manifest.secrets ?? [];
  return new Set([...fed, ...objects.flatMap((object) => (object === null ? [] : [...secretTextsIn(object)]))]);
}

function shownMessage(message: string, { param, policy }: Evaluation, { secrets, lookedUp }: Subject): string {
  const own = withoutSecrets(message, secrets());
  const shown = lookedUp === undefined ? own : withoutSecrets(own, lookedUp(policy));
  return flatText(param === undefined ? shown : withoutSecrets(shown, secretTextsIn(param.value)));
}

/** Finding fields that come from neither the evaluation nor the object. */
type More = Pick<Finding, 'changedBy' | 'mayBeChangedBy' | 'excuse'>;

/** Finding fields that other components determine. */
export type Marks = Pick<Finding, 'status' | 'excuse'>;

/** A finding without location. Finding the location needs a second evaluation, so only listed findings get one. */
export class FindingDraft implements FindingRank {
  readonly severity: Severity;
  readonly #evaluation: Evaluation;
  readonly #subject: Subject;
  readonly #more: More;
  readonly #serverTells: Finding['serverTells'];
  marks: Marks = NO_MARKS;
  turn: number | undefined;

  constructor(evaluation: Evaluation, subject: Subject, more: More, serverTells?: Finding['serverTells']) {
    this.severity = severityOf(evaluation);
    this.#evaluation = evaluation;
    this.#subject = subject;
    this.#more = more;
    this.#serverTells = serverTells;
  }

  get object(): string {
    return this.#subject.object;
  }

  get batch(): object {
    return this.#subject;
  }

  /** Not cached: there may be too many drafts. */
  get speaker(): string {
    const { policy, binding, param, rule } = this.#evaluation;
    const from = param && resourceName(param, param.namespace);
    return speakerOf(policy, binding?.name, from, formatFieldPath(rule), messageOf(this.#evaluation));
  }

  /** Prepares the draft for waiting: frees memory, because many drafts may wait. */
  waiting(): this {
    flatText(this.#evaluation.serverMessage);
    return this;
  }

  /** The same values as in the finished finding. */
  get names(): Pick<Finding, 'policy' | 'rule' | 'resource'> {
    const { policy, rule } = this.#evaluation;
    return { policy, rule: { field: formatFieldPath(rule) }, resource: this.#subject.name };
  }

  get isRendered(): boolean {
    return this.#subject.resource.manifest.root !== undefined;
  }

  get resource(): Resource {
    return this.#subject.resource;
  }

  finish(parts: FindingParts): PlacedFinding {
    return findingOf(this.#evaluation, this.#subject, { ...this.#more, ...this.marks }, this.#serverTells, parts);
  }
}

const NO_MARKS: Marks = {};

/** Selects before creating drafts, because there may be far more evaluations than listed findings. */
function mostSevere(evaluations: readonly Evaluation[]): {
  readonly taken: readonly Evaluation[];
  readonly unlisted: UnlistedFindings;
} {
  if (evaluations.length <= MAX_FINDINGS_OF_OBJECT) return { taken: evaluations, unlisted: NOTHING_UNLISTED };
  const ranked = evaluations
    .map((evaluation) => ({ evaluation, severity: severityOf(evaluation) }))
    .sort((one, other) => SEVERITY_RANK[one.severity] - SEVERITY_RANK[other.severity]);
  return {
    taken: ranked.slice(0, MAX_FINDINGS_OF_OBJECT).map(({ evaluation }) => evaluation),
    unlisted: tallySeverities(ranked.slice(MAX_FINDINGS_OF_OBJECT)),
  };
}

/**
 * Sets every field in a fixed order, with optional ones by assignment: object spread would give each finding its own V8 hidden class, which
 * is as large as the finding.
 */
function findingOf(
  evaluation: Evaluation,
  of: Subject,
  more: More & Marks,
  serverTells: Finding['serverTells'],
  parts: FindingParts,
): PlacedFinding {
  const { resource, request, target, name: subject } = of;
  const seen = decidingField(evaluation.explain(), request);
  const origin = seen && originOf(seen.path, of.changes);
  const writer = origin?.writer;
  // Unless a mutation set the value, earlier list items may have shifted the path.
  const cause = seen && origin && writer === undefined ? { ...seen, path: origin.path } : seen;
  const written = primaryLocation(resource, origin && { path: origin.path });
  const primary = writer === undefined ? written : oneLine(writer.policy.resource, writer.rule);
  const isDefaulted = evaluation.result !== 'unknown' && cause?.found === true && of.isDefaulted(cause.path);
  const { policy, rule, related } = parts.ruleOf(evaluation, formatFieldPath(evaluation.rule));
  const fieldPath = cause === undefined ? '' : parts.text(formatFieldPath(cause.path));
  const param = evaluation.param && resourceName(evaluation.param, evaluation.param.namespace);
  const nearby =
    writer === undefined
      ? renderedPlaces(resource, cause, parts)
      : [writtenBy(writer, subject, parts.placeOf(written))];
  const finding: DraftedFinding = {
    code: codeOf(evaluation),
    fingerprint: findingIdentity({
      target,
      policy,
      ...(evaluation.binding && { binding: evaluation.binding.name }),
      ...(param && { param }),
      rule,
      resource: subject,
      fieldPath,
    }),
    target,
    severity: severityOf(evaluation),
    result: evaluation.result,
    actions: evaluation.validationActions,
    policy,
    rule,
    message: shownMessage(messageOf(evaluation), evaluation, of),
    serverMessage: shownMessage(evaluation.serverMessage, evaluation, of),
    reason: evaluation.reason,
    operation: request.operation,
    resource: subject,
    fieldPath,
    primary: parts.placeOf(primary),
    related: nearby.length === 0 ? related : [...nearby, ...related],
  };
  if (evaluation.binding) finding.binding = evaluation.binding.name;
  if (param) finding.param = param;
  if (evaluation.validationActions.includes('Deny')) finding.httpStatus = evaluation.code;
  if (serverTells) finding.serverTells = serverTells;
  if (writer === undefined && isDefaulted) finding.defaulted = true;
  if (resource.manifest.root !== undefined) finding.roots = [resource.manifest.root];
  if (more.changedBy !== undefined) finding.changedBy = more.changedBy;
  if (more.mayBeChangedBy) finding.mayBeChangedBy = more.mayBeChangedBy;
  if (more.excuse) finding.excuse = more.excuse;
  if (more.status) finding.status = more.status;
  return { finding, file: primary.file };
}

interface Cause {
  readonly path: FieldPath;
  readonly found: boolean;
}

/** The first read that leads to a manifest field; request attributes map to the fields they come from. */
function decidingField(reads: ReturnType<Evaluation['explain']>, request: AdmissionRequest): Cause | undefined {
  for (const read of reads) {
    if (read.root === 'object' && request.object !== null) return read;
    if (read.root === 'oldObject' && request.object === null) return read;
    const written = read.root === 'request' ? REQUEST_FIELDS.get(String(read.path[0])) : undefined;
    if (written !== undefined) return { path: written, found: true };
  }
  return undefined;
}

const REQUEST_FIELDS: ReadonlyMap<string, FieldPath> = new Map([
  ['name', ['metadata', 'name']],
  ['namespace', ['metadata', 'namespace']],
  ['kind', ['kind']],
  ['requestKind', ['kind']],
  ['resource', ['kind']],
  ['requestResource', ['kind']],
]);

/** The last mutation that wrote the field or a parent of it. `path`: path of the field before that mutation, if known. */
function originOf(
  path: FieldPath,
  changes: readonly ObjectChangeByPolicy[],
): { readonly path: FieldPath; readonly writer: ObjectChangeByPolicy | undefined } {
  let place = path;
  const writer = changes.findLast(({ objects }) => {
    const before = followedPlace(objects.after, objects.before, place);
    place = before ?? place;
    return before === undefined;
  });
  return { path: place, writer };
}

function writtenBy({ policy }: ObjectChangeByPolicy, subject: ResourceName, place: Place): RelatedPlace {
  return { message: `${subject.kind} ${subject.name}, in which ${policy.name} sets the field`, place };
}

/** Annotations support columns only within one line. */
function oneLine(resource: Resource, path: FieldPath): SourceLocation {
  const value = resource.locate(path, 'value');
  const [start, end] = [value.file.positionAt(value.range.start), value.file.positionAt(value.range.end)];
  return start.line === end.line ? value : resource.locate(path, 'key');
}

/** The value of a scalar; the key of lists, objects and multi-line texts, because annotations support columns only within one line. */
function primaryLocation(resource: Resource, cause: Pick<Cause, 'path'> | undefined): SourceLocation {
  const path = cause?.path ?? ['kind'];
  const value = resource.locate(path, 'value');
  const start = value.file.positionAt(value.range.start);
  const end = value.file.positionAt(value.range.end);
  return start.line === end.line && !isContainer(resource.value, path) ? value : resource.locate(path, 'key');
}

function isContainer(root: JsonValue, path: FieldPath): boolean {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    if (typeof step === 'number') value = isJsonArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) ? value.get(step) : undefined;
  }
  return isJsonArray(value) || isJsonObject(value);
}

/** The locations closest to the rendered field, with the root last. */
function renderedPlaces(
  { manifest, rootPath }: Resource,
  cause: Cause | undefined,
  parts: FindingParts,
): readonly RelatedPlace[] {
  const places = manifest.alsoFrom?.([...rootPath, ...(cause?.path ?? ['kind'])]) ?? [];
  const nearest =
    places.length <= MAX_RENDERED_PLACES ? places : [...places.slice(0, MAX_RENDERED_PLACES - 1), ...places.slice(-1)];
  return nearest.map(({ message, location }) => ({ message, place: parts.placeOf(location) }));
}

/** An undecided finding names its missing inputs first. */
function messageOf({ missing, message }: Evaluation): string {
  return undecidedMessage(missing, message);
}

function codeOf(evaluation: Evaluation): Code {
  if (evaluation.result === 'unknown') return 'undecided-rule';
  if (evaluation.result !== 'error') return 'failed-validation';
  if (evaluation.expression === undefined && evaluation.isOfObject !== true) return 'misconfigured-policy';
  return evaluation.isMutation === true ? 'failed-mutation' : 'failed-evaluation';
}

function severityOf({ result, validationActions }: Pick<Evaluation, 'result' | 'validationActions'>): Severity {
  if (validationActions.includes('Deny')) return result === 'unknown' ? 'warning' : 'error';
  return validationActions.includes('Warn') ? 'warning' : 'notice';
}

export function resourceName(resource: Resource, namespace: string): ResourceName {
  const name = resource.name === '' ? resource.generateName : resource.name;
  return {
    apiVersion: resource.apiVersion,
    kind: resource.gvk.kind,
    ...(namespace !== '' && { namespace }),
    name,
  };
}
