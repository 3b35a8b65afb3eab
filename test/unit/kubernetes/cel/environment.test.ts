// Tests the version table: every function and macro with the release that introduced it.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type ExpressionMode,
  kubernetesEnvironment,
  kubernetesLibraries,
} from '../../../../src/kubernetes/cel/environment.ts';
import { needs } from '../../../support/evidence.ts';
import { SHARED } from '../../../support/evidence-table.ts';
import { release } from '../../../support/kubernetes-cel.ts';

/** By release: additions since the previous release, and removals with `-`. Macros with their number of arguments. */
const CHANGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['1.29', ['format', 'optFlatMap/2', 'sets.contains', 'sets.equivalent', 'sets.intersects', 'strings.quote']],
  [
    '1.30',
    [
      'cidr',
      'containsCIDR',
      'containsIP',
      'family',
      'ip',
      'ip.isCanonical',
      'isCIDR',
      'isGlobalUnicast',
      'isIP',
      'isLinkLocalMulticast',
      'isLinkLocalUnicast',
      'isLoopback',
      'isUnspecified',
      'masked',
      'prefixLength',
    ],
  ],
  [
    '1.31',
    [
      'fieldSelector',
      'format.byte',
      'format.date',
      'format.datetime',
      'format.dns1035Label',
      'format.dns1035LabelPrefix',
      'format.dns1123Label',
      'format.dns1123LabelPrefix',
      'format.dns1123Subdomain',
      'format.dns1123SubdomainPrefix',
      'format.labelValue',
      'format.named',
      'format.qualifiedName',
      'format.uri',
      'format.uuid',
      'labelSelector',
      'validate',
    ],
  ],
  [
    '1.32',
    [
      'all/3',
      'cel.@mapInsert',
      'exists/3',
      'existsOne/3',
      'exists_one/3',
      'transformList/3',
      'transformList/4',
      'transformMap/3',
      'transformMap/4',
      'transformMapEntry/3',
      'transformMapEntry/4',
    ],
  ],
  ['1.33', ['first', 'isSemver', 'last', 'major', 'minor', 'optional.unwrap', 'patch', 'semver', 'unwrapOpt']],
  ['1.34', ['@sortByAssociatedKeys', 'distinct', 'flatten', 'lists.range', 'reverse', 'slice', 'sort', 'sortBy/2']],
  ['1.35', []],
  ['1.36', []],
  ['1.37', ['includes']],
]);

/** `compatibility` is for new expressions; absent: stored expressions. */
function names(server: string, compatibility: string = server): ReadonlySet<string> {
  const libraries = kubernetesLibraries(release(server), release(compatibility));
  return new Set(
    libraries.flatMap(({ functions, macros = [] }) => [
      ...functions.map(({ name }) => name),
      ...macros.map(({ name, argCount }) => `${name}/${argCount}`),
    ]),
  );
}

function precedingRelease(version: string): string {
  return `1.${Number(version.slice(2)) - 1}`;
}

describe('releases', () => {
  it.each([...CHANGES])('%s adds functions and macros', (version, changes) => {
    const now = names(version);
    const then = names(precedingRelease(version));
    expect([...now].filter((name) => !then.has(name)).sort()).toEqual([...changes].sort());
    expect([...then].filter((name) => !now.has(name))).toEqual([]);
  });

  it.each([...CHANGES.keys()])('%s allows in new expressions what the previous release can run', (version) => {
    const accepted = names(version, precedingRelease(version));
    const runnable = names(precedingRelease(version));
    const known = names(version);
    expect([...accepted].filter((name) => !known.has(name))).toEqual([]);
    expect([...runnable].filter((name) => !accepted.has(name))).toEqual([]);
  });

  it('allows gated features and cel-go changes immediately', () => {
    const added = (version: string): string[] => {
      const runnable = names(precedingRelease(version));
      return [...names(version, precedingRelease(version))].filter((name) => !runnable.has(name)).sort();
    };
    expect(added('1.29')).toEqual(['optFlatMap/2']);
    expect(added('1.33')).toEqual(['first', 'last', 'optional.unwrap', 'unwrapOpt']);
    expect(names('1.31', '1.30').has('labelSelector')).toBe(false);
    expect(names('1.32', '1.31').has('labelSelector')).toBe(true);
  });

  it('removes duration(int) in 1.37', () => {
    const overloads = (version: string): readonly string[] =>
      kubernetesEnvironment(release(version), 'stored')
        .findFunction('duration')
        ?.overloads.map(({ id }) => id) ?? [];
    expect(overloads('1.36')).toContain('int64_to_duration');
    expect(overloads('1.37')).not.toContain('int64_to_duration');
  });
});

describe('settings', () => {
  const compiles = (text: string, version: string, mode: ExpressionMode = 'stored'): boolean =>
    kubernetesEnvironment(release(version), mode).compile(text).ast !== undefined;

  it.each([
    ["{'a': 1}.?a", '1.28', 'stored', true],
    ["{'a': 1}.?a", '1.28', 'new', false],
    ['1 < 1.5', '1.28', 'new', false],
    ['1 < 1.5', '1.29', 'new', true],
    ["duration('x') == duration('1s')", '1.29', 'new', true],
    ["duration('x') == duration('1s')", '1.29', 'stored', false],
    ["[1, 'a'] == []", '1.28', 'stored', false],
    ["[1, 'a'] == []", '1.36', 'stored', false],
    ["'%s %d'.format(['a', 1])", '1.36', 'stored', true],
    ["'%d'.format(['a'])", '1.36', 'stored', false],
    ["{'a-b': 1}.`a-b`", '1.36', 'stored', false],
    ["{'a-b': 1}.`a-b`", '1.37', 'stored', true],
  ] as const)('%s in %s (%s): %s', (text, version, mode, expected) => {
    expect(compiles(text, version, mode)).toBe(expected);
  });
});

const facts = `${SHARED}/facts/cel-functions-1.36.txt`;

needs('recordings', existsSync(facts)).describe('cel-functions-1.36.txt (skipped without the facts)', () => {
  it('lists the same overloads for the same compatibility versions', () => {
    const recorded = new Map<string, Set<string>>();
    let current = new Set<string>();
    for (const line of readFileSync(facts, 'utf8').split('\n')) {
      const heading = /^## NEW at compat (1\.\d+)/.exec(line)?.[1];
      if (heading !== undefined) {
        current = new Set();
        recorded.set(heading, current);
      }
      const row = /^(\S+) +(\S.* -> .*)$/.exec(line);
      // Names that no expression can call.
      if (row !== null && row[1] !== '__not_strictly_false__')
        current.add(`${row[1]} ${row[2]?.replace('_in_(', '@in(')}`);
    }
    expect(recorded.size).toBe(10);
    const known = new Set<string>();
    for (const [compatibility, overloads] of recorded) {
      const added = overloadsOf('1.36', compatibility).filter((overload) => !known.has(overload));
      for (const overload of added) known.add(overload);
      expect({ compatibility, overloads: added.sort() }).toEqual({ compatibility, overloads: [...overloads].sort() });
    }
  });
});

function overloadsOf(server: string, compatibility: string): string[] {
  const libraries = kubernetesLibraries(release(server), release(compatibility));
  const functions = libraries.flatMap((library) => library.functions);
  return functions.flatMap(({ overloads }) => overloads.map(({ id, signature }) => `${id} ${signature}`));
}
