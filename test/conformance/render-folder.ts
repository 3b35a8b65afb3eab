// Compares the output of `preadmit render FOLDER` with that of kustomize and Helm, byte for byte, folder by folder.
import { createHash } from 'node:crypto';
import { loadEngine } from '../../src/workspace/render/load-engine.ts';
import { agreesWithRecording, answerRendered, type RenderedLine, renderedLines } from './rendered.ts';

interface Counts {
  folders: number;
  bytes: number;
  objects: number;
  failing: number;
  readonly others: string[];
}

/** One line per repository, with the folders that differ; undefined without a recording. */
export function compareRenderedFolders(): readonly string[] | undefined {
  const lines = renderedLines();
  if (lines === undefined) return undefined;
  const engine = loadEngine();
  const counts = new Map<string, Counts>();
  for (const text of lines) {
    const line = JSON.parse(text) as RenderedLine;
    if (line.flux !== undefined || line.id.startsWith('probe/')) continue;
    const answer = answerRendered(text, engine);
    const repository = line.id.slice(0, line.id.indexOf('/'));
    const of = counts.get(repository) ?? { folders: 0, bytes: 0, objects: 0, failing: 0, others: [] };
    counts.set(repository, of);
    of.folders += 1;
    const isSame = agreesWithRecording(text, JSON.stringify(answer));
    if (!isSame) of.others.push(line.id);
    else if (!line.ok) of.failing += 1;
    else if (answer.stream !== undefined && isWritten(line, answer.stream)) of.bytes += 1;
    else of.objects += 1;
  }
  return [...counts].flatMap(([repository, { folders, bytes, objects, failing, others }]) => [
    `${repository.padEnd(44)} ${folders} folders: ${bytes} byte for byte, ${objects} the same objects in the same order, ${failing} fail in both, ${others.length} differ`,
    ...others.map((id) => `  ${id}`),
  ]);
}

/** Compares with the recorded bytes, or with their hash. */
function isWritten({ sha256, output }: RenderedLine, stream: string): boolean {
  if (sha256 !== undefined) return createHash('sha256').update(stream).digest('hex') === sha256;
  return output === stream;
}
