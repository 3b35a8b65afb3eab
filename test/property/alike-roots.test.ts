// Overlays rendered together give the same results as overlays rendered alone, even if they are similar.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RenderEngine } from '../../src/render/engine/render-engine.ts';
import type { Build } from '../../src/render/sources/controller.ts';
import type { Reach } from '../../src/render/sources/kustomization/kustomization-graph.ts';
import { RecordedTree } from '../../src/render/sources/root/recorded-tree.ts';
import type { RenderedRoot } from '../../src/render/sources/root/rendered-root.ts';
import { RootBuilder } from '../../src/render/sources/root/root-builder.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { type FileTree, treeOf } from '../../src/source/tree/file-tree.ts';
import { lazyEngine } from '../../src/workspace/render/load-engine.ts';
import { tries } from '../support/tries.ts';

const engine = lazyEngine();
const CHANCE = { seed: 1, now: Date.UTC(2026, 0, 1) };
const NAMES = ['eu1', 'us2', 'ap3'] as const;
type Files = Readonly<Record<string, string>>;

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const BASE: Files = {
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'base/web.yaml': configMap('web'),
};
/** Parts of an overlay besides its base; most of them are the same in all overlays. */
const PARTS: Files = {
  patch: 'patches:\n  - path: patch.yaml\n',
  generated: 'configMapGenerator:\n  - {name: made, files: [patch.yaml]}\n',
  named: 'commonLabels: {site: eu1}\n',
  origin: 'buildMetadata: [originAnnotations]\n',
  missing: 'components: [nothing]\n',
  other: 'patchesStrategicMerge: [../eu1/patch.yaml]\n',
  otherInDisguise: 'patchesStrategicMerge: ["../e\\x751/patch.yaml"]\n',
  deep: 'components: [deep]\n',
  chart: 'helmCharts: [{name: chart, releaseName: one}]\nhelmGlobals: {chartHome: ../../charts}\n',
};
const patch = (value: string): string => `${configMap('web')}data: {key: "${value}"}\n`;

const overlay = fc.record({
  parts: fc.uniqueArray(fc.constantFrom(...Object.keys(PARTS)), { maxLength: 2 }),
  value: fc.constantFrom('1', '1', '2', 'us2'),
  hasOwn: fc.boolean(),
});
/** Half of the overlays equal the first. */
const overlays = fc.tuple(overlay, fc.option(overlay), fc.option(overlay)).map(([first, ...rest]) => {
  const files: Record<string, string> = { ...BASE };
  for (const [index, name] of NAMES.entries()) {
    const { parts, value, hasOwn } = (index === 0 ? undefined : rest[index - 1]) ?? first;
    const folder = `sites/${name}`;
    const own = parts.map((part) => PARTS[part]).join('');
    files[`${folder}/kustomization.yaml`] = `resources: [../../base${hasOwn ? ', own.yaml' : ''}]\n${own}`;
    files[`${folder}/patch.yaml`] = patch(value);
    files[`${folder}/own.yaml`] = configMap('own');
    files[`${folder}/deep/kustomization.yaml`] = 'kind: Component\nnamePrefix: deep-\n';
  }
  files['charts/chart/Chart.yaml'] = 'apiVersion: v2\nname: chart\nversion: 1.0.0\n';
  files['charts/chart/templates/web.yaml'] = configMap('"{{ .Release.Name }}"');
  return files;
});

function buildOf(folder: string): Build & { readonly request: { readonly engine: 'kustomize' } } {
  return { request: { engine: 'kustomize', root: folder, anyFile: true, enableHelm: true }, folder };
}

function reachOf(files: Files, folder: string): Reach {
  const paths = Object.keys(files).filter((path) => path.startsWith(`${folder}/`) || path.startsWith('base/'));
  return { files: new Set(paths), folders: new Set() };
}

/** All overlays, as a run builds them; `render` may count calls. */
function builtTogether(files: Files, render: RenderEngine['render']): readonly RenderedRoot[] {
  const state = { tree: treeOf({ files: new Map(Object.entries(files)) }), engine: () => ({ render }), fileAt };
  const builder = new RootBuilder();
  const builds = NAMES.map((name) => `sites/${name}`).map((folder) => ({
    build: buildOf(folder),
    own: reachOf(files, folder),
  }));
  builder.begin(builds, state);
  return builds.map(({ build, own }) =>
    builder.build(build, { name: build.folder, location, declaredBy: [], reach: own, own, answers }, state),
  );
}

const answers = { serves: () => 'absent' as const, knowsDistribution: () => true };
const location = () => ({ file: new SourceFile('', ''), range: { start: 0, end: 0 } });
const fileAt = (): undefined => undefined;

function saidBy({ manifests, failure, inputs }: RenderedRoot): unknown {
  return { texts: manifests.map(({ text }) => text.trim()), failed: failure?.message, inputs: [...inputs].sort() };
}

/** The result of the engine alone, without any cache. */
function saidAlone(tree: FileTree, folder: string): unknown {
  const recorded = new RecordedTree(tree);
  const outcome = engine().render(buildOf(folder).request as never, recorded, CHANCE);
  const texts = 'objects' in outcome ? outcome.objects.map(({ text }) => text.trim()) : [];
  const failed = 'failure' in outcome ? outcome.message : undefined;
  return { texts, failed, inputs: [...recorded.filesRead()].sort() };
}

test('overlays rendered together give the same results as rendered alone', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(overlays, (files) => {
      const tree = treeOf({ files: new Map(Object.entries(files)) });
      const together = builtTogether(files, (...asked) => engine().render(...asked)).map(saidBy);
      expect(together).toEqual(NAMES.map((name) => saidAlone(tree, `sites/${name}`)));
    }),
    tries(200, 90_271),
  );
});

/** Number of engine calls for three overlays. */
function renderings(change: (files: Record<string, string>) => void): number {
  const files: Record<string, string> = { ...BASE };
  for (const name of NAMES) {
    files[`sites/${name}/kustomization.yaml`] = `resources: [../../base]\n${PARTS['patch']}`;
    files[`sites/${name}/patch.yaml`] = patch('1');
  }
  change(files);
  let count = 0;
  builtTogether(files, (...asked) => {
    count += 1;
    return engine().render(...asked);
  });
  return count;
}

const written = (path: string, text: string) => (files: Record<string, string>) => {
  files[path] = text;
};
const extended = (text: string) => (files: Record<string, string>) => {
  for (const name of NAMES) files[`sites/${name}/kustomization.yaml`] += text;
};

test.each<readonly [string, (files: Record<string, string>) => void, number]>([
  ['equal overlays are rendered once', () => {}, 1],
  ['one that differs is rendered as well', written('sites/us2/kustomization.yaml', 'resources: [../../base]\n'), 2],
  ['one with another patch, too', written('sites/us2/patch.yaml', patch('2')), 2],
  ['one whose name is in the text is rendered for itself', extended('commonLabels: {site: eu1}\n'), 2],
  ['a name in disguise may be any', extended('commonLabels: {site: "\\x65u1"}\n'), 3],
  ['what cannot be built is told with its own paths', extended('components: [nothing]\n'), 3],
])('%s', (_, change, count) => {
  expect(renderings(change)).toBe(count);
});
