// The releases of a comparison, as versions or relative to those of the configuration: `current`, `next`, `next+1`.
import {
  formatVersion,
  isSupportedVersion,
  NEWEST_VERSION,
  parseKubernetesVersion,
  versionProblem,
} from '../../kubernetes/api/version.ts';
import { type Configuration, overrideConfiguration } from '../../settings/configuration.ts';

/** A version, or a number of minor releases after each target's own. */
type AskedRelease = string | number;

export interface ReleaseStep {
  /** `1.36`; `1.35/1.36` if targets have different releases. */
  readonly name: string;
  readonly configuration: Configuration;
}

export interface ReleaseSteps {
  readonly known: readonly ReleaseStep[];
  /** Releases in the option that this version of Preadmit does not know, sorted. */
  readonly unknown: readonly string[];
}

/** The problem names the option. */
export function parseReleases(
  texts: readonly string[],
): { readonly releases: readonly AskedRelease[] } | { readonly problem: string } {
  const releases = texts.map(releaseOf);
  for (const [index, release] of releases.entries()) {
    const text = texts[index] ?? '';
    if (release === undefined) {
      const problem = /^next/.test(text) ? 'is not `next` or `next+1` to `next+9`' : versionProblem(text);
      return { problem: `\`--kubernetes-version\`: \`${text}\` ${problem}` };
    }
    if (releases.indexOf(release) !== index) return { problem: `\`--kubernetes-version\` names \`${text}\` twice` };
  }
  return { releases: releases as readonly AskedRelease[] };
}

function releaseOf(text: string): AskedRelease | undefined {
  if (text === 'current') return 0;
  const [, more = '0'] = /^next(?:\+([1-9]))?$/.exec(text) ?? [undefined, ''];
  if (more !== '') return Number(more) + 1;
  return versionProblem(text) === undefined ? text : undefined;
}

/**
 * A target whose release is not known is asked as the newest known one, if other targets have a known release. Releases that are the same
 * for every target, such as `1.37` and `next`, are one step.
 */
export function releaseSteps(configuration: Configuration, asked: readonly AskedRelease[]): ReleaseSteps {
  const unknown = new Set<string>();
  const known: ReleaseStep[] = [];
  for (const release of asked) {
    if (typeof release === 'string') {
      known.push(stepOf(overrideConfiguration(configuration, { kubernetesVersion: release })));
      continue;
    }
    let isKnown = release === 0;
    const targets = configuration.targets.map((target) => {
      const own = parseKubernetesVersion(target.kubernetesVersion);
      if (own === undefined || release === 0) return target;
      const next = { ...own, minor: own.minor + release };
      if (isSupportedVersion(next)) isKnown = true;
      else unknown.add(formatVersion(next));
      return { ...target, kubernetesVersion: formatVersion(isSupportedVersion(next) ? next : NEWEST_VERSION) };
    });
    if (isKnown) known.push(stepOf({ ...configuration, targets }));
  }
  const versionsOf = ({ configuration: { targets } }: ReleaseStep): string =>
    targets.map(({ kubernetesVersion }) => kubernetesVersion).join();
  const distinct = known.filter(
    (step, index) => known.findIndex((other) => versionsOf(other) === versionsOf(step)) === index,
  );
  return { known: distinct, unknown: [...unknown].sort(byNumber) };
}

function stepOf(configuration: Configuration): ReleaseStep {
  const versions = configuration.targets.map(({ kubernetesVersion }) => {
    const version = parseKubernetesVersion(kubernetesVersion);
    return version === undefined ? kubernetesVersion : formatVersion(version);
  });
  return { name: [...new Set(versions)].sort(byNumber).join('/'), configuration };
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
