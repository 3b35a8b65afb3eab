// `semver(…)`, `isSemver(…)` and version comparison (apiserver `pkg/cel/library/semverlib.go`, `pkg/cel/semver.go`).
import { struct, type Type } from '../../../cel/check/type.ts';
import type { Library } from '../../../cel/declaration/library.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { unhashable } from '../../../cel/value/keyed-map.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../cel/value/value.ts';
import {
  compareSemanticVersions,
  formatSemanticVersion,
  normalizeSemanticVersion,
  parseSemanticVersion,
  type SemanticVersion,
} from '../../../go/semver/semantic-version.ts';
import { declarationsOf } from './declaration.ts';
import { NOMINAL, reading } from './prices.ts';

const SEMVER_TYPE: Type = struct('kubernetes.Semver');

export class SemverValue extends OpaqueValue {
  readonly type = SEMVER_TYPE;
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }

  override equals(other: Value): boolean | ErrorValue {
    return other instanceof SemverValue ? order(this, other) === 0 : noSuchOverload();
  }

  override get goType(): string {
    return 'cel.Semver';
  }

  override get identity(): never {
    throw unhashable(this.goType);
  }

  override get unadaptable(): string {
    return `(semver.Version)${formatSemanticVersion(this.version)}`;
  }
}

const TEXT_PRICE = reading(1);

export const SEMVER_LIBRARY: Library = {
  name: 'kubernetes.Semver',
  functions: declarationsOf([
    [
      'semver',
      'string_to_semver',
      'semver(string) -> kubernetes.Semver',
      TEXT_PRICE,
      (text: string) => toSemver(text, false),
    ],
    ['semver', 'string_bool_to_semver', 'semver(string, bool) -> kubernetes.Semver', TEXT_PRICE, toSemver],
    ['isSemver', 'is_semver_string', 'isSemver(string) -> bool', TEXT_PRICE, (text: string) => isSemver(text, false)],
    ['isSemver', 'is_semver_string_bool', 'isSemver(string, bool) -> bool', TEXT_PRICE, isSemver],
    [
      'isGreaterThan',
      'semver_is_greater_than',
      'kubernetes.Semver.isGreaterThan(kubernetes.Semver) -> bool',
      NOMINAL,
      (a: SemverValue, b: SemverValue) => order(a, b) > 0,
    ],
    [
      'isLessThan',
      'semver_is_less_than',
      'kubernetes.Semver.isLessThan(kubernetes.Semver) -> bool',
      NOMINAL,
      (a: SemverValue, b: SemverValue) => order(a, b) < 0,
    ],
    [
      'compareTo',
      'semver_compare_to',
      'kubernetes.Semver.compareTo(kubernetes.Semver) -> int',
      NOMINAL,
      (a: SemverValue, b: SemverValue) => BigInt(order(a, b)),
    ],
    [
      'major',
      'semver_major',
      'kubernetes.Semver.major() -> int',
      NOMINAL,
      ({ version }: SemverValue) => toInt(version.major),
    ],
    [
      'minor',
      'semver_minor',
      'kubernetes.Semver.minor() -> int',
      NOMINAL,
      ({ version }: SemverValue) => toInt(version.minor),
    ],
    [
      'patch',
      'semver_patch',
      'kubernetes.Semver.patch() -> int',
      NOMINAL,
      ({ version }: SemverValue) => toInt(version.patch),
    ],
  ]),
};

function order(a: SemverValue, b: SemverValue): number {
  return compareSemanticVersions(a.version, b.version);
}

/** Numbers beyond int64 wrap around, as upstream. */
function toInt(number: bigint): bigint {
  return BigInt.asIntN(64, number);
}

function toSemver(text: string, normalize: boolean): Value {
  const normalized = normalize ? normalizeSemanticVersion(text) : text;
  const version = typeof normalized === 'string' ? parseSemanticVersion(normalized) : normalized;
  return 'error' in version ? new ErrorValue(version.error) : new SemverValue(version);
}

function isSemver(text: string, normalize: boolean): boolean {
  return toSemver(text, normalize) instanceof SemverValue;
}
