// The seam between a Report and its many written forms.
import type { Report } from './report.ts';

/** How a report is shown; formats for programs take no notice of it. */
export interface ReporterOptions {
  /** ANSI colours; only ever true for a terminal. */
  readonly color: boolean;
  /** Width to wrap and cut at, in columns. */
  readonly width: number;
  /** List every document that was not evaluated. */
  readonly showSkipped: boolean;
  /** Findings and verdict only. */
  readonly quiet: boolean;
  /** How long the run took, for formats that have a place for it: a Report is the same on every machine. */
  readonly seconds?: number;
}

/** Pure: a Report in, text out; the same Report and options give the same text. */
export interface Reporter {
  readonly name: string;
  /** Default file name when `--output` names a folder. */
  readonly extension: string;
  /**
   * The text, one piece after the other, as they are asked for: of JSON, SARIF and HTML some 64 Ki characters each, of other formats all at once.
   * No piece ends within a character.
   */
  pieces(report: Report, options: ReporterOptions): Iterable<string>;
  /** The text as one. Throws a RangeError where that would be longer than JavaScript's texts may be, 512 Mi UTF-16 units. */
  render(report: Report, options: ReporterOptions): string;
}

/** A written form by its pieces. */
export function reporterOf(form: Omit<Reporter, 'render'>): Reporter {
  return { ...form, render: (report, options) => [...form.pieces(report, options)].join('') };
}

const PIECE_LENGTH = 65_536;

/** The same text in larger pieces. */
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
