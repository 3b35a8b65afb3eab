// The server reports all errors of a custom resource in one message. They are new, known or accepted field by field.
import { describe, expect, test } from 'vitest';
import { checkState } from '../../../src/pipeline/check-state.ts';
import { compareStates } from '../../../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../../../src/pipeline/scope/reading-scope.ts';
import type { BaselineEntry } from '../../../src/report/baseline/baseline.ts';
import type { Report } from '../../../src/report/report.ts';
import { defaultConfiguration } from '../../../src/settings/configuration.ts';
import { loadBaseline } from '../../../src/settings/load-baseline.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.shop.example}
spec:
  group: shop.example
  names: {kind: Database, plural: databases, singular: database, listKind: DatabaseList}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer, maximum: 9}
                zone: {type: string, maxLength: 3}
`;

const database = (size: number, zone: string): string =>
  `apiVersion: shop.example/v1\nkind: Database\nmetadata: {name: orders, namespace: shop}\nspec:\n  size: ${size}\n  zone: ${zone}\n`;

function stateOf(text: string): RepositoryState {
  const files = [new SourceFile('definition.yaml', DEFINITION), new SourceFile('orders.yaml', text)];
  return {
    files: files.map((file) => ({ file, selected: true })),
    paths: new Set(files.map(({ path }) => path)),
    notRead: [],
  };
}

const SIZE = 'spec.size: Invalid value: 12: spec.size in body should be less than or equal to 9';
const ZONE = 'spec.zone: Too long: may not be more than 3 bytes';
const whole = (...errors: readonly string[]): string => {
  const text = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
  return `Database.shop.example "orders" is invalid: ${text}`;
};

const invalid = ({ diagnostics }: Report): unknown =>
  diagnostics
    .filter(({ code }) => code === 'invalid-object')
    .map(({ status, message, primary, excuse }) => [status ?? excuse?.by, message, primary?.startLine]);

function compared(before: string, after: string): Report {
  return compareStates({
    base: stateOf(before),
    head: stateOf(after),
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    policiesFrom: 'base',
    only: 'new',
  });
}

function checked(text: string, baseline: readonly BaselineEntry[] = []): Report {
  return checkState({ ...stateOf(text), configuration: defaultConfiguration(), baseline, today: '2026-11-21' });
}

describe('several errors of a custom resource', () => {
  test('are one diagnostic with related locations', () => {
    const report = checked(database(12, 'north'));
    const message = whole(SIZE, ZONE);
    expect(invalid(report)).toEqual([[undefined, message, 5]]);
    const [diagnostic] = report.diagnostics.filter(({ code }) => code === 'invalid-object');
    expect(
      diagnostic?.related.map(({ message: words, place }) => `${words} ${place.path}:${place.startLine}`),
    ).toContain(`${ZONE} orders.yaml:6`);
    expect(diagnostic).not.toHaveProperty('serverMessage');
    expect(report.verdict.errors).toBe(1);
  });

  test('count for an updated object, though they are not new, if a change fixes one of them', () => {
    const report = compared(database(12, 'north'), database(12, 'sea'));
    expect(invalid(report)).toEqual([['existing', whole(SIZE), 5]]);
    expect(report.verdict.errors).toBe(1);
  });

  test('are new if a change adds one, at its own location', () => {
    const report = compared(database(12, 'sea'), database(12, 'north'));
    const message = whole(SIZE, ZONE);
    expect(invalid(report)).toEqual([
      ['existing', message, 5],
      ['new', message, 6],
    ]);
    expect(report.verdict.errors).toBe(2);
  });

  test('are accepted one by one', () => {
    const entry = `version: 1
entries:
  - code: invalid-object
    resource: Database shop/orders
    field: spec.size
    owner: team-shop
    reason: grows with the shop
    expires: "2027-03-31"
`;
    const { baseline = [] } = loadBaseline(new SourceFile('.preadmit-baseline.yaml', entry));
    expect(baseline).toHaveLength(1);
    const report = checked(database(12, 'north'), baseline);
    expect(report.verdict.errors).toBe(1);
    expect(invalid(report)).toContainEqual([undefined, whole(SIZE, ZONE), 6]);
  });
});
