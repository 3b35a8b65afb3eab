// Finds the keys of a document below which all values are secret.
import { type DocumentLine, Mappings } from './document-lines.ts';
import { isDataField, isSecretField, isSecretGeneratorField, isSecretName } from './secret-keys.ts';

export interface SecretKey {
  readonly column: number;
  /** Offset of its value in the line. */
  readonly after: number;
}

const SPEAKS_OF_SECRET = /\bSecret(?:List)?\b/;
const IS_SECRET = /^secret$/i;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** `data` or `stringData` as a key, in any spelling of YAML and JSON, also inside a quoted copy of an object. */
const DATA_KEY = /(?:^|[\s{,?\\"'])(?:string|binary)?[-_]?data\\?["']?\s*:/i;
/** A Secret in flow style, and at least one more field behind its kind. */
const FLOW_SECRET =
  /[{,]\s*\\?["']?kind\\?["']?\s*:\s*\\?["']?Secret\b|^\s*["']kind["']\s*:\s*["']Secret["']\s*,\s*\S/i;
const FLOW_KEY = /(?:^|[\s{,])["']?([A-Za-z_][\w.-]{0,80})["']?\s*:(?=\s|["{[])/g;
/** Fields of a reference to a Secret. */
const REFERENCE = new Set(
  'apiVersion kind name namespace group version labelSelector annotationSelector optional key valuesKey targetPath field target'.split(
    ' ',
  ),
);
const GENERATOR = /^secret[-_]?generators?$/i;
/** Kinds whose fields are values of a chart or substitutions. */
const KINDS_WITH_VALUES =
  /^(?:HelmRelease|HelmChart|HelmChartConfig|HelmChartInflationGenerator|Application|ApplicationSet|Kustomization|Component)$/;
const SECRET_PATH = /(?:^|\/)(?:string|binary)?data(?:\/|$)/i;

type Keys = Map<number, SecretKey>;

export function secretKeys(lines: readonly DocumentLine[]): ReadonlyMap<number, SecretKey> {
  const keys: Keys = new Map();
  const top = (name: string): DocumentLine | undefined =>
    lines.find(({ entry }) => entry?.key === name && (entry.column === 0 || isFlowTop(lines)));
  const kind = top('kind')?.entry?.value;
  const isSopsFile = top('sops') !== undefined;
  if (lines.some(({ text, entry }) => SPEAKS_OF_SECRET.test(text) || isSecretKindLine(entry)))
    secretDocument(lines, keys);
  if (isSopsFile) sopsDocument(lines, kind, keys);
  generators(lines, keys);
  patches(lines, keys);
  if (top('apiVersion') === undefined || KINDS_WITH_VALUES.test(kind ?? '')) namedSecrets(lines, keys);
  return keys;
}

function isFlowTop(lines: readonly DocumentLine[]): boolean {
  return lines.find(({ text }) => text.trim() !== '')?.text.trim() === '{';
}

function isSecretKindLine(entry: DocumentLine['entry']): boolean {
  return entry?.key === 'kind' && IS_SECRET.test(entry.value);
}

function add(keys: Keys, { number, entry }: DocumentLine): void {
  if (entry !== undefined && !keys.has(number)) keys.set(number, entry);
}

function secretDocument(lines: readonly DocumentLine[], keys: Keys): void {
  const mappings = new Mappings(lines);
  for (const [at, line] of lines.entries()) {
    const { text, number, entry } = line;
    if (entry?.key === LAST_APPLIED) add(keys, line);
    if (entry !== undefined && isSecretKindLine(entry)) secretObject(mappings.around(at, entry.column), line, keys);
    const flow = FLOW_SECRET.exec(text);
    if (flow !== null && !isReference(text)) {
      const after = Math.max(text.indexOf('{') + 1, entry?.key === 'kind' ? entry.after : 0);
      if (!keys.has(number)) keys.set(number, { column: line.indent, after });
    }
    const data = DATA_KEY.exec(text);
    if (data !== null && !keys.has(number)) {
      keys.set(number, { column: keyColumn(text, data.index), after: data.index + data[0].length });
    }
  }
}

/** Hides too much rather than too little: a one-line Secret shows nothing behind its first bracket. */
function isReference(text: string): boolean {
  return [...text.matchAll(FLOW_KEY)].every(([, key = '']) => REFERENCE.has(key) || key.endsWith('Ref'));
}

/** A mapping with `kind: Secret` is an object if it has metadata or data; otherwise it refers to a Secret. */
function secretObject(around: readonly DocumentLine[] = [], { entry: kind }: DocumentLine, keys: Keys): void {
  const column = kind?.column ?? 0;
  const own = around.filter(({ entry }) => entry?.column === column);
  const isObject = column === 0 || own.some(({ entry }) => entry?.key === 'metadata' || isDataField(entry?.key ?? ''));
  if (!isObject) return;
  for (const line of own) if (isSecretField(line.entry?.key ?? '')) add(keys, line);
  for (const line of around) if (line.entry?.key === 'annotations') add(keys, line);
}

/** Plain values beside encrypted ones. */
function sopsDocument(lines: readonly DocumentLine[], kind: string | undefined, keys: Keys): void {
  for (const line of lines) {
    const { entry } = line;
    if (entry === undefined || entry.key === 'sops') continue;
    if (kind === undefined ? entry.column === 0 : isDataField(entry.key) || isSecretName(entry.key)) add(keys, line);
  }
}

function generators(lines: readonly DocumentLine[], keys: Keys): void {
  for (const [at, line] of lines.entries()) {
    const { entry } = line;
    if (entry === undefined || !GENERATOR.test(entry.key)) continue;
    if (entry.value !== '') add(keys, line);
    for (let index = at + 1; index < lines.length; index++) {
      const below = lines[index] as DocumentLine;
      const isIn = below.indent > entry.column || (below.indent === entry.column && below.isItem);
      if (!isIn && below.text.trim() !== '') break;
      if (below.entry !== undefined && isSecretGeneratorField(below.entry.key)) add(keys, below);
    }
  }
}

/** Operations of a JSON patch on a Secret's data. */
function patches(lines: readonly DocumentLine[], keys: Keys): void {
  const mappings = new Mappings(lines);
  for (const [at, { entry }] of lines.entries()) {
    if (entry?.key !== 'path' || !SECRET_PATH.test(entry.value)) continue;
    for (const line of mappings.around(at, entry.column) ?? []) {
      if (line.entry?.key === 'value' && line.entry.column === entry.column) add(keys, line);
    }
  }
}

function namedSecrets(lines: readonly DocumentLine[], keys: Keys): void {
  const mappings = new Mappings(lines);
  for (const [at, line] of lines.entries()) {
    const { text, entry, number } = line;
    if (entry !== undefined && isSecretName(entry.key) && !isSwitch(entry.value)) add(keys, line);
    if (entry?.key === 'name' && isSecretName(entry.value)) {
      for (const beside of mappings.around(at, entry.column) ?? []) {
        if (beside.entry?.key === 'value' && beside.entry.column === entry.column) add(keys, beside);
      }
    }
    if (keys.has(number)) continue;
    const flow = [...text.matchAll(FLOW_KEY)].find(([, key = '']) => isSecretName(key));
    const isNamedPair = /\bname["']?\s*:\s*["']?([\w.-]+)/.exec(text);
    if (flow !== undefined && flow[1] !== entry?.key) {
      keys.set(number, { column: line.indent, after: flow.index + flow[0].length });
    } else if (isNamedPair !== null && isSecretName(isNamedPair[1] ?? '') && /[{,]\s*["']?value["']?\s*:/.test(text)) {
      keys.set(number, { column: line.indent, after: text.indexOf('{') + 1 });
    }
  }
}

function isSwitch(value: string): boolean {
  return /^(?:true|false|null|~)$/.test(value);
}

/** Of a mapping that begins on the line of a list item, the values stand right of its first key. */
function keyColumn(line: string, at: number): number {
  const [lead = ''] = /^\s*(?:-\s+)*/.exec(line) ?? [];
  return Math.min(lead.length, at === 0 ? 0 : at + 1);
}
