// Renders a root under other circumstances that its templates depend on: another time, an upgrade, other APIs of the cluster.
import { append } from '../../../go/slices/append.ts';
import { type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type {
  ChartReads,
  HelmRequest,
  RenderChance,
  Rendering,
  RenderOutcome,
  RenderRequest,
} from '../../engine/render-request.ts';
import type { Build } from '../controller.ts';
import { type ComparedDocument, documentName, pairedDocuments } from './paired-documents.ts';
import { apiVersionOf, type ServedAnswer } from './served-apis.ts';

/** Answers about the cluster of a root. */
export interface ClusterAnswers {
  serves(api: string): ServedAnswer;
  /** False: the suffix of the Kubernetes version is unknown. */
  knowsDistribution(): boolean;
}

/** What a rendering depends on. */
export interface Circumstance {
  /** Completes "depends on …". */
  readonly depends: string;
  /** The value is generated again by each rendering, so that a difference in it is not a change. */
  readonly isMadeUp?: true;
  /** Both ways occur in the cluster, one after the other: the objects of both are judged. */
  readonly isCertain?: true;
}

export interface Variant {
  /** Two variants of one axis are never combined. */
  readonly axis: string;
  readonly request: RenderRequest;
  readonly chance: RenderChance;
  readonly circumstance: Circumstance;
}

/** Fixed seed and time, so that equal input gives equal objects. */
export const CHANCE: RenderChance = { seed: 1, now: Date.UTC(2026, 0, 1) };
/** Differs in every part of the time that a template could format. */
const OTHER_CHANCE: RenderChance = { seed: 77_773, now: Date.UTC(2038, 10, 27, 13, 47, 58, 619) };

/** Versions as the usual distributions report them, after the digits of the release. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['EKS', '-eks-1a2b3c4'],
  ['GKE', '-gke.1234567'],
  ['k3s', '+k3s1'],
  ['RKE2', '+rke2r1'],
]);

/** Limits for one root. Each variant costs a rendering. */
const MOST_VARIANTS = 12;
const MOST_APIS = 5;

/** Renders the variants that `outcome` and its variants depend on. Failed renderings are left out. */
export function chartVariants(
  build: Build,
  request: RenderRequest,
  outcome: Rendering,
  cluster: ClusterAnswers,
  render: (request: RenderRequest, chance: RenderChance) => RenderOutcome,
): readonly (Variant & { readonly outcome: Rendering })[] {
  const axes = new Set<string>();
  const found: (Variant & { readonly outcome: Rendering })[] = [];
  const waiting: Variant[] = [];
  const follow = (from: Pick<Variant, 'request' | 'chance'>, rendered: Rendering): void => {
    const next = variantsOf(build, from, rendered, cluster).filter(({ axis }) => !axes.has(axis));
    for (const variant of next) axes.add(variant.axis);
    append(waiting, next);
  };
  follow({ request, chance: CHANCE }, outcome);
  for (let count = 0; count < MOST_VARIANTS; count++) {
    const variant = waiting.shift();
    if (variant === undefined) break;
    const rendered = render(variant.request, variant.chance);
    if ('failure' in rendered) continue;
    found.push({ ...variant, outcome: rendered });
    follow(variant, rendered);
  }
  return found;
}

function variantsOf(
  { asksCluster, alternatives = [] }: Build,
  { request, chance }: Pick<Variant, 'request' | 'chance'>,
  { usedChance, lookedUp, reads = {} }: Rendering,
  cluster: ClusterAnswers,
): readonly Variant[] {
  const variants: Variant[] = [];
  if (usedChance === true) {
    const circumstance = { depends: 'the time or a random value in the chart', isMadeUp: true } as const;
    variants.push({ axis: 'chance', request, chance: OTHER_CHANCE, circumstance });
  }
  if (request.engine !== 'helm') return variants;
  const add = (axis: string, change: Partial<HelmRequest>, circumstance: Circumstance): void => {
    variants.push({ axis, request: { ...request, ...change }, chance, circumstance });
  };
  if (asksCluster === true && lookedUp === true) {
    add('lookup', { lookupFinds: true }, { depends: 'what `lookup` finds in the cluster', isMadeUp: true });
  }
  if (asksCluster === true && reads.release === true) {
    const depends = 'whether the release is installed or upgraded';
    add('release', { isUpgrade: true, revision: 2 }, { depends, isCertain: true });
  }
  for (const { set, depends } of alternatives) add(`values ${depends}`, { set }, { depends });
  for (const { names, label } of unknownApis(reads, cluster)) {
    const depends = `whether the cluster serves ${label}`;
    add(`apis ${label}`, { apiVersions: [...(request.apiVersions ?? []), ...names] }, { depends });
  }
  if (asksCluster === true && reads.versionSuffix === true && !cluster.knowsDistribution()) {
    for (const [name, suffix] of SUFFIXES) {
      const gitVersion = `v${request.kubernetesVersion ?? ''}${suffix}`;
      const depends = `the distribution of the cluster (${name}), which a suffix in \`kubernetesVersion\` would tell`;
      add(`distribution ${name}`, { gitVersion }, { depends });
    }
  }
  return variants;
}

/** All unknown APIs together, and each version alone, because a chart may ask for the next one only if the first is missing. */
function unknownApis({ missingApis = [] }: ChartReads, { serves }: ClusterAnswers) {
  const byVersion = new Map<string, string[]>();
  for (const name of missingApis) {
    if (serves(name) !== 'unknown') continue;
    const version = apiVersionOf(name);
    byVersion.set(version, [...(byVersion.get(version) ?? [version]), name]);
  }
  const each = [...byVersion].map(([label, names]) => ({ label, names: [...new Set(names)] }));
  if (each.length <= 1) return each;
  const all = { label: each.map(({ label }) => label).join(', '), names: each.flatMap(({ names }) => names) };
  return [...each.slice(0, MOST_APIS), all];
}

/** How an object depends on circumstances. */
export interface Dependence {
  /** Fields that each rendering generates again. */
  readonly madeUp: readonly FieldPath[];
  /** Fields that differ for other reasons. */
  readonly open: readonly FieldPath[];
  /** What a field depends on, for both lists. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Completes "depends on …": what decides whether the object exists. */
  readonly dependsOn?: string;
  /** The values of `open` under other circumstances, as one text for comparisons. */
  readonly otherValues?: string;
}

/** Dependences of each document, and the documents that only variants have. */
export function dependences<D extends ComparedDocument>(
  documents: readonly D[],
  variants: readonly { readonly circumstance: Circumstance; readonly documents: readonly D[] }[],
): {
  readonly of: readonly (Dependence | undefined)[];
  readonly more: readonly { readonly document: D; readonly variant: number; readonly dependence: Dependence }[];
} {
  const found = documents.map(() => new FoundDependence());
  const more = new Map<string, { readonly document: D; readonly variant: number; readonly found: FoundDependence }>();
  for (const [variant, { circumstance, documents: others }] of variants.entries()) {
    const compared = pairedDocuments(documents, others);
    for (const [index, { other, paths }] of compared.pairs.entries()) {
      if (other === undefined) found[index]?.mayBeMissing(circumstance);
      else found[index]?.add(paths, circumstance, other.value);
    }
    for (const index of compared.more) {
      const document = others[index] as D;
      const known = more.get(documentName(document));
      if (known === undefined) {
        const added = new FoundDependence();
        added.mayBeMissing(circumstance);
        more.set(documentName(document), { document, variant, found: added });
      } else {
        const [pair] = pairedDocuments([known.document], [document]).pairs;
        known.found.add(pair?.paths ?? [], circumstance, document.value);
      }
    }
  }
  return {
    of: found.map((each) => each.result()),
    more: [...more.values()].map((each) => ({ ...each, dependence: each.found.result() ?? NO_DEPENDENCE })),
  };
}

const NO_DEPENDENCE: Dependence = { madeUp: [], open: [], reasons: new Map() };

/** The dependence with more open fields. `depends`: as in `Circumstance`. */
export function alsoOpen(
  dependence: Dependence | undefined,
  paths: readonly FieldPath[],
  depends: string,
): Dependence | undefined {
  if (paths.length === 0) return dependence;
  const known = dependence ?? NO_DEPENDENCE;
  const added = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const open = new Map([...known.open.map((path) => [JSON.stringify(path), path] as const), ...added]);
  const reasons = new Map([...[...added.keys()].map((key) => [key, depends] as const), ...known.reasons]);
  return { ...known, open: [...open.values()], reasons };
}

class FoundDependence {
  readonly #madeUp = new Map<string, FieldPath>();
  readonly #open = new Map<string, FieldPath>();
  readonly #reasons = new Map<string, string>();
  readonly #otherValues: string[] = [];
  #dependsOn: string | undefined;

  /** `other`: the document under the circumstance. */
  add(paths: readonly FieldPath[], { depends, isMadeUp }: Circumstance, other: JsonValue): void {
    for (const path of paths) {
      if (isMadeUp !== true) this.#otherValues.push(`${depends}: ${textOf(valueAt(other, path))}`);
      const key = JSON.stringify(path);
      (isMadeUp === true ? this.#madeUp : this.#open).set(key, path);
      if (!this.#reasons.has(key)) this.#reasons.set(key, depends);
    }
  }

  mayBeMissing({ depends, isCertain }: Circumstance): void {
    if (isCertain !== true) this.#dependsOn ??= depends;
  }

  result(): Dependence | undefined {
    if (this.#reasons.size === 0 && this.#dependsOn === undefined) return undefined;
    return {
      madeUp: [...this.#madeUp.values()],
      open: [...this.#open.values()],
      reasons: this.#reasons,
      ...(this.#dependsOn !== undefined && { dependsOn: this.#dependsOn }),
      ...(this.#otherValues.length > 0 && { otherValues: this.#otherValues.join('\n') }),
    };
  }
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : stringifyJson(value, { sortKeys: true, escapeHtml: false });
}
