// Interface between a report and its output formats.
import type { Report } from './report.ts';

/** Display options; machine-readable formats ignore them. */
export interface ReporterOptions {
  /** ANSI colours; only true for a terminal. */
  readonly color: boolean;
  /** Columns at which text wraps or is cut. */
  readonly width: number;
  /** List every document that was not evaluated. */
  readonly showSkipped: boolean;
  /** List the findings that base has too and that a comparison does not count. */
  readonly showExisting?: boolean;
  /** Duration of the run, for metrics. Absent: not measured; the output then depends on the report alone. */
  readonly seconds?: number;
  /** Lists the findings and problems of each owner together. */
  readonly groupBy?: 'owner';
  /** Prints findings and verdict only. */
  readonly quiet: boolean;
}

/** Pure and deterministic: the same report and options give the same text. */
export interface Reporter {
  readonly name: string;
  /** File extension of the default file name if `--output` is a folder. */
  readonly extension: string;
  /**
   * The text in pieces, created on demand: some 64 Ki characters each for JSON, SARIF and HTML, one piece for other formats. A piece never
   * ends inside a character.
   */
  pieces(report: Report, options: ReporterOptions): Iterable<string>;
  /** The text as one string. Throws a RangeError above JavaScript's string limit of 512 Mi UTF-16 units. */
  render(report: Report, options: ReporterOptions): string;
}

/** Creates a reporter from its `pieces` function. */
export function reporterOf(form: Omit<Reporter, 'render'>): Reporter {
  return { ...form, render: (report, options) => [...form.pieces(report, options)].join('') };
}

const PIECE_LENGTH = 65_536;

/** Joins small pieces into larger ones. */
export function* gathered(pieces: Iterable<string>): Generator<string> {
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < PIECE_LENGTH) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}
