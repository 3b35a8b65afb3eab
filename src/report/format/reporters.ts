// All report formats by name, as accepted by `--format`.
import type { Reporter } from '../reporter.ts';
import { json } from './document/json.ts';
import type { FormatName } from './format-names.ts';
import { type SeldomFormat, seldomReporter } from './seldom-formats.ts';
import { text } from './text/text.ts';

/** In the order of the names. */
const BY_NAME: Readonly<Record<FormatName, Reporter>> = {
  text,
  json,
  github: seldom('github'),
  markdown: seldom('markdown'),
  html: seldom('html'),
  sarif: seldom('sarif'),
  junit: seldom('junit'),
  rdjson: seldom('rdjson'),
  gitlab: seldom('gitlab'),
  openreports: seldom('openreports'),
  policyreport: seldom('policyreport'),
  prometheus: seldom('prometheus'),
};

function seldom(name: SeldomFormat): Reporter {
  return {
    name,
    get extension() {
      return seldomReporter(name).extension;
    },
    pieces: (report, options) => seldomReporter(name).pieces(report, options),
    render: (report, options) => seldomReporter(name).render(report, options),
  };
}

/** Reporters are deterministic: the same report gives the same text. */
export const reporters: ReadonlyMap<string, Reporter> = new Map(Object.entries(BY_NAME));
