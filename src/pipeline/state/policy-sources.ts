// Reads policy sources like the repository, renders them where needed, and reports on them under their own names.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { type StageObserver, UNOBSERVED } from '../../engine/stages.ts';
import { append } from '../../go/slices/append.ts';
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { Report, SkippedEntry } from '../../report/report.ts';
import { type Configuration, defaultConfiguration } from '../../settings/configuration.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { placeName, Relocation } from '../../source/manifest/relocated-manifest.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { type FoundResource, readRepository } from './read-repository.ts';

/** A policy source that was read. Paths start at its root. */
export interface PolicySourceState {
  readonly name: string;
  /** The version in words; empty if there is none. */
  readonly version: string;
  readonly files: readonly DiscoveredFile[];
  readonly paths: ReadonlySet<string>;
  readonly tree?: FileTree;
  /** Location of the source in the configuration. */
  readonly location?: SourceLocation;
}

export interface SourceResources {
  readonly resources: readonly FoundResource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly SkippedEntry[];
}

/** Reads each source once, even if several states share it. */
export class PolicySourceReader {
  readonly #known = new Map<PolicySourceState, SourceResources>();
  readonly #configuration: Configuration;
  readonly #engine: (() => RenderEngine) | undefined;
  readonly #stages: StageObserver;

  constructor(configuration: Configuration, engine?: () => RenderEngine, stages: StageObserver = UNOBSERVED) {
    // The file settings of the configuration apply only to files of the repository.
    this.#configuration = { ...defaultConfiguration(), targets: configuration.targets };
    this.#engine = engine;
    this.#stages = stages;
  }

  read(sources: readonly PolicySourceState[]): SourceResources {
    const resources: FoundResource[] = [];
    const diagnostics: Diagnostic[] = [];
    const skipped: SkippedEntry[] = [];
    for (const source of sources) {
      const found = this.#known.get(source) ?? this.#readSource(source);
      this.#known.set(source, found);
      append(resources, found.resources);
      append(diagnostics, found.diagnostics);
      append(skipped, found.skipped);
    }
    return { resources, diagnostics, skipped };
  }

  #readSource({ name, files, paths, tree, location }: PolicySourceState): SourceResources {
    const relocation = new Relocation(name);
    const rendering = tree && this.#engine && { tree, engine: this.#engine };
    const configuration = this.#configuration;
    const content = readRepository(
      { files, paths, notRead: [], configuration, ...(rendering && { rendering }) },
      this.#stages,
    );
    const relocated = new Map<Manifest, readonly Resource[]>();
    const resources = content.resources.flatMap(({ resource, selected, changedBy }): readonly FoundResource[] => {
      if (!selected || relocated.has(resource.manifest)) return [];
      const results = resourcesOf(relocation.manifest(resource.manifest));
      const all = results.flatMap((result) => ('resource' in result ? [result.resource] : []));
      relocated.set(resource.manifest, all);
      return all.map((each) => ({ resource: each, selected: false, changedBy, source: name }));
    });
    return {
      resources,
      diagnostics: [
        ...content.diagnostics.map((diagnostic) => relocatedDiagnostic(diagnostic, relocation)),
        ...(resources.length === 0 ? [emptySource(name, location)] : []),
      ],
      skipped: content.skipped
        .filter(({ reason }) => reason !== 'rendered')
        .map((entry) => ({ ...entry, path: relocation.path(entry.path) })),
    };
  }
}

/** Adds the sources to the report. */
export function withSources(report: Report, sources: readonly PolicySourceState[]): Report {
  if (sources.length === 0) return report;
  return { ...report, policySources: sources.map(({ name, version }) => ({ name, version })) };
}

/** The location in the configuration that pins the version of the resource's source. Undefined for resources of the repository. */
export function pinPlace(resource: Resource, sources: readonly PolicySourceState[]): SourceLocation | undefined {
  const name = placeName(resource.manifest.file.path);
  return name === undefined ? undefined : sources.find((source) => source.name === name)?.location;
}

function relocatedDiagnostic(diagnostic: Diagnostic, relocation: Relocation): Diagnostic {
  const { primary, related } = diagnostic;
  return {
    ...diagnostic,
    ...(primary && { primary: relocation.location(primary) }),
    related: related.map(({ message, location }) => ({ message, location: relocation.location(location) })),
  };
}

function emptySource(name: string, location: SourceLocation | undefined): Diagnostic {
  return {
    code: 'empty-policy-source',
    severity: 'error',
    message: `the policy source \`${name}\` contains no objects, so it provides no policies`,
    ...(location && { primary: location }),
    related: [],
    help: 'check its `include` and the content of the pinned version',
  };
}
