// Renders a small Flux repository from in-memory files to applied objects.
import { fluxHelmRelease } from '../../src/render/flux/flux-helm-release.ts';
import { fluxInstance } from '../../src/render/flux/flux-instance.ts';
import { fluxKustomization } from '../../src/render/flux/flux-kustomization.ts';
import { fluxResourceSet } from '../../src/render/flux/resource-set.ts';
import type { FluxOptions } from '../../src/render/flux/source-reference.ts';
import type { Controller } from '../../src/render/sources/controller.ts';
import type { RenderedRoot } from '../../src/render/sources/root/rendered-root.ts';
import type { RenderedSources, SourcesInput } from '../../src/render/sources/sources-input.ts';
import { stringifyJson } from '../../src/source/json/json.ts';
import { renderedRepository } from './rendered-repository.ts';

export function renderRepository(
  files: Readonly<Record<string, string>>,
  flux: FluxOptions = {},
  given: Partial<SourcesInput> = {},
): RenderedSources {
  return renderedRepository(files, controllersOf(flux), given);
}

function controllersOf(flux: FluxOptions): readonly Controller[] {
  return [fluxKustomization(flux), fluxHelmRelease(flux), fluxInstance(), fluxResourceSet()];
}

/** The root with this name; throws with the existing names. */
export function rootNamed({ roots }: RenderedSources, name: string): RenderedRoot {
  const found = roots.find((root) => root.name === name);
  if (found === undefined) throw new Error(`only ${roots.map((root) => root.name).join(', ')}`);
  return found;
}

/** The objects of a root as JavaScript values. */
export function objectsOf({ manifests, failure }: RenderedRoot): readonly Readonly<Record<string, unknown>>[] {
  if (failure !== undefined) throw new Error(failure.message);
  return manifests.map(({ value }) => JSON.parse(stringifyJson(value, { sortKeys: true, escapeHtml: false })));
}
