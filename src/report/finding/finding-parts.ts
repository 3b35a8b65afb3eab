// Cache of parts that findings share: rules, related locations, and excerpts of recent files.
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { SourceFile, SourceLocation } from '../../source/text/source-file.ts';
import { excerptOf, placeOf, recurringPlaceOf } from '../location/place.ts';
import type { Excerpt, Finding, Place, RelatedPlace } from '../report.ts';

/** Findings arrive object by object, and a rendered object has locations in few files. */
const MAX_FILES = 8;
/** Maximum number of cached rules; a policy has one per param. */
const MAX_RULES = 10_000;
const MAX_TEXTS = 10_000;

/** Parts of one rule with one binding and param. */
export interface RuleParts extends Pick<Finding, 'policy' | 'rule'> {
  readonly related: readonly RelatedPlace[];
}

type Asked = Pick<Evaluation, 'policy' | 'binding' | 'param' | 'rule' | 'expression'>;

/** One instance per run. Everything can be recomputed, so the cache stays small. */
export class FindingParts {
  readonly #files = new Map<SourceFile, PlacesOfFile>();
  readonly #texts = new Map<string, string>();
  #rules = new Map<object | undefined, Map<object | undefined, Map<object, Map<string, RuleParts>>>>();
  #ruleCount = 0;

  /** `field`: formatted path of the rule in `asked`. */
  ruleOf(asked: Asked, field: string): RuleParts {
    if (this.#ruleCount === MAX_RULES) {
      this.#rules = new Map();
      this.#ruleCount = 0;
    }
    const byParam = entryOf(this.#rules, asked.binding, () => new Map());
    const byPolicy = entryOf(byParam, asked.param, () => new Map());
    const byField = entryOf(byPolicy, asked.policy, () => new Map());
    const known = byField.get(field);
    if (known !== undefined && known.rule.expression === asked.expression) return known;
    const parts = rulePartsOf(asked, field);
    byField.set(field, parts);
    this.#ruleCount += 1;
    return parts;
  }

  /** Returns the same object for the same location. */
  placeOf(location: SourceLocation): Place {
    let places = this.#files.get(location.file);
    if (places === undefined) {
      if (this.#files.size === MAX_FILES) this.#files.clear();
      places = new PlacesOfFile();
      this.#files.set(location.file, places);
    }
    return places.of(location);
  }

  /** Shares equal field paths between findings. */
  text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size === MAX_TEXTS) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}

class PlacesOfFile {
  readonly #places = new Map<string, Place>();
  readonly #excerpts = new Map<string, Excerpt>();

  of(location: SourceLocation): Place {
    const { start, end } = location.range;
    return entryOf(this.#places, `${start}-${end}`, () =>
      placeOf(location, (file, startLine, endLine) =>
        entryOf(this.#excerpts, `${startLine}-${endLine}`, () => excerptOf(file, startLine, endLine)),
      ),
    );
  }
}

function rulePartsOf({ policy, binding, param, rule, expression }: Asked, field: string): RuleParts {
  const related: RelatedPlace[] = [
    {
      message: `${policy.kind} ${policy.name}: ${field}`,
      role: 'rule',
      place: recurringPlaceOf(policy.resource.locate(rule, 'value')),
    },
  ];
  if (binding !== undefined) {
    const place = recurringPlaceOf(binding.resource.locate(['metadata', 'name'], 'value'));
    related.push({ message: `bound by ${binding.kind} ${binding.name}`, role: 'binding', place });
  }
  if (param !== undefined) {
    const place = recurringPlaceOf(param.locate(['metadata', 'name'], 'value'));
    related.push({ message: `with params ${param.gvk.kind} ${param.name}`, role: 'param', place });
  }
  return {
    policy: { kind: policy.kind, name: policy.name },
    rule: { field, ...(expression !== undefined && { expression }) },
    related,
  };
}

function entryOf<Key, Entry>(map: Map<Key, Entry>, key: Key, make: () => Entry): Entry {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
