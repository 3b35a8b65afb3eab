// Tells the files of Helm charts from manifests by where they lie.
import { baseName, folderOf } from '../source/text/repository-path.ts';

const DESCRIPTION_FILES = new Set([
  'Chart.yaml',
  'Chart.lock',
  'requirements.yaml',
  'requirements.lock',
  'values.schema.json',
]);

/** Folders that hold a Chart.yaml; the root of the repository is the empty string. */
export function chartFolders(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (path === 'Chart.yaml') folders.add('');
    else if (path.endsWith('/Chart.yaml')) folders.add(path.slice(0, -'/Chart.yaml'.length));
  }
  return folders;
}

/** True below `<chart>/templates/`: Helm runs every file there through its template engine. Files in `<chart>/crds/` are taken as they are. */
export function isChartTemplate(path: string, charts: ReadonlySet<string>): boolean {
  if (charts.size === 0) return false;
  const steps = path.split('/');
  for (let index = steps.indexOf('templates'); index >= 0; index = steps.indexOf('templates', index + 1)) {
    if (index < steps.length - 1 && charts.has(steps.slice(0, index).join('/'))) return true;
  }
  return false;
}

/** Chart.yaml and the few files Helm itself reads beside it. */
export function isChartDescription(path: string, charts: ReadonlySet<string>): boolean {
  return DESCRIPTION_FILES.has(baseName(path)) && charts.has(chartFolder(path));
}

/** `values.yaml`, `values-prod.yaml`, `prod.values.yaml`, `loki-helm-values.yaml`: the usual names, inside a chart or not. */
export function isValuesFile(path: string): boolean {
  return /(?:^|[-_.])values(?:[-_.]|$)/i.test(baseName(path));
}

/** The empty string for the root, as charts are kept. */
function chartFolder(path: string): string {
  const folder = folderOf(path);
  return folder === '.' ? '' : folder;
}
