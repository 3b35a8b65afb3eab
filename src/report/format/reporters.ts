// Every format by its name: the values `--format` takes.
import type { Reporter } from '../reporter.ts';
import type { FormatName } from './format-names.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { openreports, policyreport } from './openreports.ts';
import { rdjson } from './rdjson.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

/** A row for each name, in their order. */
const BY_NAME: Readonly<Record<FormatName, Reporter>> = {
  text,
  json,
  github,
  markdown,
  html,
  sarif,
  junit,
  rdjson,
  gitlab,
  openreports,
  policyreport,
};

/** Every format by its name. `render` gives the same text for the same Report. */
export const reporters: ReadonlyMap<string, Reporter> = new Map(Object.entries(BY_NAME));
