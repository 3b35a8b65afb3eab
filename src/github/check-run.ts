// Publishes a check-run on the head commit: creates it once, appends annotations in batches, and completes it with a conclusion.
import type { CheckAnnotation } from './annotation.ts';
import type { Client } from './client.ts';
import type { EventContext } from './event.ts';
import { SEND_ONCE, writeOnce } from './write-once.ts';

export interface CheckRunContent {
  readonly name: string;
  readonly conclusion: 'success' | 'failure' | 'neutral';
  /** At most 255 characters. */
  readonly title: string;
  /** Markdown, at most 65,535 bytes. */
  readonly summary: string;
  readonly annotations: readonly CheckAnnotation[];
}

export interface CheckRun {
  readonly id: number;
  readonly url: string | undefined;
  /** Number of annotations that GitHub already has. */
  readonly annotations: number;
}

/** Maximum number of annotations per request; further requests append. */
const BATCH = 50;

/** Throws the client's errors. A created check-run is completed even if GitHub rejects some annotations. */
export async function publishCheckRun(
  client: Client,
  context: EventContext,
  content: CheckRunContent,
): Promise<CheckRun> {
  const { annotations } = content;
  const output = { title: content.title, summary: content.summary };
  const completed = { status: 'completed', conclusion: content.conclusion } as const;
  const first = annotations.slice(0, BATCH);
  const begun = await createRun(client, context, content.name, {
    ...(annotations.length > BATCH ? ({ status: 'in_progress' } as const) : completed),
    output: { ...output, annotations: first },
  });
  let run = begun;
  try {
    for (let at = BATCH; at < annotations.length; at += BATCH) {
      const last = at + BATCH >= annotations.length;
      const batch = annotations.slice(at, at + BATCH);
      run = await append(client, context, run, { ...(last && completed), output: { ...output, annotations: batch } });
    }
    return run;
  } catch (error) {
    await append(client, context, run, { ...completed, output: { ...output, annotations: [] } }).catch(() => {});
    throw error;
  }
}

interface RunUpdate {
  readonly status?: 'in_progress' | 'completed';
  readonly conclusion?: CheckRunContent['conclusion'];
  readonly output: {
    readonly title: string;
    readonly summary: string;
    readonly annotations: readonly CheckAnnotation[];
  };
}

function createRun(client: Client, context: EventContext, name: string, update: RunUpdate): Promise<CheckRun> {
  const { repository, headSha } = context;
  const where = { owner: repository.owner, repo: repository.name };
  const externalId = [context.runKey, ...(context.jobKey === undefined ? [] : [context.jobKey]), name].join('-');
  return writeOnce({
    send: async () => {
      const body = { ...where, ...mutable(update), name, head_sha: headSha, external_id: externalId };
      const { data } = await client.rest.checks.create({ ...body, details_url: context.runUrl, ...SEND_ONCE });
      return checkRun(data);
    },
    find: async () => {
      const query = { ...where, ref: headSha, check_name: name, filter: 'all', per_page: 100 } as const;
      const { data } = await client.rest.checks.listForRef(query);
      const found = data.check_runs.find((run) => run.external_id === externalId);
      return found && checkRun(found);
    },
  });
}

function append(client: Client, context: EventContext, run: CheckRun, update: RunUpdate): Promise<CheckRun> {
  const { owner, name: repo } = context.repository;
  const where = { owner, repo, check_run_id: run.id };
  const expected = run.annotations + update.output.annotations.length;
  return writeOnce({
    send: async () => {
      const { data } = await client.rest.checks.update({ ...where, ...mutable(update), ...SEND_ONCE });
      return checkRun(data);
    },
    find: async () => {
      const { data } = await client.rest.checks.get(where);
      const done = data.output.annotations_count >= expected && data.conclusion === (update.conclusion ?? null);
      return done ? checkRun(data) : undefined;
    },
  });
}

function checkRun(data: { id: number; html_url: string | null; output: { annotations_count: number } }): CheckRun {
  return { id: data.id, url: data.html_url ?? undefined, annotations: data.output.annotations_count };
}

/** The client's types do not accept readonly arrays. */
function mutable(update: RunUpdate) {
  const { output, ...rest } = update;
  return { ...rest, output: { ...output, annotations: [...output.annotations] } };
}
