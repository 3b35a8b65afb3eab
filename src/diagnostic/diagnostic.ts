// Anything said to a person about what they wrote: one shape, from the code that found it to the format that prints it.
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
  /** Names the bad thing in kebab case; also its page in docs/codes. */
  readonly code: Code;
  readonly severity: Severity;
  /** Stands alone: lower case, no full stop, identifiers in backquotes. */
  readonly message: string;
  /** The smallest range that is wrong; absent only where no text is to blame. */
  readonly primary?: SourceLocation;
  readonly related: readonly RelatedLocation[];
  /** The way out; the only place for advice. */
  readonly help?: string;
  /** Of an object: the field of it that this is about, in the object and not in the document. */
  readonly field?: FieldPath;
  /** What the server says in one message of everything that is wrong with the object; absent where that is the message. */
  readonly serverMessage?: string;
  /** The render target or file that this is about, where it is not about an object. Baseline entries name it. */
  readonly subject?: string;
  /** Name of the policy that was not evaluated. */
  readonly policy?: string;
  /** What makes others alike, so that many are told as one. */
  readonly cause?: string;
  /** What to write instead, where that is certain; worked out when it is asked for. */
  readonly fix?: () => FileEdit | undefined;
  /** Of a policy that the server refuses: the number of objects that it would be asked about. */
  readonly concerns?: number;
}
