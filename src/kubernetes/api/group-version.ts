// Group, version, kind and resource: the API's coordinates.
import type { OwnText } from '../../source/text/own-text.ts';
import { keptText } from '../../source/yaml/recurring-text.ts';

export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** One that objects keep: made by `recurringKind`. */
export type OwnKind = Readonly<Record<keyof GroupVersionKind, OwnText>>;

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  /** Lower-case plural. */
  readonly resource: string;
}

/** `apps/v1` or `v1`; undefined if there is more than one slash (apimachinery `schema.ParseGroupVersion`). */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.indexOf('/', slash + 1) >= 0) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Must be a power of two. */
const PLACES = 256;

/** Those that were asked for last: a cache of fixed size, in which nothing tells who put them there. */
const kept: OwnKind[] = [];

/** One object for the objects of a kind, of which a repository may have a million: the one that was handed out before, if it is still kept. */
export function recurringKind(group: string, version: string, kind: string): OwnKind {
  const place = (31 * (31 * hashOf(kind) + hashOf(group)) + hashOf(version)) & (PLACES - 1);
  const known = kept[place];
  if (known?.kind === kind && known.group === group && known.version === version) return known;
  const made = { group: keptText(group), version: keptText(version), kind: keptText(kind) };
  kept[place] = made;
  return made;
}

function hashOf(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length && index < 32; index++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash;
}

export function formatApiVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `deployments.apps`, or `pods` in the core group (apimachinery `GroupResource.String`). */
export function formatGroupResource(group: string, resource: string): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export function sameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.resource === b.resource && a.group === b.group && a.version === b.version;
}

export function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.group === b.group && a.version === b.version;
}

/** Secret values must not be shown, and are written in two fields (`data`, `stringData`). */
export function isSecretKind({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): boolean {
  return group === '' && kind === 'Secret';
}

/** Key for Maps. */
export function kindKey(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`;
}
