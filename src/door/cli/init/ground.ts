// Describes what `init` found: controllers, clusters, what renders and what does not, custom kinds, policies.
import type { RenderingCounts } from '../../../pipeline/check/rendering-counts.ts';
import type { Report, TargetSummary } from '../../../report/report.ts';
import { count } from '../../../report/wording/wording.ts';
import type { MissingRemotes } from './missing-remotes.ts';
import type { RepositoryFacts } from './repository-facts.ts';

export interface Ground {
  readonly facts: RepositoryFacts;
  readonly rendering: RenderingCounts;
  /** What `fetch` would add. */
  readonly missing: readonly MissingRemotes[];
}

/** More reasons, kinds and policies are counted. */
const MAX_LISTED = 10;
const MAX_LENGTH = 160;

/** One line each, without line ends. `written`: paths of the proposed files. */
export function describedGround(ground: Ground, report: Report, written: ReadonlySet<string>): readonly string[] {
  return [
    ...describedSetup(ground, report),
    ...describedRendering(ground),
    ...describedKinds(ground.facts, report),
    ...describedPolicies(report, ground.rendering, written),
  ];
}

/** Kinds of each controller, as the names of render targets start. */
const CONTROLLERS: readonly (readonly [controller: string, kinds: readonly string[]])[] = [
  ['Flux', ['FluxInstance', 'ResourceSet', 'Flux Kustomization', 'HelmRelease']],
  ['Argo CD', ['ApplicationSet', 'Application']],
];

/** Charts that install a controller, or that contain its objects as values. */
const CONTROLLER_CHARTS: ReadonlyMap<string, string> = new Map([
  ['argo-cd', 'Argo CD'],
  ['argocd-apps', 'Argo CD'],
  ['flux2', 'Flux'],
  ['flux2-sync', 'Flux'],
  ['flux-instance', 'Flux'],
  ['flux-operator', 'Flux'],
]);

/** Controllers whose objects are only in charts that the repository does not contain. */
function controllersOfCharts({ missing }: Ground): readonly string[] {
  const charts = missing.flatMap((each) => each.charts).filter((chart) => CONTROLLER_CHARTS.has(chart));
  const byController = new Map<string, string[]>();
  for (const chart of charts) {
    const name = CONTROLLER_CHARTS.get(chart) ?? '';
    byController.set(name, [...(byController.get(name) ?? []), chart]);
  }
  return [...byController].map(
    ([name, own]) =>
      `${name}, as the ${own.length === 1 ? 'chart' : 'charts'} ${own.join(' and ')} ${own.length === 1 ? 'shows' : 'show'}; what it applies is unknown without ${own.length === 1 ? 'it' : 'them'}`,
  );
}

/** Counts rendered objects too. If no render target comes from the controller, counts its objects in files. */
function describedController(
  [controller, kinds]: (typeof CONTROLLERS)[number],
  { facts: { counts }, rendering: { declarations } }: Ground,
): readonly string[] {
  const declared = kinds.flatMap((kind) => {
    const number = declarations.get(kind);
    return number === undefined ? [] : [count(number, kind.replace('Flux ', ''))];
  });
  const written = counts.get(controller);
  if (declared.length > 0) return [`${controller} (${declared.join(', ')})`];
  return written === undefined ? [] : [`${controller} (${count(written, 'object')})`];
}

function describedSetup(ground: Ground, { targets }: Report): readonly string[] {
  const { versions } = ground.facts;
  const declared = CONTROLLERS.flatMap((controller) => describedController(controller, ground));
  const controllers = declared.length > 0 ? declared : controllersOfCharts(ground);
  const clusters = targets.map(({ name, derivedFrom }) =>
    derivedFrom === undefined ? name : `${name} (${derivedFrom})`,
  );
  const releases = [...versions].map(([release, files]) => `${release} (${files.join(', ')})`);
  return [
    `Applied by: ${controllers.join(', ') || 'no GitOps controller found'}`,
    `Clusters: ${clusters.join(', ')}`,
    `Kubernetes: ${releases.join(', ') || 'no release found; the default applies'}`,
    ...(releases.length > 1
      ? ['  Several releases found: set one in `kubernetesVersion`, or one per cluster in `targets`.']
      : []),
  ];
}

function describedRendering({ rendering: { roots, reasons }, missing }: Ground): readonly string[] {
  const words = missing.map((each) => each.words).join(', ');
  const kinds = missing.map(({ kind }) => kind).join(',');
  const toFetch = `Not in the repository: ${words}; to download, now and in later checks: \`preadmit init --fetch ${kinds}\``;
  const fetchable = missing.length === 0 ? [] : [toFetch];
  if (roots === 0) return fetchable;
  const lines = reasons.map(([reason, number]) => `  ${number} ${shortened(reason)}`);
  return [
    `Render targets: ${roots - hiddenRoots(reasons)} of ${roots} rendered completely`,
    ...withRest(lines, 'more reason'),
    ...fetchable,
  ];
}

function hiddenRoots(reasons: Ground['rendering']['reasons']): number {
  return reasons.reduce((sum, [, roots]) => sum + roots, 0);
}

function describedKinds({ catalogues }: RepositoryFacts, { targets }: Report): readonly string[] {
  const objects = new Map<string, number>();
  for (const { apiVersion, kind, count: number } of targets.flatMap(({ unknownKinds }) => unknownKinds)) {
    const name = `${apiVersion} ${kind}`;
    objects.set(name, (objects.get(name) ?? 0) + number);
  }
  if (objects.size === 0) return [];
  const total = [...objects.values()].reduce((sum, number) => sum + number, 0);
  const named = new Set([...catalogues.values()].flatMap((kinds) => [...kinds]));
  const known = [...objects.keys()].filter((kind) => named.has(kind)).length;
  const unchecked = `${count(objects.size, 'custom kind')} without a schema (${count(total, 'object')}), so fields are not validated`;
  const advice =
    known === 0
      ? 'add definitions with `clusterFacts` or `schemas`'
      : `comments name schemas for ${known}: with \`schemas\`, \`--fetch-schemas\` downloads them`;
  return [`Schemas: ${unchecked}; ${advice}`];
}

function describedPolicies(
  { targets }: Report,
  { reasons }: RenderingCounts,
  written: ReadonlySet<string>,
): readonly string[] {
  const policies = new Map<string, { readonly path: string; readonly matched: number }>();
  for (const { name, path, matched } of targets.flatMap(boundPolicies)) {
    policies.set(name, { path, matched: matched + (policies.get(name)?.matched ?? 0) });
  }
  if (policies.size === 0) return ['Policies: none'];
  const lines = [...policies].map(([name, { path, matched }]) => {
    const what = matched === 0 ? 'no object of today' : count(matched, 'object');
    return `  ${name}${written.has(path) ? ' (new)' : ''}: applies to ${what}`;
  });
  const isIdle = [...policies.values()].every(({ matched }) => matched === 0);
  const hidden = hiddenRoots(reasons);
  const why = `  ${count(hidden, 'render target')} without a complete rendering may contain objects that they apply to`;
  return [
    `Policies: ${policies.size}`,
    ...withRest(lines, 'more policy', 'more policies'),
    ...(isIdle && hidden > 0 ? [why] : []),
  ];
}

/** True if a policy of the report applies to an object of today. */
export function hasEffect({ targets }: Report): boolean {
  return targets.flatMap(boundPolicies).some(({ matched }) => matched > 0);
}

function boundPolicies({ policies }: TargetSummary): TargetSummary['policies'] {
  return policies.filter(({ bindings }) => bindings > 0);
}

function withRest(lines: readonly string[], one: string, many?: string): readonly string[] {
  if (lines.length <= MAX_LISTED) return lines;
  return [...lines.slice(0, MAX_LISTED), `  ${count(lines.length - MAX_LISTED, one, many)}`];
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1)}…`;
}
