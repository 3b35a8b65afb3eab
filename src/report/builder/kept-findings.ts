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
const MAX_WAITING = MAX_FINDINGS * 1.25;
const MAX_WAITING_RENDERED = MAX_FINDINGS * 2;

type Entry = Finding | FindingDraft;

export class KeptFindings {
  readonly #parts: FindingParts;
  readonly #hashed: (place: Place, file: SourceFile) => Place;
  #entries: Entry[] = [];
  #unlisted = NOTHING_UNLISTED;
  /** How many findings of one object had a turn when the entries were last limited: never more from then on. */
  #turns: Turns = ALL_TURNS;
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

  add(findings: readonly Finding[], unlisted: UnlistedFindings): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    for (const finding of findings) {
      this.#hasRendered ||= finding.roots !== undefined;
      this.#entries.push(finding);
    }
    this.#limit(this.#maxWaiting);
  }

  /** Those of one object. */
  addDrafts({ drafts, unlisted }: DraftedFindings, marksOf: (draft: FindingDraft) => Marks): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    const isFew = drafts.length <= FEW && this.#entries.length < MAX_FINDINGS;
    this.#hasRendered ||= drafts[0]?.isRendered === true;
    // An annotation that spares a finding is used, listed or not.
    for (const draft of drafts) draft.marks = marksOf(draft);
    const { kept, unlisted: late } = firstTurns(drafts, this.#hasRendered ? ALL_TURNS : this.#turns);
    this.#unlisted = addUnlisted(this.#unlisted, late);
    for (const draft of kept) this.#entries.push(isFew ? this.#finish(draft) : draft.waiting());
    this.#limit(this.#maxWaiting);
  }

  /**
   * Those that a report may list, worked out; to be asked for before anybody asks what work was done. What several roots render may
   * become less when it is joined, and is limited then.
   */
  settle(): readonly Finding[] {
    if (!this.#hasRendered) this.#limit(MAX_FINDINGS);
    // In the same list, so that nothing holds on to what a finding was made of.
    return this.#entries.map((entry, index) => {
      const finding = entry instanceof FindingDraft ? this.#finish(entry) : entry;
      this.#entries[index] = finding;
      return finding;
    });
  }

  get #maxWaiting(): number {
    return this.#hasRendered ? MAX_WAITING_RENDERED : MAX_WAITING;
  }

  #limit(max: number): void {
    if (this.#entries.length <= max) return;
    const { kept, unlisted, turns } = limitRanked(this.#entries, rankOfEntry, MAX_FINDINGS);
    this.#entries = [...kept];
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    this.#turns = turns;
  }

  #finish(draft: FindingDraft): Finding {
    const { finding, file } = draft.finish(this.#parts);
    finding.primary = this.#hashed(finding.primary, file);
    return finding;
  }
}

function rankOfEntry(entry: Entry): FindingRank {
  return entry instanceof FindingDraft ? entry : rankOf(entry);
}
