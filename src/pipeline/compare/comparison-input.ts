// What two states are compared with: everything is read already, but for what is rendered.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { StageObserver } from '../../engine/stages.ts';
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { FetchedCharts } from '../../render/sources/chart-reference.ts';
import type { RootBuilder } from '../../render/sources/root-builder.ts';
import type { BaselineEntry } from '../../report/baseline/baseline.ts';
import type { PoliciesFrom } from '../../report/report.ts';
import type { Configuration } from '../../settings/configuration.ts';
import type { TextAnswers } from '../../source/text/text-answers.ts';
import type { RepositoryState } from '../scope/reading-scope.ts';

export interface ComparisonInput {
  readonly base: RepositoryState;
  readonly head: RepositoryState;
  /** What base and head are called in the report. */
  readonly names: { readonly base: string; readonly head: string };
  readonly configuration: Configuration;
  /** Head's, where that is another one. */
  readonly next?: Configuration;
  /** Paths that differ, whatever their names; absent: those of the states' files alone. */
  readonly touched?: readonly string[];
  /** Whose policies, bindings, params, Namespaces and RBAC objects the verdict is by. */
  readonly policiesFrom: PoliciesFrom;
  readonly only: 'new' | 'all';
  /** Read and render everything, whatever the change is: what is said of the change is the same, and costs more. */
  readonly extent?: 'repository';
  readonly notices?: readonly string[];
  /** About head's configuration, which this comparison does not follow. */
  readonly diagnostics?: readonly Diagnostic[];
  readonly baseline?: readonly BaselineEntry[];
  /** As `2026-11-21`; without it nothing expires. */
  readonly today?: string;
  readonly stages?: StageObserver;
  /** Tell what the authors of the change could write, so that mutating policies have nothing to do. */
  readonly suggests?: boolean;
  /** Tell which findings a mutating policy takes away: objects that one changes are judged twice. */
  readonly explainsMutations?: boolean;
  /** Renders what the states' trees hold; loaded when there is something to render. */
  readonly engine?: () => RenderEngine;
  /** What was fetched of charts that are not there. */
  readonly charts?: FetchedCharts;
  /** What an earlier comparison of the same states rendered. */
  readonly builder?: RootBuilder;
  /** With the answers of earlier runs. */
  readonly answers?: TextAnswers;
}
