// Rarely used formats, bundled together because they share code.
import type { Reporter } from '../reporter.ts';
import { github } from './annotation/github.ts';
import { gitlab } from './annotation/gitlab.ts';
import { rdjson } from './annotation/rdjson.ts';
import { sarif } from './annotation/sarif.ts';
import { openreports, policyreport } from './document/openreports.ts';
import type { FormatName } from './format-names.ts';
import { html } from './html/html.ts';
import { junit } from './junit/junit.ts';
import { markdown } from './markdown/markdown.ts';
import { prometheus } from './metrics/prometheus.ts';

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
  prometheus,
};

export function seldomReporter(name: SeldomFormat): Reporter {
  return BY_NAME[name];
}
