// Reads the text of `.preadmit.yaml` into a Configuration, or says everything that is wrong with it.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { readManifests } from '../../source/read-manifests.ts';
import type { SourceFile, SourceRange } from '../../source/source-file.ts';
import { type Configuration, defaultConfiguration, resolveConfiguration } from './configuration.ts';
import { configurationShape } from './configuration-shape.ts';
import { Problems } from './shape.ts';

const MAXIMUM_LENGTH = 256 * 1024;
const MAXIMUM_DIAGNOSTICS = 100;

export interface LoadedConfiguration {
  /** Undefined if anything is wrong: half a configuration would be another one than was meant. */
  readonly configuration: Configuration | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadOptions {
  /** Says whether a text is a Kubernetes version a verdict can be given for; if not, in words that follow the text. */
  readonly versionProblem?: (version: string) => string | undefined;
}

export function loadConfiguration(file: SourceFile, options: LoadOptions = {}): LoadedConfiguration {
  if (file.text.length > MAXIMUM_LENGTH) {
    return wrong([problemAt('configuration-too-large', 'the configuration is longer than 256 KiB', file, FILE_START)]);
  }
  const { manifests, problems } = readManifests(file);
  const unread: Diagnostic[] = problems.map(({ message, range, related }) => ({
    ...problemAt('configuration-does-not-parse', message, file, range),
    related: related.map((other) => ({ message: other.message, location: { file, range: other.range } })),
  }));
  const [document, second] = manifests;
  if (second !== undefined) {
    const message = 'the configuration is one document, and this is another';
    unread.push(problemAt('configuration-does-not-parse', message, file, second.locate([], 'key')));
  }
  if (unread.length > 0) return wrong(unread);
  if (document === undefined) return { configuration: defaultConfiguration(), diagnostics: [] };
  const found = new Problems((path, part) => ({ file, range: document.locate(path, part) }));
  for (const { path, range, firstRange, isMerged } of document.duplicateFields) {
    if (!isMerged) found.repeated(path, { file, range }, firstRange && { file, range: firstRange });
  }
  const written = configurationShape(options.versionProblem).read(document.value, [], found);
  if (written === undefined || found.diagnostics.length > 0) return wrong(found.diagnostics);
  return { configuration: resolveConfiguration(written), diagnostics: [] };
}

const FILE_START: SourceRange = { start: 0, end: 0 };

function problemAt(code: string, message: string, file: SourceFile, range: SourceRange): Diagnostic {
  return { code, severity: 'error', message, primary: { file, range }, related: [] };
}

function wrong(diagnostics: readonly Diagnostic[]): LoadedConfiguration {
  const first = diagnostics.slice(0, MAXIMUM_DIAGNOSTICS);
  const next = diagnostics[MAXIMUM_DIAGNOSTICS];
  if (next === undefined) return { configuration: undefined, diagnostics };
  const more = `and ${diagnostics.length - MAXIMUM_DIAGNOSTICS} more problems from here on`;
  return { configuration: undefined, diagnostics: [...first, { ...next, message: more, related: [] }] };
}
