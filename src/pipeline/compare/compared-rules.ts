// The rules that a change is judged by: base's, head's, and which of the two decide.

import { typedConverter } from '../../engine/conversion/typed-converter.ts';
import { matchObjects } from '../../engine/object/match-objects.ts';
import type { Target } from '../../engine/target/target.ts';
import { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { readCustomResources } from '../../kubernetes/cluster/custom-resources.ts';
import { conventionalPlural } from '../../kubernetes/cluster/repository-cluster.ts';
import type { RuleChange } from '../../report/comparison/blast-radius.ts';
import type { PoliciesFrom } from '../../report/report.ts';
import { isNamespace, RuleResources } from '../state/rule-resources.ts';
import type { ComparedStates } from './compared-states.ts';
import type { TargetStates } from './target-states.ts';

/** A policy, binding, param, Namespace or RBAC object that the change creates, updates or deletes. */
export interface ChangedRule {
  readonly resource: Resource;
  readonly change: RuleChange;
  /** As base has it. */
  readonly old: Resource | undefined;
}

export interface RelabelledNamespaces {
  /** The Namespaces that the change updates. */
  readonly names: ReadonlySet<string>;
  /** Created on the first call: most changes of a Namespace touch no object in it. */
  evaluator(): TargetEvaluator;
}

export interface ComparedRules {
  /** Base's, with the Namespaces and kinds that head adds to the cluster. */
  readonly base: TargetEvaluator;
  /** A finding is new unless these rules already report it. */
  readonly before: TargetEvaluator;
  /** The same as `base` if no rule changed. */
  readonly head: TargetEvaluator;
  readonly verdict: TargetEvaluator;
  /** Rules whose findings are reported in addition to the verdict's. */
  readonly also: TargetEvaluator | undefined;
  /** Base's rules with the Namespaces as head has them. Undefined if they do not differ or if head's rules decide as well. */
  readonly relabelled: RelabelledNamespaces | undefined;
  readonly evaluators: readonly TargetEvaluator[];
  readonly changed: readonly ChangedRule[];
  /** True if base has no policies, so that head's decide. */
  readonly isFirst: boolean;
  readonly notices: readonly string[];
}

export function comparedRules(
  { input, stages }: ComparedStates,
  { ruling, head, languages, isNew }: TargetStates,
): ComparedRules {
  const known = new RuleResources(languages, [...ruling.policies, ...head.policies]);
  const changed = changedRules(ruling, head, known);
  const hasChanged = changed.length > 0;
  const evaluatorOf = (target: Target): TargetEvaluator =>
    new TargetEvaluator(target, languages, typedConverter(target), stages);
  const renaming = renamingDefinitions(ruling, head);
  const isRenaming = renaming.size > 0;
  const claimedNamespaces = namespacesOf(head, new Set(namespacesOf(ruling)));
  const decisive: Target = {
    ...head,
    policies: ruling.policies,
    facts: verdictFacts(ruling, head, renaming),
    claimedNamespaces,
  };
  const base = evaluatorOf(decisive);
  const now = hasChanged ? evaluatorOf({ ...head, claimedNamespaces }) : base;
  const isFirst = hasChanged && !ruling.policies.some((resource) => known.isPolicy(resource));
  const from: PoliciesFrom = isFirst ? 'head' : input.policiesFrom;
  const verdict = from === 'head' ? now : base;
  // The rules of a new cluster apply to it at once.
  // So does a definition that gives a kind of base another resource than base's rules assume.
  const also = (from === 'both' || isNew || isRenaming) && hasChanged && from !== 'head' ? now : undefined;
  return {
    base,
    // The first policies may reject objects that base already has. The change does not cause these findings.
    before: isFirst ? now : base,
    head: now,
    verdict,
    also,
    relabelled:
      verdict === now || also !== undefined ? undefined : relabelledNamespaces(decisive, changed, evaluatorOf),
    evaluators: hasChanged ? [base, now] : [base],
    changed,
    isFirst: isFirst && !isNew,
    notices: rulesNotices(head.name, isNew, isFirst && input.policiesFrom !== 'head'),
  };
}

function rulesNotices(cluster: string, isNew: boolean, isFirst: boolean): readonly string[] {
  if (isNew)
    return [`the cluster ${cluster} is new: the rules that base has for every cluster apply to it, and its own rules`];
  if (!isFirst) return [];
  return ['base has no policies, so those of head decide; from the next change on, base has them'];
}

/** Empty if neither state has policies: then no rule decides anything. */
function changedRules(base: Target, head: Target, rules: RuleResources): readonly ChangedRule[] {
  if (!rules.hasPolicies) return [];
  const rulesOf = ({ policies, facts }: Target): readonly Resource[] =>
    [...new Set([...policies, ...facts])].filter((resource) => rules.isRule(resource));
  const { created, updated, deleted } = matchObjects(rulesOf(base), rulesOf(head), ({ gvk, namespace, name }) =>
    name === '' ? undefined : [gvk.group, gvk.kind, namespace, name].join('\0'),
  );
  return [
    ...created
      .filter((resource) => !isNamespace(resource))
      .map((resource) => ({ resource, change: 'created' as const, old: undefined })),
    ...updated.map(({ resource, old }) => ({ resource, change: 'updated' as const, old })),
    ...deleted.map((resource) => ({ resource, change: 'deleted' as const, old: undefined })),
  ];
}

function relabelledNamespaces(
  target: Target,
  changed: readonly ChangedRule[],
  evaluatorOf: (target: Target) => TargetEvaluator,
): RelabelledNamespaces | undefined {
  const replaced = new Map<Resource, Resource>();
  for (const { resource, old } of changed) if (old !== undefined && isNamespace(resource)) replaced.set(old, resource);
  if (replaced.size === 0) return undefined;
  let evaluator: TargetEvaluator | undefined;
  return {
    names: new Set([...replaced.keys()].map(({ name }) => name)),
    evaluator() {
      const facts = target.facts.map((fact) => replaced.get(fact) ?? fact);
      evaluator ??= evaluatorOf({ ...target, facts });
      return evaluator;
    },
  };
}

function namespacesOf({ facts }: Target, except: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  return new Set(facts.flatMap((fact) => (isNamespace(fact) && !except.has(fact.name) ? [fact.name] : [])));
}

/** Base decides what is in the cluster. Only Namespaces and kinds that base does not have come from head. */
function verdictFacts(base: Target, head: Target, renaming: ReadonlySet<Resource>): readonly Resource[] {
  const isNewKind = (resource: Resource): boolean => isNamespace(resource) || isCustomResourceDefinition(resource);
  const identity = ({ gvk, name }: Resource): string => `${gvk.kind}\0${name}`;
  const known = new Set(base.facts.filter(isNewKind).map(identity));
  const isAdded = (resource: Resource): boolean =>
    isNewKind(resource) && !known.has(identity(resource)) && !renaming.has(resource);
  return [...base.facts, ...head.facts.filter(isAdded)];
}

/** Definitions of head that name the resource of a kind otherwise than by convention. Base uses the kind without a definition. */
function renamingDefinitions(base: Target, head: Target): ReadonlySet<Resource> {
  const keyOf = ({ group, kind }: GroupVersionKind): string => `${group}/${kind}`;
  const used = new Set(base.manifests.map(({ gvk }) => keyOf(gvk)));
  const defined = new Set(base.facts.flatMap((fact) => readCustomResources(fact).map(keyOf)));
  const renaming = head.facts.filter((fact) =>
    readCustomResources(fact).some((custom) => {
      const key = keyOf(custom);
      return used.has(key) && !defined.has(key) && custom.resource !== conventionalPlural(custom.kind);
    }),
  );
  return new Set(renaming);
}
