// `npm run conformance -- open-fields [SAMPLES]`: how often a rule is undecided although no tried value changes its answer.
import fc from 'fast-check';
import { LANGUAGES, type Language, openAnswers, openSamples } from '../support/open-policies.ts';

/** Fillings per object. With more, fewer rules look over-cautious. */
const TRIED = 16;
const SEED = 36;

export interface OpenScore {
  readonly language: Language;
  /** Rules asked about an object with one to three open fields. */
  readonly asked: number;
  readonly undecided: number;
  /** Undecided, and all tried values give one answer. */
  readonly overCautious: number;
  /** Decided, and a tried value gives another answer. Must be 0. */
  readonly wrong: number;
}

export function scoreOpenFields(language: Language, samples: number): OpenScore {
  const score = { language, asked: 0, undecided: 0, overCautious: 0, wrong: 0 };
  for (const sample of fc.sample(openSamples(language, TRIED), { numRuns: samples, seed: SEED })) {
    for (const { open, tried } of openAnswers(language, sample)) {
      score.asked++;
      if (open !== 'unknown' && tried.some((each) => each !== open)) score.wrong++;
      if (open !== 'unknown') continue;
      score.undecided++;
      if (new Set(tried).size < 2) score.overCautious++;
    }
  }
  return score;
}

/** Prints the share of each language. False if a decided rule is wrong. */
export function ledgerOpenFields(samples: number): boolean {
  let isSound = true;
  for (const language of LANGUAGES) {
    const { asked, undecided, overCautious, wrong } = scoreOpenFields(language, samples);
    const share = ((overCautious / asked) * 100).toFixed(1);
    console.log(
      `${language.padEnd(14)} ${asked} rules, ${undecided} undecided, ${overCautious} of them over-cautious (${share} %), ${wrong} wrong`,
    );
    isSound &&= wrong === 0;
  }
  return isSound;
}
