// Sentences about policies that applied to nothing.
import type { Report } from '../../report.ts';

interface IdlePolicy {
  readonly name: string;
  readonly path: string;
  readonly targets: readonly string[];
}

/** One sentence for the policies that are idle on the same targets. Empty for a comparison, in which idle policies are expected. */
export function idlePolicies({ targets, comparison }: Pick<Report, 'targets' | 'comparison'>): readonly string[] {
  if (comparison !== undefined) return [];
  const idle = new Map<string, IdlePolicy>();
  for (const { name: target, policies, evaluated } of targets) {
    for (const { kind, name, path, matched, bindings, denied } of evaluated === 0 ? [] : policies) {
      if (matched + denied > 0 || bindings === 0) continue;
      const key = JSON.stringify([kind, name, path]);
      idle.set(key, { name, path, targets: [...(idle.get(key)?.targets ?? []), target] });
    }
  }
  const alike = new Map<string, IdlePolicy[]>();
  for (const policy of idle.values()) {
    const key = JSON.stringify(policy.targets);
    alike.set(key, [...(alike.get(key) ?? []), policy]);
  }
  return [...alike.values()].map((policies) => {
    const [first] = policies;
    const facts = [
      ...(policies.length === 1 && first !== undefined ? [first.path] : []),
      ...(targets.length > 1 && first !== undefined ? [`on ${first.targets.join(' and ')}`] : []),
    ];
    const where = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
    return `${policies.map(({ name }) => name).join(', ')} matched nothing${where}`;
  });
}
