// The owners of findings: an annotation or label of the object, otherwise the owners of the file in CODEOWNERS.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';
import type { Ownership } from '../report.ts';
import type { OwnerRules } from './owner-rules.ts';

/** Where objects name their owner. */
export interface OwnerFields {
  readonly label?: string;
  readonly annotation?: string;
}

const MAX_IGNORED = 20;
const MAX_NAMED = 20;
const MAX_LENGTH = 300;

export class Owners {
  readonly #fields: OwnerFields;
  readonly #rules: OwnerRules | undefined;

  constructor(fields: OwnerFields, rules?: OwnerRules) {
    this.#fields = fields;
    this.#rules = rules;
  }

  /**
   * The annotation and label of an object are more specific than its file: a chart may render objects of several teams. The annotation comes first, because
   * only annotations can hold `@acme/team` or several owners. Undefined: no owner.
   */
  of(path: string | undefined, resource?: Resource): readonly string[] | undefined {
    const named = resource === undefined ? [] : this.#namedBy(resource);
    if (named.length > 0) return named;
    const owners = path === undefined ? [] : (this.#rules?.ownersOf(path) ?? []);
    return owners.length > 0 ? owners : undefined;
  }

  /** Undefined if nothing can name an owner. Call it after the last `of`. */
  summary(): Ownership | undefined {
    const rules = this.#rules;
    const { label, annotation } = this.#fields;
    if (rules === undefined && label === undefined && annotation === undefined) return undefined;
    const ignored = rules?.codeowners.ignored ?? [];
    return {
      ...(label !== undefined && { label }),
      ...(annotation !== undefined && { annotation }),
      ...(rules && { path: rules.path, syntax: rules.codeowners.syntax }),
      ...(rules?.problem !== undefined && { problem: rules.problem }),
      ...(ignored.length > 0 && { ignored: ignored.slice(0, MAX_IGNORED), ignoredLines: ignored.length }),
    };
  }

  #namedBy({ value }: Resource): readonly string[] {
    const { label, annotation } = this.#fields;
    if (label === undefined && annotation === undefined) return [];
    const metadata = objectOrEmpty(value.get('metadata'));
    const textAt = (field: 'labels' | 'annotations', key: string | undefined): string => {
      const text = key === undefined ? undefined : objectOrEmpty(metadata.get(field)).get(key);
      return typeof text === 'string' ? text : '';
    };
    const written = textAt('annotations', annotation) || textAt('labels', label);
    const names = written
      .slice(0, MAX_NAMED * MAX_LENGTH)
      .split(/[\s,]+/)
      .filter((name) => name !== '' && name.length <= MAX_LENGTH);
    return [...new Set(names)].slice(0, MAX_NAMED);
  }
}
