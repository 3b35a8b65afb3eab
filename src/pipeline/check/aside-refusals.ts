// What a server would refuse of files that hardly anybody applies as they are: told once, and no reason to fail.
import type { Code } from '../../diagnostic/code-table.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { ASIDE, type Aside } from '../../inventory/aside.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import type { FoundResource } from '../state/read-repository.ts';

/** What the server says of an object on its own; nothing that a policy says. */
const REFUSALS: ReadonlySet<Code> = new Set<Code>([
  'refused-object',
  'invalid-object',
  'invalid-definition',
  'unknown-field',
  'unserved-kind',
]);

interface AsideRefusals {
  readonly diagnostics: readonly (Diagnostic | ObjectDiagnostic)[];
  /** Of each object that is told of with others, the first that the server says. */
  readonly words: ReadonlyMap<Resource, string>;
  /** What is to be told of once, with `asideNotices`. */
  readonly classes: ReadonlySet<Aside>;
}

/** Where resources lie, of those that hardly anybody applies as they are. */
export function asideResources(resources: readonly FoundResource[]): ReadonlyMap<Resource, Aside> {
  return new Map(resources.flatMap(({ resource, aside }) => (aside ? [[resource, aside] as const] : [])));
}

export function foldAsideRefusals(
  diagnostics: readonly (Diagnostic | ObjectDiagnostic)[],
  asideOf: ReadonlyMap<Resource, Aside>,
): AsideRefusals {
  const classes = new Set<Aside>();
  const words = new Map<Resource, string>();
  const told = diagnostics.filter((diagnostic) => {
    if (diagnostic.severity !== 'error' || !REFUSALS.has(diagnostic.code) || !('resource' in diagnostic)) return true;
    const aside = asideOf.get(diagnostic.resource);
    if (aside === undefined) return true;
    classes.add(aside);
    if (!words.has(diagnostic.resource)) words.set(diagnostic.resource, diagnostic.serverMessage ?? diagnostic.message);
    return false;
  });
  return { diagnostics: told, words, classes };
}

/** The same text for any number of objects, so that the parts of a run say it as the whole does. */
export function asideNotices(classes: Iterable<Aside>): readonly Diagnostic[] {
  return Array.from(new Set(classes), notice);
}

function notice(aside: Aside): Diagnostic {
  return {
    code: 'refused-object',
    severity: 'notice',
    message: `the API server would refuse objects ${ASIDE[aside]}: \`--show-skipped\` lists them with its words`,
    related: [],
    help: 'where nobody applies these files, leave them out with `exclude`; where somebody does, mend them',
  };
}
