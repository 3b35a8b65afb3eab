// Collects the findings of a run up to the report's limit, and completes only those that will be listed.
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
import type { Owners } from '../owner/owners.ts';
import type { Finding, Place, UnlistedFindings } from '../report.ts';

/** Most objects have at most this many findings. Those are completed at once, so that no object data must be kept. */
const FEW = 20;

/**
 * Maximum number of waiting findings before surplus ones are dropped; higher for rendered objects, because several findings may be joined
 * into one.
 */
const MAX_WAITING = MAX_FINDINGS * 1.25;
const MAX_WAITING_RENDERED = MAX_FINDINGS * 2;

type Entry = Finding | FindingDraft;

export class KeptFindings {
  readonly #parts: FindingParts;
  readonly #hashed: (place: Place, file: SourceFile) => Place;
  readonly #owners: Owners;
  #entries: Entry[] = [];
  #unlisted = NOTHING_UNLISTED;
  /** Highest turn that was still listed when the entries were last limited; it only decreases. */
  #turns: Turns = ALL_TURNS;
  #hasRendered = false;

  /** `hashed`: adds the line hash to a location. */
  constructor(parts: FindingParts, hashed: (place: Place, file: SourceFile) => Place, owners: Owners) {
    this.#parts = parts;
    this.#hashed = hashed;
    this.#owners = owners;
  }

  /** Valid after `settle`. */
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

  /** All drafts must belong to one object. */
  addDrafts({ drafts, unlisted }: DraftedFindings, marksOf: (draft: FindingDraft) => Marks): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    const isFew = drafts.length <= FEW && this.#entries.length < MAX_FINDINGS;
    this.#hasRendered ||= drafts[0]?.isRendered === true;
    // Marks suppressions as used, even if the finding will not be listed.
    for (const draft of drafts) draft.marks = marksOf(draft);
    const { kept, unlisted: late } = firstTurns(drafts, this.#hasRendered ? ALL_TURNS : this.#turns);
    this.#unlisted = addUnlisted(this.#unlisted, late);
    for (const draft of kept) this.#entries.push(isFew ? this.#finish(draft) : draft.waiting());
    this.#limit(this.#maxWaiting);
  }

  /**
   * Completes the findings that may be listed. Call it before reading the work counters. Findings of rendered objects are limited later,
   * after joining.
   */
  settle(): readonly Finding[] {
    if (!this.#hasRendered) this.#limit(MAX_FINDINGS);
    // Replaces the entry in place, so that the draft's data can be freed.
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
    const owners = this.#owners.of(finding.primary.path, draft.resource);
    if (owners) finding.owners = owners;
    return finding;
  }
}

function rankOfEntry(entry: Entry): FindingRank {
  return entry instanceof FindingDraft ? entry : rankOf(entry);
}
