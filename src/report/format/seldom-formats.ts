// The formats that most runs do not write, which share much of what they are made of.
import type { Reporter } from '../reporter.ts';
import type { FormatName } from './format-names.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { openreports, policyreport } from './openreports.ts';
import { rdjson } from './rdjson.ts';
import { sarif } from './sarif.ts';

export type SeldomFormat = Exclude<FormatName, 'text' | 'json'>;

const BY_NAME: Readonly<Record<SeldomFormat, Reporter>> = {
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

export function seldomReporter(name: SeldomFormat): Reporter {
  return BY_NAME[name];
}
