// Violations of the rules in ARCHITECTURE.md, one line each; empty if there are none.
import { ambientState } from './ambient-state.ts';
import {
  DOORS,
  folderOf,
  IMPURE,
  LANGUAGES,
  mayImport,
  PURE_PACKAGES,
  ROOMS,
  ROWS,
  roomOf,
  TOP_LEVEL,
} from './rooms.ts';
import {
  closureOf,
  cyclesOf,
  type Import,
  type SourceGraph,
  type Sources,
  sourceGraph,
  wayTo,
} from './source-graph.ts';

const LANGUAGE_LIST = 'src/pipeline/state/languages.ts';

export async function violations(sources: Sources): Promise<readonly string[]> {
  const graph = sourceGraph(sources);
  return [
    ...folderViolations(graph),
    ...directionViolations(graph),
    ...languageViolations(graph),
    ...cycleViolations(graph),
    ...spreadViolations(sources),
    ...endViolations(sources),
    ...(await purityViolations(graph)),
  ];
}

/** Distinct dependencies between rooms, as `report > policy`. Includes type imports, because readers must know the types. */
export function roomArrows(graph: SourceGraph): readonly string[] {
  const arrows = localImports(graph).map(({ from, to }) => [roomOf(folderOf(from)), roomOf(folderOf(to))]);
  const between = arrows.filter(([room, other]) => room !== other && room !== undefined && other !== undefined);
  return [...new Set(between.map((arrow) => arrow.join(' > ')))].sort();
}

function localImports({ imports, sources }: SourceGraph): readonly Import[] {
  return imports.filter(({ to }) => sources.has(to));
}

/** Functions with any number of arguments. */
const ANY_NUMBER = /(?:\.(?:push|unshift|splice|concat)|\b(?:Math\.(?:max|min)|String\.from(?:CharCode|CodePoint)))\(/g;
/** Comments and texts, which may contain brackets. */
const OPAQUE = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g;
/** Lists with a length that does not depend on input. */
const BOUNDED_SPREADS: ReadonlySet<string> = new Set(['src/door/cli/options/help.ts', 'src/go/net/ip-address.ts']);

/** Arguments are on the stack, which overflows at about 100,000. A list from input is never spread into arguments. */
function spreadViolations(sources: Sources): readonly string[] {
  return [...sources]
    .filter(([file]) => !BOUNDED_SPREADS.has(file))
    .flatMap(([file, text]) =>
      spreadLines(text).map(
        (line) => `${file}:${line} spreads a list over arguments: use append of src/go/slices/append.ts, or a fold`,
      ),
    );
}

const spreadLines = oncePerText((text) => {
  const code = text.replace(OPAQUE, (opaque) => opaque.replace(/[^\n]/g, ' '));
  const calls = [...code.matchAll(ANY_NUMBER)].filter(({ 0: call, index }) => hasSpread(code, index + call.length));
  return calls.map(({ index }) => code.slice(0, index).split('\n').length);
});

/** Planted violations change one file of a thousand: the others are not searched again. */
function oncePerText<T>(search: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? search(text);
    known.set(text, found);
    return found;
  };
}

/** True if one of the arguments at `start` is spread; nested calls and lists are ignored. */
function hasSpread(code: string, start: number): boolean {
  for (let at = start, depth = 0; depth >= 0 && at < code.length; at++) {
    if ('([{'.includes(code.charAt(at))) depth++;
    else if (')]}'.includes(code.charAt(at))) depth--;
    else if (depth === 0 && code.startsWith('...', at)) return true;
  }
  return false;
}

/** A repeated atom up to the end, e.g. `/\/+$/`: the regex engine tries it at every occurrence and scans the rest each time. */
const REPEATED_END =
  /(?<!\\)\/(?:[^/\n]*\|)?(?:\[(?:[^\]\\\n]|\\.)+\]|\\.|[^\\/^|\n[\](){}*+?.])[+*]\$\/(?=[dgimsuvy]*[),.;])/g;

function endViolations(sources: Sources): readonly string[] {
  return [...sources].flatMap(([file, text]) =>
    repeatedEnds(text).map(
      ({ pattern, line }) =>
        `${file}:${line} looks for an end by ${pattern}, quadratic in a text that repeats it: use trimRight of src/go/strings/trim.ts`,
    ),
  );
}

const repeatedEnds = oncePerText((text) =>
  [...text.matchAll(REPEATED_END)].map(({ 0: pattern, index }) => ({
    pattern,
    line: text.slice(0, index).split('\n').length,
  })),
);

function folderViolations({ sources }: SourceGraph): readonly string[] {
  const files = [...sources.keys()];
  const unknown = new Set(files.map(folderOf).filter((folder) => !ROWS.has(folder)));
  const atTop = files.filter((file) => file.split('/').length === 2 && !TOP_LEVEL.has(file));
  return [
    ...[...unknown].map((folder) => `src/${folder} has no row in test/architecture/rooms.ts`),
    ...atTop.map((file) => `${file} is neither a door nor the version: it belongs to a room`),
  ];
}

function directionViolations(graph: SourceGraph): readonly string[] {
  const wrong: string[] = [];
  for (const { from, to } of localImports(graph)) {
    const [folder, other] = [folderOf(from), folderOf(to)];
    if (DOORS.has(to) && !DOORS.has(from)) wrong.push(`${from} imports the door ${to}`);
    else if (isUpward(folder, other)) wrong.push(`${from} imports ${to}, which is in a room above it`);
    else if (mayImport(folder, other) === false)
      wrong.push(`${from} imports ${to}, which the row of ${folder} forbids`);
  }
  const missing = graph.imports.filter(
    ({ to, isLocal }) => isLocal && !graph.sources.has(to) && to.startsWith('src/') && !to.endsWith('.json'),
  );
  return [...wrong, ...missing.map(({ from, to }) => `${from} imports ${to}, which is not there`)];
}

function isUpward(folder: string, other: string): boolean {
  const [room, otherRoom] = [roomOf(folder), roomOf(other)];
  return room !== undefined && otherRoom !== undefined && ROOMS.indexOf(otherRoom) > ROOMS.indexOf(room);
}

function languageOf(file: string): string | undefined {
  return LANGUAGES.find((language) => file.startsWith(`src/${language}/`));
}

/** Languages never import each other, and only one other file imports them; formats reach none at all. */
function languageViolations(graph: SourceGraph): readonly string[] {
  const named = localImports(graph)
    .filter(({ from, to }) => {
      const language = languageOf(to);
      return language !== undefined && language !== languageOf(from) && from !== LANGUAGE_LIST;
    })
    .map(({ from, to }) => `${from} names the policy language ${to}`);
  const reached = ['engine', 'report', 'report/format', 'github', 'workspace', 'policy/admission/generic'].flatMap(
    (room) => {
      const closure = closureOf(graph, filesBelow(graph, room), ({ isLocal }) => isLocal);
      const language = [...closure.keys()].find((file) => languageOf(file) !== undefined);
      return language === undefined ? [] : [`src/${room} reaches a policy language: ${wayTo(language, closure)}`];
    },
  );
  return [...named, ...reached];
}

function filesBelow({ sources }: SourceGraph, folder: string): readonly string[] {
  return [...sources.keys()].filter((file) => file.startsWith(`src/${folder}/`));
}

function cycleViolations(graph: SourceGraph): readonly string[] {
  const files = new Map<string, string[]>();
  for (const { from, to, typeOnly } of localImports(graph)) {
    if (!typeOnly) files.set(from, [...(files.get(from) ?? []), to]);
  }
  const rooms = new Map<string, string[]>();
  for (const arrow of roomArrows(graph)) {
    const [from = '', to = ''] = arrow.split(' > ');
    rooms.set(from, [...(rooms.get(from) ?? []), to]);
  }
  return [
    ...cyclesOf(files).map((cycle) => `files import each other: ${cycle}`),
    ...cyclesOf(rooms).map((cycle) => `rooms import each other: ${cycle}`),
  ];
}

/** Everything that the pipeline and the browser entry point reach at run time, and every file of a pure room, reached or not. */
async function purityViolations(graph: SourceGraph): Promise<readonly string[]> {
  const doors = [...graph.sources.keys()].filter((file) => file === 'src/browser.ts');
  const starts = [...filesBelow(graph, 'pipeline'), ...doors];
  const closure = closureOf(graph, starts, ({ typeOnly }) => !typeOnly);
  const pure = [...graph.sources.keys()].filter((file) => {
    const room = roomOf(folderOf(file));
    return room === undefined || !IMPURE.has(room);
  });
  const outside = new Set<string>();
  for (const { from, to, isLocal, typeOnly } of graph.imports) {
    if (isLocal || typeOnly || PURE_PACKAGES.has(packageOf(to))) continue;
    if (closure.has(from)) outside.add(`the pipeline reaches ${to}: ${wayTo(from, closure)}`);
    else if (pure.includes(from)) outside.add(`${from} imports ${to}: its room is pure`);
  }
  const files = new Set([...pure, ...closure.keys()].filter((file) => graph.sources.has(file)));
  const ambient = await Promise.all(
    [...files].map(async (file) => {
      const names = await ambientState(graph.sources.get(file) ?? '');
      return names.map((name) => `${file} uses ${name}${closure.has(file) ? `: ${wayTo(file, closure)}` : ''}`);
    }),
  );
  return [...outside, ...ambient.flat()];
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
