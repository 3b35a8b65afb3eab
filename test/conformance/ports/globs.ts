// Port: patterns and substitutions of Flux, Argo CD and Kyverno.

import { matchesWildcard } from '../../../src/policy/kyverno/value/wildcard.ts';
import { type GlobStyle, pathMatcher } from '../../../src/render/argo/glob.ts';
import { renderTexts } from '../../../src/render/argo/template-text.ts';
import { sourceIgnore } from '../../../src/render/flux/source-ignore.ts';
import { substitute } from '../../../src/render/flux/substitute.ts';
import { objectOrEmpty } from '../../../src/source/json/json-field.ts';
import type { FileTree } from '../../../src/source/tree/file-tree.ts';
import type { Chance } from './chance.ts';
import type { Answer, Arguments, Port } from './port.ts';
import { jsonArgument } from './tagged-json.ts';
import * as texts from './texts.ts';

const PATTERN_PIECES = [
  ...[
    '*',
    '**',
    '?',
    '/',
    '.',
    'a',
    'b',
    'apps',
    'web',
    '.yaml',
    '[ab]',
    '[^a]',
    '[!a]',
    '[a-c]',
    '[]',
    '[',
    ']',
    '[]a]',
  ],
  ...[
    '{a,b}',
    '{',
    '}',
    ',',
    '{a,{b,c}}',
    '{}',
    '\\',
    '\\*',
    '\\[',
    '!',
    '-',
    '^',
    '[a',
    '[-a]',
    '[a-]',
    '[\\]]',
    '***',
    '/**/',
  ],
  ...[
    'é',
    '日',
    '😀',
    '[é-日]',
    '{apps,web}/*',
    '**/*.yaml',
    '[*]',
    '[^',
    '[!',
    '[b-a]',
    '$',
    '(',
    '|',
    '+',
    '{a*,b}',
    '{,a}',
  ],
];
const COMMON_PIECES = ['*', '**', '?', '/', 'a', 'b', 'apps', '.yaml', '[ab]', '{a,b}', '/**/', '[!a]', '[^a]'];
const PATHS = [
  ...[
    'a',
    'b',
    'ab',
    'abc',
    'apps',
    'apps/web',
    'apps/web.yaml',
    'apps/a/b',
    'a/b',
    'a/b/c',
    'a.yaml',
    '.a',
    'web',
    '',
    '/',
  ],
  ...[
    '/a',
    'a/',
    'a//b',
    'apps/.hidden',
    '*',
    '[',
    ']',
    '!',
    '^',
    '-',
    '\\',
    '{a,b}',
    'é',
    '日',
    '😀',
    'apps/😀.yaml',
    'a\nb',
    '$',
  ],
];

function glob(chance: Chance): string {
  return chance.several(1, 5, () => chance.pick(chance.in(60) ? COMMON_PIECES : PATTERN_PIECES)).join('');
}

const globbed = (chance: Chance): Arguments => [glob(chance), chance.in(80) ? chance.pick(PATHS) : chance.text(PATHS)];

function answerGlob(style: GlobStyle): (args: Arguments) => Answer {
  return ([pattern, path]) => {
    const matches = pathMatcher(String(pattern), style);
    return { value: matches === undefined ? 'invalid' : matches(String(path)) };
  };
}

const TEMPLATE_PIECES = [
  ...[
    '{{',
    '}}',
    '{{name}}',
    '{{ name }}',
    '{{unknown}}',
    '{{}}',
    '{{ }}',
    '{',
    '}',
    'a',
    '\n',
    '{{number}}',
    '{{path.basename}}',
  ],
  ...[
    '{{{name}}}',
    '{{name',
    'name}}',
    '{{ {{name}} }}',
    '{{na\nme}}',
    '$1',
    '$&',
    '{{\u00a0name\u00a0}}',
    'é',
    '{{é}}',
    '{{empty}}',
  ],
];

const ENVSUBST_PIECES = [
  ...[
    '${',
    '}',
    '$',
    '$$',
    'a',
    'web',
    'A',
    '${a}',
    '${web}',
    '${missing}',
    '${empty}',
    '${#web}',
    '${web^}',
    '${web^^}',
    '${web,}',
  ],
  ...[
    '${web,,}',
    '${web:1}',
    '${web:1:2}',
    '${web:-x}',
    '${missing:-x}',
    '${missing:=${web}}',
    '${missing:?e}',
    '${web:+y}',
  ],
  ...[
    '${web=z}',
    '${missing=z}',
    '${web-}',
    '${web/e/o}',
    '${path//a/b}',
    '${path/#a/b}',
    '${path/%c/d}',
    '${path#*/}',
    '${path##*/}',
  ],
  ...[
    '${path%/*}',
    '${path%%/*}',
    ':',
    '-',
    '=',
    '/',
    '#',
    '%',
    '^',
    ',',
    '//',
    '##',
    '%%',
    '\\',
    '\\/',
    ' ',
    '\n',
    '?',
    '+',
    '*',
  ],
  ...[
    '${long:-1}',
    '${long: -1}',
    '${web:0:-1}',
    '${web:9}',
    '${web:x}',
    '${web:1:x}',
    '$${web}',
    '$$$web',
    '${é}',
    '${unicode:1:1}',
  ],
  ...[
    '${unicode^}',
    '${unicode^^}',
    '${unicode,,}',
    '${#unicode}',
    '${1}',
    '${-}',
    '${web:99999999999999999999}',
    '${web/$$/x}',
    '[',
    ']',
  ],
  ...[
    '${path#[a-b]}',
    '${path%[!c]}',
    '${web//}',
    '${web//e}',
    '${empty//x/y}',
    '${web/e}',
    '${web/\\//x}',
    '${web:${one}}',
    '{',
    '${{',
  ],
];
const VARIABLES: Readonly<Record<string, string>> = {
  a: 'A',
  web: 'web-Server',
  path: 'a/b/c/a/b/c',
  empty: '',
  long: 'x'.repeat(20),
  unicode: 'éßİ日😀ǆ',
  one: '1',
  dollar: '$web ${a}',
  star: '*[a]\\',
  lines: 'a\nb',
  A: 'upper',
};

const IGNORE_LINES = [
  ...[
    '*',
    '*.md',
    '/apps',
    'apps/',
    'apps',
    'a/b',
    '/a/',
    '**/web',
    'web/**',
    'a/**/c',
    '!apps',
    '!/apps/web.yaml',
    '# note',
    '',
  ],
  ...[
    '  ',
    '!*.yaml',
    '*.yaml',
    'a*',
    '?',
    '[ab]',
    '[!a]',
    '[^a]',
    '\\#a',
    '\\!a',
    'a ',
    'a\\ ',
    '/**',
    '**',
    '***',
    'a**b',
    '/',
    '//',
  ],
  ...[
    '!',
    '!/',
    'apps/web',
    '.hidden',
    '.git',
    '!.git',
    '.github/',
    '[',
    'a//b',
    'apps/*/b',
    'é',
    '日*',
    'a\t',
    '**/',
    '/*',
    '!/**/',
  ],
  ...[
    '*/',
    '**/a/**',
    'a/**',
    '*.jpg',
    '!*.jpg',
    '.*',
    '*.*',
    'apps/**/*.yaml',
    ' a',
    '\ufeffa',
    'a\r',
    '#',
    '!#a',
    '**a',
    'a/.',
  ],
];
const IGNORED_PATHS = [
  ...[
    'a',
    'a/b',
    'a/b/c',
    'apps/web.yaml',
    'apps/a/b',
    'apps/web/a.md',
    'web',
    'web/a',
    'README.md',
    'x/web',
    'x/y/a',
    '.git/a',
  ],
  ...[
    '.github/a.yaml',
    'x/.github/a',
    'a.jpg',
    'x/a.jpg',
    '.sops.yaml',
    'x/.sops.yaml',
    '#a',
    '!a',
    'a ',
    '.hidden',
    'x/.hidden/b',
  ],
  ...[
    'é',
    '日本',
    'b',
    'apps/apps',
    'apps',
    'x/apps/y',
    '.gitignore',
    'x/.gitignore',
    '.sourceignore',
    'apps/.sourceignore',
    'ab',
  ],
];

function ignored(chance: Chance): Arguments {
  const text = (): string => chance.several(1, 4, () => chance.pick(IGNORE_LINES)).join('\n');
  const folders = ['', 'a', 'apps', 'x', 'x/y'].filter((folder) => chance.in(folder === '' ? 60 : 15));
  return [
    folders.map((folder) => ({ folder, text: text() })),
    chance.in(35) ? text() : null,
    chance.in(90)
      ? chance.pick(IGNORED_PATHS)
      : chance.several(1, 3, () => chance.pick(['a', 'b', 'apps', 'x', 'web'])).join('/'),
  ];
}

function answerIgnored([files, own, path]: Arguments): Answer {
  const written = new Map(
    (files as readonly { folder?: string; text?: string }[]).map(({ folder = '', text = '' }) => [
      folder === '' ? '.sourceignore' : `${folder}/.sourceignore`,
      text,
    ]),
  );
  const isFolder = (name: string): boolean => [...written.keys()].some((file) => file.startsWith(`${name}/`));
  const tree: FileTree = {
    kind: (name) => (isFolder(name) ? 'folder' : undefined),
    read: (name) => (written.has(name) ? new TextEncoder().encode(written.get(name)) : undefined),
    target: () => undefined,
    list: (folder) => {
      const inside = folder === '' ? '' : `${folder}/`;
      const names = [...written.keys()].filter((file) => file.startsWith(inside));
      return [...new Set(names.map((file) => file.slice(inside.length).split('/')[0] ?? ''))];
    },
  };
  return { value: sourceIgnore(tree, '', own === null ? undefined : String(own))(String(path)) };
}

function answerTemplate([text, parameters]: Arguments): Answer {
  const templating = {
    isGo: false,
    options: [],
    engine: () => {
      throw new Error('no engine');
    },
  };
  const rendered = renderTexts([String(text)], [objectOrEmpty(jsonArgument(parameters))], templating);
  if ('unknown' in rendered) return { error: rendered.unknown };
  return { value: rendered[0]?.get(String(text)) };
}

const FAILED = 'variable substitution failed: ';

type Function = readonly [generate: (chance: Chance) => Arguments, answer: (args: Arguments) => Answer];

const FUNCTIONS: Readonly<Record<string, Function>> = {
  'argo.doublestar': [globbed, answerGlob('doublestar')],
  // An empty path does not exist.
  'argo.glob': [(chance) => globbed(chance).map((text) => (text === '' ? 'a' : text)), answerGlob('glob')],
  'argo.path': [globbed, answerGlob('path')],
  'argo.template': [
    (chance) => [
      chance.several(1, 4, () => chance.pick(TEMPLATE_PIECES)).join(''),
      {
        name: chance.pick(['web', '$&', '{{name}}', '', 'a\nb']),
        number: 1,
        'path.basename': 'b',
        empty: '',
        'na\nme': 'n',
        é: 'e',
      },
    ],
    answerTemplate,
  ],
  'flux.envsubst': [
    (chance) => [
      chance
        .several(1, 6, () => (chance.in(15) ? chance.text(ENVSUBST_PIECES) : chance.pick(ENVSUBST_PIECES)))
        .join(''),
      VARIABLES,
    ],
    ([text, variables]) => {
      const values = variables as Readonly<Record<string, string>>;
      const held = (name: string): string => (Object.hasOwn(values, name) ? (values[name] as string) : '');
      const result = substitute(String(text), { valueOf: held });
      if ('text' in result) return { value: result.text };
      if (result.failure.startsWith('panic: ')) return { panic: result.failure.slice('panic: '.length) };
      return { error: result.failure.slice(FAILED.length) };
    },
  ],
  'flux.source-ignore': [ignored, answerIgnored],
  'kyverno.wildcard': [
    (chance) => [
      chance.in(50)
        ? chance.text(texts.WILDCARDS)
        : chance.several(0, 5, () => chance.pick(['*', '?', 'a', 'b', '😀', 'é', '.'])).join(''),
      chance.in(50)
        ? chance.text(texts.TEXTS)
        : chance.several(0, 6, () => chance.pick(['a', 'b', '😀', 'é', '.', '*'])).join(''),
    ],
    ([pattern, text]) => ({ value: matchesWildcard(String(pattern), String(text)) }),
  ],
};

export const GLOBS: Port = {
  name: 'globs',
  program: 'packages',
  sources: [
    'policy/kyverno/value/wildcard.ts',
    'render/argo/glob.ts',
    'render/argo/template-text.ts',
    'render/flux/source-ignore.ts',
    'render/flux/substitute.ts',
  ],
  originals: [
    'github.com/gobwas/glob/...',
    'github.com/bmatcuk/doublestar/v4',
    'github.com/fluxcd/pkg/envsubst/...',
    'github.com/fluxcd/pkg/sourceignore/...',
    'github.com/valyala/fasttemplate',
    'github.com/IGLOU-EU/go-wildcard',
  ],
  sampled: 250,
  functions: () => Object.entries(FUNCTIONS).map(([name, [generate]]) => ({ name, generate })),
  surface: () => Object.keys(FUNCTIONS),
  start: () => (name, args) => (FUNCTIONS[name] as Function)[1](args),
};
