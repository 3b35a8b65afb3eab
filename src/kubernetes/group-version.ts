// Group, version, kind and resource: the API's coordinates.

export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

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

/** The kind whose values nobody is shown, and which says them in two ways. */
export function isSecretKind({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): boolean {
  return group === '' && kind === 'Secret';
}

/** A key for Maps. */
export function kindKey(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`;
}
