// Marks the lines of source files that feed the data of rendered Secrets, and hides their values in messages of the engine.
import type { Kustomization } from '../../inventory/kustomize-references.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isSecretObject, secretTextsIn } from '../../kubernetes/secret/secret-object.ts';
import { markSecretFile, markSecretLocation, shownMessage } from '../../kubernetes/secret/shown-lines.ts';
import type { RenderedManifest } from '../../render/sources/root/rendered-manifest.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import type { SourceFile, SourceLocation } from '../../source/text/source-file.ts';

type FileAt = (path: string) => SourceFile | undefined;

/** Shorter texts occur by chance. */
const SHORTEST = 4;

export function markSecretInputs(
  roots: readonly RenderedRoot[],
  kustomizations: readonly Kustomization[],
  resources: readonly Resource[],
  fileAt: FileAt,
): readonly RenderedRoot[] {
  markFed(roots, resources);
  for (const { path, content } of kustomizations) {
    for (const generator of objectItems(content.get('secretGenerator'))) {
      const named = ['files', 'envs'].flatMap((list) => textItems(generator.get(list)));
      for (const name of [...named, textField(generator, 'env')]) {
        const file = name === '' ? undefined : fileAt(joinPaths(folderOf(path), name.slice(name.indexOf('=') + 1)));
        if (file !== undefined) markSecretFile(file);
      }
    }
  }
  for (const { manifests } of roots) for (const manifest of manifests) markSources(manifest);
  return roots.map((root) => withoutSecretsInFailure(root, fileAt));
}

/** Marks objects with the values of the Secrets that the declaration of their root takes. */
function markFed(roots: readonly RenderedRoot[], resources: readonly Resource[]): void {
  const taking = roots.filter(({ takes = [] }) => takes.length > 0);
  if (taking.length === 0) return;
  const rendered = roots.flatMap(({ manifests }) => manifests.map(({ value }) => value));
  const secrets = [...resources.map(({ value }) => value), ...rendered].filter((value) => isSecretObject(value));
  if (secrets.length === 0) return;
  for (const { takes = [], manifests } of taking) {
    const names = new Set(takes);
    const taken = secrets.filter((secret) => names.has(textField(objectOrEmpty(secret.get('metadata')), 'name')));
    const texts = new Set(
      taken.flatMap((secret) => [...secretTextsIn(secret)]).filter((text) => text.length >= SHORTEST),
    );
    if (texts.size > 0) for (const manifest of manifests) manifest.secrets = texts;
  }
}

/** Only for charts: sources of a kustomization are Secrets, patches and generators, and finding them takes a second build. */
function markSources(manifest: RenderedManifest): void {
  if (manifest.rendered.template === undefined) return;
  const secrets = [...secretTextsIn(manifest.value)].filter(({ length }) => length >= SHORTEST);
  if (secrets.length === 0) return;
  for (const path of dataPaths(manifest.value)) {
    const places = [manifest.place(path, 'value'), ...manifest.alsoFrom(path).map(({ location }) => location)];
    for (const place of places) if (holds(place, secrets)) markSecretLocation(place);
  }
}

function dataPaths(value: JsonValue): readonly FieldPath[] {
  if (!isJsonObject(value)) return [];
  return ['data', 'stringData'].flatMap((field) => {
    const data = value.get(field);
    return isJsonObject(data) ? [...data.keys()].map((key) => [field, key]) : [];
  });
}

/** A location may also be the generator's or the template's, which has no secret. A secret may be composed of several values. */
function holds({ file, range }: SourceLocation, secrets: readonly string[]): boolean {
  const text = file.text
    .slice(range.start, range.end)
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2');
  return text.length >= SHORTEST && secrets.some((secret) => text.includes(secret) || secret.includes(text));
}

function withoutSecretsInFailure(root: RenderedRoot, fileAt: FileAt): RenderedRoot {
  const { failure, inputs, location } = root;
  if (failure === undefined) return root;
  const files = [location.file, ...[...inputs].map(fileAt)];
  const message = files.reduce(shownMessage, failure.message);
  return message === failure.message ? root : { ...root, failure: { ...failure, message } };
}
