// Why documents of roots are not evaluated, and roots not rendered.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { type Classification, classifyRendered } from '../../inventory/classify.ts';
import { SKIP_REASONS, type SkipReason, type SkipReasonEntry } from '../../inventory/skip-reason.ts';
import { fetchKindOf, type Remote } from '../../render/sources/remote/remote.ts';
import {
  objectHoles,
  type RenderedRoot,
  type RootFailure,
  type RootHole,
} from '../../render/sources/root/rendered-root.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';

/** Skip reasons that no longer apply if a root reads the file. */
export const UNRENDERED: ReadonlySet<string> = new Set<SkipReason>([
  'kustomization',
  'kustomize-patch',
  'kustomize-input',
  'helm-template',
  'helm-chart-file',
  'helm-values',
  'not-a-resource',
  'placeholder',
  'template',
  'unnamed-resource',
  'incomplete-resource',
]);

/** A component that nothing includes is not applied, so its placeholders belong to a template. */
export function renderedReason(
  { value, neverApplied }: Manifest,
  { entry, isComponent }: RenderedRoot,
): Classification {
  if (neverApplied !== undefined) return { reason: 'never-applied', detail: neverApplied.because };
  const classified = classifyRendered(value, entry !== undefined);
  const isTemplate = classified.reason === 'placeholder' && isComponent === true;
  return isTemplate ? { ...classified, reason: 'template' } : classified;
}

/** A comparison drops entries of files that the change leaves alone, so an unread document needs its own location. */
export function skippedPlace(manifest: Manifest, reason: SkipReason): SourceLocation {
  const { isUnread }: SkipReasonEntry = SKIP_REASONS[reason];
  const declaredAt = isUnread || reason === 'never-applied' ? undefined : manifest.declaredAt;
  return declaredAt ?? manifest.place(['kind'], 'key');
}

/** The diagnostics of a root that could not be rendered, or only without some parts. */
export function rootDiagnostics(root: RenderedRoot): readonly Diagnostic[] {
  if (root.failure !== undefined) return [rootNotRendered(root, root.failure)];
  return objectHoles(root).map((hole) => rootIncomplete(root, hole));
}

function rootIncomplete(
  { name }: RenderedRoot,
  { what, message, help, location, also, missing }: RootHole,
): Diagnostic {
  return {
    code: 'not-rendered',
    subject: name,
    part: what,
    severity: 'warning',
    message: `${name} is incomplete, so objects from here are unknown: ${message}`,
    primary: location,
    related: also.map((entry) => ({ message: 'applies to unknown objects', location: entry })),
    help,
    cause: causeOf(missing, message),
  };
}

function rootNotRendered(
  { name, location }: RenderedRoot,
  { reason, message, help, missing, isDoubt, location: at }: RootFailure,
): Diagnostic {
  return {
    code: 'not-rendered',
    subject: name,
    severity: 'warning',
    message: isDoubt
      ? `the cluster may have other objects of ${name}: ${message}`
      : `${name} cannot be rendered, so its objects are unknown: ${message}`,
    primary: at ?? location,
    related: [],
    help,
    cause: reason === 'missing-dependency' ? MISSING_CHART : causeOf(missing, message),
  };
}

const MISSING_CHART = 'a chart is not in the repository';

function causeOf(missing: readonly Remote[] | undefined, message: string): string {
  const isChart = missing?.some((remote) => fetchKindOf(remote) === 'charts') === true;
  return isChart ? MISSING_CHART : message;
}
