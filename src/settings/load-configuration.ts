// Reads the text of `.preadmit.yaml` into a Configuration, or says everything that is wrong with it.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import { type Configuration, defaultConfiguration, resolveConfiguration } from './configuration.ts';
import { configurationShape } from './configuration-shape.ts';
import { readShapedFile } from './shaped-file.ts';

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
  const shape = configurationShape(options.versionProblem);
  const read = readShapedFile(file, shape, { subject: 'the configuration', maximumLength: MAXIMUM_LENGTH });
  if ('diagnostics' in read) return { configuration: undefined, diagnostics: read.diagnostics };
  const configuration =
    read.value === undefined ? defaultConfiguration() : resolveConfiguration(read.value, read.locate);
  return { configuration, diagnostics: [] };
}

const MAXIMUM_LENGTH = 256 * 1024;
