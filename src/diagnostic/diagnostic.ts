// The data structure for every message about user-written text, from detection to output.
import type { FileEdit } from '../source/edit/text-edit.ts';
import type { FieldPath } from '../source/node/field-path.ts';
import type { SourceLocation } from '../source/text/source-file.ts';
import type { Code } from './code-table.ts';

export type Severity = 'error' | 'warning' | 'notice';

export interface RelatedLocation {
  readonly message: string;
  readonly location: SourceLocation;
}

export interface Diagnostic {
  /** Names the problem in kebab case; also the name of its page in docs/codes. */
  readonly code: Code;
  readonly severity: Severity;
  /** Understandable alone: lower case, no full stop, identifiers in backquotes. */
  readonly message: string;
  /** The smallest wrong range; absent only if no text causes the problem. */
  readonly primary?: SourceLocation;
  readonly related: readonly RelatedLocation[];
  /** How to fix it. Advice goes here and nowhere else. */
  readonly help?: string;
  /** For objects: path of the affected field, relative to the object. */
  readonly field?: FieldPath;
  /** The server's single message about all errors of the object; absent if `message` is that text. */
  readonly serverMessage?: string;
  /** The render target or file that this is about, where it is not about an object. Baseline entries name it. */
  readonly subject?: string;
  /** The part that the render target lacks; the rest of it is judged. */
  readonly part?: string;
  /** Name of the policy that was not evaluated. */
  readonly policy?: string;
  /** Equal for diagnostics with the same cause, so that reports can group them. */
  readonly cause?: string;
  /** The replacement text, if it is certain; computed on demand. */
  readonly fix?: () => FileEdit | undefined;
  /** For what a later release removes: `Kyverno 1.20`. */
  readonly removedIn?: string;
  /** For a rejected policy: number of objects that it would apply to. */
  readonly concerns?: number;
}
