// Strict parser for the simple XML of reports; throws for XML that is not well-formed.

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const TOKEN = /<\?xml [^?<]*\?>|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;
const REFERENCE = /&(?:#(\d+)|#x([0-9a-fA-F]+)|(lt|gt|amp|quot|apos));|&/g;
/** Characters that XML 1.0 cannot represent. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

export function elementsOf(text: string): readonly XmlElement[] {
  const root: OpenElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    const parent = open.at(-1);
    if (match === null || parent === undefined) throw new Error(`not well-formed: ${text.slice(at, at + 80)}`);
    const [, closing, opening, attributes = '', empty, content] = match;
    if (content !== undefined) parent.text += decode(content);
    else if (closing !== undefined) {
      if (open.length === 1 || parent.name !== closing) throw new Error(`</${closing}> closes <${parent.name}>`);
      open.pop();
    } else if (opening !== undefined) {
      const element: OpenElement = { name: opening, attributes: attributesOf(attributes), children: [], text: '' };
      parent.children.push(element);
      if (empty === '') open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return root.children;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`${name} is written twice`);
    attributes.set(name, decode(value));
  }
  return attributes;
}

function decode(text: string): string {
  const decoded = text.replace(REFERENCE, (all, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? '';
    if (decimal === undefined && hexadecimal === undefined) throw new Error(`${all} in ${text.slice(0, 80)}`);
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal));
  });
  if (FORBIDDEN.test(decoded)) throw new Error('a character that XML has not');
  return decoded;
}
