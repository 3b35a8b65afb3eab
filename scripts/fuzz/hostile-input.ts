// An input that is small to write and expensive to evaluate.

export interface HostileInput {
  readonly name: string;
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** A code that the report must contain, or `allowed` if only the size of the input is hostile. */
  readonly expects: string;
  /** Command-line arguments; `check` by default. */
  readonly args?: readonly string[];
}
