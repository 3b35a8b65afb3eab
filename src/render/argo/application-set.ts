// The ApplicationSet of Argo CD: the Applications that its generators and template create.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, optionalTextField, textItems, valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { Controller, ControllerPlan, DeclaredObject, UnknownPart } from '../sources/controller.ts';
import { CheckedRevisions } from '../sources/declaration/checked-revisions.ts';
import { ARGO_APPLICATION_SET } from '../sources/declaration/declared-kinds.ts';
import type { ArgoOptions } from './argo-options.ts';
import { isOnePerCluster } from './cluster-alternatives.ts';
import { ElementPlaces } from './element-place.ts';
import { type GeneratorFacts, generateParameters, generatorKinds, MAXIMUM_PARAMETER_SETS } from './generators.ts';
import { type TreeListing, treeListing } from './git-generator.ts';
import { strategicPatch, withDefaults } from './merge-values.ts';
import { possibleFolders } from './possible-folders.ts';
import { namedRevisions, RepositoryFinder } from './repository-url.ts';
import { type Parameters, renderTexts, renderValues } from './template-text.ts';

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** Caches data about one run: create one controller per run. */
export function argoApplicationSet(options: ArgoOptions): Controller {
  const repositories = new RepositoryFinder(options);
  const revisions = options.revisions ?? new CheckedRevisions([], undefined, 'short');
  const listings = new WeakMap<FileTree, TreeListing>();
  return {
    kinds: [ARGO_APPLICATION_SET],
    plan: (declaration, known, tree) => {
      const spec = objectOrEmpty(declaration.value.get('spec'));
      const isGo = spec.get('goTemplate') === true;
      const repository = repositories.find(known, tree, declaration);
      return new ApplicationSetPlan(declaration, spec, {
        tree,
        listing: () => {
          const listing = listings.get(tree) ?? treeListing(tree);
          listings.set(tree, listing);
          return listing;
        },
        repository,
        otherRevision: (revision) =>
          revisions.otherThanChecked(revision, declaration, () => namedRevisions(known, repository)),
        clusters: options.clusters,
        templating: { isGo, options: textItems(spec.get('goTemplateOptions')), engine: known.engine },
        reads: new Set(),
      }).plan();
    },
  };
}

class ApplicationSetPlan {
  readonly #declaration: Resource;
  readonly #spec: JsonObject;
  readonly #facts: GeneratorFacts;
  readonly #declares: DeclaredObject[] = [];
  readonly #unknownParts: UnknownPart[] = [];
  #elements: ElementPlaces | undefined;

  constructor(declaration: Resource, spec: JsonObject, facts: GeneratorFacts) {
    this.#declaration = declaration;
    this.#spec = spec;
    this.#facts = facts;
  }

  plan(): ControllerPlan {
    for (const generator of objectItems(this.#spec.get('generators'))) {
      const kinds = generatorKinds(generator);
      const isEmpty = [...generator.keys()].every((key) => key === 'selector');
      // An entry without a generator creates nothing; the controller only warns.
      if (kinds.length === 0 && !isEmpty)
        this.#unknown({ unknown: 'it has a generator of an unknown type', help: 'correct its name' });
      for (const { kind, template } of kinds) {
        const sets = generateParameters(generator, kind, this.#facts);
        if ('unknown' in sets) this.#unknown(sets);
        else this.#declare(template, sets);
      }
    }
    return { declares: this.#declares, unknownParts: this.#unknownParts, reads: [...this.#facts.reads] };
  }

  /** Reports each reason once, even if several generators have it. */
  #unknown(part: UnknownPart): void {
    if (this.#unknownParts.some(({ unknown }) => unknown === part.unknown)) return;
    this.#unknownParts.push({
      ...part,
      mayBuild: possibleFolders(this.#spec, this.#facts.repository),
      isOnePerCluster: isOnePerCluster(this.#spec),
    });
  }

  #declare(ownTemplate: JsonObject, sets: readonly Parameters[]): void {
    const template = withDefaults(ownTemplate, objectOrEmpty(this.#spec.get('template')));
    const isOwn = ownTemplate.size > 0;
    const rendered = renderValues(template, sets, this.#facts.templating);
    if ('unknown' in rendered) {
      this.#unknown(rendered);
      return;
    }
    const patches = this.#patches(sets);
    if ('unknown' in patches) {
      this.#unknown(patches);
      return;
    }
    for (const [index, value] of rendered.entries()) {
      if (this.#declares.length >= MAXIMUM_PARAMETER_SETS) return;
      const made = this.#application(objectOrEmpty(value), sets[index]?.size === 0);
      const patch = patches[index];
      const patched = patch === undefined ? made : objectOrEmpty(strategicPatch(made, patch));
      this.#declares.push(this.#declared(this.#kept(patched, made), isOwn, sets[index] ?? new Map()));
    }
  }

  #declared(value: JsonObject, isOwn: boolean, set: Parameters): DeclaredObject {
    const { assumes } = this.#facts.repository;
    const written = (path: FieldPath): FieldPath => this.#written(path, isOwn);
    return {
      value,
      written: (path) => this.#given(written(path), set) ?? written(path),
      passedThrough: (path) => (this.#given(written(path), set) === undefined ? undefined : written(path)),
      ...(assumes !== undefined && { assumes: [assumes] }),
    };
  }

  /** The list element that supplied the value, if the template only passes it on. */
  #given(path: FieldPath, set: Parameters): FieldPath | undefined {
    const text = valueAt(this.#declaration.value, path);
    if (typeof text !== 'string') return undefined;
    this.#elements ??= new ElementPlaces(this.#spec, this.#facts.templating.isGo);
    return this.#elements.find(text, set);
  }

  #written(path: FieldPath, isOwn: boolean): FieldPath {
    const [first, second] = path;
    if (first === 'metadata' && second === 'namespace') return path;
    // A generator's template may have set the field, but values do not record which template won.
    return first === 'metadata' || first === 'spec'
      ? ['spec', 'template', ...path]
      : ['spec', isOwn ? 'generators' : 'template'];
  }

  #application(template: JsonObject, isUnrendered: boolean): JsonObject {
    const written = objectOrEmpty(template.get('metadata'));
    const metadata = new Map<string, JsonValue>();
    for (const field of ['name', 'labels', 'annotations', 'finalizers']) {
      const value = written.get(field);
      if (value !== undefined) metadata.set(field, value);
    }
    const policy = objectOrEmpty(this.#spec.get('syncPolicy'));
    const hasFinalizers = textItems(metadata.get('finalizers')).length > 0;
    if (!isUnrendered && !hasFinalizers && policy.get('preserveResourcesOnDeletion') !== true) {
      metadata.set('finalizers', [FINALIZER]);
    }
    return new Map<string, JsonValue>([
      ['apiVersion', 'argoproj.io/v1alpha1'],
      ['kind', 'Application'],
      ['metadata', metadata],
      ['spec', objectOrEmpty(template.get('spec'))],
    ]);
  }

  /** Patches cannot change the project, nor the namespace, which is that of the ApplicationSet. */
  #kept(patched: JsonObject, made: JsonObject): JsonObject {
    const metadata = new Map(objectOrEmpty(patched.get('metadata')));
    const { namespace } = this.#declaration;
    if (namespace === '') metadata.delete('namespace');
    else metadata.set('namespace', namespace);
    const spec = new Map(objectOrEmpty(patched.get('spec')));
    const project = objectOrEmpty(made.get('spec')).get('project');
    if (project === undefined) spec.delete('project');
    else spec.set('project', project);
    return new Map<string, JsonValue>([...patched, ['metadata', metadata], ['spec', spec]]);
  }

  #patches(sets: readonly Parameters[]): readonly (JsonObject | undefined)[] | UnknownPart {
    const text = optionalTextField(this.#spec, 'templatePatch');
    if (text === undefined) return sets.map(() => undefined);
    const rendered = renderTexts([text], sets, this.#facts.templating);
    if ('unknown' in rendered) return rendered;
    const patches: (JsonObject | undefined)[] = [];
    for (const byText of rendered) {
      const patch = byText.get(text) ?? text;
      const { manifests, problems } = readManifests(new SourceFile('templatePatch', patch));
      const value = manifests[0]?.value;
      if (problems[0] !== undefined || (value !== undefined && !isJsonObject(value))) {
        const why = problems[0]?.message ?? 'is not an object';
        return { unknown: `error while converting template to json: templatePatch ${why}`, help: 'correct the patch' };
      }
      patches.push(value);
    }
    return patches;
  }
}
