// Links to source lines, in the reviewed files or in those of base.
import { isElsewhere } from '../../location/place.ts';
import type { Finding, Place, RelatedPlace, Report } from '../../report.ts';
import type { MarkdownOptions } from './options.ts';
import { linkText, name } from './words.ts';

const MAX_URL_LENGTH = 1_000;

/** `[apps/web.yaml:10](…)`, or `apps/web.yaml` line 10 without a link target. */
export function lineLink(place: Place, { blobUrl, lost }: MarkdownOptions): string {
  if (lost?.has(place)) return `${name(place.path)} line ${place.startLine} of the merge commit`;
  return linkTo(place, blobUrl) ?? `${name(place.path)} line ${place.startLine}`;
}

/** Link to a line that belongs to no finding. */
export function pathLink(path: string, startLine: number, { blobUrl }: MarkdownOptions): string {
  const line = { path, startLine, startColumn: 1, endLine: startLine, endColumn: 1 };
  return linkTo(line, blobUrl) ?? `${name(path)} line ${startLine}`;
}

/** A deleted object exists only in base, so head has no line to link to. */
export function findingLink({ primary, operation }: Finding, options: MarkdownOptions): string {
  if (operation !== 'DELETE') return lineLink(primary, options);
  const before = linkTo(primary, options.baseBlobUrl) ?? `${name(primary.path)} line ${primary.startLine}`;
  return `${before} before the change`;
}

/** Name of a rule or param, linked to its line if known; the rules may be those of base. */
export function ruleLink(
  label: string,
  { related }: Finding,
  role: NonNullable<RelatedPlace['role']>,
  report: Report,
  options: MarkdownOptions,
): string {
  const place = related.find((each) => each.role === role)?.place;
  const from = report.comparison?.policiesFrom ?? 'head';
  const files = from === 'base' ? options.baseBlobUrl : options.blobUrl;
  // With rules of both states, the commit of this rule is unknown.
  if (place === undefined || from === 'both' || options.lost?.has(place)) return name(label);
  const url = urlOf(place, files);
  return url === undefined ? name(label) : `[${linkText(label)}](${url})`;
}

function linkTo(place: Place, files: string | undefined): string | undefined {
  const url = urlOf(place, files);
  return url === undefined ? undefined : `[${linkText(`${place.path}:${place.startLine}`)}](${url})`;
}

function urlOf(place: Place, files: string | undefined): string | undefined {
  if (files === undefined || isElsewhere(place)) return undefined;
  const encoded = place.path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  const url = `${files}/${encoded.replaceAll('(', '%28').replaceAll(')', '%29')}#L${place.startLine}`;
  return url.length > MAX_URL_LENGTH ? undefined : url;
}
