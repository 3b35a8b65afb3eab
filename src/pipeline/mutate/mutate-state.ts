// One state of a repository in, what mutating policies make of its objects out; and the same state with that written into its files.
import { UNOBSERVED } from '../../engine/stages.ts';
import { TargetEvaluator } from '../../engine/target-evaluator.ts';
import { typedConverter } from '../../engine/typed-converter.ts';
import { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { PolicyWrite } from '../../policy/mutation/policy-writes.ts';
import { editFile, type ObjectEdits } from '../../source/edit/edit-file.ts';
import type { JsonEdit } from '../../source/edit/json-edit.ts';
import type { TextSplice } from '../../source/edit/text-edit.ts';
import { append } from '../../source/json/append.ts';
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { CheckInput } from '../check-state.ts';
import { type PlannedTarget, plannedTargets, stateClusters } from '../clusters/planned-targets.ts';
import { targetOf } from '../clusters/targets.ts';
import { languagesOf } from '../state/languages.ts';
import { type FoundResource, isMadeFrom, type RepositoryContent } from '../state/read-repository.ts';
import { stateContent } from '../state/state-content.ts';

/** An object that policies change, as they do it in some of the targets. */
export interface MutatedEntry {
  readonly resource: Resource;
  /** As the request has it. */
  readonly namespace: string;
  readonly targets: readonly string[];
  /** The manifest with what policies change, without the server's own additions. */
  readonly object: JsonObject;
  readonly writes: readonly PolicyWrite[];
}

/** Something that is not as one would expect, in one sentence, about one object. */
export interface MutationNote {
  readonly resource: Resource;
  readonly text: string;
}

export interface MutatedState {
  readonly entries: readonly MutatedEntry[];
  readonly notes: readonly MutationNote[];
  /** Objects offered to policies. */
  readonly evaluated: number;
}

function mutateState(
  { stages = UNOBSERVED, today = '', only }: CheckInput,
  planned: readonly PlannedTarget[],
  resources: readonly FoundResource[],
): MutatedState {
  const taken = new Set<FoundResource>();
  const entries = new Map<Resource, MutatedEntry[]>();
  const notes: MutationNote[] = [];
  const offered = new Set<Resource>();
  const isOurs = (found: FoundResource): boolean => only === undefined || isMadeFrom(found, only);
  for (const { configured, belongs } of planned) {
    const target = targetOf(configured, resources, taken, isOurs, belongs);
    const severalTargets = planned.length > 1 ? ` in ${configured.name}` : '';
    // What is wrong with policies themselves is not asked: that takes longer than everything else.
    const evaluator = new TargetEvaluator(target, languagesOf(configured, today), typedConverter(target), stages);
    const notAsked: MutationNote[] = [];
    let count = 0;
    for (const resource of target.manifests) {
      const { evaluated, unevaluated } = evaluator.evaluate({ operation: 'CREATE', resource });
      if (evaluated === undefined) {
        const text = `not asked about${severalTargets}: ${unevaluated.detail}`;
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
    notes.push({ resource, text: `${policy.name} changes what only the server adds, which no manifest can hold` });
  }
  if (made.writes.length === 0) return undefined;
  return { resource, namespace: request.namespace, targets: [target], object: made.object, writes: made.writes };
}

/** What is the same in several targets is one entry. */
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
  /** Files of which some text changes. */
  readonly files: readonly RewrittenFile[];
  /** What is not written, with the reason. */
  readonly left: ReadonlyMap<PolicyWrite, string>;
}

/** After so many attempts the rest is not written at all. */
const MAX_ROUNDS = 4;
const UNSETTLED = 'a second run would change it again';

/**
 * Writes into the files what policies change. Policies have nothing left to do with what is written: that is tried, and what would
 * change again is left as it is. `content`: what the state holds, where somebody knows it already.
 */
export function rewriteState(
  input: CheckInput,
  content: RepositoryContent = stateContent(input, input.stages ?? UNOBSERVED),
): RewrittenState {
  const planned = plannedTargets(input.configuration, stateClusters(input.configuration, content));
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
    ? `it is rendered by ${manifest.root ?? 'something else'}, not written`
    : contested.has(resource)
      ? 'targets want different things of it'
      : undefined;
  if (reason !== undefined) for (const write of writes) left.set(write, reason);
  return reason === undefined;
}

/** Objects of which targets want different things. */
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

/** Each document of the new texts is where it was: nothing has to be found or rendered again. */
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

/** Objects of which more is left to do than what could not be written, or that are not looked at any more. */
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
  // What could not be written beside other edits may be written alone, and would be by a second run.
  const contested = contestedIn(again.entries);
  const writable = again.entries.filter((entry) => isWritable(entry, contested, new Map()));
  for (const { file } of rewrittenFiles(writable, new Map())) {
    for (const { resource } of tried) if (resource.manifest.file.path === file.path) keys.add(placeKey(resource));
  }
  const own = tried.map(({ resource }) => placeKey(resource)).filter((key) => keys.has(key) || refused.has(key));
  // Another object may have changed through what was written: a label of a Namespace, say.
  const isElsewhere = own.length === 0 && keys.size > 0;
  return isElsewhere ? tried.map(({ resource }) => placeKey(resource)) : own;
}

/** The same before and after the file was written. */
function placeKey({ manifest, rootPath }: Resource): string {
  const index = manifest instanceof WrittenManifest ? manifest.index : manifest.root;
  return JSON.stringify([manifest.file.path, index, rootPath]);
}
