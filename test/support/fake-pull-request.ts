// The fake GitHub's pull request: its files as a diff of two commits, its reviews, and GitHub's rules for comment positions.
import openapi from './github-openapi.generated.json' with { type: 'json' };

export interface ReviewComment {
  readonly id: number;
  readonly login: string;
  readonly review: number;
  readonly path: string;
  readonly body: string;
  /** Undefined: outdated. */
  readonly line: number | undefined;
  readonly startLine: number | undefined;
  readonly repliesTo?: number;
  /** The original text of its lines. */
  readonly about: readonly string[];
}

export interface Review {
  readonly id: number;
  readonly login: string;
  readonly body: string;
  readonly state: string;
  readonly commit: string;
}

export interface PullAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The lines of a new file in its patch, each with the number of its hunk. */
function shownLines(patch: string): ReadonlyMap<number, { readonly text: string; readonly hunk: number }> {
  const lines = new Map<number, { text: string; hunk: number }>();
  const hunks = patch.split(/^(?=@@ -)/m).filter((hunk) => hunk.startsWith('@@'));
  for (const [hunk, whole] of hunks.entries()) {
    const [head = '', ...rest] = whole.split('\n');
    let number = Number(/\+(\d+)/.exec(head)?.[1]);
    for (const line of rest) {
      if (line.startsWith('+') || line.startsWith(' ')) lines.set(number++, { text: line.slice(1), hunk });
    }
  }
  return lines;
}

export class FakePullRequest {
  readonly number: number;
  /** Tests may add or read comments. */
  comments: ReviewComment[] = [];
  reviews: Review[] = [];
  #head = '';
  #patches: ReadonlyMap<string, string> = new Map();
  readonly #login: string;

  constructor(number: number, login: string) {
    this.number = number;
    this.#login = login;
  }

  /** Sets patches of the changed files by path. Comments move with their lines, or become outdated. */
  push(head: string, patches: ReadonlyMap<string, string>): void {
    this.#head = head;
    this.#patches = patches;
    this.comments = this.comments.map((comment) => {
      const lines = [...shownLines(patches.get(comment.path) ?? '')];
      const at = lines.findIndex((_, index) =>
        comment.about.every((text, offset) => lines[index + offset]?.[1].text === text),
      );
      const start = lines[at]?.[0];
      if (start === undefined) return { ...comment, line: undefined, startLine: undefined };
      const { length } = comment.about;
      return { ...comment, line: start + length - 1, startLine: length > 1 ? start : undefined };
    });
  }

  answer(
    operation: string,
    body: Record<string, unknown>,
    parameters: Readonly<Record<string, string>>,
    page: <Item>(items: readonly Item[]) => readonly Item[],
  ): PullAnswer {
    const comment = this.comments.find(({ id }) => String(id) === parameters['comment_id']);
    const review = this.reviews.find(({ id }) => String(id) === parameters['review_id']);
    const missing = { status: 404, body: { message: 'Not Found' } };
    const text = String(body['body'] ?? '');
    switch (operation) {
      case 'pulls/get':
        return { status: 200, body: sample('pull-request', { number: this.number, head: { sha: this.#head } }) };
      case 'pulls/list-files':
        return {
          status: 200,
          body: page([...this.#patches]).map(([filename, patch]) => sample('diff-entry', { filename, patch })),
        };
      case 'pulls/list-review-comments':
        return { status: 200, body: page(this.comments).map(commentAnswer) };
      case 'pulls/list-reviews':
        return { status: 200, body: page(this.reviews).map(reviewAnswer) };
      case 'pulls/create-review':
        return this.#review(body);
      case 'pulls/update-review': {
        if (review === undefined) return missing;
        const updated = { ...review, body: text };
        this.reviews[this.reviews.indexOf(review)] = updated;
        return { status: 200, body: reviewAnswer(updated) };
      }
      case 'pulls/update-review-comment': {
        if (comment === undefined) return missing;
        const updated = { ...comment, body: text };
        this.comments[this.comments.indexOf(comment)] = updated;
        return { status: 200, body: commentAnswer(updated) };
      }
      case 'pulls/delete-review-comment':
        if (comment === undefined) return missing;
        this.comments.splice(this.comments.indexOf(comment), 1);
        return { status: 204, body: undefined };
      default:
        return { status: 501, body: { message: 'Not Implemented' } };
    }
  }

  #review(body: Record<string, unknown>): PullAnswer {
    const wanted = (body['comments'] ?? []) as Record<string, unknown>[];
    const problems = wanted.flatMap((comment) => this.#problemsOf(comment));
    if (body['event'] === 'COMMENT' && String(body['body'] ?? '') === '') problems.push('a COMMENT needs a body');
    if (body['commit_id'] !== this.#head) problems.push('commit_id is not the head');
    if (problems.length > 0) return { status: 422, body: { message: 'Unprocessable Entity', errors: problems } };
    const id = this.reviews.length + 1;
    const review = { id, login: this.#login, body: String(body['body']), state: 'COMMENTED', commit: this.#head };
    this.reviews.push(review);
    for (const { path, line, start_line: start, body: text } of wanted) {
      const [first, last] = [Number(start ?? line), Number(line)];
      const lines = shownLines(this.#patches.get(String(path)) ?? '');
      this.comments.push({
        id: Math.max(0, ...this.comments.map((comment) => comment.id)) + 1,
        login: this.#login,
        review: id,
        path: String(path),
        body: String(text),
        line: last,
        startLine: start === undefined ? undefined : first,
        about: Array.from({ length: last - first + 1 }, (_, index) => lines.get(first + index)?.text ?? ''),
      });
    }
    return { status: 200, body: reviewAnswer(review) };
  }

  #problemsOf({ path, line, side, start_line: start, start_side: startSide }: Record<string, unknown>): string[] {
    const lines = shownLines(this.#patches.get(String(path)) ?? '');
    const [last, first] = [lines.get(Number(line)), lines.get(Number(start ?? line))];
    if (side !== 'RIGHT' || (start !== undefined && startSide !== 'RIGHT')) return ['not on the new file'];
    if (last === undefined || first === undefined) return [`${path}:${line} must be part of the diff`];
    if (last.hunk !== first.hunk) return ['start_line must be part of the same hunk as the line'];
    return start !== undefined && Number(start) >= Number(line) ? ['start_line must precede the end line'] : [];
  }
}

function commentAnswer({ id, login, review, path, body, line, startLine, repliesTo }: ReviewComment): unknown {
  return sample('pull-request-review-comment', {
    id,
    user: { login },
    pull_request_review_id: review,
    path,
    body,
    line: line ?? null,
    start_line: startLine ?? null,
    ...(repliesTo !== undefined && { in_reply_to_id: repliesTo }),
  });
}

function reviewAnswer({ id, login, body, state, commit }: Review): unknown {
  return sample('pull-request-review', { id, user: { login }, body, state, commit_id: commit });
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A minimal value of a schema with these fields, for fields that no client reads. */
function sample(name: string, given: unknown): unknown {
  return sampleOf({ $ref: `#/components/schemas/${name}` }, given);
}

function sampleOf(schema: Schema, given: unknown): unknown {
  const schemas = openapi.components.schemas as unknown as Readonly<Record<string, Schema>>;
  if (schema.$ref !== undefined) {
    return sampleOf(schemas[schema.$ref.replace('#/components/schemas/', '')] as Schema, given);
  }
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined && schema.properties === undefined) return sampleOf(first, given);
  if (schema.properties !== undefined && (given === undefined || (typeof given === 'object' && given !== null))) {
    const own = (given ?? {}) as Record<string, unknown>;
    const { properties, required = [] } = schema;
    const names = new Set([...required, ...Object.keys(own)]);
    return Object.fromEntries(
      [...names].flatMap((key) => (properties[key] === undefined ? [] : [[key, sampleOf(properties[key], own[key])]])),
    );
  }
  if (given !== undefined) return given;
  if (schema.enum !== undefined) return schema.enum[0];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.includes('null')) return null;
  switch (types[0]) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}
