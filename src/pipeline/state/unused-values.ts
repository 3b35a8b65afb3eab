// Values files beside a chart that no root renders the chart with. A command outside the repository may use them.
import { isValuesFile } from '../../inventory/helm-chart.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { baseName, folderOf } from '../../source/text/repository-path.ts';

/** Helm reads every file of the chart's folder, so reading alone is no use. */
export function isUnusedValuesFile(path: string, roots: readonly RenderedRoot[]): boolean {
  if (!isValuesFile(path) || /^values\.ya?ml$/.test(baseName(path))) return false;
  const readers = roots.filter(({ inputs }) => inputs.has(path));
  return (
    readers.length > 0 &&
    readers.every(({ chart }) => chart?.folder === folderOf(path) && !chart.valuesFiles.includes(path))
  );
}
