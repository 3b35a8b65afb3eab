// Tests `mutate --write` on the texts of whole repositories: comments, lines, a second run, and the results of other YAML readers.
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { LineCounter, Parser, parseAllDocuments } from 'yaml';
import { askRepository } from '../../src/door/run/check-repository.ts';
import type { Resource } from '../../src/kubernetes/api/resource.ts';
import type { CheckInput } from '../../src/pipeline/check-state.ts';
import { type RewrittenFile, type RewrittenState, rewriteState } from '../../src/pipeline/mutate/mutate-state.ts';
import type { PolicyWrite } from '../../src/policy/mutation/policy-writes.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { knownReason, type ReadDifference } from './write-back-differences.ts';
import { WRITE_BACK_POLICIES } from './write-back-policies.ts';

/** Maximum number of files with printed differences. */
const MAX_TOLD = 10;

/** True if nothing was damaged. Runs without rendering, so that every written manifest is included. */
export async function describeWriteBack(folder: string): Promise<boolean> {
  const asked = await askRepository({ directory: folder, paths: [], overrides: {}, baseline: null }, (input) => {
    const { rendering: _, ...written } = input;
    const file = new SourceFile('policies.yaml', WRITE_BACK_POLICIES);
    const policies = {
      name: 'write-back',
      version: '',
      files: [{ file, selected: true }],
      paths: new Set([file.path]),
    };
    const given = { ...written, policySources: [...(written.policySources ?? []), policies] };
    const first = rewriteState(given);
    return { first, second: rewriteState(withFiles(given, first.files)) };
  });
  if ('stopped' in asked) {
    console.log(`${basename(folder)}: its configuration has errors`);
    return false;
  }
  const { first, second } = asked.answer;
  const lost = first.files.filter(losesComment);
  const lines = first.files.map((file) => linesOf(file, first));
  const needless = first.files.filter((_, index) => (lines[index]?.needless ?? 0) > 0);
  const readers = first.files.map(disagreements);
  const came = readers.flatMap((of) => of.came);
  const known = readers.flatMap((of) => of.known);
  const unexplained = known.filter((difference) => knownReason(difference) === undefined);
  const sum = (pick: (of: (typeof lines)[number]) => number): number => lines.reduce((all, of) => all + pick(of), 0);
  const rows = [
    basename(folder),
    `  objects asked ${first.state.evaluated}, changed ${first.state.entries.length}; files written ${first.files.length}; edits not written ${first.left.size}${leftBy(first)}`,
    `  comments ${first.files.reduce((all, { file }) => all + commentsIn(file.text).length, 0)}; files that lose one: ${listed(lost)}`,
    `  lines of those files ${sum(({ all }) => all)}, written anew ${sum(({ gone }) => gone)} and added ${sum(({ added }) => added)}; files with lines that need not have changed: ${listed(needless)}`,
    `  files that a second run would write: ${listed(second.files)}`,
    `  values that readers took alike before and do not now: ${came.length}${reasonsOf(came)}`,
    `  values that readers never took alike: ${known.length}${reasonsOf(known)}`,
  ];
  console.log(rows.join('\n'));
  return [lost, needless, second.files, came, unexplained].every(({ length }) => length === 0);
}

function withFiles(input: CheckInput, rewritten: readonly RewrittenFile[]): CheckInput {
  const texts = new Map(rewritten.map(({ file, text }) => [file.path, text]));
  const files = input.files.map(({ file, ...rest }) => {
    const text = texts.get(file.path);
    return { ...rest, file: text === undefined ? file : new SourceFile(file.path, text) };
  });
  return { ...input, files };
}

function leftBy({ left }: RewrittenState): string {
  const counts = new Map<string, number>();
  for (const reason of left.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, times]) => `\n    ${times} × ${reason}`).join('');
}

function listed(files: readonly { readonly file: SourceFile }[] | readonly RewrittenFile[]): string {
  const paths = files.slice(0, MAX_TOLD).map(({ file }) => `\n    ${file.path}`);
  return [String(files.length), ...paths].join('');
}

/** Uses the package `yaml`, which is independent of the editing code. */
function commentsIn(text: string): readonly string[] {
  const comments: string[] = [];
  const visit = (token: unknown): void => {
    if (Array.isArray(token)) for (const item of token) visit(item);
    else if (token !== null && typeof token === 'object') {
      const { type, source } = token as { type?: string; source?: string };
      if (type === 'comment') comments.push((source ?? '').trim());
      else for (const inner of Object.values(token)) visit(inner);
    }
  };
  for (const token of new Parser(new LineCounter().addNewLine).parse(text)) visit(token);
  return comments;
}

function losesComment({ file, text }: RewrittenFile): boolean {
  return commentsIn(file.text).join('\n') !== commentsIn(text).join('\n');
}

interface WrittenLines {
  readonly all: number;
  readonly gone: number;
  readonly added: number;
  readonly needless: number;
}

function linesOf({ file, text }: RewrittenFile, { state, left }: RewrittenState): WrittenLines {
  const [before, after] = [file.text.split('\n'), text.split('\n')];
  const changing = new Set<number>();
  for (const { resource, writes } of state.entries) {
    if (resource.manifest.file !== file) continue;
    for (const write of writes)
      if (!left.has(write)) for (const line of replacedLines(resource, write)) changing.add(line);
  }
  const same = commonLines(before, after);
  const gone = before.length - same;
  return { all: before.length, gone, added: after.length - same, needless: Math.max(0, gone - changing.size) };
}

/** Lines that must change: changed values, and empty or flow collections that receive an entry. */
function replacedLines(resource: Resource, { edit }: PolicyWrite): readonly number[] {
  const isNew = edit.kind === 'add' || edit.kind === 'insert';
  const path = edit.kind === 'add' ? edit.path.slice(0, -1) : edit.path;
  const { file, range } = resource.locate(path, isNew ? 'value' : 'entry');
  if (isNew && !/^(?:[{[]|$)/.test(file.text.slice(range.start, range.end))) return [];
  const [first, last] = [file.positionAt(range.start).line, file.positionAt(range.end).line];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Length of the longest common subsequence of lines; the files are short enough for a table. */
function commonLines(one: readonly string[], other: readonly string[]): number {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  let row = new Uint32Array(right.length + 1);
  for (const line of left) {
    const next = new Uint32Array(right.length + 1);
    for (let at = 0; at < right.length; at++) {
      next[at + 1] = line === right[at] ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0);
    }
    row = next;
  }
  return start + end + (row[right.length] ?? 0);
}

type Reader = (text: string) => readonly unknown[];

const READERS: Readonly<Record<string, Reader>> = {
  preadmit: (text) => readManifests(new SourceFile('a.yaml', text)).manifests.map(({ value }) => plain(value)),
  'yaml 1.2': (text) => parseAllDocuments(text, { merge: true }).map((document) => document.toJS() as unknown),
  'yaml 1.1': (text) =>
    parseAllDocuments(text, { version: '1.1', merge: true }).map((document) => document.toJS() as unknown),
  ...jsYaml(),
};

/** PREADMIT_JS_YAML names the folder of the package, which the project does not depend on. */
function jsYaml(): Readonly<Record<string, Reader>> {
  const folder = process.env['PREADMIT_JS_YAML'];
  if (folder === undefined) return {};
  const { loadAll } = createRequire(import.meta.url)(folder) as { loadAll(text: string): unknown[] };
  return { 'js-yaml': (text) => loadAll(text) };
}

function plain(value: JsonValue): unknown {
  if (isJsonArray(value)) return value.map(plain);
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Differences between other readers and Preadmit: those of the original text, and new ones. */
function disagreements({ file, text }: RewrittenFile): {
  readonly known: readonly ReadDifference[];
  readonly came: readonly ReadDifference[];
} {
  const known: ReadDifference[] = [];
  const came: ReadDifference[] = [];
  for (const reader of Object.keys(READERS)) {
    if (reader === 'preadmit') continue;
    const before = new Set(differences(reader, file.text).map(shownDifference));
    for (const difference of differences(reader, text)) {
      (before.has(shownDifference(difference)) ? known : came).push(difference);
    }
  }
  return { known, came };
}

function differences(reader: string, text: string): readonly ReadDifference[] {
  try {
    const [ours, theirs] = [documentsBy('preadmit', text), documentsBy(reader, text)];
    return differencesIn(ours, theirs, '').map((difference) => ({ reader, ...difference }));
  } catch (problem) {
    return [{ reader, path: '', ours: 'a document', theirs: String(problem).split('\n')[0] }];
  }
}

function documentsBy(reader: string, text: string): readonly unknown[] {
  return (READERS[reader] as Reader)(text).filter((document) => document !== null && document !== undefined);
}

function differencesIn(ours: unknown, theirs: unknown, path: string): readonly Omit<ReadDifference, 'reader'>[] {
  if (Object.is(ours, theirs)) return [];
  if (ours === null || theirs === null || typeof ours !== 'object' || typeof theirs !== 'object')
    return [{ path, ours, theirs }];
  const [own, other] = [ours as Record<string, unknown>, theirs as Record<string, unknown>];
  const keys = new Set([...Object.keys(own), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differencesIn(own[key], other[key], `${path}/${key}`));
}

function shownDifference({ reader, path, ours, theirs }: ReadDifference): string {
  const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 40);
  return `${reader} ${path}: ours ${shown(ours)}, theirs ${shown(theirs)}`;
}

/** Number of differences per reason, and the differences without a reason. */
function reasonsOf(found: readonly ReadDifference[]): string {
  const counts = new Map<string, number>();
  for (const difference of found) {
    const reason = knownReason(difference) ?? `unexplained: ${shownDifference(difference)}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, times]) => `\n    ${times} × ${reason}`).join('');
}
