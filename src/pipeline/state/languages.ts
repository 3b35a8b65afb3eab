// The supported policy languages, in the order in which the server evaluates them.
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import {
  type PodSecurityLevelVersion,
  parsePodSecurityLevel,
  parsePodSecurityVersion,
} from '../../kubernetes/pod-security/level-version.ts';
import { mutatingLanguage } from '../../policy/admission/mutating/mutating-language.ts';
import { validatingLanguage } from '../../policy/admission/validating/validating-language.ts';
import { type ConfiguredKyverno, readResourceFilters } from '../../policy/kyverno/installation/kyverno-settings.ts';
import { kyvernoLanguage } from '../../policy/kyverno/language/kyverno-language.ts';
import { type KyvernoMigration, kyvernoMigration } from '../../policy/kyverno/migrate/kyverno-migration.ts';
import { kyvernoSuites } from '../../policy/kyverno/suite/kyverno-suites.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { PolicySuites } from '../../policy/language/policy-suite.ts';
import { isFullyPrivileged } from '../../policy/pod-security/namespace-policy.ts';
import { podSecurityLanguage } from '../../policy/pod-security/pod-security-language.ts';
import {
  DEFAULT_POD_SECURITY,
  type PodSecurityMode,
  type PodSecuritySettings,
} from '../../policy/pod-security/settings.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';

/** For a server with default settings that stores the policies. */
export const LANGUAGES: readonly PolicyLanguage[] = [
  mutatingLanguage({ areStored: true }),
  podSecurityLanguage(),
  validatingLanguage({ areStored: true }),
  kyvernoLanguage(),
];

/** Test suites of the languages' own tools. Caches compiled policies as long as the list exists. */
export function languageSuites(): readonly PolicySuites[] {
  return [kyvernoSuites()];
}

/** Translates policies of a deprecated kind. */
export function migrationOf(
  target: Pick<ConfiguredTarget, 'kyverno'>,
  cluster: Cluster,
  today: string,
): KyvernoMigration {
  return kyvernoMigration(cluster, { ...configuredKyverno(target), today });
}

/** With the settings of the target's server. `today`: as `2026-11-21`. */
export function languagesOf(
  target: Pick<ConfiguredTarget, 'podSecurity' | 'disabledAdmissionPlugins' | 'kyverno'>,
  today = '',
): readonly PolicyLanguage[] {
  return [
    mutatingLanguage(),
    podSecurityLanguage(podSecuritySettings(target)),
    validatingLanguage(),
    kyvernoLanguage({ ...configuredKyverno(target), today }),
  ];
}

/** The languages of all targets, without those that accept and need the same as another one. */
export function languagesOfTargets(targets: readonly ConfiguredTarget[]): readonly PolicyLanguage[] {
  const podSecurity = new Map(
    targets.map((target) => {
      const settings = podSecuritySettings(target);
      return [`${settings.isEnabled} ${isFullyPrivileged(settings.defaults)}`, podSecurityLanguage(settings)];
    }),
  );
  return [mutatingLanguage(), ...podSecurity.values(), validatingLanguage(), kyvernoLanguage()];
}

function configuredKyverno({ kyverno }: Pick<ConfiguredTarget, 'kyverno'>): ConfiguredKyverno {
  const { resourceFilters, namespaceSelector, exceptions, namespace, excludeGroups, excludeUsernames } = kyverno;
  const { defaultRegistry, enableDefaultRegistryMutation } = kyverno;
  const { enabled = true, namespace: ofNamespace = '' } = exceptions ?? {};
  return {
    ...(namespace !== undefined && { namespace }),
    ...(resourceFilters && { resourceFilters: resourceFilters.flatMap(readResourceFilters) }),
    ...(excludeGroups && { excludeGroups }),
    ...(excludeUsernames && { excludeUsernames }),
    ...(namespaceSelector && { webhookNamespaceSelector: selectorOf(namespaceSelector) }),
    ...(exceptions && { exceptions: { isEnabled: enabled, namespace: ofNamespace } }),
    ...(defaultRegistry !== undefined && { defaultRegistry }),
    ...(enableDefaultRegistryMutation !== undefined && { enableDefaultRegistryMutation }),
  };
}

type WrittenSelector = NonNullable<ConfiguredTarget['kyverno']['namespaceSelector']>;

function selectorOf({ matchLabels = new Map(), matchExpressions = [] }: WrittenSelector): JsonObject {
  return new Map<string, JsonValue>([
    ['matchLabels', matchLabels],
    [
      'matchExpressions',
      matchExpressions.map((requirement) => new Map<string, JsonValue>(Object.entries(requirement))),
    ],
  ]);
}

function podSecuritySettings({
  podSecurity: { defaults = {}, exemptions = {} },
  disabledAdmissionPlugins,
}: Pick<ConfiguredTarget, 'podSecurity' | 'disabledAdmissionPlugins'>): PodSecuritySettings {
  const mode = (name: PodSecurityMode): PodSecurityLevelVersion => {
    const { level, version } = DEFAULT_POD_SECURITY.defaults[name];
    return {
      level: parsePodSecurityLevel(defaults[name] ?? '') ?? level,
      version: parsePodSecurityVersion(defaults[`${name}-version`] ?? '') ?? version,
    };
  };
  const { usernames = [], namespaces = [], runtimeClasses = [] } = exemptions;
  return {
    isEnabled: !disabledAdmissionPlugins.includes('PodSecurity'),
    defaults: { enforce: mode('enforce'), audit: mode('audit'), warn: mode('warn') },
    exemptions: { usernames, namespaces, runtimeClasses },
  };
}
