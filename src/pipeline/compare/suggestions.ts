// Suggests edits for the lines of a change after which mutating policies no longer change its objects.
import type { ObjectChange } from '../../engine/object/object-request.ts';
import type { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { PolicyWrite } from '../../policy/mutation/policy-writes.ts';
import { mayHoldSecret } from '../../policy/mutation/secret-values.ts';
import { resourceName } from '../../report/finding/finding.ts';
import { compareText } from '../../report/finding/finding-order.ts';
import { lineFix } from '../../report/location/line-fix.ts';
import type { Suggestion } from '../../report/report.ts';
import { changedLinesAsOne } from '../../source/edit/changed-lines.ts';
import { editFile } from '../../source/edit/edit-file.ts';
import { spliced, type TextSplice } from '../../source/edit/text-edit.ts';
import { isJsonObject } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import { formatFieldPath } from '../../source/node/field-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import { isSameWriting } from '../mutate/mutate-state.ts';

/** Further objects are ignored: a review shows ten suggestions. */
const MAX_OBJECTS = 200;
const MAX_SUGGESTIONS = 100;
/** Maximum characters of a document, which is parsed several times, and of its file. */
const MAX_DOCUMENT = 200_000;
const MAX_FILE = 1_000_000;

interface Candidate {
  readonly change: ObjectChange;
  readonly evaluated: EvaluatedResource;
  readonly evaluator: TargetEvaluator;
  readonly writes: readonly PolicyWrite[];
}

/** Collects objects that policies change, and computes the suggestions at the end. */
export class SuggestedEdits {
  readonly #candidates = new Map<Resource, Candidate[]>();
  readonly #paths: ReadonlySet<string>;

  /** `paths`: files of the change. */
  constructor(paths: ReadonlySet<string>) {
    this.#paths = paths;
  }

  /** `change`: the evaluated request. May be called once for each target of an object. */
  add(change: ObjectChange, evaluated: EvaluatedResource, evaluator: TargetEvaluator): void {
    const { resource } = change;
    const known = this.#candidates.get(resource);
    if (known === undefined && this.#candidates.size === MAX_OBJECTS) return;
    if (!(resource.manifest instanceof WrittenManifest) || !this.#paths.has(resource.manifest.file.path)) return;
    if (change.operation === 'DELETE') return;
    const { documentRange, file } = resource.manifest;
    if (documentRange.end - documentRange.start > MAX_DOCUMENT || file.text.length > MAX_FILE) return;
    const writes = evaluated.changes.length === 0 ? undefined : evaluated.writes()?.writes;
    if (writes === undefined || writes.length === 0) return;
    // A review comment would show values of the Secret.
    if (writes.some(({ by }) => mayHoldSecret(resource.gvk, by))) return;
    this.#candidates.set(resource, [...(known ?? []), { change, evaluated, evaluator, writes }]);
  }

  /** Evaluates the policies again for the edited objects. Sorted by path and line. */
  list(): readonly Suggestion[] {
    const all = [...this.#candidates.values()].flatMap(suggestionsFor);
    const sorted = all.sort((a, b) => compareText(a.fix.path, b.fix.path) || a.fix.line - b.fix.line);
    // Items of a List may be on the same line.
    const apart = sorted.filter(({ fix }, index) => {
      const before = sorted[index - 1]?.fix;
      return before?.path !== fix.path || before.line + before.before.length <= fix.line;
    });
    return apart.slice(0, MAX_SUGGESTIONS);
  }
}

/** Empty if targets need different edits, or if policies would change the edited object again. */
function suggestionsFor(candidates: readonly Candidate[]): readonly Suggestion[] {
  const [first, ...others] = candidates;
  if (first === undefined || others.some((other) => !isSameWriting(first, other))) return [];
  const { resource } = first.change;
  const manifest = resource.manifest as WrittenManifest;
  const { file } = manifest;
  const edited = editsTogether(resource, first.writes);
  const written = withEdits(resource, edited.splices);
  if (written === undefined || candidates.some((candidate) => !isSettled(candidate, written, edited.left))) return [];
  const writable = first.writes.filter((write) => !edited.left.has(write));
  return groupedByLines(resource, writable).flatMap((writes): readonly Suggestion[] => {
    const { splices, left } = editsTogether(resource, writes);
    const fix = left.size > 0 ? undefined : lineFix({ file, splices });
    if (fix === undefined) return [];
    const fields = writes.flatMap((write) => write.fields().map(({ path }) => formatFieldPath(path)));
    const by = writes.flatMap((write) => write.by.map(({ policy }) => policy));
    const policies = new Map(by.map(({ kind, name }) => [`${name}\0${kind}`, { kind, name }]));
    return [
      {
        resource: resourceName(resource, first.evaluated.request.namespace),
        fields: [...new Set(fields)].sort(compareText),
        policies: [...policies.values()].sort((a, b) => compareText(a.name, b.name)),
        fix,
      },
    ];
  });
}

function editsTogether(
  { manifest, rootPath }: Resource,
  writes: readonly PolicyWrite[],
): { readonly splices: readonly TextSplice[]; readonly left: ReadonlySet<PolicyWrite> } {
  const written = manifest as WrittenManifest;
  const edits = writes.map(({ edit }) => edit);
  const { splices, left } = editFile(written.file, [{ manifest: written, rootPath, edits }]);
  return { splices, left: new Set(writes.filter(({ edit }) => left.has(edit))) };
}

/** The object after the edits; undefined if they do not change it. */
function withEdits({ manifest, rootPath, gvk }: Resource, splices: readonly TextSplice[]): Resource | undefined {
  const { file, documentRange } = manifest as WrittenManifest;
  const offset = documentRange.start;
  const own = splices.map(({ start, end, text }) => ({ start: start - offset, end: end - offset, text }));
  const before = file.text.slice(offset, documentRange.end);
  const text = spliced(before, own);
  if (text === undefined || text === before) return undefined;
  const [written] = readManifests(new SourceFile(file.path, text)).manifests;
  const value = written && valueAt(written.value, rootPath);
  return written === undefined || !isJsonObject(value) ? undefined : new Resource(written, rootPath, gvk, value);
}

/** The same rule as for `mutate --write`: a second run changes only what cannot be written. */
function isSettled({ change, evaluator }: Candidate, resource: Resource, left: ReadonlySet<PolicyWrite>): boolean {
  const { evaluated } = evaluator.evaluate({ ...change, resource });
  return evaluated !== undefined && (evaluated.writes()?.writes.length ?? 0) <= left.size;
}

/** Groups writes on the same or neighbouring lines, because a reviewer may accept one suggestion without the others. */
function groupedByLines(resource: Resource, writes: readonly PolicyWrite[]): readonly (readonly PolicyWrite[])[] {
  const { file } = resource.manifest as WrittenManifest;
  const placed = writes.flatMap((write) => {
    const { splices, left } = editsTogether(resource, [write]);
    const change = left.size > 0 ? undefined : changedLinesAsOne(file, splices);
    if (change === undefined) return [];
    const { from, before } = change;
    // An insertion is between two lines.
    return [{ write, from: before.length === 0 ? from - 1 : from, to: from + Math.max(before.length - 1, 0) }];
  });
  const groups: { to: number; readonly writes: PolicyWrite[] }[] = [];
  for (const { write, from, to } of placed.sort((a, b) => a.from - b.from)) {
    const last = groups.at(-1);
    if (last !== undefined && from <= last.to + 1) {
      last.to = Math.max(last.to, to);
      last.writes.push(write);
    } else groups.push({ to, writes: [write] });
  }
  return groups.map((group) => writes.filter((write) => group.writes.includes(write)));
}
