// Measures the effect of rendering on whole repositories: roots, objects, evaluated objects and verdicts, with and without rendering.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { askRepository } from '../../src/door/run/check-repository.ts';
import { typedConverter } from '../../src/engine/conversion/typed-converter.ts';
import { UNOBSERVED } from '../../src/engine/stages.ts';
import { evaluateTarget } from '../../src/engine/target/evaluate-target.ts';
import type { Resource } from '../../src/kubernetes/api/resource.ts';
import type { CheckInput } from '../../src/pipeline/check-state.ts';
import { plannedTargets, stateClusters } from '../../src/pipeline/clusters/planned-targets.ts';
import { targetOf } from '../../src/pipeline/clusters/targets.ts';
import { languagesOf } from '../../src/pipeline/state/languages.ts';
import type { PolicySourceState } from '../../src/pipeline/state/policy-sources.ts';
import type { FoundResource } from '../../src/pipeline/state/read-repository.ts';
import { stateContent } from '../../src/pipeline/state/state-content.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

const POLICIES = join(import.meta.dirname, '../../policies');

interface Judged {
  readonly roots: number;
  /** Number of roots that were not rendered, by reason. */
  readonly failures: ReadonlyMap<string, number>;
  readonly rendered: number;
  readonly evaluated: number;
  readonly targets: number;
  /** Number of documents or objects that were not evaluated, by reason. */
  readonly left: ReadonlyMap<string, number>;
  /** The result of every rule for every object, by target, policy, rule, kind, namespace and name. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Table rows for the repository in a folder, evaluated with its own policies and with those of this project. */
export async function describeRendering(folder: string): Promise<readonly string[]> {
  const asked = await askRepository({ directory: folder, paths: [], overrides: {}, baseline: null }, (input) => {
    const given = { ...input, policySources: [...(input.policySources ?? []), ownPolicies()] };
    const { rendering: _, ...written } = given;
    return { before: judged(written), after: judged(given) };
  });
  if ('stopped' in asked) return [`${basename(folder)}: its configuration has errors`];
  const { before, after } = asked.answer;
  const changed = compared(before.answers, after.answers);
  return [
    basename(folder),
    `  roots ${after.roots}, not rendered ${sum(after.failures)}${listed(after.failures)}`,
    `  rendered objects ${after.rendered}`,
    `  objects judged: as written ${before.evaluated} (${before.targets} targets), rendered ${after.evaluated} (${after.targets} targets)`,
    `  answers of rules (${before.answers.size} as written, ${after.answers.size} rendered): ${changed.both} about the same object, of which ${changed.otherwise} other; ${changed.gone} failures as written that are none, ${changed.came} failures that were not seen`,
    `  not judged as written: ${sum(before.left)}${listed(before.left)}`,
    `  not judged when rendered: ${sum(after.left)}${listed(after.left)}`,
  ];
}

function ownPolicies(): PolicySourceState {
  const files = readdirSync(POLICIES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml') && !path.endsWith('-test.yaml'))
    .map((path) => ({ file: new SourceFile(path, readFileSync(join(POLICIES, path), 'utf8')), selected: true }));
  return { name: 'preadmit', version: '', files, paths: new Set(files.map(({ file }) => file.path)) };
}

function judged(input: CheckInput): Judged {
  const { configuration } = input;
  const content = stateContent(input, UNOBSERVED);
  const left = new Map<string, number>();
  for (const { reason } of content.skipped) count(left, reason);
  const failures = new Map<string, number>();
  for (const { failure } of content.roots) if (failure !== undefined) count(failures, failure.reason);
  const answers = new Map<string, string>();
  const objects = new Set<Resource>();
  let targets = 0;
  const taken = new Set<FoundResource>();
  for (const planned of plannedTargets(configuration, stateClusters(configuration, content), content)) {
    const { configured, belongs } = planned;
    targets += 1;
    const target = targetOf(configured, content.resources, taken, () => true, belongs);
    const evaluation = evaluateTarget(
      target,
      languagesOf(configured),
      typedConverter(target),
      UNOBSERVED,
      ({ resource, outcomes }) => {
        objects.add(resource);
        const { gvk, namespace, name } = resource;
        for (const { policy, rule, result } of outcomes.flatMap((outcome) => outcome.evaluations)) {
          const key = [policy.name, rule.join('.'), gvk.group, gvk.kind, namespace || 'default', name].join(' ');
          if (answers.get(key) !== 'fail') answers.set(key, result);
        }
      },
    );
    for (const { reason } of evaluation.unevaluated) count(left, reason);
  }
  const rendered = content.roots.reduce((total, { manifests }) => total + manifests.length, 0);
  return { roots: content.roots.length, failures, rendered, evaluated: objects.size, targets, left, answers };
}

function compared(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const counts = { both: 0, otherwise: 0, gone: 0, came: 0 };
  for (const [key, result] of before) {
    const now = after.get(key);
    if (now !== undefined) counts.both += 1;
    if (now !== undefined && now !== result) counts.otherwise += 1;
    if (result === 'fail' && now !== 'fail') counts.gone += 1;
  }
  for (const [key, result] of after) if (result === 'fail' && before.get(key) !== 'fail') counts.came += 1;
  return counts;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, number) => total + number, 0);
}

function listed(counts: ReadonlyMap<string, number>): string {
  const entries = [...counts].sort(([, one], [, other]) => other - one);
  return entries.length === 0 ? '' : ` (${entries.map(([name, number]) => `${name} ${number}`).join(', ')})`;
}
