// A table of repositories: which roots controllers reach, how far they are rendered, what is judged, and each error.
import { basename } from 'node:path';
import { askRepository } from '../../src/door/run/check-repository.ts';
import { UNOBSERVED } from '../../src/engine/stages.ts';
import { type CheckInput, checkState } from '../../src/pipeline/check-state.ts';
import { stateContent } from '../../src/pipeline/state/state-content.ts';
import { appliedRoots } from '../../src/pipeline/state/unreached.ts';
import { objectHoles, type RenderedRoot } from '../../src/render/sources/root/rendered-root.ts';
import { RootBuilder } from '../../src/render/sources/root/root-builder.ts';
import type { ReportedDiagnostic } from '../../src/report/report.ts';

const HEAD = [
  '| repository | roots | reached | rendered | incomplete | not rendered | reasons | objects judged | errors |',
  '|---|--:|--:|--:|--:|--:|---|--:|--:|',
];

/** Table rows, then the errors of each repository. A repository is checked with its own configuration and policies. */
export async function describeRoots(folders: readonly string[]): Promise<readonly string[]> {
  const rows: string[] = [];
  const errors: string[] = [];
  for (const folder of folders) {
    const name = basename(folder).replace('+', '/');
    const options = { directory: folder, paths: [], overrides: {}, baseline: null };
    const asked = await askRepository(options, (input) => rowOf(name, input));
    if ('stopped' in asked) {
      rows.push(`| ${name} | its configuration has errors |`);
      continue;
    }
    rows.push(asked.answer.row);
    errors.push(...asked.answer.errors.map((error) => `${name}: ${lineOf(error)}`));
  }
  return [...HEAD, ...rows, '', ...errors];
}

function rowOf(name: string, given: CheckInput) {
  // The roots are rendered once for both.
  const rendering = given.rendering && { ...given.rendering, builder: new RootBuilder() };
  const input = { ...given, ...(rendering && { rendering }) };
  const content = stateContent(input, UNOBSERVED);
  const { coverage, diagnostics, verdict } = checkState({ ...input, today: '' });
  const reached = appliedRoots(content);
  const failed = reached.filter(({ failure }) => failure !== undefined);
  const incomplete = reached.filter((root) => root.failure === undefined && objectHoles(root).length > 0);
  const rendered = reached.length - failed.length - incomplete.length;
  const cells = [
    ...[name, content.roots.length, reached.length, rendered, incomplete.length, failed.length, reasonsOf(failed)],
    ...[coverage.evaluated, verdict.errors],
  ];
  return { row: `| ${cells.join(' | ')} |`, errors: diagnostics.filter(({ severity }) => severity === 'error') };
}

function reasonsOf(failed: readonly RenderedRoot[]): string {
  const counts = new Map<string, number>();
  for (const { failure } of failed) {
    const reason = failure?.reason ?? '';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([reason, count]) => `${reason} ${count}`).join(', ');
}

function lineOf({ code, message, primary, count }: ReportedDiagnostic): string {
  const place = primary === undefined ? '' : `${primary.path}:${primary.startLine}: `;
  return `${place}${message} (${code})${count === undefined ? '' : ` × ${count}`}`;
}
