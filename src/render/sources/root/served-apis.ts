// What the repository says about the API versions that a cluster serves, for `.Capabilities.APIVersions.Has` in charts.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { readCustomResources } from '../../../kubernetes/cluster/custom-resources.ts';
import { type BuiltinResources, builtinResources } from '../../../kubernetes/schema/resources.ts';
import type { ClusterTraits } from './cluster-traits.ts';

/** `assumed`: absent in nearly all clusters, and reported. `unknown`: nothing in the repository decides. */
export type ServedAnswer = 'served' | 'absent' | 'assumed' | 'unknown';

/** Only OpenShift serves these groups. Its repositories nearly always contain an object of one of them. */
const OPENSHIFT = /(?:^|\.)openshift\.io$/;
/** Groups that only older releases served. */
const FORMER: ReadonlySet<string> = new Set(['extensions', 'auditregistration.k8s.io', 'settings.k8s.io']);

export const OPENSHIFT_ASSUMPTION =
  'charts that ask for an API of openshift.io get the answer "no", because no file applies an object of these groups';

interface AskedApi {
  readonly group: string;
  readonly version: string;
  readonly kind: string | undefined;
}

/** API versions of objects and CustomResourceDefinitions, as `group/version` and `group/version/Kind`. */
export class SeenApis {
  readonly #names = new Set<string>();
  readonly #others: SeenApis | undefined;
  #hasOpenShift = false;

  /** `others`: further APIs that count as seen. */
  constructor(others?: SeenApis) {
    this.#others = others;
  }

  add(resource: Resource): void {
    const { group, version, kind } = resource.gvk;
    if (!group.includes('.')) return;
    this.#names.add(`${group}/${version}`).add(`${group}/${version}/${kind}`);
    this.#hasOpenShift ||= OPENSHIFT.test(group);
    if (kind !== 'CustomResourceDefinition') return;
    for (const custom of readCustomResources(resource)) {
      const name = `${custom.group}/${custom.version}`;
      this.#names.add(name).add(`${name}/${custom.kind}`);
      this.#hasOpenShift ||= OPENSHIFT.test(custom.group);
    }
  }

  has(name: string): boolean {
    return this.#names.has(name) || this.#others?.has(name) === true;
  }

  get hasOpenShift(): boolean {
    return this.#hasOpenShift || this.#others?.hasOpenShift === true;
  }
}

/** API versions of a release that its server serves by default, without kinds. */
export function builtinApiVersions(minor: number): readonly string[] {
  const names = new Set<string>();
  for (const { group, version, servedByDefault } of builtinResources(minor).all()) {
    if (servedByDefault) names.add(group === '' ? version : `${group}/${version}`);
  }
  return [...names].sort();
}

/** `seen`: the objects of the repository, written and rendered. */
export function servedAnswer(name: string, { minor, apiVersions }: ClusterTraits, seen: SeenApis): ServedAnswer {
  const asked = askedApi(name);
  const builtin = builtinResources(minor);
  if (builtin.isBuiltinGroup(asked.group) || FORMER.has(asked.group))
    return isServed(asked, builtin) ? 'served' : 'absent';
  if (seen.has(name)) return 'served';
  if (apiVersions !== undefined) return isListed(asked, apiVersions) ? 'served' : 'absent';
  return OPENSHIFT.test(asked.group) && !seen.hasOpenShift ? 'assumed' : 'unknown';
}

/** `group/version` of an API that a template asked for. */
export function apiVersionOf(name: string): string {
  const { group, version } = askedApi(name);
  return group === '' ? version : `${group}/${version}`;
}

/** Groups of asked APIs about which further files could decide. */
export function openGroups(names: readonly string[], serves: (name: string) => ServedAnswer): readonly string[] {
  const groups = names.flatMap((name) => {
    const answer = serves(name);
    if (answer === 'assumed') return ['openshift.io'];
    return answer === 'unknown' ? [askedApi(name).group] : [];
  });
  return [...new Set(groups)];
}

/** `v1`, `v1/Pod`, `apps/v1` or `apps/v1/Deployment`. */
function askedApi(name: string): AskedApi {
  const [first = '', second, third] = name.split('/');
  if (second === undefined || (third === undefined && /^v\d/.test(first))) {
    return { group: '', version: first, kind: second };
  }
  return { group: first, version: second, kind: third };
}

function isServed({ group, version, kind }: AskedApi, builtin: BuiltinResources): boolean {
  for (const entry of builtin.all()) {
    if (!entry.servedByDefault || entry.group !== group || entry.version !== version) continue;
    if (kind === undefined || entry.kind === kind) return true;
  }
  // Helm lists the kinds of subresources too, e.g. `autoscaling/v1/Scale`.
  if (kind === undefined) return false;
  for (const entry of builtin.all()) {
    for (const sub of entry.subresources.values()) {
      if (sub.group === group && sub.version === version && sub.kind === kind) return true;
    }
  }
  return false;
}

/** A listed API version stands for all its kinds. */
function isListed({ group, version, kind }: AskedApi, listed: readonly string[]): boolean {
  const name = `${group}/${version}`;
  return listed.some(
    (each) => each === name || (kind === undefined ? each.startsWith(`${name}/`) : each === `${name}/${kind}`),
  );
}
