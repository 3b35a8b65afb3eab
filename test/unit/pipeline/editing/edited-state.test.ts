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
