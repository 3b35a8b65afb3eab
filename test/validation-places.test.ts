// The server's causes are on the lines that a person edits: in files, and through kustomize, Helm, Flux and Argo CD.
import { describe, expect, test } from 'vitest';
import { compareStates } from '../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../src/pipeline/scope/reading-scope.ts';
import { RootBuilder } from '../src/render/sources/root/root-builder.ts';
import type { ReportedDiagnostic } from '../src/report/report.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { Documents } from '../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { engine, tree } from './support/render.ts';
import { serverValidation } from './support/server-validation.ts';
import { type ValidationChange, validationChanges } from './support/validation-changes.ts';

const REPOSITORY = 'https://git.example/shop/fleet.git';

type Files = Readonly<Record<string, string>>;

/** An object with its change. `variable`: the part of the text that the change replaces, if that is one scalar. */
interface Placed {
  readonly number: number;
  readonly change: ValidationChange;
  readonly variable: Variable | undefined;
}

interface Variable {
  readonly start: number;
  readonly before: string;
  readonly after: string;
  readonly isFlow: boolean;
}

/** How a repository applies the objects. */
interface Wrapping {
  files(objects: readonly Placed[], state: 'before' | 'after'): Files;
  /** Locations, as `path:line`, that a person edits for the change. */
  places(object: Placed, files: Files): readonly string[];
}

/** A character of a plain scalar. */
const TOKEN = /[\w.:/-]/;

const OBJECTS: readonly Placed[] = validationChanges()
  .filter(({ head }) => !head.includes('${'))
  .map((change, index) => {
    const renamed = { ...change, base: named(change.base, index), head: named(change.head, index) };
    return { number: index, change: renamed, variable: variableOf(renamed) };
  });

/** Every object has a name of its own. */
function named(text: string, number: number): string {
  return text.replace(/^(metadata: \{name: |metadata:\n {2}name: )([\w.-]+)/m, `$1$2-${number}`);
}

function variableOf({ base, head }: ValidationChange): Variable | undefined {
  let start = 0;
  while (start < base.length && base[start] === head[start]) start++;
  let end = 0;
  while (end < Math.min(base.length, head.length) - start && base.at(-1 - end) === head.at(-1 - end)) end++;
  while (start > 0 && TOKEN.test(base[start - 1] as string)) start--;
  while (end > 0 && TOKEN.test(base.at(-end) as string)) end--;
  const before = base.slice(start, base.length - end);
  const after = head.slice(start, head.length - end);
  const isScalar = [before, after].every((text) => /^[\w./-]+(?::[\w.-]+)?$/.test(text));
  const line = base.slice(base.lastIndexOf('\n', start) + 1, start);
  return isScalar && /[:-] ['"]?$/.test(line) ? { start, before, after, isFlow: /[{[]/.test(line) } : undefined;
}

function textOf({ change }: Placed, state: 'before' | 'after'): string {
  return state === 'before' ? change.base : change.head;
}

/** The text with a reference to the variable in place of its value. */
function withReference({ change, variable }: Placed, reference: string): string {
  if (variable === undefined) throw new Error('not a variable');
  const { start, before } = variable;
  return `${change.base.slice(0, start)}${reference}${change.base.slice(start + before.length)}`;
}

function written(path: string, { change }: Placed): readonly string[] {
  return change.lines.map((line) => `${path}:${line}`);
}

/** The line of a file that contains the text. */
function lineWith(path: string, text: string, files: Files): readonly string[] {
  const lines = (files[path] ?? '').split('\n');
  return lines.flatMap((line, index) => (line.includes(text) ? [`${path}:${index + 1}`] : []));
}

/** `reference` is undefined for an object without a variable that this wrapping can hold. */
function throughVariables(
  reference: (object: Placed) => string | undefined,
  pathOf: (object: Placed) => string,
  declared: (variables: ReadonlyMap<string, string>) => Files,
  declaration: string,
): Wrapping {
  const name = ({ number }: Placed): string => `EDITED${number}`;
  return {
    files: (objects, state) => {
      const variables = new Map<string, string>();
      const texts = objects.map((object) => {
        const used = object.variable && reference(object);
        if (used === undefined || object.variable === undefined) return [pathOf(object), textOf(object, state)];
        variables.set(name(object), object.variable[state]);
        return [pathOf(object), withReference(object, used)];
      });
      return { ...Object.fromEntries(texts), ...declared(variables) };
    },
    places: (object, files) =>
      object.variable && reference(object) !== undefined && !object.change.isElsewhere
        ? lineWith(declaration, `${name(object)}: `, files)
        : written(pathOf(object), object),
  };
}

const APPLIED = ({ number }: Placed): string => `apps/${number}.yaml`;
const TEMPLATE = ({ number }: Placed): string => `charts/shop/templates/${number}.yaml`;
const CHART = { 'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' };
const VALUE = ({ number }: Placed): string => `{{ .Values.EDITED${number} }}`;
/** Flux parses the file before it substitutes, so that a flow mapping cannot hold a reference. */
const SUBSTITUTED = ({ number, variable }: Placed): string | undefined =>
  variable?.isFlow === true ? undefined : `\${EDITED${number}}`;

function mapping(variables: ReadonlyMap<string, string>, indentation: string): string {
  return [...variables].map(([name, value]) => `${indentation}${name}: ${JSON.stringify(value)}\n`).join('');
}

const PLAIN: Wrapping = {
  files: (objects, state) => Object.fromEntries(objects.map((object) => [APPLIED(object), textOf(object, state)])),
  places: (object) => written(APPLIED(object), object),
};

const WRAPPINGS: Readonly<Record<string, Wrapping>> = {
  'plain files': PLAIN,
  'a kustomization': {
    ...PLAIN,
    files: (objects, state) => ({
      ...PLAIN.files(objects, state),
      'apps/kustomization.yaml': `commonAnnotations: {team: shop}\nresources:\n${objects.map(({ number }) => `  - ${number}.yaml\n`).join('')}`,
    }),
  },
  'templates of a chart': throughVariables(
    () => undefined,
    TEMPLATE,
    () => CHART,
    '',
  ),
  'values of a chart': throughVariables(
    VALUE,
    TEMPLATE,
    (variables) => ({ ...CHART, 'charts/shop/values.yaml': mapping(variables, '') }),
    'charts/shop/values.yaml',
  ),
  'a Kustomization of Flux': throughVariables(
    SUBSTITUTED,
    APPLIED,
    (variables) => ({
      'clusters/apps.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute:
${mapping(variables, '      ')}`,
    }),
    'clusters/apps.yaml',
  ),
  'a HelmRelease of Flux': throughVariables(
    VALUE,
    TEMPLATE,
    (variables) => ({
      ...CHART,
      'clusters/release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: flux-system}
spec:
  chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}
  values:
${mapping(variables, '    ')}`,
    }),
    'clusters/release.yaml',
  ),
  'an Application of Argo CD': throughVariables(
    VALUE,
    TEMPLATE,
    (variables) => ({
      ...CHART,
      'argo/shop.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  source:
    repoURL: ${REPOSITORY}
    path: charts/shop
    helm:
      valuesObject:
${mapping(variables, '        ')}`,
    }),
    'argo/shop.yaml',
  ),
};

function stateOf(files: Files, builder: RootBuilder): RepositoryState {
  const rendering = { tree: tree(files), engine, builder, repositoryUrl: REPOSITORY };
  const sources = Object.entries(files).map(([path, text]) => ({ file: new SourceFile(path, text), selected: true }));
  return { files: sources, paths: new Set(Object.keys(files)), notRead: [], rendering } as RepositoryState;
}

function refusals(base: Files, head: Files): readonly ReportedDiagnostic[] {
  const builder = new RootBuilder(new Documents());
  const report = compareStates({
    base: stateOf(base, builder),
    head: stateOf(head, builder),
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    serverValidation: serverValidation(),
    engine,
    builder,
    repositoryUrl: REPOSITORY,
    policiesFrom: 'base',
    only: 'new',
  });
  return report.diagnostics.filter(({ code, status }) => code === 'invalid-object' && status === 'new');
}

/** The object's number, and the locations of all causes. */
function told({ resource, primary, related }: ReportedDiagnostic): readonly [number, readonly string[]] {
  const number = Number(/-(\d+)$/.exec(resource?.name ?? '')?.[1]);
  const places = [primary, ...related.map(({ place }) => place)];
  return [number, places.map((place) => `${place?.path}:${place?.startLine}`)];
}

/** Milliseconds. A refused object is validated once more for each feature gate. */
const PATIENCE = 600_000;

/** Plain files hold all objects. Each other wrapping holds every second object, because validation takes most of the time. */
function objectsIn(wrapping: string): readonly Placed[] {
  const index = Object.keys(WRAPPINGS).indexOf(wrapping);
  return index === 0 ? OBJECTS : OBJECTS.filter(({ number }) => number % 2 === index % 2);
}

const titleOf = ({ change }: Placed): string => `${change.kind}: ${change.title}`;

describe('causes of the server are on the lines to edit', () => {
  let causes = 0;
  const refusedPlain = new Set<number>();

  test.each(Object.entries(WRAPPINGS))('in %s', { timeout: PATIENCE }, (name, wrapping) => {
    const objects = objectsIn(name);
    const head = wrapping.files(objects, 'after');
    const refused = new Map(refusals(wrapping.files(objects, 'before'), head).map(told));
    if (name === 'plain files') for (const number of refused.keys()) refusedPlain.add(number);
    const alike = objects.filter(({ number }) => refusedPlain.has(number));
    expect(objects.filter(({ number }) => refused.has(number)).map(titleOf)).toEqual(alike.map(titleOf));
    const misplaced = objects.flatMap((object) => {
      const expected = wrapping.places(object, head);
      const places = refused.get(object.number) ?? [];
      causes += places.length;
      const wrong = places.filter((place) => !expected.includes(place));
      return wrong.map((place) => ({ title: titleOf(object), place, expected }));
    });
    expect(misplaced).toEqual([]);
  });

  test('of more than 400 causes', () => {
    expect(causes).toBeGreaterThan(400);
  });
});
