// Decides whether a document is a manifest to evaluate, by its content, its location and references to it.
import { compileGlobs, type PathFilter } from '../settings/path-filter.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { objectOrEmpty, textField } from '../source/json/json-field.ts';
import type { SourceProblem } from '../source/manifest/read-manifests.ts';
import { isEncrypted } from '../source/placeholder/sops.ts';
import { folderOf } from '../source/text/repository-path.ts';
import type { SourceFile } from '../source/text/source-file.ts';
import { type Aside, isFixture } from './aside.ts';
import { isClientConfiguration } from './client-configuration.ts';
import { chartFolders, isChartDescription, isChartTemplate, isValuesFile } from './helm-chart.ts';
import {
  isKustomization,
  isKustomizationName,
  type Kustomization,
  KustomizeReferences,
} from './kustomize-references.ts';
import { chainsawExpression, isTemplateAt, structuralPlaceholder } from './placeholder.ts';
import type { SkipReason } from './skip-reason.ts';
import { assertionFiles, fixtureFiles, isTest, type TestFile } from './test-files.ts';

/** One document of a file. */
export interface ReadDocument {
  /** Undefined if the document cannot be read. */
  readonly value: JsonValue | undefined;
  /** Why the document cannot be read. */
  readonly problem?: SourceProblem | undefined;
}

export interface ReadFile {
  readonly file: SourceFile;
  readonly documents: readonly ReadDocument[];
}

export interface Classification {
  /** Undefined: a manifest to evaluate. */
  readonly reason: SkipReason | undefined;
  /** Details that the reason leaves open: the placeholder, the field, or the configured reason. */
  readonly detail?: string;
}

/** Rules of the configuration that override the classification. */
export interface ClassifierOptions {
  /** Globs of files that are evaluated regardless of their location and of references to them. */
  readonly evaluate?: readonly string[];
  readonly skip?: readonly { readonly files: readonly string[]; readonly reason: string }[];
}

/** Classifies the documents of one repository state. Create one for all files, because files refer to each other. */
export class Classifier {
  readonly #paths: ReadonlySet<string>;
  readonly #charts: ReadonlySet<string>;
  /** Folders with a kustomization. */
  readonly #kustomized: ReadonlySet<string>;
  readonly #references: KustomizeReferences;
  readonly #assertions: ReadonlySet<string>;
  /** Paths of files in test folders that only tests use, whether or not the file exists. */
  readonly fixtures: ReadonlySet<string>;
  readonly #isExempt: PathFilter;
  readonly #skip: readonly { readonly filter: PathFilter; readonly reason: string }[];

  /** `paths`: all paths of the repository, read or not. `files`: all files that were read, including those read as context. */
  constructor(
    paths: ReadonlySet<string>,
    files: Iterable<ReadFile>,
    { evaluate = [], skip = [] }: ClassifierOptions = {},
  ) {
    const kustomizations: Kustomization[] = [];
    const tests: TestFile[] = [];
    for (const { file, documents } of files) {
      for (const { value } of documents) {
        if (isKustomization(file.path, value)) kustomizations.push({ path: file.path, content: value });
        else if (isTest(value)) tests.push({ path: file.path, content: value });
      }
    }
    this.#paths = paths;
    this.#charts = chartFolders(paths);
    this.#kustomized = new Set(kustomizations.map(({ path }) => folderOf(path)));
    this.#references = new KustomizeReferences(kustomizations);
    this.#assertions = assertionFiles(tests);
    this.fixtures = fixtureFiles(tests);
    this.#isExempt = compileGlobs(evaluate);
    this.#skip = skip.map(({ files: globs, reason }) => ({ filter: compileGlobs(globs), reason }));
  }

  classify(file: SourceFile, { value, problem }: ReadDocument): Classification {
    const { path } = file;
    if (isKustomization(path, value)) return { reason: 'kustomization' };
    if (value === null) return { reason: 'empty-document' };
    const role = this.#roleOf(path);
    if (role !== undefined) return role;
    if (value === undefined) return { reason: unreadableReason(file, problem) };
    if (!isJsonObject(value)) return { reason: isJsonPatch(value) ? 'kustomize-patch' : 'not-a-resource' };
    if (isChartDescription(path, this.#charts)) return { reason: 'helm-chart-file' };
    if (!value.has('apiVersion') && !value.has('kind')) return { reason: untypedReason(path) };
    return classifyTyped(value, false);
  }

  /** The nearest kustomization that changes the manifests of this file before they are applied. */
  changedBy(path: string): string | undefined {
    return this.#references.changedBy(path);
  }

  /** Undefined if nothing suggests that the file is not applied. */
  asideOf(path: string): Aside | undefined {
    if (isFixture(path, this.#paths)) return 'fixture';
    const folder = folderOf(path);
    const isNear = this.#kustomized.has(folder) || this.#kustomized.has(folderOf(folder));
    return isNear && !this.#references.isResource(path) && !this.#isExempt(path) ? 'unlisted' : undefined;
  }

  /** Why the documents of a file are not manifests, according to its location and references; undefined if they may be. */
  placeReason(path: string): SkipReason | undefined {
    return this.#roleOf(path)?.reason;
  }

  /** The role of the file, before its documents are considered. */
  #roleOf(path: string): Classification | undefined {
    const rule = this.#skip.find(({ filter }) => filter(path));
    if (rule !== undefined) return { reason: 'configured-skip', detail: rule.reason };
    if (this.#isExempt(path)) return undefined;
    if (isChartTemplate(path, this.#charts)) return { reason: 'helm-template' };
    if (this.#references.isResource(path)) return undefined;
    if (this.#references.isPatch(path)) return { reason: 'kustomize-patch' };
    if (this.#references.isInput(path)) return { reason: 'kustomize-input' };
    if (this.#assertions.has(path)) return { reason: 'test-assertion' };
    return this.fixtures.has(path) ? { reason: 'test-fixture' } : undefined;
  }
}

/** True for a text that was probably meant as a manifest, so that a syntax error in it (`does-not-parse`) is worth reporting. */
export function looksLikeManifest(text: string): boolean {
  return /^[ \t]*"?apiVersion"?[ \t]*:/m.test(text) && /^[ \t]*"?kind"?[ \t]*:/m.test(text);
}

/** Classifies by content alone, for documents that were rendered. `isApplied`: a controller applies the document. */
export function classifyRendered(value: JsonValue, isApplied: boolean): Classification {
  return isJsonObject(value) ? classifyTyped(value, isApplied) : { reason: 'not-a-resource' };
}

function classifyTyped(value: JsonObject, isApplied: boolean): Classification {
  const apiVersion = value.get('apiVersion');
  const kind = value.get('kind');
  const expression = chainsawExpression(value);
  if (expression !== undefined) return { reason: 'test-fixture', detail: expression };
  const placeholder = structuralPlaceholder(value);
  if (placeholder !== undefined) {
    if (isEncrypted(value)) return { reason: 'sops-encrypted' };
    return { reason: isFilledIn(placeholder, isApplied) ? 'template' : 'placeholder', detail: placeholder };
  }
  if (typeof apiVersion !== 'string' || apiVersion === '') return incomplete(value, 'apiVersion');
  if (typeof kind !== 'string' || kind === '') return incomplete(value, 'kind');
  if (isClientConfiguration(apiVersion, kind, value)) return { reason: 'client-configuration' };
  // The template format of `oc process`; OpenShift stores templates in another API group.
  if (apiVersion === 'v1' && kind === 'Template' && isJsonArray(value.get('objects'))) {
    return { reason: 'template', detail: 'the objects of an OpenShift Template' };
  }
  if (value.has('$patch')) return { reason: 'kustomize-patch', detail: '$patch' };
  return { reason: needsName(apiVersion, kind, value) ? 'unnamed-resource' : undefined };
}

/**
 * True for a placeholder that only a person or a generator of repositories replaces. The API server rejects such a name,
 * so nothing applies the file as it is, unless a controller does.
 */
function isFilledIn(placeholder: string, isApplied: boolean): boolean {
  return placeholder.startsWith('{{') || (!isApplied && !/^\$|^ENC\[/.test(placeholder));
}

function untypedReason(path: string): SkipReason {
  if (isCiFile(path)) return 'ci-file';
  return isValuesFile(path) ? 'helm-values' : 'not-a-resource';
}

/** Objects without metadata were probably not meant for the API server. */
function incomplete(value: JsonObject, field: string): Classification {
  if (!isJsonObject(value.get('metadata'))) return { reason: 'not-a-resource' };
  return { reason: 'incomplete-resource', detail: field };
}

/** Only lists and reviews need no name: lists are split into items, and reviews are not stored. */
function needsName(apiVersion: string, kind: string, value: JsonObject): boolean {
  if (kind.endsWith('List') && isJsonArray(value.get('items'))) return false;
  if (apiVersion.startsWith('authorization.k8s.io/') || apiVersion.startsWith('authentication.k8s.io/')) return false;
  const metadata = objectOrEmpty(value.get('metadata'));
  return textField(metadata, 'name') === '' && textField(metadata, 'generateName') === '';
}

/** True for a file that is probably applied or built, so that a syntax error in it is an error. */
export function isMeantToBeRead({ path, text }: SourceFile): boolean {
  return isKustomizationName(path) || looksLikeManifest(text);
}

function unreadableReason({ text }: SourceFile, problem: SourceProblem | undefined): SkipReason {
  if (problem?.kind === 'depth') return 'too-deep';
  return problem !== undefined && isTemplateAt(text, problem.range.start) ? 'template' : 'does-not-parse';
}

function isJsonPatch(value: JsonValue): boolean {
  const first = isJsonArray(value) ? value[0] : undefined;
  return isJsonObject(first) && typeof first.get('op') === 'string' && typeof first.get('path') === 'string';
}

function isCiFile(path: string): boolean {
  if (path.startsWith('.github/') || path.startsWith('.circleci/') || path.startsWith('.gitlab/')) return true;
  return /(?:^|\/)(?:\.gitlab-ci|\.travis|\.drone|azure-pipelines|bitbucket-pipelines|cloudbuild)\b[^/]*\.ya?ml$/.test(
    path,
  );
}
