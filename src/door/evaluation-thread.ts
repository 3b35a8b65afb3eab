// What a thread does that evaluates beside the main one: reads the same state, takes blocks of its objects, and sends what it made of them.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { CheckInput } from '../pipeline/check-state.ts';
import { answeringEngine, type RecordedAnswer } from '../pipeline/recorded-engine.ts';
import { SharedState } from '../pipeline/shared-state.ts';
import { treeOf } from '../render/file-tree.ts';
import { listedTree } from '../render/listed-tree.ts';
import { RootBuilder } from '../render/sources/root-builder.ts';
import { SourceFile } from '../source/source-file.ts';
import { folderTree } from '../workspace/render/folder-tree.ts';
import { openEngine } from '../workspace/render/open-engine.ts';
import {
  type AnswersMessage,
  type EvaluationReply,
  type EvaluationStart,
  SharedBlocks,
  TOLD,
} from './evaluation-message.ts';

/** Undefined where it took no block. */
export function evaluateBeside(start: EvaluationStart): EvaluationReply | undefined {
  const { signals, index, cache, port } = start;
  const blocks = new SharedBlocks(signals);
  const own = openEngine({ cache });
  const cells = new Int32Array(signals.cells);
  let answers: readonly RecordedAnswer[] | undefined;
  const engine = answeringEngine(() => {
    answers ??= awaitedAnswers(port, cells);
    return answers;
  }, own.engine);
  let requests = 0;
  try {
    const state = new SharedState({
      ...inputOf(start, engine),
      stages: {
        enter: () => {},
        count: (stage, what, number) => {
          if (stage === 'evaluate' && what === 'requests') requests += number;
        },
        progress: () => {},
      },
    });
    const part = state.evaluate((work) => blocks.take(index, work, state.blocks, (all) => state.mayDiffer([all])));
    return part.blocks.length === 0 ? undefined : { part, requests };
  } finally {
    own.close();
  }
}

function inputOf(
  { files, paths, notRead, configuration, sources, more, root }: EvaluationStart,
  engine: ReturnType<typeof answeringEngine>,
): CheckInput {
  const tree = listedTree(folderTree(root), paths);
  return {
    files: files.map(({ path, text, selected }) => ({ file: new SourceFile(path, text), selected })),
    paths,
    notRead,
    configuration,
    ...more,
    rendering: { tree, engine, builder: new RootBuilder() },
    policySources: sources.map(({ name, version, files: ofSource, paths: pathsOfSource, isTree }) => ({
      name,
      version,
      files: ofSource.map(({ path, text, selected }) => ({ file: new SourceFile(path, text), selected })),
      paths: pathsOfSource,
      ...(isTree && { tree: treeOf({ files: new Map(ofSource.map(({ path, text }) => [path, text])) }) }),
    })),
  };
}

/** What the main thread rendered. */
function awaitedAnswers(port: MessagePort, cells: Int32Array): readonly RecordedAnswer[] {
  while (Atomics.load(cells, TOLD) === 0) Atomics.wait(cells, TOLD, 0);
  const received = receiveMessageOnPort(port) as { readonly message: AnswersMessage } | undefined;
  return received?.message.answers ?? [];
}
