// Maintains suggestions on a pull request: review comments that the author can commit with one click.
import { codeSpan, fenced } from '../diagnostic/markdown.ts';
import { sanitizeLine } from '../diagnostic/sanitize.ts';
import { textDigest } from '../report/finding/text-digest.ts';
import type { Suggestion } from '../report/report.ts';
import { count, resourceLabel } from '../report/wording/wording.ts';
import type { Client } from './client.ts';
import type { EventContext } from './event.ts';
import { MARKER_END, marker, sameText } from './marker.ts';
import { type PatchLine, patchLines } from './patch-lines.ts';
import { viewerLogin } from './viewer.ts';
import { SEND_ONCE, writeOnce } from './write-once.ts';

export interface SuggestionOptions {
  /** Distinguishes the suggestions of several jobs. */
  readonly key: string;
  readonly suggestions: readonly Suggestion[];
}

/** A higher limit would bury the human conversation. */
const MAX_COMMENTS = 10;
const MAX_FIELDS = 5;
const PER_PAGE = 100;
const MAX_PAGES = 30;

/** A suggestion on lines that accept review comments. */
interface PlacedSuggestion {
  readonly path: string;
  readonly startLine: number;
  readonly line: number;
  /** Identifies the comment in later runs. */
  readonly mark: string;
  readonly body: string;
}

interface FoundComment {
  readonly id: number;
  readonly path: string;
  readonly body: string;
  /** Undefined if the lines are no longer part of the change. */
  readonly line: number | undefined;
  readonly startLine: number | undefined;
  readonly review: number | undefined;
  readonly isAnswered: boolean;
}

type PullRequest = EventContext & { readonly pullRequest: number };

/** Returns notes for the log. Throws the client's errors. */
export async function publishSuggestions(
  client: Client,
  context: PullRequest,
  { key, suggestions }: SuggestionOptions,
): Promise<readonly string[]> {
  const thread = new ReviewThread(client, context, key, await viewerLogin(client));
  const known = await thread.comments();
  if (known.length === 0 && suggestions.length === 0) return [];
  // A newer commit has its own run and other line numbers.
  if (!(await thread.isAboutHead())) return ['no suggestions: the pull request has a newer head commit'];
  const { placed, outside } = placedIn(await thread.patches(new Set(suggestions.map(({ fix }) => fix.path))), {
    key,
    suggestions,
  });
  const isAt = (comment: FoundComment, { path, line, startLine, mark }: PlacedSuggestion): boolean =>
    comment.body.startsWith(mark) &&
    comment.path === path &&
    comment.line === line &&
    (comment.startLine ?? line) === startLine;
  const kept = new Map<PlacedSuggestion, FoundComment>();
  for (const suggestion of placed) {
    const used = new Set(kept.values());
    const same = known.find((comment) => isAt(comment, suggestion) && !used.has(comment));
    if (same !== undefined && kept.size < MAX_COMMENTS) kept.set(suggestion, same);
  }
  const fresh = placed.filter((suggestion) => !kept.has(suggestion)).slice(0, MAX_COMMENTS - kept.size);
  const stale = known.filter((comment) => ![...kept.values()].includes(comment));
  for (const comment of stale) await thread.remove(comment);
  for (const [{ body }, comment] of kept) if (!sameText(comment.body, body)) await thread.update(comment, body);
  if (stale.length > 0) {
    await thread.close(new Set([...kept.values()].flatMap(({ review }) => (review === undefined ? [] : [review]))));
  }
  if (fresh.length > 0) await thread.review(fresh);
  const rest = placed.length - kept.size - fresh.length;
  return [
    ...(outside > 0
      ? [`${count(outside, 'suggestion')} not made: outside the changed lines, or not suitable for a comment`]
      : []),
    ...(rest > 0
      ? [`${count(rest, 'suggestion')} not made: the limit of ${MAX_COMMENTS} open suggestions is reached`]
      : []),
  ];
}

function placedIn(
  patches: ReadonlyMap<string, ReadonlyMap<number, PatchLine>>,
  { key, suggestions }: SuggestionOptions,
): { readonly placed: readonly PlacedSuggestion[]; readonly outside: number } {
  const placed = suggestions.flatMap(
    (suggestion) => placedSuggestion(suggestion, patches.get(suggestion.fix.path), key) ?? [],
  );
  return { placed, outside: suggestions.length - placed.length };
}

interface Replacement {
  readonly from: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Undefined if the lines are not exactly the lines of one hunk: GitHub would reject the comment, or apply it to other text. */
function placedSuggestion(
  suggestion: Suggestion,
  lines: ReadonlyMap<number, PatchLine> | undefined,
  key: string,
): PlacedSuggestion | undefined {
  const { path } = suggestion.fix;
  const replacement = lines && replacementsOf(suggestion).find((each) => isInHunk(each, lines));
  if (replacement === undefined) return undefined;
  const { from, before, after } = replacement;
  // Do not suggest text with invisible characters, because readers could not review it.
  if ([...before, ...after].some((line) => sanitizeLine(line) !== line)) return undefined;
  const digest = textDigest(JSON.stringify([path, before, after]), 16);
  const mark = `${marker('suggestion', key)}:${digest}${MARKER_END}`;
  return {
    path,
    startLine: from,
    line: from + before.length - 1,
    mark,
    body: `${mark}\n${explanation(suggestion)}\n\n${fenced('suggestion', after)}`,
  };
}

/** A suggestion must replace a line. To insert lines, it repeats one of the neighbours. */
function replacementsOf({ fix: { line, before, after, above, below } }: Suggestion): readonly Replacement[] {
  if (before.length > 0) return [{ from: line, before, after }];
  return [
    ...(above === undefined ? [] : [{ from: line - 1, before: [above], after: [above, ...after] }]),
    ...(below === undefined ? [] : [{ from: line, before: [below], after: [...after, below] }]),
  ];
}

function isInHunk({ from, before }: Replacement, lines: ReadonlyMap<number, PatchLine>): boolean {
  const hunk = lines.get(from)?.hunk;
  return before.every((text, index) => {
    const line = lines.get(from + index);
    return line?.text === text && line.hunk === hunk;
  });
}

function explanation({ resource, fields, policies }: Suggestion): string {
  const by = policies.map(({ kind, name }) => `${kind} ${codeSpan(name)}`).join(' and ');
  const shown = fields.slice(0, MAX_FIELDS).map(codeSpan);
  const more = fields.length - shown.length;
  const what = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const verb = policies.length === 1 ? 'changes' : 'change';
  const whole = codeSpan(resourceLabel(resource));
  return `${by} ${verb} ${what} of ${whole}. With this suggestion, Git matches the object that the cluster stores.`;
}

/** Reads and writes Preadmit's review comments on a pull request. */
class ReviewThread {
  readonly #client: Client;
  readonly #context: PullRequest;
  readonly #key: string;
  readonly #login: string;
  readonly #where: { readonly owner: string; readonly repo: string; readonly pull_number: number };

  constructor(client: Client, context: PullRequest, key: string, login: string) {
    this.#client = client;
    this.#context = context;
    this.#key = key;
    this.#login = login;
    this.#where = {
      owner: context.repository.owner,
      repo: context.repository.name,
      pull_number: context.pullRequest,
    };
  }

  async isAboutHead(): Promise<boolean> {
    const { data } = await this.#client.rest.pulls.get(this.#where);
    return data.head.sha === this.#context.headSha;
  }

  async comments(): Promise<readonly FoundComment[]> {
    const start = `${marker('suggestion', this.#key)}:`;
    const all = await this.#pages((page) => this.#client.rest.pulls.listReviewComments({ ...this.#where, ...page }));
    const answered = new Set(all.map(({ in_reply_to_id: id }) => id));
    return all
      .filter(({ user, body }) => user?.login === this.#login && body.startsWith(start))
      .map(({ id, path, body, line, start_line: startLine, pull_request_review_id: review }) => ({
        id,
        path,
        body,
        line: line ?? undefined,
        startLine: startLine ?? undefined,
        review: review ?? undefined,
        isAnswered: answered.has(id),
      }));
  }

  async patches(paths: ReadonlySet<string>): Promise<ReadonlyMap<string, ReadonlyMap<number, PatchLine>>> {
    if (paths.size === 0) return new Map();
    const files = await this.#pages((page) => this.#client.rest.pulls.listFiles({ ...this.#where, ...page }));
    return new Map(
      files.flatMap(({ filename, patch }) =>
        patch === undefined || !paths.has(filename) ? [] : [[filename, patchLines(patch)]],
      ),
    );
  }

  async review(suggestions: readonly PlacedSuggestion[]): Promise<void> {
    const body = `${this.#reviewMark()}\nMutating policies change objects of this pull request before the cluster stores them. These suggestions write the result to Git.`;
    const comments = suggestions.map(({ path, startLine, line, body }) => ({
      path,
      body,
      line,
      side: 'RIGHT',
      ...(startLine < line && { start_line: startLine, start_side: 'RIGHT' }),
    }));
    await writeOnce({
      send: async () => {
        await this.#client.rest.pulls.createReview({
          ...this.#where,
          commit_id: this.#context.headSha,
          event: 'COMMENT',
          body,
          comments,
          ...SEND_ONCE,
        });
        return true;
      },
      find: async () => {
        const known = await this.comments();
        return suggestions.every(({ mark }) => known.some((comment) => comment.body.startsWith(mark))) || undefined;
      },
    });
  }

  async update({ id }: Pick<FoundComment, 'id'>, body: string): Promise<void> {
    await writeOnce({
      send: async () => {
        const { owner, repo } = this.#where;
        await this.#client.rest.pulls.updateReviewComment({ owner, repo, comment_id: id, body, ...SEND_ONCE });
        return true;
      },
      find: async () => undefined,
    });
  }

  /** If people have replied, the comment stays and only its suggestion is removed. */
  async remove(comment: FoundComment): Promise<void> {
    const { owner, repo } = this.#where;
    if (comment.isAnswered) {
      const mark = `${marker('suggestion-done', this.#key)}${MARKER_END}`;
      await this.update(
        comment,
        `${mark}\nThis suggestion no longer applies: policies do not change this object any more, or the lines have changed.`,
      );
      return;
    }
    await writeOnce({
      send: async () => {
        await this.#client.rest.pulls.deleteReviewComment({ owner, repo, comment_id: comment.id, ...SEND_ONCE });
        return true;
      },
      find: async () => (await this.comments()).every(({ id }) => id !== comment.id) || undefined,
    });
  }

  /** A review cannot be deleted, so the text of a review without comments is replaced. */
  async close(open: ReadonlySet<number>): Promise<void> {
    const reviews = await this.#pages((page) => this.#client.rest.pulls.listReviews({ ...this.#where, ...page }));
    const body = `${marker('suggestions-done', this.#key)}${MARKER_END}\nThese suggestions no longer apply.`;
    for (const { id, user, body: current } of reviews) {
      if (user?.login !== this.#login || !current.startsWith(this.#reviewMark()) || open.has(id)) continue;
      await writeOnce({
        send: async () => {
          await this.#client.rest.pulls.updateReview({ ...this.#where, review_id: id, body, ...SEND_ONCE });
          return true;
        },
        find: async () => undefined,
      });
    }
  }

  #reviewMark(): string {
    return `${marker('suggestions', this.#key)}${MARKER_END}`;
  }

  async #pages<Item>(
    list: (page: { readonly per_page: number; readonly page: number }) => Promise<{ readonly data: readonly Item[] }>,
  ): Promise<readonly Item[]> {
    const all: Item[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { data } = await list({ per_page: PER_PAGE, page });
      for (const item of data) all.push(item);
      if (data.length < PER_PAGE) break;
    }
    return all;
  }
}
