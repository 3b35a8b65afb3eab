// Decides for every document whether it is a manifest to evaluate, and if not, why: by its content, its place and who refers to it.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json.ts';
import { objectOrEmpty, textField } from '../source/json-field.ts';
import type { SourceFile } from '../source/source-file.ts';
import { assertionFiles, type ChainsawTest, isChainsawTest } from './classification/chainsaw-assertions.ts';
import { isClientConfiguration } from './classification/client-configuration.ts';
import { chartFolders, isChartDescription, isChartTemplate, isValuesFile } from './classification/helm-chart.ts';
import { isKustomization, type Kustomization, KustomizeReferences } from './classification/kustomize-references.ts';
import { structuralPlaceholder } from './classification/placeholder.ts';
import type { SkipReason } from './skip-reason.ts';

/** A document as the reader left it. */
export interface ReadDocument {
  /** Undefined if it does not parse. */
  readonly value: JsonValue | undefined;
}

export interface ReadFile<D extends ReadDocument> {
  readonly file: SourceFile;
  readonly documents: readonly D[];
}

export interface Classification {
  /** Undefined: a manifest to evaluate. */
  readonly reason: SkipReason | undefined;
  /** What exactly, where the reason leaves it open: the placeholder, the field. */
  readonly detail?: string;
}

/** Classifies the documents of one repository state; made once for all its files, as files speak about each other. */
export class Classifier {
  readonly #charts: ReadonlySet<string>;
  readonly #references: KustomizeReferences;
  readonly #assertions: ReadonlySet<string>;

  /** `paths`: every path of the repository, read or not. `files`: all that were read, kustomizations outside the sweep included. */
  constructor(paths: ReadonlySet<string>, files: Iterable<ReadFile<ReadDocument>>) {
    this.#charts = chartFolders(paths);
    const kustomizations: Kustomization[] = [];
    const tests: ChainsawTest[] = [];
    for (const { file, documents } of files) {
      for (const { value } of documents) {
        if (isKustomization(file.path, value)) kustomizations.push({ path: file.path, content: value });
        else if (isChainsawTest(value)) tests.push({ path: file.path, content: value });
      }
    }
    this.#references = new KustomizeReferences(kustomizations);
    this.#assertions = assertionFiles(tests);
  }

  classify(file: SourceFile, document: ReadDocument): Classification {
    const { path } = file;
    const { value } = document;
    if (isChartTemplate(path, this.#charts)) return { reason: 'helm-template' };
    if (isKustomization(path, value)) return { reason: 'kustomization' };
    if (value === null) return { reason: 'empty-document' };
    const role = this.#references.roleOf(path);
    if (role !== undefined) return { reason: role === 'patch' ? 'kustomize-patch' : 'kustomize-input' };
    if (this.#assertions.has(path) && !this.#references.isResource(path)) return { reason: 'test-assertion' };
    if (value === undefined) return { reason: unparsedReason(file) };
    if (!isJsonObject(value)) return { reason: isJsonPatch(value) ? 'kustomize-patch' : 'not-a-resource' };
    if (!value.has('apiVersion') && !value.has('kind')) return { reason: this.#untypedReason(path) };
    if (isChartDescription(path, this.#charts)) return { reason: 'helm-chart-file' };
    return classifyTyped(value);
  }

  /** The nearest kustomization that changes the manifests of this file before they are applied. */
  changedBy(path: string): string | undefined {
    return this.#references.changedBy(path);
  }

  #untypedReason(path: string): SkipReason {
    if (isCiFile(path)) return 'ci-file';
    if (isChartDescription(path, this.#charts)) return 'helm-chart-file';
    return isValuesFile(path) ? 'helm-values' : 'not-a-resource';
  }
}

/**
 * True for a file that does not parse, or a document without a usable type, which all the same was meant as a manifest:
 * only then is its problem worth a diagnostic.
 */
export function looksLikeManifest(text: string): boolean {
  return /^[ \t]*"?apiVersion"?[ \t]*:/m.test(text) && /^[ \t]*"?kind"?[ \t]*:/m.test(text);
}

function classifyTyped(value: JsonObject): Classification {
  const apiVersion = value.get('apiVersion');
  const kind = value.get('kind');
  if (isEncrypted(value)) return { reason: 'sops-encrypted' };
  const placeholder = structuralPlaceholder(value);
  if (placeholder !== undefined) {
    return { reason: placeholder.startsWith('{{') ? 'template' : 'placeholder', detail: placeholder };
  }
  if (typeof apiVersion !== 'string' || apiVersion === '') return incomplete(value, 'apiVersion');
  if (typeof kind !== 'string' || kind === '') return incomplete(value, 'kind');
  if (isClientConfiguration(apiVersion, kind, value)) return { reason: 'client-configuration' };
  if (value.has('$patch')) return { reason: 'kustomize-patch', detail: '$patch' };
  return isNameable(apiVersion, kind, value) ? { reason: undefined } : { reason: 'unnamed-resource' };
}

function incomplete(value: JsonObject, field: string): Classification {
  return isJsonObject(value.get('metadata'))
    ? { reason: 'incomplete-resource', detail: field }
    : { reason: 'not-a-resource' };
}

/** What the API server can create without a name: lists, which are taken apart, and reviews, which are not stored. */
function isNameable(apiVersion: string, kind: string, value: JsonObject): boolean {
  if (kind.endsWith('List') && isJsonArray(value.get('items'))) return true;
  if (apiVersion.startsWith('authorization.k8s.io/') || apiVersion.startsWith('authentication.k8s.io/')) return true;
  const metadata = objectOrEmpty(value.get('metadata'));
  return textField(metadata, 'name') !== '' || textField(metadata, 'generateName') !== '';
}

function unparsedReason(file: SourceFile): SkipReason {
  return hasTemplateSyntax(file.text) ? 'template' : 'does-not-parse';
}

/** True where `{{` or `{%` begins a line or a value, as no YAML author writes it; inside a longer text it is only text. */
function hasTemplateSyntax(text: string): boolean {
  for (let index = text.indexOf('{'); index >= 0; index = text.indexOf('{', index + 1)) {
    if (text[index + 1] !== '{' && text[index + 1] !== '%') continue;
    let before = index - 1;
    while (text[before] === ' ' || text[before] === '\t') before--;
    if (before < 0 || text[before] === '\n') return true;
    if (before < index - 1 && (text[before] === ':' || text[before] === '-')) return true;
  }
  return false;
}

/** RFC 6902: a list of operations. */
function isJsonPatch(value: JsonValue): boolean {
  const first = isJsonArray(value) ? value[0] : undefined;
  return isJsonObject(first) && typeof first.get('op') === 'string' && typeof first.get('path') === 'string';
}

/** SOPS adds a `sops` field with a checksum to whatever it encrypts. */
function isEncrypted(value: JsonObject): boolean {
  const sops = value.get('sops');
  return isJsonObject(sops) && (sops.has('mac') || sops.has('lastmodified'));
}

function isCiFile(path: string): boolean {
  if (path.startsWith('.github/') || path.startsWith('.circleci/') || path.startsWith('.gitlab/')) return true;
  return /(?:^|\/)(?:\.gitlab-ci|\.travis|\.drone|azure-pipelines|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/.test(
    path,
  );
}
