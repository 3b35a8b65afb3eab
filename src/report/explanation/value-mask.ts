// Hides the values of Secrets in explanations.
import type { ObservedValue } from '../../kubernetes/cel/observed-values.ts';
import { HIDDEN, isSecretObject, secretTextsIn, withoutSecrets } from '../../kubernetes/secret/secret-object.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';

/** Without secret content: comparisons, counts and types. */
const HARMLESS = /^(?:true|false|null|\d{1,3}u?|[a-z.]+\(\))$/;

export class ValueMask {
  readonly #secrets = new Set<string>();
  /** Names and labels, as `ObservedValue` writes them. */
  readonly #public = new Set<string>();
  readonly #isSecret: boolean;

  /** `objects`: all that the expressions may read. `more`: secret texts in objects that are no Secrets. */
  constructor(objects: readonly (JsonValue | null)[], more: ReadonlySet<string> = new Set()) {
    for (const text of more) this.#secrets.add(text);
    const secrets = objects.filter((object) => isSecretObject(object ?? undefined));
    this.#isSecret = secrets.length > 0;
    for (const object of objects) {
      for (const text of secretTextsIn(object ?? undefined)) this.#secrets.add(text);
      this.#addPublic(object ?? undefined, 0);
    }
  }

  text(text: string): string {
    return withoutSecrets(text, this.#secrets);
  }

  /** As JSON text. */
  json(value: JsonValue): string {
    const text = stringifyJson(value, { sortKeys: false, escapeHtml: false });
    return this.value({ text: '', value: text, isError: false, parts: [] }).value;
  }

  /** Values derived from a secret differ from it, so all values but harmless ones are hidden. */
  value(observed: ObservedValue): ObservedValue {
    const { text, value, isError, parts } = observed;
    if (!this.#isSecret && this.#secrets.size === 0) return observed;
    if (!this.#isSecret) {
      const shown = parts.map((part) => this.value(part));
      return { text: this.text(text), value: this.text(value), isError, parts: shown };
    }
    const isShown = (HARMLESS.test(value) || this.#public.has(value)) && this.text(value) === value;
    const masked = isError ? this.text(value) : isShown ? value : HIDDEN;
    // The text of a step of a comprehension contains the element.
    const label =
      text.startsWith('[') && text.includes('] ') ? `${text.slice(0, text.indexOf('] ') + 2)}${HIDDEN}` : text;
    return { text: this.text(label), value: masked, isError, parts: parts.map((part) => this.value(part)) };
  }

  #addPublic(object: JsonValue | undefined, depth: number): void {
    if (!isJsonObject(object)) return;
    for (const [key, value] of object) {
      if (typeof value === 'string') {
        if (depth > 0 || key === 'kind' || key === 'apiVersion' || key === 'type')
          this.#public.add(JSON.stringify(value));
      } else if ((depth === 0 && key === 'metadata') || (depth === 1 && key === 'labels'))
        this.#addPublic(value, depth + 1);
    }
  }
}
