// The input of a comparison. All files are read; roots are rendered on demand.

import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { StageObserver } from '../../engine/stages.ts';
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { FetchedRemotes } from '../../render/sources/remote/remote.ts';
import type { RootBuilder } from '../../render/sources/root/root-builder.ts';
import type { BaselineEntry } from '../../report/baseline/baseline.ts';
import type { OwnerRules } from '../../report/owner/owner-rules.ts';
import type { PoliciesFrom } from '../../report/report.ts';
import type { Configuration } from '../../settings/configuration.ts';
import type { TextAnswers } from '../../source/text/text-answers.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import type { RepositoryState } from '../scope/reading-scope.ts';

export interface ComparisonInput {
  readonly base: RepositoryState;
  readonly head: RepositoryState;
  /** Names of base and head for the report. */
  readonly names: { readonly base: string; readonly head: string };
  readonly configuration: Configuration;
  /** Head's configuration, if it differs. */
  readonly next?: Configuration;
  /** Paths that differ, also of files that are not in the states. Absent: only files of the states are compared. */
  readonly touched?: readonly string[];
  /** The state whose policies, bindings, params, Namespaces and RBAC objects decide. */
  readonly policiesFrom: PoliciesFrom;
  readonly only: 'new' | 'all';
  /** Read and render everything. The findings are the same, and the run takes longer. */
  readonly extent?: 'repository';
  readonly notices?: readonly string[];
  /** Problems of head's configuration, which this comparison does not apply. */
  readonly diagnostics?: readonly Diagnostic[];
  readonly baseline?: readonly BaselineEntry[];
  /** As `2026-11-21`. Without a date nothing expires. */
  readonly today?: string;
  /** Rules of base's CODEOWNERS; absent: base has no such file. */
  readonly ownerRules?: OwnerRules;
  readonly stages?: StageObserver;
  /** Suggest edits after which mutating policies no longer change the objects of the change. */
  readonly suggests?: boolean;
  /** Report findings that a mutating policy removes. Evaluates each object that a policy changes twice. */
  readonly explainsMutations?: boolean;
  /** The server's own validation of built-in kinds. Absent: only their metadata is validated. */
  readonly serverValidation?: ServerValidation;
  /** Renders files of the states' trees. Loaded when the first root is rendered. */
  readonly engine?: () => RenderEngine;
  /** Address that the repository comes from; absent if unknown. */
  readonly repositoryUrl?: string;
  /** Fetched charts, bases and repositories. */
  readonly remotes?: FetchedRemotes;
  /** Holds the roots that an earlier comparison of the same states rendered. */
  readonly builder?: RootBuilder;
  /** With the answers of earlier runs. */
  readonly answers?: TextAnswers;
}
