// The findings of a run as they come in: no more than a report may list, and none worked out that it will not.
import type { SourceFile } from '../source/source-file.ts';
import type { DraftedFindings, FindingDraft } from './finding.ts';
import {
  addUnlisted,
  type FindingRank,
  limitRanked,
  MAX_FINDINGS,
  NOTHING_UNLISTED,
  rankOf,
} from './finding-limits.ts';
import type { Finding, Place, UnlistedFindings } from './report.ts';

/** What nearly all objects have at most; theirs are worked out at once, so that nothing of the objects has to be kept for it. */
const FEW = 20;

/** What is known of a finding beside what its object and policy tell. */
export type Marks = Pick<Finding, 'status' | 'excuse'>;

interface Waiting {
  readonly draft: FindingDraft;
  readonly marks: Marks;
}

interface Entry {
  /** Of its object; those of one object follow each other. */
  readonly order: number;
  readonly content: Finding | Waiting;
}

/** Findings of a part of a run: plain data. */
export interface PartFindings {
  readonly entries: readonly { readonly order: number; readonly content: Finding }[];
  readonly unlisted: UnlistedFindings;
  /** Number of all that came in, whatever became of them. */
  readonly count: number;
  /** True if something of them was rendered. */
  readonly hasRendered: boolean;
}

export class KeptFindings {
  readonly #hashed: (place: Place, file: SourceFile) => Place;
  #entries: Entry[] = [];
  #unlisted = NOTHING_UNLISTED;
  #count = 0;
  #hasRendered = false;

  /** `hashed`: a place with what its line is known by. */
  constructor(hashed: (place: Place, file: SourceFile) => Place) {
    this.#hashed = hashed;
  }

  /** After `settle`. */
  get unlisted(): UnlistedFindings {
    return this.#unlisted;
  }

  add(findings: readonly Finding[], unlisted: UnlistedFindings): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    for (const finding of findings) this.#push(finding, 0);
    this.#limit(2 * MAX_FINDINGS);
  }

  /** Those of one object. `order`: of the object, only where this is a part of a run. */
  addDrafts({ drafts, unlisted }: DraftedFindings, marksOf: (draft: FindingDraft) => Marks, order = 0): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    const isFew = drafts.length <= FEW && this.#entries.length < MAX_FINDINGS;
    for (const draft of drafts) {
      const waiting = { draft, marks: marksOf(draft) };
      this.#push(isFew ? this.#finish(waiting) : waiting, order);
    }
    this.#limit(2 * MAX_FINDINGS);
  }

  get count(): number {
    return this.#count;
  }

  get hasRendered(): boolean {
    return this.#hasRendered;
  }

  /** All that were not left out before now, worked out. */
  part(): PartFindings {
    const entries = this.#entries.map(({ order, content }) => ({ order, content: this.#finished(content) }));
    return { entries, unlisted: this.#unlisted, count: this.#count, hasRendered: this.#hasRendered };
  }

  /**
   * What the parts of a target found, as if it had come in in the order of the objects. Where more than twice as many as are listed came
   * in, some of them rendered, nobody may ask for that: which are left out then rests on when it was done.
   */
  join(parts: readonly PartFindings[]): void {
    const entries = parts.flatMap((part) => part.entries);
    for (const { content } of entries.sort((one, other) => one.order - other.order)) this.#push(content, 0);
    for (const { unlisted } of parts) this.#unlisted = addUnlisted(this.#unlisted, unlisted);
  }

  /**
   * Those that a report may list, worked out; to be asked for before anybody asks what work was done. What several roots render may
   * become less when it is joined, and is limited then.
   */
  settle(): readonly Finding[] {
    if (!this.#entries.some(({ content }) => isRendered(content))) this.#limit(MAX_FINDINGS);
    const findings = this.#entries.map(({ content }) => this.#finished(content));
    this.#entries = findings.map((content) => ({ order: 0, content }));
    return findings;
  }

  #push(content: Finding | Waiting, order: number): void {
    this.#entries.push({ order, content });
    this.#count += 1;
    this.#hasRendered ||= isRendered(content);
  }

  #limit(max: number): void {
    if (this.#entries.length <= max) return;
    const { kept, unlisted } = limitRanked(this.#entries, rankOfEntry, MAX_FINDINGS);
    this.#entries = [...kept];
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
  }

  #finished(content: Finding | Waiting): Finding {
    return 'draft' in content ? this.#finish(content) : content;
  }

  #finish({ draft, marks }: Waiting): Finding {
    const { finding, file } = draft.finish();
    return { ...finding, ...marks, primary: this.#hashed(finding.primary, file) };
  }
}

function isRendered(content: Finding | Waiting): boolean {
  return 'draft' in content ? content.draft.isRendered : content.roots !== undefined;
}

function rankOfEntry({ content }: Entry): FindingRank {
  return 'draft' in content ? content.draft : rankOf(content);
}
