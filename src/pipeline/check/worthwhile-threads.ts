// Whether a state has so much to evaluate that further threads are worth what they take: each has the program compiled once more.
import type { CheckInput } from '../check-state.ts';
import { spokenLanguages } from '../state/languages.ts';

/** Characters of texts below which nobody counts policies. */
const FEW_CHARACTERS = 1_000_000;
/** Memory is short then, and each thread holds what it reads. */
const MANY_CHARACTERS = 150_000_000;
/** Of an object with what is written beside it. */
const CHARACTERS_OF_OBJECT = 800;
/** What an object costs whatever policies there are, in units of what asking it about one policy costs. */
const POLICIES_OF_OBJECT = 100;
/** Such units below which it does not pay. */
const WORTHWHILE = 12_000_000;

/** From the texts alone, so that threads can start while this one reads. */
export function mayBeWorthThreads({ files, policySources = [], configuration }: CheckInput): boolean {
  const all = [...files, ...policySources.flatMap((source) => source.files)];
  const characters = all.reduce((sum, { file }) => sum + file.length, 0);
  if (characters < FEW_CHARACTERS || characters > MANY_CHARACTERS) return false;
  const objects = characters / CHARACTERS_OF_OBJECT;
  const policies = policiesIn(all, policyKinds(configuration));
  return isWorthThreads(objects, policies);
}

/** `objects`: each once for every target. `policies`: of all targets. */
export function isWorthThreads(objects: number, policies: number): boolean {
  return policies > 0 && objects * (POLICIES_OF_OBJECT + policies) >= WORTHWHILE;
}

function policyKinds({ targets }: CheckInput['configuration']): readonly string[] {
  return spokenLanguages(targets)
    .filter(({ acceptsObjects }) => acceptsObjects !== true)
    .flatMap(({ kinds }) => kinds)
    .filter((kind) => !kind.endsWith('Binding') && !kind.endsWith('Exception'));
}

function policiesIn(files: CheckInput['files'], kinds: readonly string[]): number {
  const kind = new RegExp(`^kind: ["']?(?:${kinds.join('|')})\\b`, 'gm');
  let count = 0;
  for (const { file } of files) {
    const { text } = file;
    if (text.includes('Policy')) count += text.match(kind)?.length ?? 0;
  }
  return count;
}
