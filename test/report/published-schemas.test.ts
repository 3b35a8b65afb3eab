// Validates every variant of the Report against the published schemas of the formats.
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { reporters } from '../../src/report/format/reporters.ts';
import type { Report } from '../../src/report/report.ts';
import { needs } from '../support/evidence.ts';
import { readSchema, type SchemaFile } from '../support/format-schemas.ts';
import { elementsOf, type XmlElement } from '../support/xml.ts';
import { cleanReport, emptyReport, hostileReport, richReport } from './rich-report.ts';
import { undecidedReport } from './undecided-report.ts';

const REPORTS: readonly (readonly [string, Report])[] = [
  ['rich', richReport],
  ['clean', cleanReport],
  ['empty', emptyReport],
  ['hostile', hostileReport],
  ['undecided', undecidedReport('fail')],
  ['undecided and not failing', undecidedReport('warn')],
];

const render = (format: string, report: Report): string =>
  reporters.get(format)?.render(report, { color: false, width: 100, showSkipped: true, quiet: false }) ?? '';

function validator(schema: Record<string, unknown>): ValidateFunction {
  const { $schema: _draft, id: _id, $id: _address, ...rest } = schema;
  return new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(rest);
}

needs('schemas').describe('published schemas', () => {
  describe.each([
    ['sarif', 'sarif.json', (schema) => schema],
    ['rdjson', 'rdjson.json', (schema) => schema],
    ['gitlab', 'codeclimate.json', (items) => ({ type: 'array', items })],
  ] as const satisfies readonly (readonly [string, SchemaFile, (schema: object) => object])[])(
    '%s',
    (format, file, of) => {
      test.each(REPORTS)('%s', (_name, report) => {
        const validate = validator({ ...of(JSON.parse(readSchema(file)) as object) });
        expect(validate(JSON.parse(render(format, report))) ? [] : validate.errors).toEqual([]);
      });
    },
  );

  describe.each(['openreports', 'policyreport'])('%s', (format) => {
    test.each(REPORTS)('%s', (_name, report) => {
      for (const document of parseAllDocuments(render(format, report))) {
        const object = document.toJS() as { readonly kind: string; readonly apiVersion: string };
        const validate = validator(schemaOfKind(object));
        expect(validate(object) ? [] : validate.errors).toEqual([]);
      }
    });
  });
});

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: object } }[];
  };
}

/** Forbids unknown fields, which the API server would prune. */
function schemaOfKind({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }) {
  const { spec } = parse(readSchema(`${kind}.yaml` as SchemaFile)) as Definition;
  const version = spec.versions.find(({ name }) => `${spec.group}/${name}` === apiVersion);
  return closed(version?.schema.openAPIV3Schema) as Record<string, unknown>;
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in entries ? { additionalProperties: false, ...entries } : entries;
}

interface Grammar {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
}

/**
 * `junit-10.xsd` of Jenkins' xUnit plugin, restricted to the fields that Preadmit writes. `file` and `line` of a test case are not part of
 * it, but GitLab and annotating tools use them.
 */
const JUNIT: Readonly<Record<string, Grammar>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group', 'file', 'line'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { required: [], optional: ['type', 'message'], children: [] },
  error: { required: [], optional: ['type', 'message'], children: [] },
  skipped: { required: [], optional: ['type', 'message'], children: [] },
  'system-out': { required: [], optional: [], children: [] },
};

describe('junit', () => {
  test.each(REPORTS)('%s', (_name, report) => {
    const [root, ...more] = elementsOf(render('junit', report));
    expect([root?.name, more]).toEqual(['testsuites', []]);
    const check = ({ name, attributes, children }: XmlElement): void => {
      const grammar = JUNIT[name];
      if (grammar === undefined) throw new Error(`no element ${name}`);
      expect(grammar.required.filter((each) => !attributes.has(each))).toEqual([]);
      expect(
        [...attributes.keys()].filter((each) => ![...grammar.required, ...grammar.optional].includes(each)),
      ).toEqual([]);
      expect(children.map((child) => child.name).filter((each) => !grammar.children.includes(each))).toEqual([]);
      for (const child of children) check(child);
    };
    if (root !== undefined) check(root);
    const count = ({ children }: XmlElement, name: string): number =>
      children.reduce((sum, child) => sum + (child.name === name ? 1 : 0) + count(child, name), 0);
    for (const suite of root?.children ?? []) {
      const told = ['tests', 'failures', 'errors'].map((each) => Number(suite.attributes.get(each)));
      expect(told).toEqual([count(suite, 'testcase'), count(suite, 'failure'), count(suite, 'error')]);
    }
  });
});
