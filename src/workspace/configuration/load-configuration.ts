// Reads the text of `.preadmit.yaml` into a Configuration, or says everything that is wrong with it.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { readManifests } from '../../source/read-manifests.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type Configuration, defaultConfiguration, resolveConfiguration } from './configuration.ts';
import { configurationShape } from './configuration-shape.ts';
import { Problems } from './shape.ts';

export interface LoadedConfiguration {
  /** Undefined if anything is wrong: half a configuration would be another one than was meant. */
  readonly configuration: Configuration | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadOptions {
  /** Says whether a text is a Kubernetes version a verdict can be given for; if not, in words that follow the text. */
  readonly versionProblem?: (version: string) => string | undefined;
}

export function loadConfiguration(file: SourceFile, { versionProblem }: LoadOptions = {}): LoadedConfiguration {
  const { manifests, problems } = readManifests(file);
  const [document, second] = manifests;
  const unread: Diagnostic[] = problems.map(({ message, range, related }) => ({
    code: 'configuration-does-not-parse',
    severity: 'error',
    message,
    primary: { file, range },
    related: related.map(({ message: text, range: place }) => ({ message: text, location: { file, range: place } })),
  }));
  if (second !== undefined) {
    const primary = { file, range: second.locate([], 'key') };
    const message = 'the configuration is one document, and this is another';
    unread.push({ code: 'configuration-does-not-parse', severity: 'error', message, primary, related: [] });
  }
  if (document === undefined) {
    return { configuration: unread.length === 0 ? defaultConfiguration() : undefined, diagnostics: unread };
  }
  const found = new Problems((path, part) => ({ file, range: document.locate(path, part) }));
  for (const { path, range, firstRange, isMerged } of document.duplicateFields) {
    if (!isMerged) found.repeated(path, { file, range }, firstRange && { file, range: firstRange });
  }
  const written = configurationShape(versionProblem).read(document.value, [], found);
  const diagnostics = [...unread, ...found.diagnostics];
  const isUsable = written !== undefined && diagnostics.length === 0;
  return { configuration: isUsable ? resolveConfiguration(written) : undefined, diagnostics };
}
