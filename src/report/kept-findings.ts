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

export class KeptFindings {
  readonly #hashed: (place: Place, file: SourceFile) => Place;
  #entries: (Finding | Waiting)[] = [];
  #unlisted = NOTHING_UNLISTED;

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
    for (const finding of findings) this.#entries.push(finding);
    this.#limit(2 * MAX_FINDINGS);
  }

  /** Those of one object. */
  addDrafts({ drafts, unlisted }: DraftedFindings, marksOf: (draft: FindingDraft) => Marks): void {
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
    const isFew = drafts.length <= FEW && this.#entries.length < MAX_FINDINGS;
    for (const draft of drafts) {
      const waiting = { draft, marks: marksOf(draft) };
      this.#entries.push(isFew ? this.#finish(waiting) : waiting);
    }
    this.#limit(2 * MAX_FINDINGS);
  }

  /**
   * Those that a report may list, worked out; to be asked for before anybody asks what work was done. What several roots render may
   * become less when it is joined, and is limited then.
   */
  settle(): readonly Finding[] {
    const isRendered = this.#entries.some((entry) =>
      'draft' in entry ? entry.draft.isRendered : entry.roots !== undefined,
    );
    if (!isRendered) this.#limit(MAX_FINDINGS);
    const findings = this.#entries.map((entry) => ('draft' in entry ? this.#finish(entry) : entry));
    this.#entries = findings;
    return findings;
  }

  #limit(max: number): void {
    if (this.#entries.length <= max) return;
    const { kept, unlisted } = limitRanked<Finding | Waiting>(this.#entries, rankOfEntry, MAX_FINDINGS);
    this.#entries = [...kept];
    this.#unlisted = addUnlisted(this.#unlisted, unlisted);
  }

  #finish({ draft, marks }: Waiting): Finding {
    const { finding, file } = draft.finish();
    return { ...finding, ...marks, primary: this.#hashed(finding.primary, file) };
  }
}

function rankOfEntry(entry: Finding | Waiting): FindingRank {
  return 'draft' in entry ? entry.draft : rankOf(entry);
}
