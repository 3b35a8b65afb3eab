// Diagnostics of both states. Those of head that base has too are not new.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { append } from '../../go/slices/append.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { objectHoles } from '../../render/sources/root/rendered-root.ts';
import { unmatchedGlobs } from '../../settings/written-globs.ts';
import type { ComparedStates } from './compared-states.ts';

export interface StateDiagnostics {
  readonly base: readonly Diagnostic[];
  readonly head: readonly (Diagnostic | ObjectDiagnostic)[];
}

export function joinDiagnostics(parts: readonly StateDiagnostics[]): StateDiagnostics {
  const joined: { readonly base: Diagnostic[]; readonly head: (Diagnostic | ObjectDiagnostic)[] } = {
    base: [],
    head: [],
  };
  for (const { base, head } of parts) {
    append(joined.base, base);
    append(joined.head, head);
  }
  return joined;
}

/** What reading the configuration, the files, the roots and the policy sources reports. */
export function readingDiagnostics({
  input,
  scope,
  base,
  head,
  given,
  changedRoots,
  touchedRoots,
}: ComparedStates): StateDiagnostics {
  const roots = [...base.roots, ...head.roots].filter(({ name }) => changedRoots.has(name) || touchedRoots.has(name));
  const gaps = roots.flatMap((root) => objectHoles(root).map(({ location }) => location));
  const rootFiles = new Set([...roots.map(({ location }) => location), ...gaps].map(({ file }) => file.path));
  const isExamined = ({ primary }: Diagnostic): boolean =>
    primary === undefined || scope.examined.has(primary.file.path) || rootFiles.has(primary.file.path);
  const written = input.configuration.globs.filter(({ location }) => location !== undefined);
  return {
    base: [
      ...base.diagnostics.filter(isExamined),
      ...given.base.diagnostics,
      ...unmatchedGlobs(written, input.base.paths),
    ],
    head: [
      ...(input.diagnostics ?? []),
      ...head.diagnostics.filter(isExamined),
      ...given.head.diagnostics,
      ...unmatchedGlobs(input.next?.globs ?? written, input.head.paths),
    ],
  };
}
