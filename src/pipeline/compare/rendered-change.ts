// Compares what two states of a repository apply: created, deleted and updated objects, with the fields that differ.
import { matchObjects } from '../../engine/object/match-objects.ts';
import { append } from '../../go/slices/append.ts';
import { isSecretKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { withoutTexts } from '../../kubernetes/secret/resource-secrets.ts';
import { isSecretField } from '../../kubernetes/secret/secret-keys.ts';
import { HIDDEN } from '../../kubernetes/secret/secret-object.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { maskedValue } from '../../source/manifest/masked-value.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { RepositoryContent } from '../state/read-repository.ts';

export interface RenderedChange {
  readonly change: 'created' | 'updated' | 'deleted';
  /** As head applies it, or as base applied it if it is deleted. */
  readonly resource: Resource;
  /** For an update: the fields that differ, as JSON texts. Undefined: the field is absent. */
  readonly fields: readonly {
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  }[];
}

/** Sorted by kind, namespace and name. Hides values of Secrets. Values that templates generate on each rendering are ignored. */
export function renderedChanges(base: RepositoryContent, head: RepositoryContent): readonly RenderedChange[] {
  const rendered = ({ resources }: RepositoryContent): readonly Resource[] =>
    resources.flatMap(({ resource, root }) => (root === undefined ? [] : [resource]));
  // Two clusters may have objects with the same name. The root distinguishes them.
  const identityOf = (resource: Resource): string =>
    [resource.gvk.group, resource.gvk.kind, appliedNamespace(resource), resource.name, resource.manifest.root].join(
      '\0',
    );
  const { created, updated, deleted } = matchObjects(rendered(base), rendered(head), identityOf);
  const changes: RenderedChange[] = [
    ...created.map((resource) => ({ change: 'created' as const, resource, fields: [] })),
    ...updated.map(({ resource, old }) => ({
      ...{ change: 'updated' as const, resource },
      fields: differences(maskedValue(old.manifest), maskedValue(resource.manifest), {
        isSecret: isSecretKind(resource.gvk),
        fed: new Set([...(old.manifest.secrets ?? []), ...(resource.manifest.secrets ?? [])]),
      }),
    })),
    ...deleted.map((resource) => ({ change: 'deleted' as const, resource, fields: [] })),
  ];
  return changes.sort((one, other) => (identityOf(one.resource) < identityOf(other.resource) ? -1 : 1));
}

export function appliedNamespace({ namespace, manifest }: Resource): string {
  return namespace || manifest.defaultNamespace || '';
}

function differences(
  before: JsonValue,
  after: JsonValue,
  { isSecret, fed }: { readonly isSecret: boolean; readonly fed: ReadonlySet<string> },
): RenderedChange['fields'] {
  const found: RenderedChange['fields'][number][] = [];
  const compare = (one: JsonValue | undefined, other: JsonValue | undefined, path: FieldPath): void => {
    if (isJsonObject(one) && isJsonObject(other)) {
      const keys = [...one.keys()];
      append(
        keys,
        [...other.keys()].filter((key) => !one.has(key)),
      );
      for (const key of keys) compare(one.get(key), other.get(key), [...path, key]);
    } else if (isJsonArray(one) && isJsonArray(other)) {
      const length = Math.max(one.length, other.length);
      for (let index = 0; index < length; index++) compare(one[index], other[index], [...path, index]);
    } else if (textOf(one) !== textOf(other)) {
      const isHidden = isSecret && (isSecretField(String(path[0])) || path.includes('annotations'));
      const shown = (value: JsonValue | undefined) =>
        textOf(value === undefined ? value : isHidden ? HIDDEN : withoutTexts(value, fed));
      found.push({ path: formatFieldPath(path), before: shown(one), after: shown(other) });
    }
  };
  compare(before, after, []);
  return found;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : stringifyJson(value, { sortKeys: true, escapeHtml: false });
}
