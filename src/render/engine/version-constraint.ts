// Evaluates version constraints, e.g. `>=1.2.0 <2`, with Helm's library inside the engine.
import { treeOf } from '../../source/tree/file-tree.ts';
import type { RenderEngine } from './render-engine.ts';

const VERSION = /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** Allowed versions, newest first. An invalid constraint allows nothing; an empty one means `*`. */
export function allowedVersions(
  constraint: string,
  versions: readonly string[],
  engine: RenderEngine,
): readonly string[] {
  const known = versions.filter((version) => VERSION.test(version));
  const outcome = engine.render(
    {
      engine: 'template',
      texts: ['{{ semverCompare .constraint .version }}'],
      parameterSets: known.map((version) => JSON.stringify({ constraint: constraint || '*', version })),
      options: [],
    },
    treeOf({ files: new Map() }),
    { seed: 1, now: 0 },
  );
  if ('failure' in outcome) return [];
  return known.filter((_, index) => outcome.objects[index]?.text === 'true').sort((one, other) => compare(other, one));
}

export function isExactVersion(text: string): boolean {
  return /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(text);
}

/** Semantic versioning, section 11. */
function compare(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (let i = 0; i < 3; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.before === '' || right.before === '') return left.before === right.before ? 0 : left.before === '' ? 1 : -1;
  const [steps, others] = [left.before.split('.'), right.before.split('.')];
  for (let i = 0; i < Math.max(steps.length, others.length); i++) {
    const difference = compareIdentifiers(steps[i], others[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly before: string } {
  const [, core = '', before = ''] = /^v?([\d.]+)(?:-([^+]+))?/.exec(version) ?? [];
  return { numbers: core.split('.').map(Number), before };
}

function compareIdentifiers(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? -1 : 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
