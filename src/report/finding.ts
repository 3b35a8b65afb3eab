// From what a policy said about a request to a finding on the line that caused it.
import type { Code } from '../diagnostic/code-table.ts';
import type { AdmissionRequest } from '../kubernetes/admission-request.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type { Evaluation } from '../policy/evaluation.ts';
import type { ObjectChangeByPolicy } from '../policy/policy-language.ts';
import { type FieldPath, formatFieldPath } from '../source/field-path.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../source/json.ts';
import type { SourceFile, SourceLocation } from '../source/source-file.ts';
import {
  addUnlisted,
  type LimitedFindings,
  MAX_FINDINGS_OF_OBJECT,
  NOTHING_UNLISTED,
  SEVERITY_RANK,
  tallySeverities,
} from './finding-limits.ts';
import { fingerprint } from './fingerprint.ts';
import { placeOf } from './place.ts';
import type { Finding, RelatedPlace, ResourceName, Severity, UnlistedFindings } from './report.ts';
import { serverAnswers } from './server-answer.ts';

/** Of those that may change an object, as many are named. */
const MAX_MUTATORS = 5;
/** Findings with the files that their primary places are in, by path. */
export interface PlacedFindings extends LimitedFindings {
  readonly files: ReadonlyMap<string, SourceFile>;
}

/** Uses of exceptions that are listed of one object. */
const MAX_EXCEPTIONS = 20;

/** Further places of a rendered field. */
const MAX_RENDERED_PLACES = 5;

/**
 * Findings of one resource; what passes or was skipped gives none, and so does an ignored error. Of more than a report holds of one
 * object, the most severe.
 */
export function findingsOf(evaluated: EvaluatedResource, target: string, changedBy?: string): PlacedFindings {
  const denying = evaluated.outcomes
    .flatMap((outcome) => outcome.evaluations)
    .filter((evaluation) => evaluation.action === 'deny');
  const { taken, unlisted } = mostSevere(denying);
  const omitted = { ...NOTHING_UNLISTED };
  for (const outcome of evaluated.outcomes) {
    for (const evaluations of outcome.omitted) omitted[severityOf(evaluations)] += evaluations.count;
  }
  const answers = serverAnswers(evaluated);
  const files = new Map<string, SourceFile>();
  const findings = taken.map((evaluation) => ({
    ...findingOf(evaluation, evaluated, target, answers.get(evaluation), files),
    ...(changedBy !== undefined && { changedBy }),
    ...(evaluated.mayBeChangedBy && { mayBeChangedBy: evaluated.mayBeChangedBy.slice(0, MAX_MUTATORS) }),
  }));
  const exempted = evaluated.outcomes.flatMap(({ exceptions = [] }) =>
    exceptions.slice(0, MAX_EXCEPTIONS).map(({ evaluation, exception, until }): Finding => {
      const place = placeOf(exception.locate(['metadata', 'name'], 'value'));
      const reason = `${exception.gvk.kind} ${exception.namespace === '' ? '' : `${exception.namespace}/`}${exception.name}`;
      const excuse = { by: 'exception' as const, reason, ...(until !== undefined && { expires: until }), place };
      return { ...findingOf(evaluation, evaluated, target, undefined, files), excuse };
    }),
  );
  return { findings: [...findings, ...exempted], unlisted: addUnlisted(unlisted, omitted), files };
}

/** Before anything is worked out for each, as this may be a few of very many. */
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

function findingOf(
  evaluation: Evaluation,
  evaluated: EvaluatedResource,
  target: string,
  serverTells: Finding['serverTells'],
  files: Map<string, SourceFile>,
): Finding {
  const { resource, request } = evaluated;
  const cause = decidingField(evaluation.explain(), request);
  const written = primaryLocation(resource, cause);
  const writer = cause && writerOf(cause.path, evaluated.changes);
  const isDefaulted = evaluation.result !== 'unknown' && cause?.found === true && evaluated.isDefaulted(cause.path);
  const rule = formatFieldPath(evaluation.rule);
  const fieldPath = cause === undefined ? '' : formatFieldPath(cause.path);
  const subject = resourceName(resource, request.namespace);
  const param = evaluation.param && resourceName(evaluation.param, evaluation.param.namespace);
  const denies = evaluation.validationActions.includes('Deny');
  files.set(written.file.path, written.file);
  return {
    code: codeOf(evaluation),
    fingerprint: fingerprint([
      target,
      evaluation.policy.kind,
      evaluation.policy.name,
      evaluation.binding?.name ?? '',
      param === undefined ? '' : `${param.namespace}/${param.name}`,
      rule,
      `${subject.apiVersion} ${subject.kind} ${subject.namespace ?? ''}/${subject.name}`,
      fieldPath,
    ]),
    target,
    severity: severityOf(evaluation),
    result: evaluation.result,
    actions: evaluation.validationActions,
    policy: { kind: evaluation.policy.kind, name: evaluation.policy.name },
    ...(evaluation.binding && { binding: evaluation.binding.name }),
    ...(param && { param }),
    rule: { field: rule, ...(evaluation.expression !== undefined && { expression: evaluation.expression }) },
    message: messageOf(evaluation),
    serverMessage: evaluation.serverMessage,
    reason: evaluation.reason,
    ...(denies && { httpStatus: evaluation.code }),
    ...(serverTells && { serverTells }),
    operation: request.operation,
    resource: subject,
    fieldPath,
    ...(writer === undefined && isDefaulted && { defaulted: true }),
    ...(resource.manifest.root !== undefined && { roots: [resource.manifest.root] }),
    primary: placeOf(writer === undefined ? written : oneLine(writer.policy.resource, writer.rule)),
    related: [
      ...(writer === undefined ? renderedPlaces(resource, cause) : [writtenBy(writer, subject, written)]),
      ...relatedPlaces(evaluation),
    ],
  };
}

interface Cause {
  readonly path: FieldPath;
  readonly found: boolean;
}

/** The first read that leads to a field of the manifest; attributes of the request stand for the fields they come from. */
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

/** The mutation that gave a field its value, if one did: the last that wrote the field or what it is part of. */
function writerOf(path: FieldPath, changes: readonly ObjectChangeByPolicy[]): ObjectChangeByPolicy | undefined {
  return changes.findLast(({ paths }) =>
    paths.some((changed) => changed.length <= path.length && changed.every((step, index) => step === path[index])),
  );
}

function writtenBy({ policy }: ObjectChangeByPolicy, subject: ResourceName, written: SourceLocation): RelatedPlace {
  return {
    message: `${subject.kind} ${subject.name}, in which ${policy.name} sets the field`,
    place: placeOf(written),
  };
}

/** Annotations have columns on one line only. */
function oneLine(resource: Resource, path: FieldPath): SourceLocation {
  const value = resource.locate(path, 'value');
  const [start, end] = [value.file.positionAt(value.range.start), value.file.positionAt(value.range.end)];
  return start.line === end.line ? value : resource.locate(path, 'key');
}

/** The value of a scalar; of lists, objects and texts over several lines the key, since annotations have columns on one line only. */
function primaryLocation(resource: Resource, cause: Cause | undefined): SourceLocation {
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

/** The nearest places that had a say in a rendered field; what renders it comes last. */
function renderedPlaces({ manifest, rootPath }: Resource, cause: Cause | undefined): readonly RelatedPlace[] {
  const places = manifest.alsoFrom?.([...rootPath, ...(cause?.path ?? ['kind'])]) ?? [];
  const nearest =
    places.length <= MAX_RENDERED_PLACES ? places : [...places.slice(0, MAX_RENDERED_PLACES - 1), ...places.slice(-1)];
  return nearest.map(({ message, location }) => ({ message, place: placeOf(location) }));
}

function relatedPlaces(evaluation: Evaluation): readonly RelatedPlace[] {
  const { policy, binding, param } = evaluation;
  const related: RelatedPlace[] = [
    {
      message: `${policy.kind} ${policy.name}: ${formatFieldPath(evaluation.rule)}`,
      role: 'rule',
      place: placeOf(policy.resource.locate(evaluation.rule, 'value')),
    },
  ];
  if (binding !== undefined) {
    const place = placeOf(binding.resource.locate(['metadata', 'name'], 'value'));
    related.push({ message: `bound by ${binding.kind} ${binding.name}`, role: 'binding', place });
  }
  if (param !== undefined) {
    const place = placeOf(param.locate(['metadata', 'name'], 'value'));
    related.push({ message: `with params ${param.gvk.kind} ${param.name}`, role: 'param', place });
  }
  return related;
}

/** Of what is undecided, what it depends on comes first. */
function messageOf({ missing, message }: Evaluation): string {
  return missing.length === 0 ? message : `undecided, depends on ${missing.join(' and ')}: ${message}`;
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
