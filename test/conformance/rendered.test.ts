// Compares rendering with the output of kustomize and Helm for whole repositories. Known differences are listed with reasons.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needs } from '../support/evidence.ts';
import { engine } from '../support/render.ts';
import { agreesWithRecording, answerRendered, type RenderedLine, renderedLines } from './rendered.ts';

const LEDGER = join(import.meta.dirname, 'rendered-differences.json');
const known = JSON.parse(readFileSync(LEDGER, 'utf8')) as Record<string, string>;
/** `npm run conformance` runs all lines; this test runs the small ones and a share of the rest. */
const SHARE = 8;
const lines = renderedLines()?.filter((line, i) => line.startsWith('{"id":"probe/') || i % SHARE === 0);

needs('recordings', lines !== undefined).describe('recorded renderings', () => {
  it('match the recording, except for listed differences', { timeout: 1_800_000 }, () => {
    const differing: string[] = [];
    const unclassed: string[] = [];
    const listed: string[] = [];
    for (const line of lines ?? []) {
      const { id, reason } = JSON.parse(line) as RenderedLine;
      if (id in known) listed.push(id);
      const answer = answerRendered(line, engine());
      if (!agreesWithRecording(line, JSON.stringify(answer))) differing.push(id);
      if (reason !== undefined && answer.failure === 'other') unclassed.push(id);
    }
    expect(differing).toEqual(listed);
    expect(unclassed).toEqual([]);
  });
});
