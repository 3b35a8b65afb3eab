// Configuration and baseline for judging a change: those of base, so that a change cannot rewrite its own rules.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { versionProblem } from '../../kubernetes/api/version.ts';
import type { BaselineEntry } from '../../report/baseline/baseline.ts';
import { type Configuration, defaultConfiguration, overrideConfiguration } from '../../settings/configuration.ts';
import { type LoadedConfiguration, loadConfiguration } from '../../settings/load-configuration.ts';
import type { PolicySource } from '../../settings/policy-source.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import {
  BASELINE_NAME,
  CONFIGURATION_NAMES,
  readConfigurationFile,
} from '../../workspace/discover/configuration-file.ts';
import type { ObjectId } from '../../workspace/git/git-output.ts';
import type { GitRepository } from '../../workspace/git/git-repository.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { baselineOf, type ChangeOptions, type CheckOptions, type CheckResult, unusable } from './check-repository.ts';

export interface ChangedSettings {
  readonly configuration: Configuration;
  /** Configuration of head, if it differs and is usable. */
  readonly next?: Configuration;
  readonly policySources: { readonly base: readonly PolicySource[]; readonly head: readonly PolicySource[] };
  readonly baseline?: readonly BaselineEntry[];
  readonly notices: readonly string[];
  /** Diagnostics of head's configuration. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `touched`: paths that the change modifies. Returns a CheckResult if base's configuration or baseline has errors. */
export async function changedSettings(
  repository: GitRepository,
  { base, head }: ChangeOptions,
  touched: readonly string[],
  options: CheckOptions,
): Promise<ChangedSettings | CheckResult> {
  const { root } = repository;
  const source = { root, ...(options.config !== undefined && { path: options.config }) };
  const read = (id: ObjectId): Promise<SourceFile | undefined> =>
    readConfigurationFile({ ...source, commit: { repository, id } });
  const own = new Set([...CONFIGURATION_NAMES, BASELINE_NAME, options.config, options.baseline]);
  const isOnlySettings = touched.length > 0 && touched.every((path) => own.has(path));
  const ofHead = await read(head).catch((error: unknown) => {
    if (isError(error, 'path-not-found') && options.config === undefined) return undefined;
    throw error;
  });
  const ofBase = await read(base).catch((error: unknown) => {
    if (isError(error, 'path-not-found')) return undefined;
    // A change may replace an unreadable file, like one with errors.
    if (isError(error, 'unreadable') && isOnlySettings) return ofHead;
    throw error;
  });
  const chosen = chooseConfiguration(ofBase, ofHead, isOnlySettings);
  if (chosen.configuration === undefined) return unusable(chosen.path, chosen.diagnostics);
  const known = await baselineOf(root, options, { repository, id: base });
  const hasErrors = known !== undefined && known.baseline === undefined;
  if (hasErrors && !isOnlySettings) return unusable(known.path, known.diagnostics);
  const { next, notices, diagnostics } = chosen;
  const configuration = overrideConfiguration(chosen.configuration, options.overrides);
  const ofNext = next === undefined ? configuration : overrideConfiguration(next, options.overrides);
  return {
    configuration,
    ...(next && { next }),
    policySources: { base: configuration.policySources, head: ofNext.policySources },
    ...(known?.baseline && { baseline: known.baseline }),
    notices: hasErrors ? [...notices, mendedNotice(known.path)] : notices,
    diagnostics,
  };
}

function isError(error: unknown, code: WorkspaceError['code']): boolean {
  return error instanceof WorkspaceError && error.code === code;
}

interface ChosenConfiguration {
  /** Empty without a configuration. */
  readonly path: string;
  /** Undefined without a usable configuration. */
  readonly configuration: Configuration | undefined;
  readonly next?: Configuration;
  readonly notices: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * An unusable base configuration gives no verdict, unless the change `isOnlySettings`: then head's configuration cannot let anything else
 * pass.
 */
function chooseConfiguration(
  base: SourceFile | undefined,
  head: SourceFile | undefined,
  isOnlySettings: boolean,
): ChosenConfiguration {
  const load = (file: SourceFile | undefined): LoadedConfiguration =>
    file === undefined
      ? { configuration: defaultConfiguration(), diagnostics: [] }
      : loadConfiguration(file, { versionProblem });
  const now = load(head);
  const path = (base ?? head)?.path ?? '';
  if (base?.text === head?.text) return { ...now, path, notices: [] };
  const before = load(base);
  if (before.configuration === undefined) {
    if (isOnlySettings && now.configuration !== undefined) return { ...now, path, notices: [mendedNotice(path)] };
    return { ...before, diagnostics: before.diagnostics.map(mendedAlone), path, notices: [] };
  }
  const { configuration } = before;
  const notices = [
    base === undefined
      ? `${path} is new: it takes effect with the next change; this verdict uses the defaults`
      : `${path} changes too: this verdict still uses the base version`,
  ];
  const next = now.configuration;
  return { path, configuration, ...(next && { next }), notices, diagnostics: now.diagnostics };
}

function mendedNotice(path: string): string {
  return `the base version of ${path} has errors, and this change fixes them; it contains nothing else to check`;
}

function mendedAlone(diagnostic: Diagnostic): Diagnostic {
  const help = 'this is the base version: fix it in a separate change that contains nothing else';
  return { ...diagnostic, help: diagnostic.help === undefined ? help : `${diagnostic.help}; ${help}` };
}
