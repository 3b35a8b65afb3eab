// The rooms of src/ from lowest to highest, and the allowed imports of every folder.

/** Lower rooms first: imports never lead to a room further down this list. Entry points at the top level belong to `door`. */
export const ROOMS = [
  'version',
  'go',
  'source',
  'sandbox',
  'diagnostic',
  'cel',
  'settings',
  'inventory',
  'kubernetes',
  'validation',
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
  'autogen cel cel-policy cel-policy/library classic cleanup conditions context definition exception installation jmespath jmespath/functions language matching migrate mutate pattern policy-validation rule suite validate value variables'.split(
    ' ',
  );
const KYVERNO = row('go source diagnostic cel kubernetes policy', KYVERNO_FOLDERS.join(' '));

export const ROWS: ReadonlyMap<string, Row> = new Map([
  ['version', row('')],
  ['go', row('')],
  ['go/encoding', row('', 'strings')],
  ['go/net', row('', 'slices strconv strings')],
  ['go/regexp', row('', '. unicode')],
  ['go/semver', row('', 'strconv')],
  ['go/slices', row('')],
  ['go/strconv', row('', 'unicode')],
  ['go/strings', row('', 'strconv')],
  ['go/time', row('', 'strings')],
  ['go/unicode', row('')],
  ['sandbox', row('source')],
  ['source/edit', row('go', 'json manifest node text yaml')],
  ['source/json', row('go', 'node')],
  ['source/manifest', row('go', 'json node text yaml')],
  ['source/node', row('')],
  ['source/placeholder', row('go', 'json node')],
  ['source/text', row('go')],
  ['source/tree', row('')],
  ['source/yaml', row('go', 'json node text')],
  ['diagnostic', row('go source')],
  ['cel', row('', 'check declaration issue syntax')],
  ['cel/check', row('go', 'declaration issue syntax value')],
  ['cel/declaration', row('', 'check estimate syntax value')],
  ['cel/editing', row('', '. check syntax')],
  ['cel/estimate', row('go', 'check syntax value')],
  ['cel/eval', row('go', '. check declaration library syntax value')],
  ['cel/infer', row('go', '. check eval syntax value')],
  ['cel/issue', row('', 'syntax')],
  ['cel/library', row('go', 'check declaration estimate syntax value')],
  ['cel/syntax', row('', 'issue syntax/recovery value')],
  ['cel/syntax/recovery', row('go', 'issue syntax')],
  ['cel/value', row('go', 'check')],
  ['settings', row('go source diagnostic')],
  ['inventory', row('go source settings')],
  ['kubernetes/access', row('go source', 'api cluster request schema selector validation')],
  ['kubernetes/api', row('source')],
  ['kubernetes/cel', row('go source cel', 'api cel/library cluster request schema selector validation')],
  ['kubernetes/cel/library', row('go cel', 'cel quantity selector validation')],
  ['kubernetes/cluster', row('source', 'access api request schema selector')],
  [
    'kubernetes/custom-resource',
    row(
      'go source',
      'api custom-resource/definition custom-resource/object custom-resource/rule custom-resource/schema custom-resource/validation request schema schema/creation validation',
    ),
  ],
  [
    'kubernetes/custom-resource/definition',
    row(
      'go source cel',
      'api cel custom-resource custom-resource/object custom-resource/rule custom-resource/schema validation',
    ),
  ],
  ['kubernetes/custom-resource/object', row('go source', 'custom-resource custom-resource/schema schema')],
  [
    'kubernetes/custom-resource/rule',
    row(
      'go source cel',
      'api cel custom-resource custom-resource/object custom-resource/schema custom-resource/validation request',
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
      'api cel custom-resource custom-resource/object custom-resource/rule custom-resource/schema request schema validation',
    ),
  ],
  ['kubernetes/patch', row('go source cel', 'api custom-resource custom-resource/schema schema')],
  ['kubernetes/pod-security', row('source', 'api pod-security/checks')],
  ['kubernetes/pod-security/checks', row('go source', 'api pod-security')],
  ['kubernetes/quantity', row('')],
  ['kubernetes/request', row('source', 'api')],
  ['kubernetes/schema', row('go source', 'api cel quantity schema/creation schema/defaults schema/plugins validation')],
  ['kubernetes/schema/creation', row('go source', 'api quantity schema schema/plugins validation')],
  ['kubernetes/schema/plugins', row('go source', 'api quantity schema schema/creation validation')],
  ['kubernetes/schema/defaults', row('go source', 'quantity schema')],
  ['kubernetes/secret', row('source', 'api')],
  ['kubernetes/selector', row('go source', 'validation')],
  ['kubernetes/validation', row('go source', 'api')],
  ['policy/evaluation', row('source diagnostic cel kubernetes', 'language mutation')],
  ['policy/explanation', row('source cel kubernetes', 'evaluation language')],
  ['policy/expression', row('go source diagnostic cel kubernetes', 'explanation')],
  ['policy/language', row('source diagnostic kubernetes', 'evaluation explanation')],
  ['policy/matching', row('go source kubernetes', 'explanation')],
  ['policy/mutation', row('source kubernetes', 'language')],
  ['policy/admission/editing', row('source cel kubernetes policy', 'generic')],
  ['policy/admission/generic', row('go source diagnostic cel kubernetes policy', 'generic/lint')],
  ['policy/admission/generic/lint', row('source diagnostic cel kubernetes policy', 'generic')],
  ['policy/admission/mutating', row('go source diagnostic cel kubernetes policy', 'generic generic/lint')],
  ['policy/admission/validating', row('go source diagnostic cel kubernetes policy', 'generic generic/lint')],
  ...KYVERNO_FOLDERS.map((folder): [string, Row] => [`policy/kyverno/${folder}`, KYVERNO]),
  ['policy/pod-security', row('go source diagnostic cel kubernetes policy')],
  [
    'render/argo',
    row(
      'go source diagnostic inventory kubernetes',
      'engine sources sources/declaration sources/kustomization sources/remote sources/root',
    ),
  ],
  ['render/engine', row('source sandbox')],
  [
    'render/flux',
    row(
      'go source diagnostic settings inventory kubernetes',
      'engine sources sources/declaration sources/kustomization sources/remote sources/root',
    ),
  ],
  ['render/holes', row('go source', 'engine sources sources/kustomization sources/remote')],
  ['render/places', row('go source diagnostic inventory kubernetes', 'engine')],
  [
    'render/sources',
    row(
      'go source settings inventory kubernetes',
      'engine holes places sources/declaration sources/kustomization sources/remote sources/root',
    ),
  ],
  [
    'render/sources/declaration',
    row('go source inventory kubernetes', 'engine places sources sources/kustomization sources/remote sources/root'),
  ],
  ['render/sources/kustomization', row('go source inventory', 'holes')],
  ['render/sources/remote', row('go source settings inventory', 'engine sources sources/kustomization sources/root')],
  [
    'render/sources/root',
    row('go source inventory kubernetes', 'engine holes places sources sources/kustomization sources/remote'),
  ],
  ['validation', row('source')],
  ['validation/plain', row('go source kubernetes', '.')],
  ['validation/engine', row('sandbox source', '.')],
  ['engine', row('source diagnostic kubernetes policy', 'object target')],
  ['engine/object', row('go source diagnostic kubernetes')],
  ['engine/unknown', row('go source diagnostic kubernetes policy', 'object')],
  ['engine/validation', row('go source diagnostic kubernetes validation policy', 'object unknown')],
  ['engine/conversion', row('go source diagnostic kubernetes validation policy', 'object unknown validation')],
  ['engine/target', row('go source diagnostic kubernetes validation policy', '. object unknown validation conversion')],
  ['report', row('go source diagnostic settings kubernetes policy', 'audit owner')],
  ['report/audit', row('', '. comparison finding gate')],
  ['report/baseline', row('source diagnostic kubernetes', '. json location wording gate')],
  [
    'report/builder',
    row('go source diagnostic kubernetes policy', '. baseline comparison finding location owner tally wording gate'),
  ],
  ['report/comparison', row('source diagnostic kubernetes policy', '. finding gate location owner wording')],
  ['report/explanation', row('go source settings kubernetes policy', '. location wording')],
  ['report/finding', row('go source diagnostic kubernetes policy', '. location')],
  ['report/folded', row('', '. baseline gate wording')],
  ['report/gate', row('', '.')],
  ['report/history', row('diagnostic', '. audit baseline builder finding gate owner wording')],
  ['report/json', row(' policy', '. audit')],
  ['report/owner', row('source kubernetes', '. finding')],
  ['report/location', row('source kubernetes', '. wording gate')],
  ['report/tally', row('go source policy', '. baseline finding wording gate')],
  ['report/wording', row('policy', '. finding gate')],
  ['report/format', row('go diagnostic report', 'annotation document html junit markdown metrics text')],
  ['report/format/annotation', row('diagnostic report', 'junit text')],
  ['report/format/document', row('go report')],
  ['report/format/html', row('go diagnostic report', 'text')],
  ['report/format/junit', row('report')],
  ['report/format/markdown', row('diagnostic report', 'text')],
  ['report/format/metrics', row('report')],
  ['report/format/text', row('diagnostic report')],
  [
    'pipeline',
    row(
      'version go source diagnostic settings inventory kubernetes policy policy/admission policy/kyverno policy/pod-security render engine report validation',
      'check clusters compare scope state',
    ),
  ],
  [
    'pipeline/check',
    row('go source diagnostic settings inventory kubernetes policy render engine report', '. clusters state'),
  ],
  [
    'pipeline/clusters',
    row('source diagnostic settings inventory kubernetes validation policy render engine', 'state'),
  ],
  [
    'pipeline/compare',
    row(
      'go source diagnostic settings inventory kubernetes validation policy render engine report',
      '. clusters mutate scope state',
    ),
  ],
  [
    'pipeline/editing',
    row(
      'source diagnostic settings inventory kubernetes policy policy/admission render engine report',
      '. check clusters mutate scope state',
    ),
  ],
  ['pipeline/library', row('source sandbox settings kubernetes validation render engine report', '. state test')],
  ['pipeline/migrate', row('source kubernetes policy engine report', '. clusters state')],
  ['pipeline/mutate', row('go source kubernetes policy engine report', '. clusters state')],
  ['pipeline/scope', row('source settings inventory kubernetes policy render engine', 'clusters state')],
  [
    'pipeline/state',
    row(
      'go source diagnostic settings inventory kubernetes validation policy policy/admission policy/kyverno policy/pod-security render engine report',
    ),
  ],
  [
    'pipeline/test',
    row('version source settings kubernetes validation policy engine report', 'clusters state test/suite'),
  ],
  ['pipeline/test/suite', row('source settings kubernetes policy engine report', 'test')],
  ['workspace', row('source settings inventory')],
  ['workspace/cache', row('source', '.')],
  ['workspace/charts', row('go source render', 'cache network')],
  ['workspace/remote', row('go source settings render', '. cache charts files git network render sources')],
  ['workspace/discover', row('source settings inventory', '. files git')],
  ['workspace/files', row('source settings inventory', '.')],
  ['workspace/git', row('go', '. files')],
  ['workspace/history', row('', '. git')],
  ['workspace/network', row('', '.')],
  ['workspace/programs', row('sandbox', '.')],
  ['workspace/render', row('sandbox source diagnostic inventory render', '. cache files git programs')],
  ['workspace/schemas', row('', '. cache network')],
  ['workspace/sources', row('source settings inventory render', '. discover files git network render')],
  ['workspace/validation', row('validation', 'cache programs')],
  ['github', row('diagnostic report report/format')],
  [
    'door',
    row(
      'version go source diagnostic settings kubernetes render engine report report/format pipeline workspace github',
      'action cli run',
    ),
  ],
  ['door/action', row('version go report report/format pipeline workspace github', 'cli/command run')],
  ['door/cli', row('version diagnostic report report/format workspace', 'cli/command cli/init cli/options lsp run')],
  [
    'door/cli/command',
    row(
      'version go source diagnostic settings kubernetes render engine report report/format pipeline workspace',
      'cli cli/init cli/options run',
    ),
  ],
  [
    'door/cli/init',
    row('version go source diagnostic settings kubernetes render report pipeline workspace', 'cli cli/options run'),
  ],
  ['door/cli/options', row('diagnostic settings report/format pipeline')],
  ['door/lsp', row('version source diagnostic report pipeline workspace', 'cli cli/command cli/options run')],
  [
    'door/run',
    row('version go source diagnostic settings kubernetes render engine report pipeline workspace', 'cli/options'),
  ],
]);

/** `src/cel/eval/plan.ts` → `cel/eval`. Entry points belong to `door`; the version is a separate room. */
export function folderOf(file: string): string {
  const steps = file.split('/').slice(1, -1);
  if (steps.length > 0) return steps.join('/');
  return file === 'src/version.ts' ? 'version' : 'door';
}

/** A folder whose files lie beside sub-folders; its files are loose. */
export function looseFiles(files: Iterable<string>): readonly string[] {
  const all = [...files];
  const rooms = new Set<string>(ROOMS);
  const hasFolders = (room: string): boolean => all.some((file) => folderOf(file).startsWith(`${room}/`));
  return all.filter((file) => rooms.has(folderOf(file)) && folderOf(file) !== 'door' && hasFolders(folderOf(file)));
}

/** The innermost room that contains the folder. */
export function roomOf(folder: string): Room | undefined {
  const known = roomsOfFolders.get(folder);
  if (known !== undefined) return known;
  const around = ROOMS.filter((room) => folder === room || folder.startsWith(`${room}/`));
  const room = around.sort((one, other) => other.length - one.length)[0];
  if (room !== undefined) roomsOfFolders.set(folder, room);
  return room;
}

const roomsOfFolders = new Map<string, Room>();

/** Undefined if the folder has no row. */
export function mayImport(folder: string, other: string): boolean | undefined {
  const row = ROWS.get(folder);
  const [room, otherRoom] = [roomOf(folder), roomOf(other)];
  if (row === undefined || room === undefined) return undefined;
  if (otherRoom === undefined) return false;
  if (room !== otherRoom) return row.rooms.includes(otherRoom);
  return folder === other || row.within.includes(other === room ? '.' : other.slice(room.length + 1));
}
