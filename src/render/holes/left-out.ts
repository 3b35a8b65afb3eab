// Removes entries of kustomizations that kustomize rejects because they change or use only unknown objects.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import type { KnownNames } from './known-names.ts';
import { documentsIn, type ReadText } from './plugin-objects.ts';

export interface LeftOut {
  readonly path: string;
  /** Of the entry as the controller or the repository has it. */
  readonly entry: FieldPath;
  /** Fields of rendered objects that the entry would change as well. */
  opens(object: JsonObject): readonly FieldPath[];
}

/** An id in kustomize's messages: `Deployment.v1.apps/web.[noNs]`. */
const ID = /^([^./]+)\.([^/]+?)\/(.+)\.([^.]+)$/;

type Contents = ReadonlyMap<string, Map<string, JsonValue>>;

/** Edits `contents` so that kustomize does not repeat the message. Undefined if the message is about something else. */
export function leaveOut(message: string, contents: Contents, read: ReadText): readonly LeftOut[] | undefined {
  const words = message.replaceAll('\\"', '"');
  const found = removal(words);
  if (found === undefined) return undefined;
  const left = [...contents].flatMap(([path, content]) => found(path, content, read));
  return left.length > 0 ? left : undefined;
}

/** Removes the patches of objects that no file names, for which kustomize would certainly not find a target. */
export function leaveOutPatches(
  contents: Contents,
  read: ReadText,
  names: Pick<KnownNames, 'mayHold'>,
): readonly LeftOut[] {
  const without = withoutPatches((document) => !names.mayHold(document));
  return [...contents].flatMap(([path, content]) => without(path, content, read));
}

type Removal = (path: string, content: Map<string, JsonValue>, read: ReadText) => readonly LeftOut[];

/** The messages are those of PatchTransformer.go, replacement.go, ReplicaCountTransformer.go, reswrangler.go and resaccumulator.go. */
function removal(words: string): Removal | undefined {
  const [, patch] = /no matches for Id [^;]+; failed to find unique target for patch ([^\s"]+)/.exec(words) ?? [];
  if (patch !== undefined) return withoutPatches((document) => idOf(document) === patch);
  const [, source] = /nothing selected by (\S+?\/[^\s:]+)/.exec(words) ?? [];
  if (source !== undefined) return withoutReplacement(source);
  const [, replica] = /resource with name (\S+) does not match a config/.exec(words) ?? [];
  if (replica !== undefined) return withoutEntries(['replicas'], (entry) => textField(entry, 'name') === replica);
  const [, kind, generated] =
    /Kind:"(ConfigMap|Secret)"[^}]*\}, Name:"([^"]*)"[^}]*\} does not exist; cannot merge or replace/.exec(words) ?? [];
  if (kind !== undefined) {
    const field = kind === 'Secret' ? 'secretGenerator' : 'configMapGenerator';
    return withoutEntries([field], (entry) => textField(entry, 'name') === generated && entry.has('behavior'));
  }
  const [, variable] = /var '\{(\S+) .*cannot be mapped to a field/s.exec(words) ?? [];
  return variable === undefined ? undefined : withoutVariable(variable);
}

function withoutPatches(isGone: (document: JsonObject) => boolean): Removal {
  return (path, content, read) => {
    const left: LeftOut[] = [];
    for (const field of ['patches', 'patchesStrategicMerge']) {
      const entries = content.get(field);
      if (!isJsonArray(entries)) continue;
      const kept = entries.flatMap((entry, index): readonly JsonValue[] => {
        const documents = patchDocuments(entry, path, read);
        const gone = documents?.filter(isGone) ?? [];
        if (documents === undefined || gone.length === 0) return [entry];
        const ids = gone.map(idOf);
        const opens = (object: JsonObject) => (ids.some((each) => isNamed(object, each)) ? [[]] : []);
        left.push({ path, entry: [field, index], opens });
        const others = documents.filter((document) => !gone.includes(document));
        return others.map((document) =>
          field === 'patches' ? new Map([['patch', textOf(document)]]) : textOf(document),
        );
      });
      if (kept.length !== entries.length || left.length > 0) content.set(field, kept);
    }
    return left;
  };
}

/** Undefined for a patch that names its target, and for JSON patches. */
function patchDocuments(entry: JsonValue, path: string, read: ReadText): readonly JsonObject[] | undefined {
  if (isJsonObject(entry) && entry.has('target')) return undefined;
  const inline = isJsonObject(entry)
    ? textField(entry, 'patch')
    : typeof entry === 'string' && entry.includes('\n')
      ? entry
      : '';
  const file = isJsonObject(entry) ? textField(entry, 'path') : typeof entry === 'string' ? entry : '';
  const text = inline !== '' ? inline : file.startsWith('{') ? file : read(joinPaths(folderOf(path), file));
  const documents = text === undefined ? undefined : documentsIn(text);
  const objects = documents?.flatMap((document) => (isJsonObject(document) ? [document] : []));
  return objects?.length === documents?.length ? objects : undefined;
}

function withoutReplacement(id: string): Removal {
  return (path, content, read) => {
    const entries = content.get('replacements');
    if (!isJsonArray(entries)) return [];
    const left: LeftOut[] = [];
    const kept = entries.flatMap((entry, index): readonly JsonValue[] => {
      const replacements = replacementsOf(entry, path, read);
      const gone = replacements.filter((each) => selects(objectOrEmpty(each.get('source')), id));
      if (gone.length === 0) return [entry];
      const targets = gone.flatMap((each) => objectItems(each.get('targets')));
      const opens = (object: JsonObject) => (targets.some((target) => mayTarget(target, object)) ? [[]] : []);
      left.push({ path, entry: ['replacements', index], opens });
      return replacements.filter((each) => !gone.includes(each));
    });
    if (left.length > 0) content.set('replacements', kept);
    return left;
  };
}

function replacementsOf(entry: JsonValue, path: string, read: ReadText): readonly JsonObject[] {
  if (!isJsonObject(entry)) return [];
  const file = textField(entry, 'path');
  if (file === '') return [entry];
  const text = read(joinPaths(folderOf(path), file));
  const documents = text === undefined ? [] : (documentsIn(text) ?? []);
  return documents.flatMap((document) =>
    isJsonArray(document) ? objectItems(document) : isJsonObject(document) ? [document] : [],
  );
}

function selects(source: JsonObject, id: string): boolean {
  const [, kind, , name] = ID.exec(id) ?? [];
  const [wantedKind, wantedName] = [textField(source, 'kind') || '[noKind]', textField(source, 'name') || '[noName]'];
  return wantedKind === kind && wantedName === name;
}

/** Names may have a prefix or suffix by now, and selectors are regular expressions: only the kind is compared. */
function mayTarget(target: JsonObject, object: JsonObject): boolean {
  const kind = textField(objectOrEmpty(target.get('select')), 'kind');
  return kind === '' || kind === textField(object, 'kind') || /[^A-Za-z0-9]/.test(kind);
}

function withoutVariable(name: string): Removal {
  const opens = (object: JsonObject): readonly FieldPath[] => textsWith(object, `$(${name})`);
  return (path, content) =>
    withoutEntries(['vars'], (entry) => textField(entry, 'name') === name)(path, content, () => undefined).map(
      (left) => ({
        ...left,
        opens,
      }),
    );
}

function withoutEntries(fields: readonly string[], isGone: (entry: JsonObject) => boolean): Removal {
  return (path, content) =>
    fields.flatMap((field) => {
      const entries = content.get(field);
      if (!isJsonArray(entries)) return [];
      const gone = entries.flatMap((entry, index) => (isJsonObject(entry) && isGone(entry) ? [index] : []));
      if (gone.length === 0) return [];
      content.set(
        field,
        entries.filter((_, index) => !gone.includes(index)),
      );
      return gone.map((index) => ({ path, entry: [field, index], opens: () => [] }));
    });
}

function textsWith(value: JsonValue, text: string): readonly FieldPath[] {
  if (typeof value === 'string') return value.includes(text) ? [[]] : [];
  const items: readonly (readonly [string | number, JsonValue])[] = isJsonArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? [...value]
      : [];
  return items.flatMap(([step, item]) => textsWith(item, text).map((path) => [step, ...path]));
}

/** As `ResId.String()` (kyaml/resid) writes it. */
function idOf(object: JsonObject): string {
  const apiVersion = textField(object, 'apiVersion');
  const slash = apiVersion.lastIndexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const metadata = objectOrEmpty(object.get('metadata'));
  const gvk = [textField(object, 'kind') || '[noKind]', apiVersion.slice(slash + 1) || '[noVer]', group || '[noGrp]'];
  const names = [textField(metadata, 'name') || '[noName]', textField(metadata, 'namespace') || '[noNs]'];
  return `${gvk.join('.')}/${names.join('.')}`;
}

/** True if the object may be the one with this id, whose name prefixes and suffixes may have changed. */
function isNamed(object: JsonObject, id: string): boolean {
  const [, kind = '', , name = ''] = ID.exec(id) ?? [];
  const own = textField(objectOrEmpty(object.get('metadata')), 'name');
  return textField(object, 'kind') === kind && own.includes(name);
}

function textOf(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}
