// Similar diagnostics are combined, with a count and locations; the verdict counts each.
import { expect, test } from 'vitest';
import { foldAlike } from '../../../../src/report/builder/fold-alike.ts';
import type { ReportedDiagnostic } from '../../../../src/report/report.ts';

function diagnostic(
  line: number,
  cause: string | undefined,
  more: Partial<ReportedDiagnostic> = {},
): ReportedDiagnostic {
  const position = { startLine: line, startColumn: 1, endLine: line, endColumn: 2 };
  return {
    code: 'not-rendered',
    severity: 'warning',
    message: `${line} cannot be rendered`,
    primary: { path: 'a.yaml', ...position } as ReportedDiagnostic['primary'] & object,
    related: [],
    ...(cause !== undefined && { cause }),
    ...more,
  };
}

test('combines similar diagnostics, with a count and at most twenty locations', () => {
  const many = Array.from({ length: 332 }, (_, line) => diagnostic(line + 1, 'clusters'));
  const [first, ...others] = foldAlike([...many, diagnostic(400, 'another')]);
  expect(others.map(({ message }) => message)).toEqual(['400 cannot be rendered']);
  expect(first).toMatchObject({ message: '1 cannot be rendered (and 331 more like it)', count: 332 });
  expect(first?.related.map(({ place }) => place.startLine)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
});

test('keeps different statuses, helps and owners separate, and combined diagnostics unchanged', () => {
  const apart = [
    diagnostic(1, 'a', { status: 'new' }),
    diagnostic(2, 'a', { status: 'existing' }),
    diagnostic(3, 'a', { help: 'this way' }),
    diagnostic(4, 'a', { count: 7 }),
    diagnostic(8, 'a', { owners: ['@acme/shop'] }),
    diagnostic(9, 'a', { owners: ['@acme/shop', '@acme/web'] }),
    diagnostic(5, 'a'),
    diagnostic(6, undefined),
    diagnostic(7, undefined),
  ];
  expect(foldAlike(apart)).toEqual(apart);
});
