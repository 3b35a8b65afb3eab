// The rule for the subject of a commit: an imperative with a capital, without a full stop, short enough for one line.

const LONGEST = 72;
const MERGE = /^Merge\b/;
const PAST_OR_GERUND = /^\w+(?:ed|ing)$/i;
/** Imperatives that end like a past tense or a gerund. */
const IMPERATIVES: ReadonlySet<string> = new Set([
  'Bring',
  'Embed',
  'Exceed',
  'Feed',
  'Need',
  'Proceed',
  'Seed',
  'Speed',
]);
const THIRD_PERSON: ReadonlySet<string> = new Set(['Adds', 'Fixes', 'Makes', 'Removes', 'Renames', 'Updates', 'Uses']);

/** Merges may have the subject that Git or GitHub gives them. */
export function subjectProblems(subject: string, isMerge = false): readonly string[] {
  if (isMerge) return MERGE.test(subject) ? [] : ['the subject of a merge starts with "Merge"'];
  const [first = ''] = subject.split(/[\s:,]/, 1);
  const isPast = PAST_OR_GERUND.test(first) && !IMPERATIVES.has(first);
  return [
    ...(subject.length > LONGEST ? [`has ${subject.length} characters, at most ${LONGEST} are allowed`] : []),
    ...(/^\p{Lu}/u.test(subject) ? [] : ['starts without a capital']),
    ...(/[.!?]$/.test(subject) ? ['ends with a full stop'] : []),
    ...(isPast || THIRD_PERSON.has(first) ? [`"${first}" is not imperative`] : []),
  ];
}
