// Answers who owns a path. An index keeps the answer cheap with many rules; a limit bounds hostile ones.
import { type Codeowners, MAX_CODEOWNERS_BYTES, type OwnerRule, parseCodeowners, syntaxOf } from './codeowners.ts';
import { type MatchWork, matchesPattern, requiredText } from './owner-pattern.ts';

/** Less than half a second of matching. */
const MAX_STEPS = 20_000_000;
const NOBODY: readonly string[] = [];

/** A CODEOWNERS file, or why it cannot be used. */
export interface CodeownersFile {
  readonly path: string;
  readonly text?: string;
  /** Set instead of `text`: why the file cannot be read. */
  readonly problem?: string;
}

export class OwnerRules {
  readonly path: string;
  readonly codeowners: Codeowners;
  readonly #problem: string | undefined;
  readonly #sections: readonly SectionRules[];
  readonly #known = new Map<string, readonly string[]>();
  readonly #work: MatchWork = { steps: 0 };

  constructor({ path, text = '', problem }: CodeownersFile) {
    const isLarge = text.length > MAX_CODEOWNERS_BYTES;
    this.path = path;
    this.codeowners = parseCodeowners(isLarge ? '' : text, syntaxOf(path, text));
    this.#problem = isLarge ? 'it is larger than 3 MB, which GitHub does not load' : problem;
    this.#sections = this.codeowners.sections.map(({ rules }) => new SectionRules(rules));
  }

  /** Why no owner or not every owner is known. */
  get problem(): string | undefined {
    return this.#work.steps > MAX_STEPS ? 'matching its patterns takes too long' : this.#problem;
  }

  /** Owners of the last matching rule, of every section; empty: the path has no owner, or it is unknown. */
  ownersOf(path: string): readonly string[] {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const segments = path.split('/');
    const owners = new Set<string>();
    for (const section of this.#sections) {
      for (const owner of section.lastMatch(segments, this.#work)?.owners ?? []) owners.add(owner);
    }
    // With owners of some sections only, the answer would look complete.
    const found = owners.size === 0 || this.#work.steps > MAX_STEPS ? NOBODY : [...owners];
    this.#known.set(path, found);
    return found;
  }
}

/** The rules of a section, and the patterns that it leaves out. */
class SectionRules {
  readonly #rules: RuleIndex;
  readonly #exclusions: RuleIndex;

  constructor(rules: readonly OwnerRule[]) {
    this.#rules = new RuleIndex(rules.filter(({ isExclusion }) => !isExclusion));
    this.#exclusions = new RuleIndex(rules.filter(({ isExclusion }) => isExclusion));
  }

  lastMatch(path: readonly string[], work: MatchWork): OwnerRule | undefined {
    return this.#exclusions.lastMatch(path, work) === undefined ? this.#rules.lastMatch(path, work) : undefined;
  }
}

interface Numbered {
  readonly index: number;
  readonly rule: OwnerRule;
}

/** Rules by a text that each matching path contains. */
class RuleIndex {
  readonly #byKey = new Map<string, Numbered[]>();

  constructor(rules: readonly OwnerRule[]) {
    for (const [index, rule] of rules.entries()) {
      const key = requiredText(rule.pattern);
      const text = key.by === 'nothing' ? key.by : `${key.by} ${key.text}`;
      const same = this.#byKey.get(text);
      if (same === undefined) this.#byKey.set(text, [{ index, rule }]);
      else same.push({ index, rule });
    }
  }

  lastMatch(path: readonly string[], work: MatchWork): OwnerRule | undefined {
    let last: Numbered | undefined;
    for (const rules of this.#candidates(path)) {
      for (let at = rules.length - 1; at >= 0 && work.steps <= MAX_STEPS; at--) {
        const candidate = rules[at] as Numbered;
        if (last !== undefined && candidate.index < last.index) break;
        work.steps += 1;
        if (matchesPattern(candidate.rule.pattern, path, work)) last = candidate;
      }
    }
    return work.steps > MAX_STEPS ? undefined : last?.rule;
  }

  *#candidates(path: readonly string[]): Iterable<readonly Numbered[]> {
    const keys = new Set<string>(['nothing']);
    for (const [index, name] of path.entries()) {
      keys.add(`folder ${path.slice(0, index + 1).join('/')}`);
      keys.add(`name ${name}`);
      const dot = name.lastIndexOf('.');
      if (dot >= 0) keys.add(`ending ${name.slice(dot)}`);
    }
    for (const key of keys) {
      const rules = this.#byKey.get(key);
      if (rules !== undefined) yield rules;
    }
  }
}
