// One input that is small to write and dear to judge.

export interface HostileInput {
  readonly name: string;
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>;
  /** A code that the report has, or `allowed` where nothing is wrong with the input but its size. */
  readonly expects: string;
  /** Of the command line; `check` by default. */
  readonly args?: readonly string[];
}
