// The rooms of src/ from lowest to highest, and the allowed imports of every folder.

/** Lower rooms first: imports never lead to a room further down this list. Entry points at the top level belong to `door`. */
export const ROOMS = [
  'version',
  'go',
  'source',
  'diagnostic',
  'cel',
  'settings',
  'inventory',
  'kubernetes',
  'policy',
  'policy/admission',
  'policy/kyverno',
  'policy/pod-security',
  'render',
  'engine',
  'report',
  'report/format',
  'pipeline',
  'workspace',
  'github',
  'door',
] as const;

export type Room = (typeof ROOMS)[number];

interface Row {
  /** Other rooms, with all their folders. */
  readonly rooms: readonly Room[];
  /** Other folders of the room itself; `.` is its top. */
  readonly within: readonly string[];
}

function row(rooms: string, within = ''): Row {
  const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');
  return { rooms: words(rooms) as readonly Room[], within: words(within) };
}

/** Files allowed at the top of src/. */
export const TOP_LEVEL: ReadonlySet<string> = new Set([
  'src/cli.ts',
  'src/action.ts',
  'src/index.ts',
  'src/browser.ts',
  'src/workspace/render/render-worker.ts',
  'src/evaluation-worker.ts',
  'src/version.ts',
]);

export const DOORS: ReadonlySet<string> = new Set([...TOP_LEVEL].filter((file) => file !== 'src/version.ts'));

/** Rooms that may touch files, processes, the network, the console, the clock and the environment. */
export const IMPURE: ReadonlySet<Room> = new Set<Room>(['workspace', 'github', 'door']);

/** Packages that run without Node. */
export const PURE_PACKAGES: ReadonlySet<string> = new Set(['@noble/hashes', 'minimatch', 're2js']);

/** Folders of the policy languages. Only `src/pipeline/state/languages.ts` and the languages themselves may import them. */
export const LANGUAGES: readonly string[] = [
  'policy/admission/validating',
  'policy/admission/mutating',
  'policy/kyverno',
  'policy/pod-security',
];

const KYVERNO_FOLDERS =
  'cel cel-policy cel-policy/library classic cleanup conditions context exception jmespath jmespath/functions matching migrate mutate pattern policy-validation rule suite validate variables'.split(
    ' ',
  );
const KYVERNO = row('go source diagnostic cel kubernetes policy', `. ${KYVERNO_FOLDERS.join(' ')}`);

export const ROWS: ReadonlyMap<string, Row> = new Map([
  ['version', row('')],
  ['go', row('', 'unicode')],
  ['go/regexp', row('', '. unicode')],
  ['go/unicode', row('')],
  ['source', row('go', 'yaml')],
  ['source/yaml', row('go', '.')],
  ['source/edit', row('go', '. yaml')],
  ['diagnostic', row('go source')],
  ['cel', row('', 'check estimate syntax value')],
  ['cel/check', row('go', '. syntax value')],
  ['cel/editing', row('', '. check syntax')],
  ['cel/estimate', row('go', 'check syntax value')],
  ['cel/eval', row('go', '. check library syntax value')],
  ['cel/infer', row('go', '. check eval syntax value')],
  ['cel/library', row('go', '. check estimate syntax value')],
  ['cel/syntax', row('', '. syntax/recovery value')],
  ['cel/syntax/recovery', row('go', '. syntax')],
  ['cel/value', row('go', '. check')],
  ['settings', row('go source diagnostic')],
  ['inventory', row('go source settings')],
  ['kubernetes', row('go source', 'cluster schema')],
  ['kubernetes/cel', row('go source cel', '. cel/library cluster schema')],
  ['kubernetes/cel/library', row('go cel', '. cel')],
  ['kubernetes/cluster', row('source', '. schema')],
  [
    'kubernetes/custom-resource',
    row(
      'go source',
      '. custom-resource/definition custom-resource/object custom-resource/rule custom-resource/schema custom-resource/validation schema schema/creation',
    ),
  ],
  [
    'kubernetes/custom-resource/definition',
    row('go source cel', '. cel custom-resource custom-resource/object custom-resource/rule custom-resource/schema'),
  ],
  ['kubernetes/custom-resource/object', row('go source', 'custom-resource custom-resource/schema schema')],
  [
    'kubernetes/custom-resource/rule',
    row(
      'go source cel',
      '. cel custom-resource custom-resource/object custom-resource/schema custom-resource/validation',
    ),
  ],
  [
    'kubernetes/custom-resource/schema',
    row('source', 'custom-resource custom-resource/definition custom-resource/object'),
  ],
  [
    'kubernetes/custom-resource/validation',
    row(
      'go source cel',
      '. cel custom-resource custom-resource/object custom-resource/rule custom-resource/schema schema',
    ),
  ],
  ['kubernetes/patch', row('go source cel', '. schema custom-resource custom-resource/object custom-resource/schema')],
  ['kubernetes/pod-security', row('source', '. pod-security/checks')],
  ['kubernetes/pod-security/checks', row('go source', '. pod-security')],
  ['kubernetes/schema', row('go source', '. cel schema/creation schema/defaults')],
  ['kubernetes/schema/creation', row('go source', '. schema')],
  ['kubernetes/schema/defaults', row('go source', '. schema')],
  ['policy', row('source diagnostic cel kubernetes')],
  ['policy/expression', row('go source diagnostic cel kubernetes', '.')],
  ['policy/matching', row('go source kubernetes', '.')],
  ['policy/admission/generic', row('go source diagnostic cel kubernetes policy', 'generic/lint')],
  ['policy/admission/generic/lint', row('source diagnostic cel kubernetes policy', 'generic')],
  ['policy/admission/validating', row('go source diagnostic cel kubernetes policy', 'generic generic/lint')],
  ['policy/admission/mutating', row('go source diagnostic cel kubernetes policy', 'generic generic/lint')],
  ['policy/admission/editing', row('source cel kubernetes policy', 'generic')],
  ['policy/kyverno', KYVERNO],
  ...KYVERNO_FOLDERS.map((folder): [string, Row] => [`policy/kyverno/${folder}`, KYVERNO]),
  ['policy/pod-security', row('go source diagnostic cel kubernetes policy')],
  ['render', row('go source diagnostic')],
  ['render/sources', row('go source settings inventory kubernetes', '. places')],
  ['render/flux', row('go source diagnostic settings inventory kubernetes', '. sources')],
  ['render/argo', row('go source diagnostic inventory kubernetes', '. sources')],
  ['render/places', row('go source diagnostic inventory kubernetes', '.')],
  ['engine', row('go source diagnostic kubernetes policy')],
  ['report', row('go source diagnostic settings kubernetes policy')],
  ['report/format', row('go diagnostic report', 'markdown html')],
  ['report/format/markdown', row('diagnostic report', '.')],
  ['report/format/html', row('go diagnostic report', '.')],
  [
    'pipeline',
    row(
      'version go source diagnostic settings inventory kubernetes policy policy/admission policy/pod-security policy/kyverno render engine report',
      'scope suite',
    ),
  ],
  ['pipeline/editing', row('source kubernetes policy/admission report', '.')],
  ['pipeline/library', row('source settings kubernetes render engine report', '.')],
  ['pipeline/scope', row('source settings inventory kubernetes policy engine render', '.')],
  ['pipeline/suite', row('source settings kubernetes policy engine report', '.')],
  ['workspace', row('source settings inventory', 'git')],
  ['workspace/git', row('go', '.')],
  ['workspace/sources', row('source settings inventory render', '. git render')],
  ['workspace/charts', row('go source render', '.')],
  ['workspace/schemas', row('', '. charts')],
  ['workspace/render', row('source diagnostic inventory render', '. git')],
  ['github', row('diagnostic report report/format')],
  [
    'door',
    row(
      'version go source diagnostic settings kubernetes render engine report report/format pipeline workspace github',
      'lsp',
    ),
  ],
  ['door/lsp', row('version source diagnostic report pipeline workspace', '.')],
]);

/** `src/cel/eval/plan.ts` → `cel/eval`. Entry points belong to `door`; the version is a separate room. */
export function folderOf(file: string): string {
  const steps = file.split('/').slice(1, -1);
  if (steps.length > 0) return steps.join('/');
  return file === 'src/version.ts' ? 'version' : 'door';
}

export function roomOf(folder: string): Room | undefined {
  return ROOMS.filter((room) => folder === room || folder.startsWith(`${room}/`)).sort(
    (one, other) => other.length - one.length,
  )[0];
}

/** Undefined if the folder has no row. */
export function mayImport(folder: string, other: string): boolean | undefined {
  const row = ROWS.get(folder);
  const [room, otherRoom] = [roomOf(folder), roomOf(other)];
  if (row === undefined || room === undefined) return undefined;
  if (otherRoom === undefined) return false;
  if (room !== otherRoom) return row.rooms.includes(otherRoom);
  return folder === other || row.within.includes(other === room ? '.' : other.slice(room.length + 1));
}
