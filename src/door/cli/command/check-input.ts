// `preadmit check -`: judges manifests from standard input by policies of the repository, of folders and of policy sources.

import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { checkState } from '../../../pipeline/check-state.ts';
import { type Configuration, contextGlobs } from '../../../settings/configuration.ts';
import type { FolderSource, PolicySource } from '../../../settings/policy-source.ts';
import { parseSourceText } from '../../../settings/policy-source-text.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { discover } from '../../../workspace/discover/discover.ts';
import { MAXIMUM_INPUT_BYTES } from '../../../workspace/files/limits.ts';
import { openSources } from '../../../workspace/sources/open-sources.ts';
import { sourceAccess } from '../../../workspace/sources/source-access.ts';
import { lazyValidation } from '../../../workspace/validation/load-validation.ts';
import { WorkspaceError } from '../../../workspace/workspace-error.ts';
import { askedVersion } from '../../run/asked-version.ts';
import { type CheckOptions, type CheckResult, settingsOf, startOf } from '../../run/check-repository.ts';

/** File name in locations of manifests from standard input. */
const INPUT_NAME = '<stdin>';

/** Throws WorkspaceError if the input cannot be read or is longer than 20 MiB. */
export async function checkInput(options: CheckOptions, input: AsyncIterable<string>): Promise<CheckResult> {
  askedVersion(options.overrides.kubernetesVersion);
  const { stages, today } = options;
  const { directory, root, repository } = await startOf({ ...options, paths: [] });
  const { folders, policies } = policyPlaces(options, root);
  const overrides = { ...options.overrides, ...(policies && { policies }) };
  const settings = await settingsOf(root, { ...options, overrides });
  if ('unusable' in settings) return settings;
  const { baseline } = settings;
  const configuration = ofInput(settings.configuration);
  const file = new SourceFile(INPUT_NAME, await textOf(input));
  stages?.enter('discover');
  const context = contextGlobs(configuration);
  const discovery = await discover({
    directory,
    ...(repository && { repository }),
    include: [],
    exclude: configuration.exclude,
    context,
  });
  stages?.count('discover', 'files', discovery.files.length + 1);
  const sources: readonly PolicySource[] = [...configuration.policySources, ...folders];
  const opened = await openSources(sources, { root, places: [] }, options.sourceAccess ?? sourceAccess());
  try {
    const report = checkState({
      ...discovery,
      files: [...discovery.files.map((found) => ({ ...found, selected: false })), { file, selected: true }],
      notRead: [],
      configuration,
      serverValidation: lazyValidation(),
      policySources: opened.contents,
      ...(stages && { stages }),
      ...(today !== undefined && { today }),
      ...(baseline && { baseline }),
    });
    return { report, unusable: false };
  } finally {
    await opened.close();
  }
}

/** The input has no path in the repository, so every target judges it. */
function ofInput(configuration: Configuration): Configuration {
  return {
    ...configuration,
    globs: configuration.globs.filter(({ field }) => field === 'policies' || /^targets\..*\.policies$/.test(field)),
    targets: configuration.targets.map((target) => ({ ...target, manifests: { include: ['**'], exclude: [] } })),
  };
}

interface PolicyPlaces {
  /** Folders outside the repository. */
  readonly folders: readonly FolderSource[];
  /** Globs inside the repository; undefined means those of the configuration. */
  readonly policies?: readonly string[];
}

/**
 * `--policies` takes files and folders relative to the working directory; a path that does not exist is a glob from the repository root.
 */
function policyPlaces({ directory, overrides }: CheckOptions, root: string): PolicyPlaces {
  if (overrides.policies === undefined) return { folders: [] };
  const folders: FolderSource[] = [];
  const policies: string[] = [];
  for (const given of overrides.policies) {
    const place = resolve(directory, given);
    const status = statSync(place, { throwIfNoEntry: false });
    const below = relative(root, place).split(sep).join('/');
    const isOutside = below === '..' || below.startsWith('../') || isAbsolute(below);
    if (status === undefined) policies.push(given);
    else if (!isOutside) policies.push(below === '' ? '.' : escaped(below));
    else if (status.isDirectory()) folders.push(folderSource(place, folders));
    else {
      throw new WorkspaceError('path-outside-root', `\`${given}\` is a file outside \`${root}\``, {
        hint: 'pass its folder instead',
      });
    }
  }
  return { folders, policies };
}

function folderSource(folder: string, others: readonly FolderSource[]): FolderSource {
  const parsed = parseSourceText(folder);
  const name = 'source' in parsed ? parsed.source.name : 'policies';
  const isTaken = others.some((other) => other.name === name);
  return {
    kind: 'folder',
    name: isTaken ? `${name}-${others.length + 1}` : name,
    folder,
    include: ['**/*.{yaml,yml,json}'],
  };
}

/** A glob that matches only this path. */
function escaped(path: string): string {
  return path.replace(/[*?[\]{}()!+@\\]/g, '\\$&');
}

async function textOf(input: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of input) {
    length += Buffer.byteLength(part, 'utf8');
    if (length > MAXIMUM_INPUT_BYTES) {
      throw new WorkspaceError('unreadable', `standard input is longer than ${MAXIMUM_INPUT_BYTES / 1024 / 1024} MiB`, {
        hint: 'write it to files in a folder and check the folder',
      });
    }
    parts.push(part);
  }
  return parts.join('');
}
