// Encodes one annotation as a workflow command, as actions/toolkit `packages/core/src/command.ts` does.
import { sanitizeLine, sanitizeText } from '../../../diagnostic/sanitize.ts';
import type { Lines } from '../../explanation/explanation.ts';
import { isElsewhere } from '../../location/place.ts';
import type { Severity } from '../../report.ts';
import { cutToBytes } from '../../wording/cut-text.ts';

/** The runner truncates at 4096 characters. */
const MAX_MESSAGE_BYTES = 4_000;
const MAX_TITLE_BYTES = 255;

export interface AnnotationCommand {
  readonly severity: Severity;
  readonly title?: string;
  readonly message: string;
  readonly place?: Lines | undefined;
}

/** One line without a line end. */
export function encodeCommand({ severity, title, message: words, place }: AnnotationCommand): string {
  const isInFile = place !== undefined && !isElsewhere(place);
  const message = place === undefined || isInFile ? words : `${words}\nat ${place.path}:${place.startLine}`;
  const properties = [
    ...(isInFile ? placeProperties(place) : []),
    ...(title === undefined ? [] : [`title=${property(cutToBytes(sanitizeText(title), MAX_TITLE_BYTES))}`]),
  ];
  const space = properties.length === 0 ? '' : ' ';
  return `::${severity}${space}${properties.join(',')}::${data(cutToBytes(sanitizeText(message), MAX_MESSAGE_BYTES))}`;
}

/**
 * The runner drops columns of a multi-line location, and GitHub shows the annotation below its last line, so only the first line is kept.
 */
function placeProperties({ path, startLine, startColumn, endLine, endColumn }: Lines): string[] {
  const file = `file=${property(sanitizeLine(path))}`;
  if (startLine !== endLine) return [file, `line=${startLine}`];
  const lastColumn = Math.max(startColumn, endColumn - 1);
  return [file, `line=${startLine}`, `endLine=${endLine}`, `col=${startColumn}`, `endColumn=${lastColumn}`];
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
