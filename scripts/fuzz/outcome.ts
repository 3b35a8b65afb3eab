// What an engine makes of an expression, in a form that can be compared.

/** `text` of a value names its type and content; a crash is an exception that is no answer about the expression. */
export type Outcome =
  | { readonly kind: 'value'; readonly type: string; readonly text: string }
  | { readonly kind: 'error' | 'crash'; readonly message: string };

export interface Engine {
  readonly name: string;
  evaluate(text: string): Outcome;
}

/** Engines agree on the value, or that there is none; every engine has its own words for why. */
export function agree(one: Outcome, other: Outcome): boolean {
  if (one.kind === 'value' && other.kind === 'value') return one.text === other.text;
  return one.kind === 'error' && other.kind === 'error';
}

/** Without what is particular to one expression: names, numbers, places. */
export function classOf(outcome: Outcome): string {
  if (outcome.kind === 'value') return `value ${outcome.type}`;
  const [firstLine = ''] = outcome.message.split('\n');
  const message = firstLine
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…')
    .replace(/-?\d[\d.e+]*/g, '#')
    .slice(0, 120);
  return `${outcome.kind} ${message}`;
}

/** A value written so that equal values have equal texts: `int 1`, `list [int 1, string "a"]`. */
export function value(type: string, content = ''): Outcome & { kind: 'value' } {
  return { kind: 'value', type, text: content === '' ? type : `${type} ${content}` };
}

export function doubleValue(double: number): Outcome & { kind: 'value' } {
  return value('double', Object.is(double, -0) ? '-0' : String(double));
}

export function mapValue(entries: readonly (readonly [Outcome & { kind: 'value' }, Outcome & { kind: 'value' }])[]) {
  const texts = entries.map(([key, content]) => `${key.text}: ${content.text}`).sort();
  return value('map', `{${texts.join(', ')}}`);
}

export function listValue(elements: readonly (Outcome & { kind: 'value' })[]) {
  return value('list', `[${elements.map(({ text }) => text).join(', ')}]`);
}
