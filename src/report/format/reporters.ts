// Every format by its name: the values `--format` takes.
import type { Reporter } from '../reporter.ts';
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

/** Every format by its name. `render` gives the same text for the same Report. */
export const reporters: ReadonlyMap<string, Reporter> = new Map(
  [text, json, github, markdown, html, sarif, junit, rdjson, gitlab, openreports, policyreport].map((reporter) => [
    reporter.name,
    reporter,
  ]),
);
