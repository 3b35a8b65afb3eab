// A part of a render target that the repository does not contain.
import type { FieldPath } from '../../source/node/field-path.ts';
import type { FailureClass } from '../engine/render-request.ts';
import type { Remote } from '../sources/remote/remote.ts';

export interface Hole {
  /** `objects`: the objects that it adds are unknown. `values`: the objects are known, but some of their values are not. */
  readonly lacks: 'objects' | 'values';
  readonly reason: Extract<FailureClass, 'remote-base' | 'plugin' | 'helm-chart'>;
  /** Names the part independently of the root: a URL, a plugin with its file, a chart. Baseline entries contain it. */
  readonly what: string;
  /** Completes "it builds on <what>, and …". For a chart: a complete reason. */
  readonly because: string;
  /** The kustomization that names the part, and the path of the entry in it. */
  readonly path: string;
  readonly entry: FieldPath;
  /** True if kustomize may give the objects other names than those in its input, so that references to them change. */
  readonly mayRename: boolean;
  /** What to fetch, if that would fill it. */
  readonly missing?: readonly Remote[];
  /** Only without unknown objects: what is assumed about it, as a sentence without full stop. */
  readonly assumes?: string;
}

/** `objects` unless values are the only unknown. */
export function remoteHole(what: string, path: string, entry: FieldPath, lacks: Hole['lacks'] = 'objects'): Hole {
  const because = 'preadmit fetches nothing during a check';
  return { lacks, reason: 'remote-base', what, because, path, entry, mayRename: !isRemoteFile(what) };
}

/**
 * True if kustomize fetches the reference by Git or HTTP. Follows `NewRepoSpecFromURL` (api/internal/git/repospec.go) for the forms that
 * need no local check.
 */
export function isRemote(reference: string): boolean {
  return /^(?:git::|gh:|git@|[a-z][a-z+.-]*:\/\/|github\.com[:/])/i.test(reference) && !reference.includes('\n');
}

/** A plain file at a URL: kustomize does not build it, so its objects keep their names. */
function isRemoteFile(reference: string): boolean {
  return /^https?:\/\/[^?]+\.(?:ya?ml|json)$/i.test(reference) && !reference.includes('.git/');
}
