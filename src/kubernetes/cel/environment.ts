// The CEL features of each Kubernetes release (apiserver `pkg/cel/environment/base.go`).
import type { AstValidator } from '../../cel/check/ast-validator.ts';
import { HOMOGENEOUS_LITERALS_VALIDATOR } from '../../cel/check/homogeneous-validator.ts';
import { DURATION_VALIDATOR, regexValidator, timestampValidator } from '../../cel/check/literal-validators.ts';
import type { Library } from '../../cel/declaration/library.ts';
import { Environment, type EnvironmentOptions } from '../../cel/environment.ts';
import { FORMAT_VALIDATOR } from '../../cel/library/format-validator.ts';
import { LISTS_3, LISTS_3_LIMITED } from '../../cel/library/lists.ts';
import { OPTIONAL_LIBRARY, STRICT_OPTIONAL_LIBRARY } from '../../cel/library/optional.ts';
import { SETS } from '../../cel/library/sets.ts';
import { standardLibrary } from '../../cel/library/standard.ts';
import { TWO_VARIABLE_COMPREHENSIONS } from '../../cel/library/two-variable-comprehensions.ts';
import type { CelGo } from '../../cel/value/release.ts';
import { RegexCache } from '../../go/regexp/regex-cache.ts';
import { compareVersions, type KubernetesVersion, parseKubernetesVersion, previousVersion } from '../api/version.ts';
import { AUTHZ_LIBRARY, AUTHZ_SELECTORS_LIBRARY } from './library/authz.ts';
import { CIDR_LIBRARY, CIDR_LIBRARY_COMPARING_ADDRESSES } from './library/cidr.ts';
import { FORMAT_LIBRARY, FORMAT_LIBRARY_1_34, FORMAT_LIBRARY_1_35 } from './library/format.ts';
import { IP_LIBRARY } from './library/ip.ts';
import { LISTS_LIBRARY, LISTS_LIBRARY_WITH_INCLUDES } from './library/lists.ts';
import { QUANTITY_LIBRARY, QUANTITY_LIBRARY_WITH_SHARED_SUMS } from './library/quantity.ts';
import { regexLibrary } from './library/regex.ts';
import { SEMVER_LIBRARY } from './library/semver.ts';
import { STRINGS_LIBRARY, STRINGS_LIBRARY_0, STRINGS_LIBRARY_CLAMPED } from './library/strings.ts';
import { URLS_LIBRARY, URLS_LIBRARY_WITH_LENIENT_COLONS } from './library/urls.ts';

/** `new`: expressions in a request, which the previous release must also compile. `stored`: expressions already in the cluster. */
export type ExpressionMode = 'new' | 'stored';

type Release = `1.${number}`;

interface Option {
  /** First release with the option, and first release without it. For new expressions, compared with the previous release. */
  readonly introduced: Release;
  readonly removed?: Release;
  /** Servers with this option; default: all since `introduced`. Covers changes by cel-go releases and bug fixes. */
  readonly server?: { readonly from?: Release; readonly until?: Release };
  /** Servers whose feature gate allows the option in new expressions immediately. */
  readonly gated?: Release;
  readonly libraries?: readonly ((regexes: RegexCache, celGo: CelGo) => Library)[];
  readonly validators?: readonly ((regexes: RegexCache, celGo: CelGo) => AstValidator)[];
  readonly settings?: Omit<EnvironmentOptions, 'libraries' | 'validators'>;
}

const OPTIONS: readonly Option[] = [
  { introduced: '1.0', server: { until: '1.29' }, settings: { homogeneousAggregateLiterals: true } },
  { introduced: '1.0', server: { from: '1.29' }, validators: [() => HOMOGENEOUS_LITERALS_VALIDATOR] },
  { introduced: '1.0', libraries: [standardLibrary] },
  { introduced: '1.0', server: { from: '1.37' }, settings: { escapedIdentifiers: true } },
  { introduced: '1.0', server: { until: '1.36' }, libraries: [() => URLS_LIBRARY_WITH_LENIENT_COLONS] },
  { introduced: '1.0', server: { from: '1.36' }, libraries: [() => URLS_LIBRARY] },
  { introduced: '1.0', libraries: [regexLibrary] },
  { introduced: '1.0', removed: '1.37', libraries: [() => LISTS_LIBRARY] },
  { introduced: '1.27', libraries: [() => AUTHZ_LIBRARY] },
  { introduced: '1.28', settings: { crossTypeNumericComparisons: true, optionalSyntax: true } },
  { introduced: '1.28', server: { until: '1.29' }, libraries: [() => optionals('optFlatMap', ...UNWRAPPING)] },
  { introduced: '1.28', server: { from: '1.29', until: '1.33' }, libraries: [() => optionals(...UNWRAPPING)] },
  {
    introduced: '1.28',
    server: { from: '1.33' },
    libraries: [(_, celGo) => (celGo < 29 ? OPTIONAL_LIBRARY : STRICT_OPTIONAL_LIBRARY)],
  },
  { introduced: '1.28', server: { until: '1.37' }, libraries: [() => QUANTITY_LIBRARY_WITH_SHARED_SUMS] },
  { introduced: '1.28', server: { from: '1.37' }, libraries: [() => QUANTITY_LIBRARY] },
  {
    introduced: '1.29',
    validators: [
      () => DURATION_VALIDATOR,
      (_, celGo) => timestampValidator(celGo),
      (regexes) => regexValidator((pattern) => regexes.isValid(pattern)),
    ],
  },
  { introduced: '1.0', removed: '1.29', libraries: [() => STRINGS_LIBRARY_0] },
  {
    introduced: '1.29',
    libraries: [(_, celGo) => (celGo < 29 ? STRINGS_LIBRARY : STRINGS_LIBRARY_CLAMPED)],
    validators: [() => FORMAT_VALIDATOR],
  },
  { introduced: '1.29', libraries: [() => SETS] },
  { introduced: '1.30', libraries: [() => IP_LIBRARY] },
  { introduced: '1.30', server: { until: '1.32' }, libraries: [() => CIDR_LIBRARY_COMPARING_ADDRESSES] },
  { introduced: '1.30', server: { from: '1.32' }, libraries: [() => CIDR_LIBRARY] },
  { introduced: '1.31', server: { until: '1.35' }, libraries: [() => FORMAT_LIBRARY_1_34] },
  { introduced: '1.31', server: { from: '1.35', until: '1.36' }, libraries: [() => FORMAT_LIBRARY_1_35] },
  { introduced: '1.31', server: { from: '1.36' }, libraries: [() => FORMAT_LIBRARY] },
  { introduced: '1.31', gated: '1.32', libraries: [() => AUTHZ_SELECTORS_LIBRARY] },
  { introduced: '1.31', settings: { keywordFieldNames: true } },
  { introduced: '1.32', libraries: [() => TWO_VARIABLE_COMPREHENSIONS] },
  { introduced: '1.33', libraries: [() => SEMVER_LIBRARY] },
  { introduced: '1.34', libraries: [(_, celGo) => (celGo < 29 ? LISTS_3 : LISTS_3_LIMITED)] },
  { introduced: '1.37', libraries: [() => LISTS_LIBRARY_WITH_INCLUDES] },
];

/** Since cel-go 0.23. */
const UNWRAPPING: readonly string[] = ['first', 'last', 'optional.unwrap', 'unwrapOpt'];

function optionals(...missing: readonly string[]): Library {
  const { functions, macros = [] } = OPTIONAL_LIBRARY;
  return {
    ...OPTIONAL_LIBRARY,
    functions: functions.filter(({ name }) => !missing.includes(name)),
    macros: macros.filter(({ name }) => !missing.includes(name)),
  };
}

function celGoOf(server: KubernetesVersion): CelGo {
  return isBefore(server, '1.37') ? 26 : 29;
}

/** New expressions must also run on the previous release. */
function compatibilityVersion(server: KubernetesVersion, mode: ExpressionMode): KubernetesVersion {
  return mode === 'new' ? previousVersion(server) : server;
}

function optionsOf(server: KubernetesVersion, compatibility: KubernetesVersion): readonly Option[] {
  return OPTIONS.filter((option) => isIncluded(option, server, compatibility));
}

/** Functions and macros of a server for expressions that must also run on the release `compatibility`. */
export function kubernetesLibraries(
  server: KubernetesVersion,
  compatibility: KubernetesVersion,
  regexes: RegexCache = new RegexCache(),
  celGo: CelGo = celGoOf(server),
): readonly Library[] {
  return optionsOf(server, compatibility).flatMap(({ libraries = [] }) =>
    libraries.map((make) => make(regexes, celGo)),
  );
}

/** A server's environment without variables. It caches the patterns and time zones of its expressions, so keep it for one run only. */
export function kubernetesEnvironment(version: KubernetesVersion, mode: ExpressionMode): Environment {
  return new Environment(kubernetesEnvironmentOptions(version, mode, new RegexCache()));
}

/** The options of that environment, for extension. `celGo`: for programs that use another release than the server. */
export function kubernetesEnvironmentOptions(
  version: KubernetesVersion,
  mode: ExpressionMode,
  regexes: RegexCache,
  celGo: CelGo = celGoOf(version),
): EnvironmentOptions {
  const compatibility = compatibilityVersion(version, mode);
  const options = optionsOf(version, compatibility);
  return {
    libraries: kubernetesLibraries(version, compatibility, regexes, celGo),
    validators: options.flatMap(({ validators = [] }) => validators.map((make) => make(regexes, celGo))),
    ...Object.assign({}, ...options.map(({ settings }) => settings)),
  };
}

function isIncluded(option: Option, server: KubernetesVersion, compatibility: KubernetesVersion): boolean {
  const { from, until } = option.server ?? {};
  if (from !== undefined && isBefore(server, from)) return false;
  if (until !== undefined && !isBefore(server, until)) return false;
  if (option.gated !== undefined && !isBefore(server, option.gated)) return true;
  if (isBefore(compatibility, option.introduced)) return false;
  return option.removed === undefined || isBefore(compatibility, option.removed);
}

function isBefore(version: KubernetesVersion, release: Release): boolean {
  return compareVersions(version, parseKubernetesVersion(release) as KubernetesVersion) < 0;
}
