// Jobs and CronJobs (pkg/apis/batch/validation).
import type { JsonObject } from '../../source/json/json.ts';
import { isLabel } from './formats.ts';
import { anyUpdate, objectOf, type PlainKind } from './kind.ts';
import { metadata, templateMetadata } from './metadata.ts';
import { podTemplate, templateLabels } from './pod.ts';
import { childOf, flag, longCount, naturalNumber, nothing, oneOf, structOf, textThat } from './rule.ts';

const SPEC = {
  parallelism: naturalNumber,
  completions: naturalNumber,
  backoffLimit: naturalNumber,
  activeDeadlineSeconds: longCount,
  ttlSecondsAfterFinished: naturalNumber,
  completionMode: oneOf('NonIndexed'),
  suspend: flag,
  podReplacementPolicy: oneOf('TerminatingOrFailed', 'Failed'),
  manualSelector: (value: unknown): boolean => value === false,
  template: podTemplate('OnFailure', 'Never'),
};

const jobSpec = structOf(SPEC, 'template', hasNoOwnLabels);

/** The server sets these labels, and refuses others in their place. */
function hasNoOwnLabels(spec: JsonObject): boolean {
  for (const key of templateLabels(childOf(spec, 'template')).keys()) {
    if (key === 'controller-uid' || key === 'job-name' || key.startsWith('batch.kubernetes.io/')) return false;
  }
  return true;
}

/** An update needs the selector that the server generated, so it is never proven. */
export const job: PlainKind = {
  rule: objectOf(
    { metadata: metadata(isLabel, { isNamespaced: true }), spec: jobSpec, status: nothing },
    'metadata spec',
  ),
  podAt: ['spec', 'template'],
};

const NICKNAMES: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
/** Lowest and highest value of the five fields (robfig/cron). */
const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

function isSchedule(schedule: string): boolean {
  if (NICKNAMES.has(schedule)) return true;
  const parts = schedule.split(' ');
  return (
    parts.length === BOUNDS.length &&
    BOUNDS.every(([least, most], index) =>
      (parts[index] as string).split(',').every((part) => isRange(part, least, most)),
    )
  );
}

function isRange(part: string, least: number, most: number): boolean {
  const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/([1-9]\d?))?$/.exec(part);
  if (match === null) return false;
  const [, start, end = start] = match;
  return start === undefined || (Number(start) >= least && Number(end) <= most && Number(start) <= Number(end));
}

const TIME_ZONES = oneOf(
  'Etc/UTC',
  'UTC',
  'America/Chicago',
  'America/Los_Angeles',
  'America/New_York',
  'America/Toronto',
  'Asia/Tokyo',
  'Europe/Amsterdam',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Madrid',
  'Europe/Paris',
  'Europe/Vienna',
  'Europe/Zurich',
);

const MAX_CRON_JOB_NAME = 52;

export const cronJob: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata((name) => isLabel(name) && name.length <= MAX_CRON_JOB_NAME, { isNamespaced: true }),
      spec: structOf(
        {
          schedule: textThat(isSchedule),
          timeZone: TIME_ZONES,
          startingDeadlineSeconds: longCount,
          concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'),
          suspend: flag,
          jobTemplate: structOf({ metadata: templateMetadata, spec: jobSpec }, 'spec'),
          successfulJobsHistoryLimit: naturalNumber,
          failedJobsHistoryLimit: naturalNumber,
        },
        'schedule jobTemplate',
      ),
      status: nothing,
    },
    'metadata spec',
  ),
  allowsUpdate: anyUpdate,
  podAt: ['spec', 'jobTemplate', 'spec', 'template'],
};
