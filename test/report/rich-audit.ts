// The sections of an audit with every possible field.
import type { Audit } from '../../src/report/audit/audit.ts';
import type { Place } from '../../src/report/report.ts';

const place: Place = { path: 'clusters/prod/web.yaml', startLine: 12, startColumn: 13, endLine: 12, endColumn: 15 };
const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

export const richAudit: Audit = {
  day: '2026-11-24',
  upgrades: {
    releases: [
      { kubernetesVersion: '1.36', conclusion: 'denied', denied: 2, warned: 1, errors: 1, undecided: 0 },
      { kubernetesVersion: '1.37', conclusion: 'denied', denied: 3, warned: 1, errors: 1, undecided: 1 },
    ],
    unknown: ['1.38'],
    isIncomplete: true,
    actions: [
      {
        before: 'Kubernetes 1.37',
        kind: 'refused',
        what: 'one-by-one/validations[0]',
        message: 'update one Pod at a time',
        count: 7,
        subjects: [
          'StatefulSet shop/db (clusters/prod/db.yaml:4)',
          'StatefulSet shop/cache (clusters/prod/cache.yaml:4)',
        ],
        owners: ['@acme/shop', '@acme/data'],
      },
      {
        before: 'Kyverno 1.20',
        kind: 'policy',
        what: 'deprecated-setting',
        message: 'the kind ClusterPolicy is deprecated',
        count: 1,
        subjects: ['policies/labels.yaml:17'],
      },
    ],
    unlisted: 4,
  },
  whatIf: {
    sources: [
      { name: 'central', version: 'v2.0.0, commit 0123abc', replaces: true },
      { name: 'new', version: '', replaces: false },
    ],
    blastRadius: {
      causes: [
        {
          resource: { apiVersion: 'v1', kind: 'ValidatingAdmissionPolicy', namespace: '', name: 'replica-limit' },
          change: 'updated',
          path: 'central//limits.yaml',
        },
      ],
      denied: 1,
      allowed: 0,
      warned: 0,
      stricter: 2,
      worse: 3,
      open: 1,
      entries: [
        {
          target: 'prod',
          resource: web,
          before: 'warned',
          after: 'denied',
          added: 1,
          removed: 0,
          policies: ['replica-limit'],
          message: 'at most 3 replicas are allowed',
          owners: ['@acme/shop'],
          primary: place,
        },
        {
          target: 'prod',
          resource: { ...web, name: 'cart' },
          before: 'denied',
          after: 'denied',
          added: 0,
          removed: 1,
          policies: ['resource-limits'],
          primary: place,
        },
      ],
    },
    problems: [
      {
        code: 'ill-typed-expression',
        severity: 'warning',
        message: 'ObjectMeta has no field `lables` (Deployment)',
        primary: { ...place, path: 'new//owner.yaml' },
        related: [],
      },
    ],
  },
};
