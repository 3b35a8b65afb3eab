// Detects files of Helm charts by their paths.
import { baseName, folderOf } from '../source/text/repository-path.ts';

const DESCRIPTION_FILES = new Set([
  'Chart.yaml',
  'Chart.lock',
  'requirements.yaml',
  'requirements.lock',
  'values.schema.json',
]);

/** Folders with a Chart.yaml; the root of the repository is the empty string. */
export function chartFolders(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (path === 'Chart.yaml') folders.add('');
    else if (path.endsWith('/Chart.yaml')) folders.add(path.slice(0, -'/Chart.yaml'.length));
  }
  return folders;
}

/** True below `<chart>/templates/`: Helm renders every file there as a template. Files in `<chart>/crds/` are applied unchanged. */
export function isChartTemplate(path: string, charts: ReadonlySet<string>): boolean {
  if (charts.size === 0) return false;
  const steps = path.split('/');
  for (let index = steps.indexOf('templates'); index >= 0; index = steps.indexOf('templates', index + 1)) {
    if (index < steps.length - 1 && charts.has(steps.slice(0, index).join('/'))) return true;
  }
  return false;
}

/** True for Chart.yaml and the other files that Helm reads beside it. */
export function isChartDescription(path: string, charts: ReadonlySet<string>): boolean {
  return DESCRIPTION_FILES.has(baseName(path)) && charts.has(chartFolder(path));
}

/** Matches the usual names, inside a chart or not: `values.yaml`, `values-prod.yaml`, `prod.values.yaml`, `loki-helm-values.yaml`. */
export function isValuesFile(path: string): boolean {
  return /(?:^|[-_.])values(?:[-_.]|$)/i.test(baseName(path));
}

/** Folder of a path; the empty string for the root, as in `chartFolders`. */
function chartFolder(path: string): string {
  const folder = folderOf(path);
  return folder === '.' ? '' : folder;
}
