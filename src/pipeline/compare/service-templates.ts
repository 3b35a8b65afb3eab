// Files of service templates (Cookiecutter, Copier, Backstage), which a developer fills in for another repository.
import { isJsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { folderOf } from '../../source/text/repository-path.ts';
import type { LeftDocument } from '../state/read-repository.ts';

/** In the folder of a template: the questions whose answers fill it in. */
const QUESTIONS: readonly string[] = ['cookiecutter.json', 'copier.yml', 'copier.yaml'];
/** Backstage fetches this folder beside its Template object. */
const SKELETON = 'skeleton';

/**
 * True for a document that no server accepts as it stands: it does not parse, or its name contains `{{`. A path alone proves
 * nothing, because its author chooses it.
 */
export function isServiceTemplate({ file, manifest }: LeftDocument, paths: ReadonlySet<string>): boolean {
  if (!isInTemplate(file.path, paths)) return false;
  if (manifest === undefined) return true;
  const { value } = manifest;
  if (!isJsonObject(value)) return false;
  const metadata = objectOrEmpty(value.get('metadata'));
  return [textField(metadata, 'name'), textField(value, 'kind')].some((text) => text.includes('{{'));
}

function isInTemplate(path: string, paths: ReadonlySet<string>): boolean {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const parent = folderOf(folder);
    const has = (name: string, inside: string): boolean => paths.has(inside === '.' ? name : `${inside}/${name}`);
    if (/\{\{.*\}\}/.test(folder) || QUESTIONS.some((name) => has(name, folder))) return true;
    const isSkeleton = folder === SKELETON || folder.endsWith(`/${SKELETON}`);
    if (isSkeleton && (has('template.yaml', parent) || has('template.yml', parent))) return true;
    if (folder === parent || folder === '.') return false;
  }
}
