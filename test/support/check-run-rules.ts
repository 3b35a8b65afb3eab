// GitHub's rules for check-runs that are missing in its OpenAPI description.
import type { CheckRun } from './fake-github.ts';

const MAX_TEXT = 65_535;
const MAX_MESSAGE_BYTES = 65_536;
const MAX_TITLE = 255;

/** Problems that GitHub would reject in the body of a create (`existing` undefined) or update. */
export function checkRunProblems(body: Record<string, unknown>, existing: CheckRun | undefined): string[] {
  const problems: string[] = [];
  const { status, conclusion, head_sha: headSha, completed_at: completedAt } = body;
  if (existing === undefined && !/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(String(headSha))) {
    problems.push(`head_sha is not a commit: ${headSha}`);
  }
  if ((status === 'completed' || completedAt !== undefined) && conclusion === undefined) {
    problems.push('completed without a conclusion');
  }
  if (conclusion === 'stale') problems.push('only GitHub sets the conclusion `stale`');
  if (existing?.status === 'completed' && status !== undefined && status !== 'completed') {
    problems.push(`a completed check-run cannot become ${status}`);
  }
  const output = body['output'] as Record<string, unknown> | undefined;
  if (output !== undefined) problems.push(...outputProblems(output));
  return problems;
}

function outputProblems(output: Record<string, unknown>): string[] {
  const problems: string[] = [];
  for (const field of ['title', 'summary']) {
    if (typeof output[field] !== 'string' || output[field] === '') problems.push(`output.${field} is missing`);
  }
  for (const field of ['summary', 'text']) {
    if (bytes(output[field]) > MAX_TEXT) problems.push(`output.${field} is longer than ${MAX_TEXT}`);
  }
  const annotations = (output['annotations'] ?? []) as Record<string, unknown>[];
  annotations.forEach((annotation, index) => {
    problems.push(...annotationProblems(annotation).map((problem) => `annotations[${index}]: ${problem}`));
  });
  return problems;
}

function annotationProblems(annotation: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const [start, end] = [Number(annotation['start_line']), Number(annotation['end_line'])];
  const [startColumn, endColumn] = [annotation['start_column'], annotation['end_column']];
  const path = annotation['path'];
  if (start < 1 || end < start) problems.push(`lines ${start} to ${end}`);
  if (start !== end && (startColumn !== undefined || endColumn !== undefined)) {
    problems.push('columns of an annotation on several lines');
  }
  if (startColumn !== undefined && Number(startColumn) < 1) problems.push('columns count from 1');
  if (endColumn !== undefined && Number(endColumn) < Number(startColumn ?? 1)) problems.push('end before start');
  if (typeof path !== 'string' || path === '' || path.startsWith('/')) problems.push(`path ${path}`);
  if (annotation['message'] === '') problems.push('empty message');
  for (const field of ['message', 'raw_details']) {
    if (bytes(annotation[field]) > MAX_MESSAGE_BYTES) problems.push(`${field} is longer than 64 KB`);
  }
  if (String(annotation['title'] ?? '').length > MAX_TITLE) problems.push(`title is longer than ${MAX_TITLE}`);
  return problems;
}

function bytes(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}
