// What a page of Markdown is given besides the Report.
import type { Place } from '../../report.ts';

export interface MarkdownOptions {
  /** The most the text may have, in UTF-8 bytes; at least 2,000. */
  readonly maxBytes: number;
  /** Where files can be read, to link lines as `<blobUrl>/<path>#L<line>`. */
  readonly blobUrl?: string;
  /** The same for the files of base, which rules and deleted objects may be in. */
  readonly baseBlobUrl?: string | undefined;
  /** Name of the branch that base is of. */
  readonly baseName?: string | undefined;
  /** Places that the files at `blobUrl` do not have. */
  readonly lost?: ReadonlySet<Place> | undefined;
  /** List every document that was not evaluated. */
  readonly showSkipped?: boolean;
  /** The workflow run that wrote it. */
  readonly runUrl?: string;
  /** Markdown of the caller's own below the heading, with the line breaks it wants. */
  readonly belowHeading?: string;
  /** Markdown of the caller's own for the last line. */
  readonly lastWords?: readonly string[];
}
