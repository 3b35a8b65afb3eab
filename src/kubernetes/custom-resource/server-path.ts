// Field paths in the notation of the server's errors (apimachinery `util/validation/field.Path`).
import type { FieldPath } from '../../source/node/field-path.ts';

/** `spec.ports[0]`, `spec.labels[app]`: map keys are in brackets, unquoted. The root is `<nil>`. */
export class ServerPath {
  static readonly root: ServerPath = new ServerPath(undefined, '', []);
  readonly #parent: ServerPath | undefined;
  readonly #text: string;
  readonly #steps: FieldPath;

  private constructor(parent: ServerPath | undefined, text: string, steps: FieldPath) {
    this.#parent = parent;
    this.#text = text;
    this.#steps = steps;
  }

  /** A location with a different name in the server's errors. */
  static named(text: string, steps: FieldPath): ServerPath {
    return new ServerPath(ServerPath.root, text, steps);
  }

  child(name: string): ServerPath {
    return new ServerPath(this, this.#parent === undefined ? name : `.${name}`, [name]);
  }

  key(key: string): ServerPath {
    return new ServerPath(this, `[${key}]`, [key]);
  }

  index(index: number): ServerPath {
    return new ServerPath(this, `[${index}]`, [index]);
  }

  get steps(): FieldPath {
    return this.#ancestry().flatMap((path) => path.#steps);
  }

  toString(): string {
    if (this.#parent === undefined) return '<nil>';
    return this.#ancestry()
      .map((path) => path.#text)
      .join('');
  }

  /** From the first named step to this one. */
  #ancestry(): readonly ServerPath[] {
    const ancestry: ServerPath[] = [];
    for (let path: ServerPath = this; path.#parent !== undefined; path = path.#parent) ancestry.push(path);
    return ancestry.reverse();
  }
}
