// What an engine answered, recorded and given again: of threads that read the same state one renders.
import type { FileTree, Question } from '../render/file-tree.ts';
import type { RenderEngine } from '../render/render-engine.ts';
import type { RenderOutcome } from '../render/render-request.ts';
import { RecordedTree } from '../render/sources/recorded-tree.ts';

/** Plain data. */
export interface RecordedAnswer {
  readonly outcome: RenderOutcome;
  /** What was asked of the tree. */
  readonly questions: readonly Question[];
}

/** `end`: what it answered until then, in the order in which it was asked; nothing is recorded any more. */
export function recordedEngine(engine: () => RenderEngine): {
  readonly engine: () => RenderEngine;
  readonly end: () => readonly RecordedAnswer[];
} {
  const answers: RecordedAnswer[] = [];
  let isOver = false;
  const record = (answer: RecordedAnswer): void => {
    if (!isOver) answers.push(answer);
  };
  const render: RenderEngine['render'] = (request, tree, chance) => {
    const seen = new RecordedTree(tree);
    const outcome = engine().render(request, seen, chance);
    record({ outcome, questions: seen.questions() });
    return outcome;
  };
  const begin: RenderEngine['begin'] = (orders) =>
    (engine().begin?.(orders) ?? []).map(
      (wait) =>
        wait &&
        (() => {
          const aside = wait();
          if (aside !== undefined) record(aside);
          return aside;
        }),
    );
  const end = (): readonly RecordedAnswer[] => {
    isOver = true;
    return answers;
  };
  return { engine: () => ({ render, begin }), end };
}

/** Who asks the same in the same order is given the `answers`, and what is asked besides is asked of `engine`. */
export function answeringEngine(
  answers: () => readonly RecordedAnswer[],
  engine: () => RenderEngine,
): () => RenderEngine {
  let next = 0;
  const render: RenderEngine['render'] = (request, tree, chance) => {
    const answer = answers()[next];
    if (answer === undefined) return engine().render(request, tree, chance);
    next += 1;
    askAgain(tree, answer.questions);
    return answer.outcome;
  };
  return () => ({ render });
}

/** So that whoever records what is read of the tree knows it. */
function askAgain(tree: FileTree, questions: readonly Question[]): void {
  for (const [about, path] of questions) tree[about](path);
}
