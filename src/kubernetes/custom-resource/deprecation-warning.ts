// The server's warning about requests in a deprecated version of a custom resource (apiextensions `customresource_handler.go`).
import type { CustomResourceDefinition, DefinedVersion } from '../api/custom-resource-definition.ts';

/** Undefined for versions that are not deprecated. */
export function deprecationWarning(
  { group, kind, versions }: CustomResourceDefinition,
  version: string,
): string | undefined {
  const deprecated = versions.find((each) => each.version === version)?.deprecation;
  if (deprecated === undefined) return undefined;
  if (deprecated.warning !== undefined) return deprecated.warning;
  const [newest] = versions
    .filter((each: DefinedVersion) => each.isServed && each.deprecation === undefined)
    .map((each) => each.version)
    .filter((each) => compareVersions(version, each) < 0)
    .sort((one, other) => compareVersions(other, one));
  const message = `${group}/${version} ${kind} is deprecated`;
  return newest === undefined ? message : `${message}; use ${group}/${newest} ${kind}`;
}

const STAGES = ['alpha', 'beta', undefined];

/** Kubernetes' order of versions: v2, v1, v1beta2, v1alpha1, then other names (apimachinery `version/helpers.go`). */
function compareVersions(one: string, other: string): number {
  const [first, second] = [parsed(one), parsed(other)];
  if (first === undefined && second === undefined) return one === other ? 0 : other < one ? -1 : 1;
  if (first === undefined || second === undefined) return first === undefined ? -1 : 1;
  return first.stage - second.stage || first.major - second.major || first.minor - second.minor;
}

function parsed(
  version: string,
): { readonly stage: number; readonly major: number; readonly minor: number } | undefined {
  const [, major, stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return major === undefined ? undefined : { stage: STAGES.indexOf(stage), major: Number(major), minor: Number(minor) };
}
