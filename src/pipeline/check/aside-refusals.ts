// Replaces rejections of objects that are rarely applied as written, such as those of tests and examples, by one notice per class.
import type { Code } from '../../diagnostic/code-table.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { ASIDE, type Aside } from '../../inventory/aside.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import type { FoundResource } from '../state/read-repository.ts';

/** What the API server reports about an object. No policy reports these codes. */
const REFUSALS: ReadonlySet<Code> = new Set<Code>([
  'refused-object',
  'invalid-object',
  'forbidden-object',
  'invalid-definition',
  'unknown-field',
  'unserved-kind',
]);

interface AsideRefusals {
  /** With one notice for each class of objects. */
  readonly diagnostics: readonly (Diagnostic | ObjectDiagnostic)[];
  /** For each object that a notice replaces, its first rejection message. */
  readonly words: ReadonlyMap<Resource, string>;
}

/** A notice does not depend on the number of objects, so that all shards report the same one. */
export function foldAsideRefusals(
  diagnostics: readonly (Diagnostic | ObjectDiagnostic)[],
  resources: readonly FoundResource[],
): AsideRefusals {
  const asideOf = new Map(resources.flatMap(({ resource, aside }) => (aside ? [[resource, aside] as const] : [])));
  const classes = new Set<Aside>();
  const words = new Map<Resource, string>();
  const others = diagnostics.filter((diagnostic) => {
    if (diagnostic.severity !== 'error' || !REFUSALS.has(diagnostic.code) || !('resource' in diagnostic)) return true;
    const aside = asideOf.get(diagnostic.resource);
    if (aside === undefined) return true;
    classes.add(aside);
    if (!words.has(diagnostic.resource)) words.set(diagnostic.resource, diagnostic.serverMessage ?? diagnostic.message);
    return false;
  });
  return { diagnostics: [...others, ...[...classes].map(notice)], words };
}

function notice(aside: Aside): Diagnostic {
  return {
    code: 'refused-object',
    severity: 'notice',
    message: `the API server would reject objects ${ASIDE[aside]}: \`--show-skipped\` lists them with its messages`,
    related: [],
    help: 'if these files are never applied, leave them out with `exclude`; otherwise fix them',
  };
}
