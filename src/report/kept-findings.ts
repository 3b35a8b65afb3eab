// The findings of a run as they come in: no more than a report may list, and none worked out that it will not.
import { type DraftedFindings, FindingDraft, type Marks } from './finding.ts';
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
} from './finding-limits.ts';
import type { FindingParts } from './finding-parts.ts';
import type { LineHashes } from './line-hash.ts';
import type { Finding, UnlistedFindings } from './report.ts';

/** What nearly all objects have at most; theirs are worked out at once, so that nothing of the objects has to be kept for it. */
const FEW = 20;

/** So many wait until those that cannot be listed are left out; of what is rendered more do, as several may become one. */
const MAX_WAITING = MAX_FINDINGS * 1.25;
const MAX_WAITING_RENDERED = MAX_FINDINGS * 2;

export class KeptFindings {
  readonly #parts: FindingParts;
  readonly #lineHashes: LineHashes;
  #entries: (Finding | FindingDraft)[] = [];
  #unlisted = NOTHING_UNLISTED;
  /** How many findings of one object had a turn when the entries were last limited: never more from then on. */
  #turns: Turns = ALL_TURNS;
  #isRendered = false;

  constructor(parts: FindingParts, lineHashes: LineHashes) {
    this.#parts = parts;
    this.#lineHashes = lineHashes;
  }

  /** After `settle`. */
  get unlisted(): UnlistedFindings {
    return this.#unlisted;
  }

  add(findings: readonly Finding[], unlisted: UnlistedFindings): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    for (const finding of findings) {
      this.#isRendered ||= finding.roots !== undefined;
      this.#entries.push(finding);
    }
    this.#limit(this.#isRendered ? MAX_WAITING_RENDERED : MAX_WAITING);
  }

  /** Those of one object. */
  addDrafts({ drafts, unlisted }: DraftedFindings, marksOf: (draft: FindingDraft) => Marks): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    const isFew = drafts.length <= FEW && this.#entries.length < MAX_FINDINGS;
    this.#isRendered ||= drafts[0]?.isRendered === true;
    // An annotation that spares a finding is used, listed or not.
    for (const draft of drafts) draft.marks = marksOf(draft);
    const { kept, unlisted: late } = firstTurns(drafts, this.#isRendered ? ALL_TURNS : this.#turns);
    this.#unlisted = addUnlisted(this.#unlisted, late);
    for (const draft of kept) this.#entries.push(isFew ? this.#finish(draft) : draft.waiting());
    this.#limit(this.#isRendered ? MAX_WAITING_RENDERED : MAX_WAITING);
  }

  /**
   * Those that a report may list, worked out; to be asked for before anybody asks what work was done. What several roots render may
   * become less when it is joined, and is limited then.
   */
  settle(): readonly Finding[] {
    if (!this.#isRendered) this.#limit(MAX_FINDINGS);
    // In the same list, so that nothing holds on to what a finding was made of.
    for (const [index, entry] of this.#entries.entries()) {
      if (entry instanceof FindingDraft) this.#entries[index] = this.#finish(entry);
    }
    return this.#entries as readonly Finding[];
  }

  #limit(max: number): void {
    if (this.#entries.length <= max) return;
    const { kept, unlisted, turns } = limitRanked<Finding | FindingDraft>(this.#entries, rankOfEntry, MAX_FINDINGS);
    this.#entries = [...kept];
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    this.#turns = turns;
  }

  #finish(draft: FindingDraft): Finding {
    const { finding, file } = draft.finish(this.#parts);
    finding.primary = this.#lineHashes.placeWithHash(finding.primary, file);
    return finding;
  }
}

function rankOfEntry(entry: Finding | FindingDraft): FindingRank {
  return entry instanceof FindingDraft ? entry : rankOf(entry);
}
