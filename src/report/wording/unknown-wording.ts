// Unknowns as sentences, each once, with the targets that it applies to.
import type { UnknownKind } from '../../policy/evaluation/unknown.ts';
import type { Report, TargetSummary } from '../report.ts';
import { count } from './wording.ts';

export function unknownSentences({ targets }: Pick<Report, 'targets'>): readonly string[] {
  const saidOf = new Map<string, string[]>();
  for (const target of targets) {
    for (const sentence of sentencesOf(target)) saidOf.set(sentence, [...(saidOf.get(sentence) ?? []), target.name]);
  }
  return Array.from(saidOf, ([sentence, names]) =>
    names.length === targets.length ? sentence : `${names.join(', ')}: ${sentence}`,
  );
}

/** `apps.example/v1 Kind`. */
export function kindLabel({ apiVersion, kind }: Pick<UnknownKind, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`;
}

function sentencesOf({ unknownKinds, unknowns }: TargetSummary): readonly string[] {
  return unknownKinds.length === 0 ? unknowns : [...unknowns, kindsSentence(unknownKinds)];
}

/** The JSON report names them all. */
const MAX_KINDS = 10;

function kindsSentence(kinds: readonly UnknownKind[]): string {
  const named = kinds
    .slice(0, MAX_KINDS)
    .map(({ apiVersion, kind, count: number }) => `${apiVersion} ${kind} (${number})`);
  const rest = kinds.length - named.length;
  const list = rest > 0 ? `${named.join(', ')} and ${count(rest, 'more kind')}` : named.join(', ');
  if (kinds.length === 1) return `${list} ${UNKNOWN_KIND}`;
  const resources = kinds.reduce((sum, kind) => sum + kind.count, 0);
  return `${kinds.length} kinds (${count(resources, 'resource')}) ${UNKNOWN_KINDS}; they are ${list}`;
}

const UNKNOWN_KIND =
  'is neither built in nor defined here: its plural and scope follow naming conventions, and its fields are not validated; to define it, add a CustomResourceDefinition to the repository or to `clusterFacts`, or a schema to `schemas`';
const UNKNOWN_KINDS =
  'are neither built in nor defined here: plural and scope follow naming conventions, and fields are not validated; to define them, add CustomResourceDefinitions to the repository or to `clusterFacts`, or schemas to `schemas`';
