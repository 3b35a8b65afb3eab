// Editor features for policies: completion, highlighting and renaming in expressions, and references between policies.

import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { DEFAULT_VERSION, type KubernetesVersion } from '../../kubernetes/api/version.ts';
import { RepositoryCluster } from '../../kubernetes/cluster/repository-cluster.ts';
import { builtinResources } from '../../kubernetes/schema/resources.ts';
import {
  type CallSignatures,
  completionsAt,
  hoverAt,
  signaturesAt,
} from '../../policy/admission/editing/expression-answers.ts';
import { classifiedExpressions } from '../../policy/admission/editing/expression-colours.ts';
import { ExpressionScopes } from '../../policy/admission/editing/expression-scopes.ts';
import { type ExpressionSite, siteAt } from '../../policy/admission/editing/expression-site.ts';
import {
  type FieldText,
  variableAt,
  variableEntries,
  variableNamedAt,
  variableUses,
} from '../../policy/admission/editing/variable-uses.ts';
import { objectField, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation, SourceRange } from '../../source/text/source-file.ts';
import { targetVersion } from '../state/target-version.ts';
import type { EditedState } from './edited-state.ts';

export interface PlacedCompletion {
  readonly name: string;
  readonly kind: 'variable' | 'field' | 'function' | 'method' | 'macro' | 'keyword';
  readonly detail: string;
}

export interface PlacedHover {
  readonly range: SourceRange;
  readonly code: readonly string[];
  readonly notes: readonly string[];
}

export interface ColouredRange extends SourceRange {
  readonly class: string;
}

/** A string field, and an offset in it. */
interface Field {
  readonly resource: Resource;
  readonly path: FieldPath;
  /** In UTF-16 units of the decoded text. */
  readonly offset: number;
}

const REGISTRATION = 'admissionregistration.k8s.io';

export class EditedPolicies {
  readonly #state: EditedState;
  #scopes: { readonly definitions: readonly Resource[]; readonly scopes: ExpressionScopes } | undefined;

  constructor(state: EditedState) {
    this.#state = state;
  }

  /** Undefined outside expressions. */
  completions(
    path: string,
    offset: number,
  ): { readonly range: SourceRange; readonly names: readonly PlacedCompletion[] } | undefined {
    const field = this.#fieldAt(path, offset);
    const site = field && siteAt(field.resource, field.path);
    if (field === undefined || site === undefined) return undefined;
    const { range, names } = completionsAt(site, field.offset, this.#scopesNow());
    const placed = rangeOf({ ...field, ...range });
    // The parser may place an empty value elsewhere, so the cursor's offset is used.
    return { range: site.expression === '' ? { start: offset, end: offset } : placed, names };
  }

  hover(path: string, offset: number): PlacedHover | undefined {
    const field = this.#fieldAt(path, offset);
    const site = field && siteAt(field.resource, field.path);
    const hover = field && site && hoverAt(site, field.offset, this.#scopesNow());
    return field && hover && { ...hover, range: rangeOf({ ...field, ...hover.range }) };
  }

  signatures(path: string, offset: number): CallSignatures | undefined {
    const field = this.#fieldAt(path, offset);
    const site = field && siteAt(field.resource, field.path);
    return field && site && signaturesAt(site, field.offset, this.#scopesNow());
  }

  /** Tokens of the expressions in a file. */
  colours(path: string): readonly ColouredRange[] {
    return this.#resources(path)
      .flatMap((resource) =>
        classifiedExpressions(resource).map((token) => ({ ...rangeOf(token), class: token.class })),
      )
      .sort((one, other) => one.start - other.start);
  }

  definitions(path: string, offset: number): readonly SourceLocation[] {
    const field = this.#fieldAt(path, offset);
    if (field === undefined) return [];
    const site = siteAt(field.resource, field.path);
    if (site !== undefined) return this.#definitionsIn(site, field.offset);
    const { resource, path: asked } = field;
    const name = asked.join('.');
    const spec = objectOrEmpty(resource.value.get('spec'));
    if (isBinding(resource) && name === 'spec.policyName') {
      return namesOf(this.#policiesNamed(textField(spec, 'policyName'), resource));
    }
    if (isBinding(resource) && name === 'spec.paramRef.name') return namesOf(this.#paramsOf(resource));
    if (isPolicy(resource) && name.startsWith('spec.paramKind.')) return this.#kindOf(resource);
    return [];
  }

  /** The definition and the uses of the variable at `offset`, or the bindings of the policy at `offset`. */
  references(path: string, offset: number): readonly SourceLocation[] {
    const field = this.#fieldAt(path, offset);
    if (field === undefined) return [];
    const variable = this.#variable(field);
    if (variable !== undefined) {
      const { resource } = field;
      return [...variableEntries(resource, variable), ...variableUses(resource, variable)].map(locationOf);
    }
    const { resource } = field;
    const name = field.path.join('.');
    if (isPolicy(resource) && name === 'metadata.name') return this.#bindingsOf(resource.name, resource.gvk.kind);
    if (isBinding(resource) && name === 'spec.policyName') {
      const policy = textField(objectOrEmpty(resource.value.get('spec')), 'policyName');
      return this.#bindingsOf(policy, resource.gvk.kind.replace(/Binding$/, ''));
    }
    return [];
  }

  /** The variable at `offset` with all places that name it; undefined if there is none. */
  renaming(
    path: string,
    offset: number,
  ): { readonly name: string; readonly range: SourceRange; readonly places: readonly SourceLocation[] } | undefined {
    const field = this.#fieldAt(path, offset);
    const name = field && this.#variable(field);
    if (field === undefined || name === undefined) return undefined;
    const entries = variableEntries(field.resource, name);
    if (entries.length === 0) return undefined;
    const places = [...entries, ...variableUses(field.resource, name)].map(locationOf);
    const own = places.find(({ range }) => range.start <= offset && offset <= range.end);
    return own && { name, range: own.range, places };
  }

  #definitionsIn(site: ExpressionSite, offset: number): readonly SourceLocation[] {
    const variable = variableAt(site, offset);
    if (variable !== undefined) return variableEntries(site.resource, variable).slice(-1).map(locationOf);
    const word = wordAt(site.expression, offset);
    if (word !== 'params') return [];
    const bindings = this.#all().filter(
      (one) =>
        isBinding(one) &&
        one.gvk.kind === `${site.resource.gvk.kind}Binding` &&
        textField(objectOrEmpty(one.value.get('spec')), 'policyName') === site.resource.name,
    );
    return namesOf(bindings.flatMap((binding) => this.#paramsOf(binding)));
  }

  #variable({ resource, path, offset }: Field): string | undefined {
    const site = siteAt(resource, path);
    return site === undefined ? variableNamedAt(resource, path) : variableAt(site, offset);
  }

  #policiesNamed(name: string, binding: Resource): readonly Resource[] {
    const kind = binding.gvk.kind.replace(/Binding$/, '');
    return this.#all().filter((one) => isPolicy(one) && one.gvk.kind === kind && one.name === name);
  }

  /** The objects that a binding's paramRef names. */
  #paramsOf(binding: Resource): readonly Resource[] {
    const spec = objectOrEmpty(binding.value.get('spec'));
    const paramRef = objectField(spec, 'paramRef');
    if (paramRef === undefined) return [];
    const [name, namespace] = [textField(paramRef, 'name'), textField(paramRef, 'namespace')];
    const kinds = this.#policiesNamed(textField(spec, 'policyName'), binding).flatMap(
      ({ value }) => objectField(objectOrEmpty(value.get('spec')), 'paramKind') ?? [],
    );
    return this.#all().filter(
      (one) =>
        one.name === name &&
        (namespace === '' || one.namespace === '' || one.namespace === namespace) &&
        kinds.some(
          (kind) => textField(kind, 'kind') === one.gvk.kind && textField(kind, 'apiVersion') === one.apiVersion,
        ),
    );
  }

  /** The definition of a policy's paramKind. */
  #kindOf(policy: Resource): readonly SourceLocation[] {
    const paramKind = objectField(objectOrEmpty(policy.value.get('spec')), 'paramKind');
    if (paramKind === undefined) return [];
    const [group = ''] = textField(paramKind, 'apiVersion').split('/');
    return this.#all().flatMap((one) => {
      const names = objectField(objectOrEmpty(one.value.get('spec')), 'names');
      if (!isCustomResourceDefinition(one) || names === undefined) return [];
      const isOf = textField(objectOrEmpty(one.value.get('spec')), 'group') === group;
      const isKind = textField(names, 'kind') === textField(paramKind, 'kind');
      return isOf && isKind ? [one.locate(['spec', 'names', 'kind'], 'value')] : [];
    });
  }

  #bindingsOf(policy: string, kind: string): readonly SourceLocation[] {
    const policies = this.#all().filter((one) => one.gvk.kind === kind && one.name === policy && isPolicy(one));
    const bindings = this.#all().filter(
      (one) =>
        isBinding(one) &&
        one.gvk.kind === `${kind}Binding` &&
        textField(objectOrEmpty(one.value.get('spec')), 'policyName') === policy,
    );
    return [...namesOf(policies), ...bindings.map((one) => one.locate(['spec', 'policyName'], 'value'))];
  }

  #all(): readonly Resource[] {
    return this.#state.content().resources.map(({ resource }) => resource);
  }

  #resources(path: string): readonly Resource[] {
    return this.#all().filter(({ manifest }) => manifest.file.path === path && manifest instanceof WrittenManifest);
  }

  /** The field at `offset`, with its object. */
  #fieldAt(path: string, offset: number): Field | undefined {
    for (const resource of this.#resources(path)) {
      const manifest = resource.manifest as WrittenManifest;
      const { start, end } = manifest.documentRange;
      if (offset < start || offset > end) continue;
      const place = manifest.textAt(offset);
      if (place === undefined) continue;
      const { rootPath } = resource;
      if (rootPath.some((step, index) => place.path[index] !== step)) continue;
      return { resource, path: place.path.slice(rootPath.length), offset: place.offset };
    }
    return undefined;
  }

  /** Cached until a CustomResourceDefinition changes. */
  #scopesNow(): ExpressionScopes {
    const definitions = this.#all().filter(isCustomResourceDefinition);
    const known = this.#scopes;
    const isSame =
      known?.definitions.length === definitions.length &&
      known.definitions.every((definition, index) => definition === definitions[index]);
    if (known !== undefined && isSame) return known.scopes;
    const [target] = this.#state.input().configuration.targets;
    const version = target === undefined ? DEFAULT_VERSION : targetVersion(target);
    const scopes = new ExpressionScopes(clusterOf(definitions, version));
    this.#scopes = { definitions, scopes };
    return scopes;
  }
}

function clusterOf(resources: readonly Resource[], version: KubernetesVersion): RepositoryCluster {
  return new RepositoryCluster({
    version,
    builtin: builtinResources(version.minor),
    resources,
    stored: ({ value }) => value,
    defaultNamespace: 'default',
    isComplete: false,
  });
}

function isPolicy({ gvk }: Resource): boolean {
  return gvk.group === REGISTRATION && gvk.kind.endsWith('AdmissionPolicy');
}

function isBinding({ gvk }: Resource): boolean {
  return gvk.group === REGISTRATION && gvk.kind.endsWith('AdmissionPolicyBinding');
}

function namesOf(resources: readonly Resource[]): readonly SourceLocation[] {
  return resources.map((resource) => resource.locate(['metadata', 'name'], 'value'));
}

function locationOf(text: FieldText): SourceLocation {
  return { file: text.resource.manifest.file, range: rangeOf(text) };
}

function rangeOf({ resource, path, start, end }: FieldText): SourceRange {
  const { manifest, rootPath } = resource;
  const full = [...rootPath, ...path];
  return manifest instanceof WrittenManifest
    ? manifest.locateUnits(full, start, end)
    : manifest.place(full, 'value').range;
}

function wordAt(text: string, offset: number): string {
  const before = identifierBefore(text, offset);
  return before + (/^\w*/.exec(text.slice(offset))?.[0] ?? '');
}

/** The part of an identifier before the offset. */
function identifierBefore(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start -= 1;
  while (start < offset && /\d/.test(text.charAt(start))) start += 1;
  return text.slice(start, offset);
}
