// Doubles one dimension of a repository after another and prints the exponent with which CPU time grows.
import { checkState } from '../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { loadBaseline } from '../src/settings/load-baseline.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { treeOf } from '../src/source/tree/file-tree.ts';
import { loadEngine } from '../src/workspace/render/load-engine.ts';

/** Limit of the exponent: linear, plus some room for sorting and memory. */
const MOST = 1.15;
const ROUNDS = 3;
/** Factors of the first size. */
const DOUBLINGS = [1, 2, 4];

type Files = Readonly<Record<string, string>>;

interface Dimension {
  /** Number in the smallest repository. */
  readonly first: number;
  readonly files: (count: number) => Files;
  readonly isRendered?: true;
}

const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  documents: { first: 2_000, files: (n) => ({ ...policies(10), 'a.yaml': objects(n) }) },
  files: { first: 2_000, files: (n) => ({ ...policies(10), ...each(n, (i) => [`f${i}.yaml`, configMap(`o${i}`)]) }) },
  'kinds with a definition': {
    first: 400,
    files: (n) => each(n, (i) => [`k${i}.yaml`, `${definition(i)}---\n${custom(i, 'spec: {size: 1}\n')}`]),
  },
  'kinds without a definition': {
    first: 1_000,
    files: (n) => each(n, (i) => [`k${i}.yaml`, custom(i, 'spec: {size: 1}\n')]),
  },
  'objects of a kind without definition': {
    first: 2_000,
    files: (n) => ({ ...policies(1), 'a.yaml': joined(n, (i) => custom(0, '', `o${i}`)) }),
  },
  'objects of such a kind with a namespace': {
    first: 2_000,
    files: (n) => ({ ...policies(1), 'a.yaml': joined(n, (i) => custom(0, '', `o${i}\n  namespace: n${i}`)) }),
  },
  policies: { first: 200, files: (n) => ({ ...policies(n), 'a.yaml': objects(20) }) },
  'bindings of one policy': {
    first: 500,
    files: (n) => ({ 'p.yaml': policy('p'), 'b.yaml': joined(n, (i) => binding(`b${i}`, 'p')), 'a.yaml': objects(20) }),
  },
  'bindings of no policy': { first: 1_000, files: (n) => ({ 'b.yaml': joined(n, (i) => binding(`b${i}`, `p${i}`)) }) },
  'mutating policies': {
    first: 100,
    files: (n) => ({
      'p.yaml': joined(n, (i) => `${mutatingPolicy(`p${i}`)}---\n${binding(`p${i}`, `p${i}`, 'Mutating')}`),
      'a.yaml': objects(1),
    }),
  },
  'params by name': { first: 500, files: (n) => withParams(n, (i) => `name: l${i}, namespace: default`) },
  'params by selector': {
    first: 1_000,
    files: (n) => ({ ...withParams(n, () => 'selector: {matchLabels: {role: limit}}', 1), 'a.yaml': objects(20) }),
  },
  Namespaces: {
    first: 1_000,
    files: (n) => ({
      ...policies(2, '      namespaceSelector: {matchLabels: {team: a}}\n'),
      'n.yaml': joined(n, (i) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: n${i}, labels: {team: a}}\n`),
      'a.yaml': joined(n, (i) => configMap(`o${i}`, `n${i}`)),
    }),
  },
  'Namespaces with params of their own': {
    first: 500,
    files: (n) => ({
      ...withParams(0, () => 'selector: {matchLabels: {role: limit}}', 1),
      'l.yaml': joined(n, (i) => param(`l${i}`, `n${i}`)),
      'a.yaml': joined(n, (i) => configMap(`o${i}`, `n${i}`)),
    }),
  },
  'failing rules': {
    first: 100,
    files: (n) => ({ 'p.yaml': policy('p', n, 'false'), 'b.yaml': binding('p', 'p'), 'a.yaml': objects(20) }),
  },
  findings: {
    first: 1_000,
    files: (n) => ({ 'p.yaml': policy('p', 5, 'false'), 'b.yaml': binding('p', 'p'), 'a.yaml': objects(n) }),
  },
  'baseline entries': {
    first: 1_000,
    files: (n) => ({
      'p.yaml': policy('p', 1, 'false'),
      'b.yaml': binding('p', 'p'),
      'a.yaml': objects(n),
      '.preadmit-baseline.yaml': `version: 1\nentries:\n${Array.from({ length: n }, (_, i) => `  - {policy: p, resource: ConfigMap default/o${i}, owner: a, reason: b, expires: "2099-01-01"}\n`).join('')}`,
    }),
  },
  'Kyverno rules': { first: 200, files: (n) => ({ 'p.yaml': kyverno(n), 'a.yaml': objects(20) }) },
  'Kyverno policies': {
    first: 100,
    files: (n) => ({ 'p.yaml': joined(n, (i) => kyverno(1, `p${i}`)), 'a.yaml': objects(20) }),
  },
  kustomizations: {
    first: 50,
    isRendered: true,
    files: (n) =>
      each(
        n,
        (i) => [`k${i}/kustomization.yaml`, 'resources: [a.yaml]\n'],
        (i) => [`k${i}/a.yaml`, configMap(`o${i}`)],
      ),
  },
  charts: {
    first: 20,
    isRendered: true,
    files: (n) =>
      each(
        n,
        (i) => [
          `c${i}/kustomization.yaml`,
          `helmGlobals: {chartHome: charts}\nhelmCharts: [{name: c, releaseName: r${i}}]\n`,
        ],
        (i) => [`c${i}/charts/c/Chart.yaml`, `apiVersion: v2\nname: c\nversion: 1.0.${i}\n`],
        (i) => [`c${i}/charts/c/templates/a.yaml`, configMap(`o${i}`)],
      ),
  },
};

/** `only`: selects dimensions by a part of their name. */
export async function run([only = '']: readonly string[]): Promise<void> {
  console.log(
    '| what is doubled | from | to | ms of the first | ms of the last | exponent |\n|---|--:|--:|--:|--:|--:|',
  );
  const engine = loadEngine();
  for (const [name, dimension] of Object.entries(DIMENSIONS)) {
    if (!name.includes(only)) continue;
    const sizes = DOUBLINGS.map((factor) => dimension.first * factor);
    const inputs = sizes.map((size) => inputOf(dimension, size, engine));
    const least = inputs.map(() => Number.POSITIVE_INFINITY);
    // The first run compiles code that the others use.
    checkState((inputs[0] as Input)());
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, input] of inputs.entries()) least[index] = Math.min(least[index] as number, timeOf(input));
    }
    const [first = 0, last = 0] = [least[0], least.at(-1)];
    const exponent = Math.log2(last / first) / Math.log2((DOUBLINGS.at(-1) ?? 1) / (DOUBLINGS[0] ?? 1));
    const mark = exponent > MOST ? ' **' : '';
    console.log(
      `| ${name} | ${sizes[0]} | ${sizes.at(-1)} | ${first.toFixed(0)} | ${last.toFixed(0)} | ${exponent.toFixed(2)}${mark} |`,
    );
    if (exponent > MOST) process.exitCode = 1;
  }
}

type Input = () => Parameters<typeof checkState>[0];

/** New texts for each run, because results are cached per text. */
function inputOf({ files, isRendered }: Dimension, size: number, engine: ReturnType<typeof loadEngine>): Input {
  const texts = files(size);
  const paths = Object.keys(texts).sort();
  return () => {
    const sources = new Map(paths.map((path) => [path, new SourceFile(path, texts[path] as string)]));
    const written = sources.get('.preadmit-baseline.yaml');
    const baseline = written && loadBaseline(written).baseline;
    return {
      files: [...sources.values()].filter((file) => file !== written).map((file) => ({ file, selected: true })),
      paths: new Set(paths),
      notRead: [],
      configuration: { ...defaultConfiguration(), workLimit: Number.MAX_SAFE_INTEGER },
      today: '2026-11-22',
      ...(baseline && { baseline }),
      ...(isRendered && {
        rendering: { tree: treeOf({ files: new Map(Object.entries(texts)) }), engine: () => engine },
      }),
    };
  };
}

/** Milliseconds of CPU time. */
function timeOf(input: Input): number {
  const asked = input();
  const before = process.cpuUsage();
  checkState(asked);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function each(count: number, ...makers: readonly ((index: number) => readonly [path: string, text: string])[]): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => makers.map((make) => make(index))).flat());
}

function joined(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('---\n');
}

function objects(count: number): string {
  return joined(count, (index) => configMap(`o${index}`));
}

function configMap(name: string, namespace = 'default'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}, labels: {app: a}}\ndata: {a: b}\n`;
}

function param(name: string, namespace = 'default'): string {
  return `apiVersion: example.com/v1\nkind: Limit\nmetadata: {name: ${name}, namespace: ${namespace}, labels: {role: limit}}\nlimit: x\n`;
}

const MATCH = '      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}\n';

function policy(
  name: string,
  validations = 1,
  expression = "object.metadata.name != ''",
  more = '',
  spec = '',
): string {
  const lines = Array.from(
    { length: validations },
    (_, index) => `    - expression: ${JSON.stringify(`${expression} && ${index} >= 0`)}\n`,
  );
  return `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: ${name}}\nspec:\n${spec}  matchConstraints:\n    resourceRules:\n${MATCH}${more.replace(/^ {6}/, '    ')}  validations:\n${lines.join('')}`;
}

function policies(count: number, more = ''): Files {
  return { 'p.yaml': joined(count, (i) => `${policy(`p${i}`, 1, undefined, more)}---\n${binding(`p${i}`, `p${i}`)}`) };
}

function mutatingPolicy(name: string): string {
  const expression = `Object{metadata: Object.metadata{labels: {"${name}": "x"}}}`;
  return `apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: ${name}}\nspec:\n  reinvocationPolicy: Never\n  matchConstraints:\n    resourceRules:\n${MATCH}  mutations:\n    - patchType: ApplyConfiguration\n      applyConfiguration: {expression: ${JSON.stringify(expression)}}\n`;
}

function binding(name: string, policyName: string, form: 'Validating' | 'Mutating' = 'Validating', more = ''): string {
  const actions = form === 'Validating' ? '  validationActions: [Deny]\n' : '';
  return `apiVersion: admissionregistration.k8s.io/v1\nkind: ${form}AdmissionPolicyBinding\nmetadata: {name: ${name}}\nspec:\n  policyName: ${policyName}\n${actions}${more}`;
}

/**
 * The params have a kind that the policy does not match; otherwise each would also be evaluated. By default there are as many params as
 * bindings.
 */
function withParams(count: number, ref: (index: number) => string, bindings = count): Files {
  const kind = '  paramKind: {apiVersion: example.com/v1, kind: Limit}\n';
  const paramRef = (index: number): string => `  paramRef: {${ref(index)}, parameterNotFoundAction: Deny}\n`;
  return {
    'p.yaml': policy('p', 1, 'object.metadata.name != params.limit', '', kind),
    'b.yaml': joined(bindings, (i) => binding(`b${i}`, 'p', 'Validating', paramRef(i))),
    ...(count > 0 && { 'params.yaml': joined(count, (i) => param(`l${i}`)) }),
    'a.yaml': objects(20),
  };
}

function definition(index: number): string {
  return `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things${index}.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {kind: Thing${index}, listKind: Thing${index}List, plural: things${index}, singular: thing${index}}\n  versions:\n    - name: v1\n      served: true\n      storage: true\n      schema:\n        openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}\n`;
}

function custom(index: number, body: string, name = 'a'): string {
  return `apiVersion: example.com/v1\nkind: Thing${index}\nmetadata:\n  name: ${name}\n${body}`;
}

function kyverno(rules: number, name = 'p'): string {
  const rule = (index: number): string =>
    `    - name: r${index}\n      match: {any: [{resources: {kinds: [ConfigMap]}}]}\n      validate:\n        message: refused\n        pattern: {metadata: {labels: {app: "?*"}}}\n`;
  return `apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: ${name}}\nspec:\n  validationFailureAction: Enforce\n  rules:\n${Array.from({ length: rules }, (_, index) => rule(index)).join('')}`;
}
