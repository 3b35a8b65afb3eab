// The settings of a target's API server that files for provisioning clusters declare. A setting of the configuration wins.
import { isSetAside } from '../../inventory/aside.ts';
import { type DeclaredFlag, IP_FAMILIES } from '../../inventory/declared-server.ts';
import type { Unknown } from '../../policy/evaluation/unknown.ts';
import { withDeclared } from '../../settings/api-server-shape.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';
import { ADMISSION_PLUGINS } from '../../settings/configuration-shape.ts';
import { featureGateProblem } from '../../settings/feature-gates.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import type { ServerDocument } from '../state/read-repository.ts';

/** A setting, and the line that declares it. */
interface DeclaredSetting {
  readonly setting: string;
  readonly value: string;
  readonly path: string;
  readonly line: number;
}

/** What the files declare about the server of a target. */
export interface DeclaredSettings {
  readonly settings: readonly DeclaredSetting[];
  /** Settings that the files declare differently. */
  readonly unknowns: readonly Unknown[];
}

/** A flag, or one of the values of its list. Undefined value: the file does not contain it. */
interface Declaration {
  readonly setting: string;
  readonly value: string | undefined;
  readonly path: string;
  readonly line: number;
}

const NOTHING: DeclaredSettings = { settings: [], unknowns: [] };

export class DeclaredServers {
  readonly #documents: readonly ServerDocument[];
  readonly #paths: ReadonlySet<string>;

  /** `paths`: of all files of the state. */
  constructor(documents: readonly ServerDocument[], paths: ReadonlySet<string>) {
    this.#documents = documents;
    this.#paths = paths;
  }

  /** `others`: names of the other targets. `isIn`: true if the folders show that a path belongs to the target alone. */
  of(name: string, others: readonly string[], isIn: (path: string) => boolean): DeclaredSettings {
    const about = this.#documents.filter(({ manifest: { file }, server }) => {
      if (server.about === 'part' || isSetAside(file.path)) return false;
      if (server.cluster === name) return true;
      if (server.about === 'named' || others.includes(server.cluster)) return false;
      return others.length === 0 || isIn(file.path);
    });
    if (about.length === 0) return NOTHING;
    return agreed(groupsOf(about).map((group) => group.flatMap((each) => this.#settings(each))));
  }

  /** A later part replaces the flags of an earlier one. Patches of a single node make the flag unknown. */
  #settings({ manifest, server }: ServerDocument): readonly Declaration[] {
    const flags = new Map<string, Declaration>();
    const set = (of: Manifest, { flag, value, path }: DeclaredFlag, isOfNode: boolean): void => {
      const { file, range } = of.place(path, 'key');
      const known = flags.get(flag);
      const isCertain = !isOfNode || known?.value === value;
      const { line } = file.positionAt(range.start);
      flags.set(flag, { setting: flag, value: isCertain ? value : undefined, path: file.path, line });
    };
    let isWhole = true;
    for (const part of server.parts) {
      const isOfNode = part.path[0] === 'nodes';
      if (!('file' in part)) {
        set(manifest, part, isOfNode);
        continue;
      }
      const path = joinPaths(folderOf(manifest.file.path), part.file);
      isWhole = isWhole && this.#paths.has(path);
      for (const each of this.#documents.filter((document) => document.manifest.file.path === path)) {
        for (const flag of each.server.parts) if (!('file' in flag)) set(each.manifest, flag, isOfNode);
      }
    }
    // A file that is not in the repository may set any flag.
    return [...flags.values()].flatMap((flag) => declarations(isWhole ? flag : { ...flag, value: undefined }));
  }
}

/** A document without a cluster's name belongs to the only named cluster. */
function groupsOf(documents: readonly ServerDocument[]): readonly (readonly ServerDocument[])[] {
  const groups = new Map<string, ServerDocument[]>();
  const names = new Set(documents.flatMap(({ server }) => (server.cluster === '' ? [] : [server.cluster])));
  const [only = ''] = names.size === 1 ? names : [];
  for (const document of documents) {
    const name = document.server.cluster || only;
    groups.set(name, [...(groups.get(name) ?? []), document]);
  }
  return [...groups.values()];
}

/** A setting counts if every cluster declares the same value. */
function agreed(groups: readonly (readonly Declaration[])[]): DeclaredSettings {
  const bySetting = new Map<string, Declaration[]>();
  for (const each of groups.flat()) bySetting.set(each.setting, [...(bySetting.get(each.setting) ?? []), each]);
  const open = groups.flat().flatMap(({ setting, value }) => (value === undefined ? [setting] : []));
  const settings: DeclaredSetting[] = [];
  const unknowns: Unknown[] = [];
  for (const [setting, all] of bySetting) {
    const [first] = all;
    if (first === undefined || open.some((each) => setting.startsWith(each))) continue;
    if (new Set(all.map(({ value }) => value)).size > 1) {
      const places = [...new Set(all.map(({ path, line }) => `${path}:${line}`))].join(', ');
      const before = `the files set ${setting} of the API server to different values, so none is used: ${places}`;
      unknowns.push({ before, after: '' });
    } else if (groups.every((group) => group.some((each) => each.setting === setting))) {
      settings.push({ setting, value: first.value ?? '', path: first.path, line: first.line });
    }
  }
  return { settings, unknowns };
}

const GATE = 'feature gate ';
const DISABLED = 'disabled admission plugin ';

/**
 * One for each item of a list, in the words of the report. A value that no server accepts is left out. An unknown list is one entry that is the
 * start of all its items.
 */
function declarations({ setting: flag, value, ...place }: Declaration): readonly Declaration[] {
  const items = (value ?? '').split(',').map((item) => item.trim());
  switch (flag) {
    case 'feature-gates':
      if (value === undefined) return [{ setting: GATE, value, ...place }];
      return items.flatMap((item) => {
        const isGate = /=(?:true|false)$/.test(item) && featureGateProblem(item) === undefined;
        const [name = '', isOn = ''] = item.split('=');
        return isGate ? [{ setting: `${GATE}${name}`, value: isOn, ...place }] : [];
      });
    case 'disable-admission-plugins':
      if (value === undefined) return [{ setting: DISABLED, value, ...place }];
      return items.map((item) => ({ setting: `${DISABLED}${item}`, value: 'true', ...place }));
    case IP_FAMILIES:
      return [{ setting: flag, value, ...place }];
    default:
      return [{ setting: `--${flag}`, value, ...place }];
  }
}

/** The target with the declared settings that the configuration does not set. */
export function withServer(configured: ConfiguredTarget, { settings }: DeclaredSettings): ConfiguredTarget {
  if (settings.length === 0) return configured;
  const starting = (prefix: string): readonly (readonly [string, string])[] =>
    settings.flatMap(({ setting, value }) =>
      setting.startsWith(prefix) ? [[setting.slice(prefix.length), value]] : [],
    );
  const gates = starting(GATE).map(([name, value]) => [name, value === 'true'] as const);
  const disabled = new Set(starting(DISABLED).map(([name]) => name));
  const { disabledAdmissionPlugins: written } = configured;
  return {
    ...configured,
    featureGates: new Map([...gates, ...configured.featureGates]),
    apiServer: withDeclared(configured.apiServer, new Map(settings.map(({ setting, value }) => [setting, value]))),
    disabledAdmissionPlugins: written.length > 0 ? written : ADMISSION_PLUGINS.filter((plugin) => disabled.has(plugin)),
  };
}
