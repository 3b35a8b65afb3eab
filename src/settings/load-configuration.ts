// Reads `.preadmit.yaml` into a Configuration, or reports all its problems.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { nearestName } from '../diagnostic/nearest-name.ts';
import type { LocatedPart } from '../source/manifest/manifest.ts';
import type { FieldPath } from '../source/node/field-path.ts';
import type { SourceFile, SourceLocation } from '../source/text/source-file.ts';
import { type Configuration, defaultConfiguration, resolveConfiguration } from './configuration.ts';
import { configurationShape, type WrittenConfiguration } from './configuration-shape.ts';
import { readShapedFile } from './shaped-file.ts';

/** A configuration with the diagnostics of its text. */
export interface LoadedConfiguration {
  /** Undefined if there are problems: a partial configuration could change the verdict. */
  readonly configuration: Configuration | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadOptions {
  /** Describes why a Kubernetes version is not supported, as a predicate; undefined if it is supported. */
  readonly versionProblem?: (version: string) => string | undefined;
}

/** Reports problems in `diagnostics` and never throws. */
export function loadConfiguration(file: SourceFile, options: LoadOptions = {}): LoadedConfiguration {
  const shape = configurationShape(options.versionProblem);
  const read = readShapedFile(file, shape, { subject: 'the configuration', maximumLength: MAXIMUM_LENGTH });
  if ('diagnostics' in read) return { configuration: undefined, diagnostics: read.diagnostics };
  if (read.value === undefined) return { configuration: defaultConfiguration(), diagnostics: [] };
  const diagnostics = unknownSources(read.value, read.locate);
  if (diagnostics.length > 0) return { configuration: undefined, diagnostics };
  return { configuration: resolveConfiguration(read.value, read.locate), diagnostics: [] };
}

/** Reports sources that targets name but `policySources` lacks. */
function unknownSources(
  { policySources = new Map(), targets = new Map() }: WrittenConfiguration,
  locate: (path: FieldPath, part: LocatedPart) => SourceLocation,
): readonly Diagnostic[] {
  const known = [...policySources.keys()];
  return [...targets].flatMap(([target, { policySources: names = [] }]) =>
    [...names.entries()].flatMap(([index, name]): readonly Diagnostic[] => {
      if (known.includes(name)) return [];
      const nearest = nearestName(name, known);
      const list = known.map((each) => `\`${each}\``).join(', ');
      return [
        {
          code: 'configuration-wrong-value',
          severity: 'error',
          message: `\`policySources\` has no source \`${name.slice(0, 100)}\``,
          primary: locate(['targets', target, 'policySources', index], 'value'),
          related: [],
          help:
            nearest === undefined
              ? `${list === '' ? '`policySources` is empty' : `expected one of ${list}`}`
              : `did you mean \`${nearest}\`?`,
        },
      ];
    }),
  );
}

const MAXIMUM_LENGTH = 256 * 1024;
