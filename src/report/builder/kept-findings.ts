// The findings of a run as they come in: no more than a report may list, and none worked out that it will not.
import type { SourceFile } from '../../source/text/source-file.ts';
import { type DraftedFindings, FindingDraft, type Marks } from '../finding/finding.ts';
import {
  ALL_TURNS,
  addUnlisted,
  type FindingRank,
  firstTurns,
  limitRanked,
  MAX_FINDINGS,
  NOTHING_UNLISTED,
  rankOf,
  type Turns,
} from '../finding/finding-limits.ts';
import type { FindingParts } from '../finding/finding-parts.ts';
import type { Finding, Place, UnlistedFindings } from '../report.ts';

/** What nearly all objects have at most; theirs are worked out at once, so that nothing of the objects has to be kept for it. */
const FEW = 20;

/** So many wait until those that cannot be listed are left out; of what is rendered more do, as several may become one. */
export const MAX_WAITING = MAX_FINDINGS * 1.25;
const MAX_WAITING_RENDERED = MAX_FINDINGS * 2;

interface Entry {
  /** Of its object; those of one object follow each other. */
  readonly order: number;
  content: Finding | FindingDraft;
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
  readonly #parts: FindingParts;
  readonly #hashed: (place: Place, file: SourceFile) => Place;
  #entries: Entry[] = [];
  #unlisted = NOTHING_UNLISTED;
  /** How many findings of one object had a turn when the entries were last limited: never more from then on. */
  #turns: Turns = ALL_TURNS;
  #count = 0;
  #hasRendered = false;

  /** `hashed`: a place with what its line is known by. */
  constructor(parts: FindingParts, hashed: (place: Place, file: SourceFile) => Place) {
    this.#parts = parts;
    this.#hashed = hashed;
  }

  /** After `settle`. */
  get unlisted(): UnlistedFindings {
    return this.#unlisted;
  }

  /** Of all that came in, whatever became of them. */
  get count(): number {
    return this.#count;
  }

  get hasRendered(): boolean {
    return this.#hasRendered;
  }

  add(findings: readonly Finding[], unlisted: UnlistedFindings): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    this.#count += findings.length;
    for (const finding of findings) this.#push(finding, 0);
    this.#limit(this.#maxWaiting);
  }

  /** Those of one object. `order`: of the object, only where this is a part of a run. */
  addDrafts({ drafts, unlisted }: DraftedFindings, marksOf: (draft: FindingDraft) => Marks, order = 0): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    this.#count += drafts.length;
    const isFew = drafts.length <= FEW && this.#entries.length < MAX_FINDINGS;
    this.#hasRendered ||= drafts[0]?.isRendered === true;
    // An annotation that spares a finding is used, listed or not.
    for (const draft of drafts) draft.marks = marksOf(draft);
    const { kept, unlisted: late } = firstTurns(drafts, this.#hasRendered ? ALL_TURNS : this.#turns);
    this.#unlisted = addUnlisted(this.#unlisted, late);
    for (const draft of kept) this.#entries.push({ order, content: isFew ? this.#finish(draft) : draft.waiting() });
    this.#limit(this.#maxWaiting);
  }

  /** All that were not left out before now, worked out. */
  part(): PartFindings {
    const entries = this.#entries.map(({ order, content }) => ({ order, content: this.#finished(content) }));
    return { entries, unlisted: this.#unlisted, count: this.#count, hasRendered: this.#hasRendered };
  }

  /**
   * What the parts of a target found, as if it had come in in the order of the objects. Where more than MAX_WAITING came in, some of them
   * rendered, nobody may ask for that: which are left out then rests on when it was done.
   */
  join(parts: readonly PartFindings[]): void {
    const entries = parts.flatMap((part) => part.entries);
    for (const { content } of entries.sort((one, other) => one.order - other.order)) this.#push(content, 0);
    for (const { unlisted, count, hasRendered } of parts) {
      this.#unlisted = addUnlisted(this.#unlisted, unlisted);
      this.#count += count;
      this.#hasRendered ||= hasRendered;
    }
  }

  /**
   * Those that a report may list, worked out; to be asked for before anybody asks what work was done. What several roots render may
   * become less when it is joined, and is limited then.
   */
  settle(): readonly Finding[] {
    if (!this.#hasRendered) this.#limit(MAX_FINDINGS);
    // In the same list, so that nothing holds on to what a finding was made of.
    return this.#entries.map((entry) => {
      const finding = this.#finished(entry.content);
      entry.content = finding;
      return finding;
    });
  }

  get #maxWaiting(): number {
    return this.#hasRendered ? MAX_WAITING_RENDERED : MAX_WAITING;
  }

  #push(content: Finding, order: number): void {
    this.#hasRendered ||= content.roots !== undefined;
    this.#entries.push({ order, content });
  }

  #limit(max: number): void {
    if (this.#entries.length <= max) return;
    const { kept, unlisted, turns } = limitRanked(this.#entries, rankOfEntry, MAX_FINDINGS);
    this.#entries = [...kept];
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    this.#turns = turns;
  }

  #finished(content: Finding | FindingDraft): Finding {
    return content instanceof FindingDraft ? this.#finish(content) : content;
  }

  #finish(draft: FindingDraft): Finding {
    const { finding, file } = draft.finish(this.#parts);
    finding.primary = this.#hashed(finding.primary, file);
    return finding;
  }
}

function rankOfEntry({ content }: Entry): FindingRank {
  return content instanceof FindingDraft ? content : rankOf(content);
}
