// Options of the Markdown report.
import type { Place } from '../../report.ts';

export interface MarkdownOptions {
  /** Maximum size of the text in UTF-8 bytes; at least 2,000. */
  readonly maxBytes: number;
  /** Base URL for line links: `<blobUrl>/<path>#L<line>`. */
  readonly blobUrl?: string;
  /** The same for base, which may contain the rules and deleted objects. */
  readonly baseBlobUrl?: string | undefined;
  /** Branch name of base. */
  readonly baseName?: string | undefined;
  /** Locations that do not exist in the files at `blobUrl`. */
  readonly lost?: ReadonlySet<Place> | undefined;
  /** List every document that was not evaluated. */
  readonly showSkipped?: boolean;
  /** URL of the workflow run. */
  readonly runUrl?: string;
  /** Lists the problems and findings of each owner together. */
  readonly groupBy?: 'owner';
  /** Caller's Markdown below the heading, with its own line breaks. */
  readonly belowHeading?: string;
  /** Caller's Markdown for the last line. */
  readonly lastWords?: readonly string[];
}
