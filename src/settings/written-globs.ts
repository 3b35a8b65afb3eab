// The globs that a person wrote, with locations, and the diagnostics for globs that match nothing.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { nearestName } from '../diagnostic/nearest-name.ts';
import type { LocatedPart } from '../source/manifest/manifest.ts';
import { type FieldPath, formatFieldPath } from '../source/node/field-path.ts';
import type { SourceLocation } from '../source/text/source-file.ts';
import type { ConfigurationOverrides } from './configuration.ts';
import type { WrittenConfiguration, WrittenTarget } from './configuration-shape.ts';
import { compileGlobs } from './path-filter.ts';

export interface WrittenGlob {
  readonly glob: string;
  /** Path of the setting for messages, e.g. `targets.staging.policies`. */
  readonly field: string;
  /** Absent for globs of the command line or of the action's inputs. */
  readonly location?: SourceLocation;
  /** `warning` for an exclusion, which is harmless if it matches nothing. */
  readonly severity: 'error' | 'warning';
}

type Locate = (path: FieldPath, part: LocatedPart) => SourceLocation;

const WILDCARD = /[*?[\]{}()!+@\\]/;
/** Maximum number of globs that are checked. */
const MAX_GLOBS = 1_000;

export function writtenGlobs(written: WrittenConfiguration, locate: Locate): readonly WrittenGlob[] {
  const found: WrittenGlob[] = [];
  const add = (globs: readonly string[] | undefined, path: FieldPath, severity: WrittenGlob['severity']): void => {
    for (const [index, glob] of (globs ?? []).entries()) {
      // An exclusion with wildcards may match files later, so only an exact path is checked.
      if (severity === 'warning' && WILDCARD.test(glob)) continue;
      found.push({ glob, field: formatFieldPath(path), location: locate([...path, index], 'value'), severity });
    }
  };
  add(written.include, ['include'], 'error');
  add(written.exclude, ['exclude'], 'warning');
  for (const [index, rule] of (written.skip ?? []).entries()) add(rule.files, ['skip', index, 'files'], 'warning');
  add(written.evaluate, ['evaluate'], 'error');
  const ofTarget = (target: Pick<WrittenTarget, 'policies' | 'clusterFacts'>, path: FieldPath): void => {
    add(target.policies, [...path, 'policies'], 'error');
    add(target.clusterFacts, [...path, 'clusterFacts'], 'error');
  };
  ofTarget(written, []);
  for (const [name, target] of written.targets ?? []) {
    ofTarget(target, ['targets', name]);
    add(target.manifests?.include, ['targets', name, 'manifests', 'include'], 'error');
    add(target.manifests?.exclude, ['targets', name, 'manifests', 'exclude'], 'warning');
  }
  return found;
}

/** Globs of the command line replace those of the configuration. */
export function overrideGlobs(
  globs: readonly WrittenGlob[],
  overrides: ConfigurationOverrides,
): readonly WrittenGlob[] {
  const given = (['include', 'policies'] as const).filter((name) => overrides[name] !== undefined);
  const isReplaced = ({ field }: WrittenGlob): boolean =>
    given.some((name) => field === name || (name === 'policies' && /^targets\..*\.policies$/.test(field)));
  return [
    ...globs.filter((each) => !isReplaced(each)),
    ...given.flatMap((field) => (overrides[field] ?? []).map((glob) => ({ glob, field, severity: 'error' as const }))),
  ];
}

/** `paths`: all paths of the repository, read or not. */
export function unmatchedGlobs(globs: readonly WrittenGlob[], paths: ReadonlySet<string>): readonly Diagnostic[] {
  const all = [...paths];
  return globs.slice(0, MAX_GLOBS).flatMap(({ glob, field, location, severity }): readonly Diagnostic[] => {
    if (all.some(compileGlobs([glob]))) return [];
    return [
      {
        code: 'unmatched-glob',
        severity,
        message: `\`${glob}\` in \`${field}\` matches no file`,
        ...(location && { primary: location }),
        related: [],
        help: helpForUnmatched(glob, all),
      },
    ];
  });
}

function helpForUnmatched(glob: string, paths: readonly string[]): string {
  const segments = glob.replace(/^(?:\.?\/)+/, '').split('/');
  const isAbsolute = glob.startsWith('/') ? 'paths are relative to the root of the repository; ' : '';
  const literal: string[] = [];
  for (const segment of segments) {
    if (segment === '' || WILDCARD.test(segment)) break;
    literal.push(segment);
  }
  let folder = '';
  for (const [depth, segment] of literal.entries()) {
    const children = childrenOf(folder, paths);
    if (children.has(segment)) {
      folder += `${segment}/`;
      continue;
    }
    const near = nearestName(segment, children);
    if (near !== undefined)
      return `${isAbsolute}did you mean \`${[folder + near, ...segments.slice(depth + 1)].join('/')}\`?`;
    const name = literal.at(-1);
    const same = paths.find((path) => path.endsWith(`/${name}`) || path.includes(`/${name}/`));
    if (same !== undefined)
      return `${isAbsolute}did you mean \`${same.slice(0, same.indexOf(`/${name}`) + 1)}${name}\`?`;
    break;
  }
  const nearest = folder === '' ? 'the root of the repository' : `\`${folder.slice(0, -1)}\``;
  const some = [...childrenOf(folder, paths)].sort().slice(0, 5);
  const names = some.map((name) => `\`${name}\``).join(', ');
  return `${isAbsolute}the longest existing prefix is ${nearest}${names === '' ? '' : `, which contains ${names}`}`;
}

function childrenOf(folder: string, paths: readonly string[]): ReadonlySet<string> {
  const children = new Set<string>();
  for (const path of paths) {
    if (path.startsWith(folder)) children.add(path.slice(folder.length).split('/', 1)[0] as string);
  }
  return children;
}
