// Whether criteria match, where the repository may lack the facts that decide: Kleene logic with reasons.
import type { NamespaceFact } from '../../../kubernetes/cluster/cluster.ts';
import { openNamespaceLabels } from '../../../kubernetes/cluster/open-namespace.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { Labels } from '../../../kubernetes/selector/label-selector.ts';
import type { OpenNamespaceLabels } from '../../../kubernetes/selector/open-labels.ts';

/** Facts that decide, and that no file contains. Each completes a sentence that begins with `depends on`. */
export interface OpenMatch {
  readonly open: readonly string[];
}

export type MatchAnswer = boolean | OpenMatch;

export function isOpenMatch(answer: MatchAnswer): answer is OpenMatch {
  return typeof answer !== 'boolean';
}

export function both(one: MatchAnswer, other: MatchAnswer): MatchAnswer {
  if (one === false || other === false) return false;
  if (one === true) return other;
  return other === true ? one : joined(one, other);
}

export function unless(answer: MatchAnswer): MatchAnswer {
  return typeof answer === 'boolean' ? !answer : answer;
}

export function anyMatches<Item>(items: readonly Item[], matches: (item: Item) => MatchAnswer): MatchAnswer {
  let found: MatchAnswer = false;
  for (const item of items) {
    const answer = matches(item);
    if (answer === true) return true;
    if (answer !== false) found = found === false ? answer : joined(found, answer);
  }
  return found;
}

export function allMatch<Item>(items: readonly Item[], matches: (item: Item) => MatchAnswer): MatchAnswer {
  let found: MatchAnswer = true;
  for (const item of items) {
    found = both(found, matches(item));
    if (found === false) return false;
  }
  return found;
}

function joined(one: OpenMatch, other: OpenMatch): OpenMatch {
  return { open: [...new Set([...one.open, ...other.open])] };
}

export function openReason({ open }: OpenMatch): string {
  return open.join(', and ');
}

/** The facts about a Namespace that a selector reads. */
export interface NamespaceLabels {
  readonly namespaceLabels: Labels;
  /** Set if the labels in the cluster are unknown. */
  readonly openNamespace?: OpenNamespace | undefined;
}

export interface OpenNamespace extends OpenNamespaceLabels {
  readonly name: string;
}

export function openNamespace(request: AdmissionRequest, fact: NamespaceFact): OpenNamespace | undefined {
  const open = openNamespaceLabels(fact, request);
  return open && { name: request.namespace, ...open };
}

export function openLabels(keys: readonly string[], { name, reason }: OpenNamespace): OpenMatch {
  if (reason === 'unnamed') return OPEN_NAME;
  const distinct = [...new Set(keys)].sort();
  const [last = '', ...others] = distinct.map((key) => `\`${key}\``).reverse();
  const named = others.length === 0 ? `label ${last}` : `labels ${others.reverse().join(', ')} and ${last}`;
  return { open: [`the ${named} of the Namespace ${name}, ${WHY[reason]}`] };
}

const WHY: Readonly<Record<Exclude<OpenNamespaceLabels['reason'], 'unnamed'>, string>> = {
  undefined: 'which no file defines',
  claimed: 'which is new in this change and may exist in the cluster',
  valued: 'whose file gives no value',
};

/** Tells how to name the user. */
export const OPEN_USER: OpenMatch = { open: ['the user of the request, which `user` in the configuration sets'] };

/** The namespace of an object without one is the choice of the command that applies it. */
export const OPEN_NAME: OpenMatch = { open: ['the namespace of the object, which no file says'] };
