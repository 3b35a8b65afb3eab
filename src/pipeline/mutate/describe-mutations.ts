// Prints the changes of mutating policies as YAML, JSON, a diff or JSON patches, with the policy that makes each change.
import { withoutSecrets } from '../../kubernetes/secret/secret-object.ts';
import { isSecretElsewhere, markSecretFile, shownLine } from '../../kubernetes/secret/shown-lines.ts';
import type { ObjectChangeByPolicy } from '../../policy/language/policy-language.ts';
import type { PolicyWrite } from '../../policy/mutation/policy-writes.ts';
import { resourceName } from '../../report/finding/finding.ts';
import { resourceLabel } from '../../report/wording/wording.ts';
import { unifiedDiff } from '../../source/edit/changed-lines.ts';
import { type JsonEdit, patchSteps } from '../../source/edit/json-edit.ts';
import { blockLines } from '../../source/edit/yaml-text.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { prettyJson } from '../../source/json/pretty-json.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { secretsOf, withHiddenValues } from './hidden-mutations.ts';
import type { MutatedEntry, RewrittenState } from './mutate-state.ts';
import type { MutationFormat } from './mutation-format.ts';

/** Empty if no policy changes anything. Hides values of Secrets. */
export function describeMutations(state: RewrittenState, format: MutationFormat): string {
  const rewritten = withHiddenValues(state);
  const { entries } = rewritten.state;
  if (format === 'diff') return diffText(rewritten, secretsOf(state.state.entries));
  if (format === 'yaml') return entries.map(yamlText).join('');
  const describe = format === 'json' ? describedEntry : patchEntry;
  return `${prettyJson(entries.map((entry) => describe(entry, rewritten)))}\n`;
}

/** `apps/web.yaml:3 Deployment shop/web`. */
export function entryLabel(
  { resource }: Pick<MutatedEntry, 'resource'>,
  namespace: string = resource.namespace,
): string {
  const { file, range } = resource.locate(['kind'], 'key');
  return `${file.path}:${file.positionAt(range.start).line} ${resourceLabel(resourceName(resource, namespace))}`;
}

/** `spec.replicas: changed by MutatingAdmissionPolicy limits`. */
export function writeLabel({ edit, by }: PolicyWrite): string {
  const verb = edit.kind === 'set' ? 'changed' : edit.kind === 'remove' ? 'removed' : 'added';
  const names = new Set(by.map(({ policy }) => `${policy.kind} ${policy.name}`));
  return `${formatFieldPath(placeOf(edit))}: ${verb} by ${[...names].join(', ')}`;
}

function placeOf(edit: JsonEdit): FieldPath {
  return edit.kind === 'insert' ? [...edit.path, edit.at] : edit.path;
}

function headLines(entry: MutatedEntry): readonly string[] {
  const targets = entry.targets.length > 1 ? ` (${entry.targets.join(', ')})` : '';
  return [
    `# ${entryLabel(entry, entry.namespace)}${targets}`,
    ...entry.writes.map((write) => `#   ${writeLabel(write)}`),
  ].map((line) => line.replace(/[\r\n]+/g, ' '));
}

function yamlText(entry: MutatedEntry): string {
  const lines = blockLines(entry.object, 0, { step: 2, dash: 0 });
  return `---\n${[...headLines(entry), ...lines].join('\n')}\n`;
}

/** A diff omits changes that cannot be written to a file. `preadmit mutate` reports them on standard error. */
function diffText({ state, files, left }: RewrittenState, secrets: ReadonlySet<string>): string {
  return files
    .map(({ file, splices }) => {
      const entries = state.entries
        .filter(({ resource }) => resource.manifest.file === file)
        .map((entry) => ({ ...entry, writes: entry.writes.filter((write) => !left.has(write)) }));
      const head = entries.filter(({ writes }) => writes.length > 0).flatMap(headLines);
      const hunks = withoutSecrets(unifiedDiff(file, splices, shownLineOf(file)), secrets);
      return `${head.join('\n')}\n--- ${patchPath('a', file.path)}\n+++ ${patchPath('b', file.path)}\n${hunks}`;
    })
    .join('');
}

/** The rewritten file feeds the same Secrets as the file. */
function shownLineOf(file: SourceFile): typeof shownLine {
  return (source, number) => {
    if (source !== file && isSecretElsewhere(file)) markSecretFile(source);
    return shownLine(source, number);
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '"': '"', '\\': '\\' };

/** Quoted like Git does: a line feed in a path would start the header of another file. */
function patchPath(side: 'a' | 'b', path: string): string {
  const whole = `${side}/${path}`;
  const quoted = whole.replace(/["\\\u0000-\u001f\u007f]/g, (character) => {
    return `\\${ESCAPES[character] ?? character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return quoted === whole ? whole : `"${quoted}"`;
}

function describedEntry(entry: MutatedEntry, { left }: RewrittenState): JsonObject {
  const changes = entry.writes.map((write) => {
    const reason = left.get(write);
    return object({
      field: formatFieldPath(placeOf(write.edit)),
      op: operationOf(write.edit),
      before: write.before,
      after: write.after,
      by: write.by.map(describedChange),
      notWritten: reason,
    });
  });
  return object({ ...describedObject(entry), changes, object: entry.object });
}

function patchEntry(entry: MutatedEntry): JsonObject {
  const writeOf = new Map(entry.writes.map((write) => [write.edit, write]));
  const patch = patchSteps(entry.writes.map(({ edit }) => edit)).map(({ op, path, value, edit }) =>
    // RFC 6902 requires readers to ignore unknown members.
    object({ op, path, value, policy: makerOf(writeOf.get(edit))?.policy.name }),
  );
  return object({ ...describedObject(entry), patch });
}

/** The policy that inserted a new item, or that changed a field last. */
function makerOf(write: PolicyWrite | undefined): ObjectChangeByPolicy | undefined {
  return write?.edit.kind === 'insert' ? write.fields()[0]?.by : write?.by.at(-1);
}

function describedObject({ resource, namespace, targets }: MutatedEntry): Record<string, JsonValue | undefined> {
  const { file, range } = resource.locate(['kind'], 'key');
  const { apiVersion, kind, name } = resourceName(resource, namespace);
  return {
    path: file.path,
    line: BigInt(file.positionAt(range.start).line),
    targets,
    apiVersion,
    kind,
    namespace: namespace === '' ? undefined : namespace,
    name,
  };
}

function describedChange({ policy, binding, param, rule }: ObjectChangeByPolicy): JsonObject {
  return object({
    kind: policy.kind,
    name: policy.name,
    binding: binding?.name,
    param: param?.name,
    rule: formatFieldPath(rule),
  });
}

function operationOf(edit: JsonEdit): 'add' | 'replace' | 'remove' {
  if (edit.kind === 'set') return 'replace';
  return edit.kind === 'remove' ? 'remove' : 'add';
}

function object(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return new Map(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}
