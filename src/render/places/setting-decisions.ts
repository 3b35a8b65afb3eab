// Contributions of a kustomization's own fields: namespace, prefixes, labels, images, replicas.

import { isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { type AskedField, type FieldDecision, setBy, writtenAs } from './decision.ts';
import type { Setting, TransformerFile } from './transformer-settings.ts';

type Decide = (file: TransformerFile, asked: AskedField) => readonly FieldDecision[];

/** By transformer kind. Decisions are in reverse order of entries. */
export const SETTING_DECISIONS: ReadonlyMap<string, Decide> = new Map<string, Decide>([
  ['NamespaceTransformer', namespaceDecision],
  ['PrefixTransformer', (file, asked) => affixDecision(file.field(['namePrefix'], ['prefix']), 'prefix', asked)],
  ['SuffixTransformer', (file, asked) => affixDecision(file.field(['nameSuffix'], ['suffix']), 'suffix', asked)],
  ['LabelTransformer', labelDecisions],
  ['AnnotationsTransformer', annotationDecision],
  ['ImageTagTransformer', imageDecisions],
  ['ReplicaCountTransformer', replicaDecisions],
]);

function namespaceDecision(file: TransformerFile, { path, value, object }: AskedField): readonly FieldDecision[] {
  const setting = file.field(['namespace'], ['metadata', 'namespace']);
  if (setting === undefined || typeof value !== 'string' || value !== setting.value) return [];
  const isName = path.length === 2 && path[0] === 'metadata' && path[1] === 'name';
  const isNamespace = isName && objectOrEmpty(object).get('kind') === 'Namespace';
  if (!isNamespace && path.at(-1) !== 'namespace') return [];
  return [setBy('namespace set by', setting.document, setting.path, path.length)];
}

function affixDecision(
  setting: Setting | undefined,
  kind: 'prefix' | 'suffix',
  { path, value, before }: AskedField,
): readonly FieldDecision[] {
  if (setting === undefined || typeof value !== 'string' || typeof setting.value !== 'string') return [];
  const affix = setting.value;
  const isName = path.length === 2 && path[0] === 'metadata' && path[1] === 'name';
  const isReference = typeof before === 'string' && before !== '' && before !== value && value.includes(before);
  if (affix === '' || !(isName || isReference)) return [];
  const at = kind === 'prefix' ? value.indexOf(affix) : value.lastIndexOf(affix);
  if (at < 0) return [];
  return [setBy(`${kind} set by`, setting.document, setting.path, path.length)];
}

const LABEL_FIELDS: readonly unknown[] = ['labels', 'matchLabels', 'selector'];

function labelDecisions(file: TransformerFile, asked: AskedField): readonly FieldDecision[] {
  const { path } = asked;
  if (!LABEL_FIELDS.includes(path.at(-2))) return mapDecisions(customLabels(file), 'label set by', asked);
  const isOwn = path.length === 3 && path[0] === 'metadata';
  const maps: Setting[] = [];
  for (const entry of file.entries('labels', [])) {
    const { value, document, folder } = entry;
    const fields = objectOrEmpty(value);
    const isWider = ['includeSelectors', 'includeTemplates'].some((name) => fields.get(name) === true);
    const pairs = fields.get('pairs');
    if (pairs === undefined || !(isOwn || isWider || fields.has('fields'))) continue;
    maps.push({ document, path: [...entry.path, 'pairs'], value: pairs, folder });
  }
  const common = file.field(['commonLabels'], ['labels']);
  return mapDecisions(common === undefined ? maps : [common, ...maps], 'label set by', asked);
}

function customLabels(file: TransformerFile): readonly Setting[] {
  return file.entries('labels', []).flatMap(({ document, path, value, folder }) => {
    const pairs = objectOrEmpty(value).get('pairs');
    if (pairs === undefined || !objectOrEmpty(value).has('fields')) return [];
    return [{ document, path: [...path, 'pairs'], value: pairs, folder }];
  });
}

function annotationDecision(file: TransformerFile, asked: AskedField): readonly FieldDecision[] {
  if (asked.path.at(-2) !== 'annotations') return [];
  const setting = file.field(['commonAnnotations'], ['annotations']);
  return setting === undefined ? [] : mapDecisions([setting], 'annotation set by', asked);
}

function mapDecisions(
  maps: readonly Setting[],
  message: string,
  { path, value }: AskedField,
): readonly FieldDecision[] {
  const key = path.at(-1);
  if (typeof key !== 'string' || typeof value !== 'string') return [];
  return [...maps].reverse().flatMap((map) => {
    if (!isJsonObject(map.value) || map.value.get(key) !== value) return [];
    return [writtenAs(message, map.document, [...map.path, key], { isExact: true, depth: path.length })];
  });
}

function imageDecisions(file: TransformerFile, { path, value }: AskedField): readonly FieldDecision[] {
  if (typeof value !== 'string') return [];
  const image = imageParts(value);
  return [...file.entries('images', ['imageTag'])].reverse().flatMap(({ document, path: entry, value: setting }) => {
    const fields = objectOrEmpty(setting);
    const text = (name: string): string => textField(fields, name);
    if ((text('newName') || text('name')) !== image.name) return [];
    const isTag = text('newTag') !== '' && text('digest') === '' && image.tag === text('newTag') + text('tagSuffix');
    const isSuffix = text('tagSuffix') !== '' && image.tag.endsWith(text('tagSuffix'));
    const isDigest = text('digest') !== '' && image.digest === text('digest');
    const isName = text('newName') !== '';
    const wrong = (text('newTag') !== '' && !isTag && !isDigest) || (text('digest') !== '' && !isDigest);
    const names = [isDigest && 'digest', isTag && 'newTag', isSuffix && 'tagSuffix', isName && 'newName'];
    const deciding = names.filter((name) => name !== false);
    if (wrong) return [];
    const [first] = deciding;
    if (first === undefined) return [];
    const placeText = (_start: number, end: number) => {
      const isInName = isName && end <= image.name.length;
      return document.place([...entry, isInName ? 'newName' : first], 'value');
    };
    return deciding.map((name) => ({
      ...setBy('image set by', document, [...entry, name], path.length),
      ...(name === first && { placeText }),
    }));
  });
}

/** A registry may have a port, so a colon before the last slash starts no tag. */
function imageParts(image: string): { readonly name: string; readonly tag: string; readonly digest: string } {
  const at = image.indexOf('@');
  const untilDigest = at < 0 ? image : image.slice(0, at);
  const colon = untilDigest.lastIndexOf(':');
  const hasTag = colon > untilDigest.lastIndexOf('/');
  return {
    name: hasTag ? untilDigest.slice(0, colon) : untilDigest,
    tag: hasTag ? untilDigest.slice(colon + 1) : '',
    digest: at < 0 ? '' : image.slice(at + 1),
  };
}

function replicaDecisions(file: TransformerFile, { path, value, names }: AskedField): readonly FieldDecision[] {
  if (path.at(-1) !== 'replicas' || value === undefined) return [];
  return [...file.entries('replicas', ['replica'])].reverse().flatMap(({ document, path: entry, value: setting }) => {
    const fields = objectOrEmpty(setting);
    if (!names.includes(textField(fields, 'name')) || !isSameCount(fields.get('count'), value)) return [];
    const count: FieldPath = [...entry, 'count'];
    return [writtenAs('replicas set by', document, count, { isExact: true, depth: path.length })];
  });
}

function isSameCount(count: JsonValue | undefined, value: JsonValue): boolean {
  return count !== undefined && count !== null && String(count) === String(value);
}
