// A Flux Kustomization: the folder that its controller builds, the settings merged into it, and the changes to the objects.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject } from '../../source/json/json.ts';
import { objectField, objectOrEmpty, optionalTextField, textField } from '../../source/json/json-field.ts';
import { isEncrypted, withoutEncryption } from '../../source/placeholder/sops.ts';
import { variableIn } from '../../source/placeholder/substitution.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type {
  Build,
  Controller,
  ControllerPlan,
  DeclarationFacts,
  Finished,
  UnknownPart,
} from '../sources/controller.ts';
import { neverAppliedByFlux } from '../sources/declaration/apply-setting.ts';
import { FLUX_KUSTOMIZATION } from '../sources/declaration/declared-kinds.ts';
import { ANY_PART, openPath } from '../sources/declaration/possible-paths.ts';
import { sourceNamed, sourcesNamed } from './applied-source.ts';
import { buildKustomization } from './build-kustomization.ts';
import { decidingFields } from './deciding-fields.ts';
import { sourceRoot } from './fetched-source.ts';
import { remoteCluster } from './kube-config.ts';
import { dataNames } from './object-data.ts';
import { ownerMetadata, textOf, withMetadata } from './object-metadata.ts';
import { postBuildOf, substituted } from './post-build.ts';
import { sourceIgnore } from './source-ignore.ts';
import {
  artifactGenerators,
  type FluxOptions,
  nameOf,
  namespaceOf,
  OwnSources,
  type PackedFolder,
  pathInSource,
  type SourceReference,
  sourceReference,
  specOf,
} from './source-reference.ts';
import { SUBSTITUTION_BUDGET } from './substitute.ts';

const GROUP = 'kustomize.toolkit.fluxcd.io';

export function fluxKustomization(options: FluxOptions = {}): Controller {
  const sources = new WeakMap<DeclarationFacts, OwnSources>();
  return {
    kinds: [FLUX_KUSTOMIZATION],
    plan: (declaration, known, tree) => {
      const own = sources.get(known) ?? new OwnSources(known, tree, options);
      sources.set(known, own);
      return planOf(declaration, known, tree, own);
    },
    takes: (declaration) => dataNames(objectOrEmpty(specOf(declaration).get('postBuild')).get('substituteFrom')),
    sources: (declaration, known) => {
      const reference = sourceReference(objectOrEmpty(specOf(declaration).get('sourceRef')), declaration);
      if (reference.kind === 'ExternalArtifact') return artifactGenerators(known, reference);
      return sourcesNamed(known, declaration, reference);
    },
    deciding: decidingFields,
  };
}

function planOf(declaration: Resource, known: DeclarationFacts, tree: FileTree, own: OwnSources): ControllerPlan {
  const spec = specOf(declaration);
  if (spec.get('suspend') === true) return { declares: [] };
  const reference = sourceReference(objectOrEmpty(spec.get('sourceRef')), declaration);
  const path = textField(spec, 'path');
  const open = [path, reference.kind, reference.namespace, reference.name].map(variableIn).find((found) => found);
  if (open !== undefined) {
    return {
      unknown: `its path or source depends on ${open}, whose value is unknown`,
      help: 'define the variable in the repository, or in `rendering.flux.substitute` in `.preadmit.yaml`',
      mayBuild: [openPath(path), `${ANY_PART}/${openPath(path)}`],
    };
  }
  const found = sourceRoot(reference, declaration, known, own);
  if (found === undefined || 'unknown' in found) return unknownSource(reference, own, path, found);
  const { root, assumes } = found;
  const folder = pathInSource(`${root}/${pathInSource(path)}`);
  const source = sourceNamed(known, declaration, reference);
  const isIgnored = sourceIgnore(tree, root, source && optionalTextField(specOf(source), 'ignore'));
  const built = buildKustomization(spec, folder, tree, isIgnored);
  if (built !== undefined && 'failure' in built) {
    return { unknown: built.failure, help: 'use a folder of this repository, relative to `spec.path`' };
  }
  const destination = remoteCluster(declaration);
  const packed = own.packedFolder(reference);
  const build: Build = {
    ...(packed !== undefined && { assumes: [packedWords(reference, packed)] }),
    isGuess: own.isGuess(reference),
    ...(destination !== undefined && { destination }),
    request: { engine: 'kustomize', root: folder, anyFile: true, order: 'files' },
    folder: folder === '' ? '.' : folder,
    applier: {
      obeys: ['flux'],
      isServerSide: true,
      ...(spec.get('force') === true && { recreatesRefused: true }),
      ...(spec.get('prune') !== true && { keepsRemoved: '`prune: false` of the Kustomization' }),
    },
    ...(assumes.length > 0 && { assumes }),
    ...(built !== undefined && {
      overlay: new Map([[built.path, built.text]]),
      takesFolder: built.isGenerated,
      alsoTakes: built.components,
    }),
    neverApplied: neverAppliedByFlux,
    finish: finisher(declaration, known),
  };
  return { builds: [build] };
}

function packedWords(reference: SourceReference, { folder, found, of }: PackedFolder): string {
  const place = folder === '' ? 'this repository' : `the folder ${folder} of this repository`;
  return `${nameOf(reference)} contains ${place}: ${found} of ${of} paths of its Kustomizations exist there`;
}

/** `fetching`: why fetching it does not help, or what to fetch. */
function unknownSource(
  reference: SourceReference,
  own: OwnSources,
  path: string,
  fetching: UnknownPart | undefined,
): ControllerPlan {
  const mayBuild = own.mayHold(reference, path);
  if (fetching !== undefined && fetching.missing === undefined) return { ...fetching, mayBuild };
  if (reference.name === '') {
    const help = 'add it; if a patch adds it, the kustomization with the patch must be rendered';
    return { unknown: 'it has no `spec.sourceRef`', help, mayBuild };
  }
  const url = own.urlOf(reference);
  return {
    unknown: `its source ${nameOf(reference)}${url === undefined ? '' : ` (${url})`} is not in this repository`,
    help: `${fetching === undefined ? 'check that repository' : 'fetch it with `--fetch git`'}; if it is this one, add the source to \`rendering.flux.sources\` in \`.preadmit.yaml\``,
    mayBuild,
    ...(fetching?.missing && { missing: fetching.missing }),
  };
}

function finisher(declaration: Resource, known: DeclarationFacts): (texts: readonly string[]) => Finished {
  const spec = specOf(declaration);
  const metadata = ownerMetadata(GROUP, declaration.name, namespaceOf(declaration), spec);
  const decrypts = objectField(spec, 'decryption') !== undefined;
  return (texts) => {
    const postBuild = postBuildOf(declaration, known);
    const budget = { left: SUBSTITUTION_BUDGET };
    const finished: string[] = [];
    for (const text of texts) {
      const result = postBuild === undefined ? { text } : substituted(text, postBuild, budget);
      if ('failure' in result) return result;
      const read = readYaml(result.text);
      if ('failure' in read || !isJsonObject(read.value)) {
        finished.push(result.text);
        continue;
      }
      const object = decrypts && isEncrypted(read.value) ? withoutEncryption(read.value) : read.value;
      finished.push(textOf(withMetadata(object, metadata)));
    }
    return { texts: finished, ...(postBuild?.unknown && { variables: postBuild.unknown }) };
  };
}
