// The result of an engine for an expression, in a comparable form.

/** `text` of a value contains its type and content. A crash is an exception that is not an evaluation error. */
export type Outcome =
  | { readonly kind: 'value'; readonly type: string; readonly text: string }
  | { readonly kind: 'error' | 'crash'; readonly message: string };

export interface Engine {
  readonly name: string;
  evaluate(text: string): Outcome;
}

/** Engines agree on equal values, or if both fail; error messages may differ. */
export function agree(one: Outcome, other: Outcome): boolean {
  if (one.kind === 'value' && other.kind === 'value') return one.text === other.text;
  return one.kind === 'error' && other.kind === 'error';
}

/** Removes parts that are specific to one expression: names, numbers, locations. */
export function classOf(outcome: Outcome): string {
  if (outcome.kind === 'value') return `value ${outcome.type}`;
  const [firstLine = ''] = outcome.message.split('\n');
  const message = firstLine
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…')
    .replace(/-?\d[\d.e+]*/g, '#')
    .slice(0, 120);
  return `${outcome.kind} ${message}`;
}

/** Writes a value so that equal values have equal texts: `int 1`, `list [int 1, string "a"]`. */
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
