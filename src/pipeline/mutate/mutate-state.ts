// Evaluates the mutating policies for all objects of a state, and writes their changes into its files.

import { typedConverter } from '../../engine/conversion/typed-converter.ts';
import { UNOBSERVED } from '../../engine/stages.ts';
import { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import { append } from '../../go/slices/append.ts';
import { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { PolicyWrite } from '../../policy/mutation/policy-writes.ts';
import { editFile, type ObjectEdits } from '../../source/edit/edit-file.ts';
import type { JsonEdit } from '../../source/edit/json-edit.ts';
import type { TextSplice } from '../../source/edit/text-edit.ts';
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { CheckInput } from '../check-state.ts';
import { type PlannedTarget, plannedTargets, stateClusters } from '../clusters/planned-targets.ts';
import { ownValidation, targetOf } from '../clusters/targets.ts';
import { languagesOf } from '../state/languages.ts';
import { type FoundResource, isMadeFrom, type RepositoryContent } from '../state/read-repository.ts';
import { stateContent } from '../state/state-content.ts';

/** An object that policies change in the same way in some of the targets. */
export interface MutatedEntry {
  readonly resource: Resource;
  /** Of the request. */
  readonly namespace: string;
  readonly targets: readonly string[];
  /** The manifest with the changes of policies, without defaults of the server. */
  readonly object: JsonObject;
  readonly writes: readonly PolicyWrite[];
}

/** A problem of one object, in one sentence. */
export interface MutationNote {
  readonly resource: Resource;
  readonly text: string;
}

export interface MutatedState {
  readonly entries: readonly MutatedEntry[];
  readonly notes: readonly MutationNote[];
  /** Number of objects that policies were evaluated for. */
  readonly evaluated: number;
}

function mutateState(
  { stages = UNOBSERVED, today = '', only, serverValidation }: CheckInput,
  planned: readonly PlannedTarget[],
  resources: readonly FoundResource[],
): MutatedState {
  const taken = new Set<FoundResource>();
  const entries = new Map<Resource, MutatedEntry[]>();
  const notes: MutationNote[] = [];
  const offered = new Set<Resource>();
  const isOurs = (found: FoundResource): boolean => only === undefined || isMadeFrom(found, only);
  for (const { configured, belongs } of planned) {
    const target = {
      ...targetOf(configured, resources, taken, isOurs, belongs),
      ...ownValidation(configured, serverValidation),
    };
    const severalTargets = planned.length > 1 ? ` in ${configured.name}` : '';
    // Does not read the diagnostics of policies, because they take most of the time.
    const evaluator = new TargetEvaluator(target, languagesOf(configured, today), typedConverter(target), stages);
    const notAsked: MutationNote[] = [];
    let count = 0;
    for (const resource of target.manifests) {
      const { evaluated, unevaluated } = evaluator.evaluate({ operation: 'CREATE', resource });
      if (evaluated === undefined) {
        const text = `not evaluated${severalTargets}: ${unevaluated.detail}`;
        if (unevaluated.reason !== 'exempt-kind') notAsked.push({ resource: unevaluated.resource, text });
        continue;
      }
      offered.add(evaluated.resource);
      count += 1;
      stages.progress(count, target.manifests.length);
      const entry = entryOf(evaluated, configured.name, notes);
      if (entry !== undefined) addEntry(entries, entry);
    }
    append(notes, notAsked);
  }
  return { entries: [...entries.values()].flat(), notes, evaluated: offered.size };
}

function entryOf(evaluated: EvaluatedResource, target: string, notes: MutationNote[]): MutatedEntry | undefined {
  const { resource, request, writes, outcomes } = evaluated;
  for (const { result, message, isMutation, policy } of outcomes.flatMap((outcome) => outcome.evaluations)) {
    if (isMutation === true && result === 'error') notes.push({ resource, text: `${policy.name} fails: ${message}` });
  }
  const made = writes();
  if (made === undefined) return undefined;
  for (const { policy } of made.beyond) {
    notes.push({
      resource,
      text: `${policy.name} changes fields that only the server adds and that no manifest can contain`,
    });
  }
  if (made.writes.length === 0) return undefined;
  return { resource, namespace: request.namespace, targets: [target], object: made.object, writes: made.writes };
}

/** Merges targets with the same changes into one entry. */
function addEntry(entries: Map<Resource, MutatedEntry[]>, entry: MutatedEntry): void {
  const known = entries.get(entry.resource) ?? [];
  const index = known.findIndex((other) => isSameWriting(other, entry));
  const same = known[index];
  if (same === undefined) known.push(entry);
  else known[index] = { ...same, targets: [...same.targets, ...entry.targets] };
  entries.set(entry.resource, known);
}

export function isSameWriting(one: Pick<MutatedEntry, 'writes'>, other: Pick<MutatedEntry, 'writes'>): boolean {
  return keyOf(one.writes) === keyOf(other.writes);
}

function keyOf(writes: readonly PolicyWrite[]): string {
  return JSON.stringify(
    writes.map(({ edit }) => edit),
    (_, value: unknown) => {
      if (value instanceof Map) return [...value];
      return typeof value === 'bigint' ? `${value}n` : value;
    },
  );
}

export interface RewrittenFile {
  readonly file: SourceFile;
  readonly text: string;
  readonly splices: readonly TextSplice[];
}

export interface RewrittenState {
  readonly state: MutatedState;
  /** Files with changes. */
  readonly files: readonly RewrittenFile[];
  /** Changes that are not written, with the reason. */
  readonly left: ReadonlyMap<PolicyWrite, string>;
}

/** After this many rounds no further object is written. */
const MAX_ROUNDS = 4;
const UNSETTLED = 'a second run would change it again';

/**
 * Writes the changes of policies into the files. Evaluates the policies again for the new texts, and does not write objects that they
 * would change again. `content`: content of the state, if the caller has read it.
 */
export function rewriteState(
  input: CheckInput,
  content: RepositoryContent = stateContent(input, input.stages ?? UNOBSERVED),
): RewrittenState {
  const planned = plannedTargets(input.configuration, stateClusters(input.configuration, content), content);
  const { resources } = content;
  const state = mutateState(input, planned, resources);
  const left = new Map<PolicyWrite, string>();
  const contested = contestedIn(state.entries);
  const wanted = state.entries.filter((entry) => isWritable(entry, contested, left));
  let unsettled = new Set<string>();
  for (let round = 1; ; round++) {
    const tried = round < MAX_ROUNDS ? wanted.filter((entry) => !unsettled.has(placeKey(entry.resource))) : [];
    const ofRound = new Map(left);
    const files = rewrittenFiles(tried, ofRound);
    for (const { resource, writes } of wanted) {
      if (unsettled.has(placeKey(resource)) || round >= MAX_ROUNDS) {
        for (const write of writes) ofRound.set(write, UNSETTLED);
      }
    }
    if (files.length === 0) return { state, files, left: ofRound };
    const again = mutateState(input, planned, withTexts(resources, files));
    const unstable = changingAgain(tried, ofRound, again, state);
    if (unstable.length === 0) return { state, files, left: ofRound };
    unsettled = new Set([...unsettled, ...unstable]);
  }
}

function isWritable(
  { resource, writes }: MutatedEntry,
  contested: ReadonlySet<Resource>,
  left: Map<PolicyWrite, string>,
): boolean {
  const { manifest } = resource;
  const reason = !(manifest instanceof WrittenManifest)
    ? `${manifest.root ?? 'another tool'} renders it, so there is no file to edit`
    : contested.has(resource)
      ? 'targets need different changes'
      : undefined;
  if (reason !== undefined) for (const write of writes) left.set(write, reason);
  return reason === undefined;
}

/** Objects that targets change in different ways. */
function contestedIn(entries: readonly MutatedEntry[]): ReadonlySet<Resource> {
  const first = new Map<Resource, MutatedEntry['writes']>();
  const contested = new Set<Resource>();
  for (const { resource, writes } of entries) {
    const known = first.get(resource);
    if (known === undefined) first.set(resource, writes);
    else if (known !== writes) contested.add(resource);
  }
  return contested;
}

function rewrittenFiles(entries: readonly MutatedEntry[], left: Map<PolicyWrite, string>): readonly RewrittenFile[] {
  const byFile = new Map<SourceFile, MutatedEntry[]>();
  for (const entry of entries) {
    const { file } = entry.resource.manifest;
    const same = byFile.get(file);
    if (same === undefined) byFile.set(file, [entry]);
    else same.push(entry);
  }
  return [...byFile].flatMap(([file, ofFile]) => {
    const writeOf = new Map<JsonEdit, PolicyWrite>();
    for (const { writes } of ofFile) for (const write of writes) writeOf.set(write.edit, write);
    const edited = editFile(file, ofFile.map(editsOf));
    for (const [edit, reason] of edited.left) left.set(writeOf.get(edit) as PolicyWrite, reason);
    return edited.text === file.text ? [] : [{ file, text: edited.text, splices: edited.splices }];
  });
}

function editsOf({ resource, writes }: MutatedEntry): ObjectEdits {
  const manifest = resource.manifest as WrittenManifest;
  return { manifest, rootPath: resource.rootPath, edits: writes.map(({ edit }) => edit) };
}

/** The documents keep their index in the file, so nothing is searched or rendered again. */
function withTexts(resources: readonly FoundResource[], rewritten: readonly RewrittenFile[]): readonly FoundResource[] {
  const manifests = new Map<SourceFile, ReadonlyMap<number, WrittenManifest>>();
  for (const { file, text } of rewritten) {
    const read = readManifests(new SourceFile(file.path, text)).manifests;
    manifests.set(file, new Map(read.map((manifest) => [manifest.index, manifest])));
  }
  return resources.map((found) => {
    const { manifest: old, rootPath, gvk } = found.resource;
    const manifest = old instanceof WrittenManifest ? manifests.get(old.file)?.get(old.index) : undefined;
    const value = manifest && valueAt(manifest.value, rootPath);
    if (manifest === undefined || !isJsonObject(value)) return found;
    return { ...found, resource: new Resource(manifest, rootPath, gvk, value) };
  });
}

/** Objects with more changes than those that cannot be written, and objects that are no longer evaluated. */
function changingAgain(
  tried: readonly MutatedEntry[],
  left: ReadonlyMap<PolicyWrite, string>,
  again: MutatedState,
  before: MutatedState,
): readonly string[] {
  const expected = new Map<string, number>();
  for (const { resource, writes } of before.entries) {
    expected.set(
      placeKey(resource),
      (expected.get(placeKey(resource)) ?? 0) + writes.filter((write) => left.has(write)).length,
    );
  }
  const found = new Map<string, number>();
  for (const { resource, writes } of again.entries) {
    found.set(placeKey(resource), (found.get(placeKey(resource)) ?? 0) + writes.length);
  }
  const refused = new Set(again.notes.map(({ resource }) => placeKey(resource)));
  for (const { resource } of before.notes) refused.delete(placeKey(resource));
  const keys = new Set([...found.keys()].filter((key) => (found.get(key) ?? 0) > (expected.get(key) ?? 0)));
  // A change that conflicts with another edit now may be written by a second run, so the object is not stable.
  const contested = contestedIn(again.entries);
  const writable = again.entries.filter((entry) => isWritable(entry, contested, new Map()));
  for (const { file } of rewrittenFiles(writable, new Map())) {
    for (const { resource } of tried) if (resource.manifest.file.path === file.path) keys.add(placeKey(resource));
  }
  const own = tried.map(({ resource }) => placeKey(resource)).filter((key) => keys.has(key) || refused.has(key));
  // The written text may affect other objects, for example through a label of a Namespace.
  const isElsewhere = own.length === 0 && keys.size > 0;
  return isElsewhere ? tried.map(({ resource }) => placeKey(resource)) : own;
}

/** Equal before and after the file is written. */
function placeKey({ manifest, rootPath }: Resource): string {
  const index = manifest instanceof WrittenManifest ? manifest.index : manifest.root;
  return JSON.stringify([manifest.file.path, index, rootPath]);
}
