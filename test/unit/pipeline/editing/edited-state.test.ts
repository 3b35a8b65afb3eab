// Editing one file renders only its roots, and only on demand.
import { expect, test } from 'vitest';
import { EditedState } from '../../../../src/pipeline/editing/edited-state.ts';
import { listedTree } from '../../../../src/render/engine/listed-tree.ts';
import type { RenderEngine } from '../../../../src/render/engine/render-engine.ts';
import { defaultConfiguration } from '../../../../src/settings/configuration.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import { engine, tree } from '../../../support/render.ts';

const NAMES = Array.from({ length: 20 }, (_, index) => `shop-${index}`);
const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => [
    [`${name}/kustomization.yaml`, 'resources: [service.yaml]\nnamePrefix: our-\n'],
    [`${name}/service.yaml`, `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {ports: [{port: 80}]}\n`],
  ]),
);

function editedState(own: RenderEngine): EditedState {
  return new EditedState({
    files: Object.entries(FILES).map(([path, text]) => ({ file: new SourceFile(path, text), selected: true })),
    paths: new Set(Object.keys(FILES)),
    notRead: [],
    configuration: defaultConfiguration(),
    rendering: { tree: listedTree(tree(FILES), new Set(Object.keys(FILES))), engine: () => own },
  });
}

test('renders the roots of the file one by one, and none in advance', () => {
  const asked: string[] = [];
  const state = editedState({
    render: (request, files, chance) => {
      if (request.engine === 'kustomize') asked.push(request.root);
      return engine().render(request, files, chance);
    },
    begin: () => {
      throw new Error('nobody waits for this');
    },
  });
  const steps = [...state.judge('shop-3/service.yaml')];
  expect(asked).toEqual(['shop-3']);
  // Loading the engine is a separate step, so that its garbage is freed before rendering.
  expect(steps.filter((step) => step === 'root')).toHaveLength(2);
  expect([...state.judge('shop-3/service.yaml')].filter((step) => step === 'root')).toHaveLength(1);
  expect(new Set(asked)).toEqual(new Set(['shop-3']));
});

test('judges what check judges: files that a rendered declaration leads to, and no other ones', () => {
  const deployment = (name: string): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, namespace: shop}\nspec:\n  replicas: many\n  selector: {matchLabels: {app: web}}\n  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}\n`;
  const application = (name: string, path: string): string =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec:\n  source: {repoURL: "https://git.example.com/shop/platform.git", path: ${path}}\n  destination: {server: "https://kubernetes.default.svc", namespace: shop}\n`;
  const files: Readonly<Record<string, string>> = {
    'root/app.yaml': application('apps', 'apps'),
    'apps/kustomization.yaml':
      'resources: [web.yaml]\npatches: [{target: {kind: Application}, patch: "[{\\"op\\": \\"replace\\", \\"path\\": \\"/spec/source/path\\", \\"value\\": \\"web\\"}]"}]\n',
    'apps/web.yaml': application('web', 'elsewhere'),
    'web/deployment.yaml': deployment('web'),
    'old/deployment.yaml': deployment('old'),
  };
  const findings = (path: string, unreached: 'judge' | 'skip'): number => {
    const state = new EditedState({
      files: Object.entries(files).map(([name, text]) => ({ file: new SourceFile(name, text), selected: true })),
      paths: new Set(Object.keys(files)),
      notRead: [],
      configuration: { ...defaultConfiguration(), unreached },
      rendering: { tree: listedTree(tree(files), new Set(Object.keys(files))), engine },
    });
    return [...state.judge(path)].flatMap((step) => (typeof step === 'string' ? [] : step.diagnostics)).length;
  };
  expect(findings('web/deployment.yaml', 'skip')).toBeGreaterThan(0);
  expect(findings('old/deployment.yaml', 'judge')).toBeGreaterThan(0);
  expect(findings('old/deployment.yaml', 'skip')).toBe(0);
});
