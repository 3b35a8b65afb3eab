// Requests about an added policy. The expected answers come from its text, not from the code under test.
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  Hover,
  Location,
  SemanticTokens,
  SignatureHelp,
  WorkspaceEdit,
} from 'vscode-languageserver-types';
import { edited, marked, textAt } from '../../support/language-client.ts';
import { policyName, type SpokenKind } from './brought-policy.ts';
import type { EditorSession, OpenDocument } from './editor-session.ts';

/** Undefined if the answer is correct. */
type Judged = string | undefined;

export async function discussPolicy(session: EditorSession, document: OpenDocument, spoken: SpokenKind): Promise<void> {
  const { uri, text } = document;
  const name = policyName(spoken);
  /** `mark`: part of the text, with `¦` at the position of the request. */
  const at = async <T>(
    what: string,
    mark: string,
    judge: (answer: T, now: string) => Judged,
    more: object = {},
  ): Promise<void> => {
    const { position } = marked(text.replace(mark.replace('¦', ''), () => mark));
    await session.ask<T>(what, { textDocument: { uri }, position, ...more }, (answer) => judge(answer, text));
  };
  const declared = { context: { includeDeclaration: true } };

  await at<Location[]>('definition', 'size(variables.lab¦els) >=', leadsTo(uri, ['name: labels'], 'labels'));
  await at<Location[]>('definition', 'int(para¦ms.data', leadsTo(uri, [`name: ${name}-params`], `${name}-params`));
  await at<Location[]>('definition', `policyName: ${name}¦\n`, leadsTo(uri, [`name: ${name}\n`], name));
  await at<Location[]>(
    'definition',
    `paramRef: { name: ${name}¦-params`,
    leadsTo(uri, [`name: ${name}-params`], `${name}-params`),
  );
  const uses = ['name: labels', 'size(variables.labels) >=', 'in variables.labels', 'string(size(variables.labels))'];
  await at<Location[]>('references', '- name: lab¦els', leadsTo(uri, uses, 'labels'), declared);
  await at<Location[]>(
    'references',
    `policyName: ${name}¦\n`,
    leadsTo(uri, [`name: ${name}\n`, `policyName: ${name}\n`], name),
    declared,
  );
  await at<WorkspaceEdit>(
    'rename',
    'in variables.lab¦els',
    ({ changes }) => {
      const wanted = text.replaceAll('variables.labels', 'variables.marks').replace('name: labels', 'name: marks');
      return same(edited(text, changes?.[uri] ?? []), wanted);
    },
    { newName: 'marks' },
  );
  await at<{ readonly placeholder: string }>('prepareRename', 'in variables.lab¦els', ({ placeholder }) =>
    same(placeholder, 'labels'),
  );
  const tells = (answer: Hover, words: string): Judged =>
    JSON.stringify(answer.contents).includes(words) ? undefined : `${JSON.stringify(answer.contents)} lacks ${words}`;
  await at<Hover>('hover', '? object.metadata.lab¦els', (answer) =>
    tells(answer, 'object.metadata.labels: map(string, string)'),
  );
  await at<Hover>('hover', 'size(variables.lab¦els) >=', (answer) => tells(answer, 'has(object.metadata.labels)'));
  await at<Hover>('hover', 'i¦nt(params.data', (answer) => tells(answer, 'int(string) -> int'));
  await at<SignatureHelp>('signatureHelp', 'int(¦params.data', ({ signatures, activeParameter }) =>
    signatures.some(({ label }) => label === 'int(string) -> int') && activeParameter === 0
      ? undefined
      : JSON.stringify(signatures),
  );
  await session.ask<SemanticTokens>('semanticTokens/full', { textDocument: { uri } }, ({ data }) => {
    const words = colouredWords(text, data);
    const lacking = ['0 variables', '1 labels', '2 size', '0 params', '6 >=', '3 in', '2 has'].filter(
      (each) => !words.includes(each),
    );
    return lacking.length === 0 ? undefined : `not coloured: ${lacking.join(', ')}`;
  });
  await completeNames(session, document, spoken);
  await mendName(session, document);
}

/** Completion at incomplete expressions. */
async function completeNames(session: EditorSession, document: OpenDocument, { field }: SpokenKind): Promise<void> {
  const cases: readonly (readonly [written: string, has: readonly string[], lacks: readonly string[]])[] = [
    ['object.¦', [field, 'metadata', 'kind'], ['variables', 'labels']],
    ['object.metadata.¦', ['labels', 'name', 'namespace'], ['spec', 'data']],
    ['variables.¦', ['labels'], ['object']],
    ['params.¦', ['data', 'binaryData'], ['spec']],
    ['object.metadata.name.¦', ['startsWith', 'matches'], ['labels']],
  ];
  for (const [written, has, lacks] of cases) {
    const { text, position } = marked(
      document.text.replace('size(variables.labels) >= int(params.data.least)', written),
    );
    await session.change(document, text);
    await session.ask<CompletionItem[]>('completion', { textDocument: document, position }, (answer) => {
      const names = answer.map(({ label }) => label);
      const wrong = [...has.filter((name) => !names.includes(name)), ...lacks.filter((name) => names.includes(name))];
      return wrong.length === 0 ? undefined : `${written} of ${document.uri}: wrong about ${wrong.join(', ')}`;
    });
  }
  await session.change(document, document.text);
}

/** A misspelt name is reported at its location, and the code action corrects it. */
async function mendName(session: EditorSession, document: OpenDocument): Promise<void> {
  const { uri, text } = document;
  const misspelt = text.replace('has(object.metadata', 'has(objct.metadata');
  await session.change(document, misspelt);
  const diagnostics = await session.settled(document);
  const told = diagnostics.find(
    ({ code, range }) => code === 'invalid-expression' && textAt(misspelt, range) === 'objct',
  );
  if (told === undefined) {
    session.fail(`${uri}: nothing is said of \`objct\``);
    return;
  }
  await session.ask<CodeAction[]>('codeAction', actionParams(document, told), (actions) => {
    const mend = actions.find(({ title }) => title === 'Replace with `object`');
    return same(edited(misspelt, mend?.edit?.changes?.[uri] ?? []), text);
  });
  await session.change(document, text);
}

export function actionParams({ uri }: OpenDocument, diagnostic: Diagnostic): object {
  return { textDocument: { uri }, range: diagnostic.range, context: { diagnostics: [diagnostic] } };
}

/** `marks`: texts that contain `word`, in document order. */
function leadsTo(uri: string, marks: readonly string[], word: string): (answer: Location[], text: string) => Judged {
  return (answer, text) => {
    const wanted = marks.map((mark) => lineOf(text, text.indexOf(mark) + mark.indexOf(word)));
    const led = answer.map(({ uri: found, range }) => {
      const where = found === uri ? '' : `${found} `;
      return `${where}${range.start.line} ${textAt(text, range)}`;
    });
    return same(
      led.sort().join(', '),
      wanted
        .map((line) => `${line} ${word}`)
        .sort()
        .join(', '),
    );
  };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

function same(told: string, wanted: string): Judged {
  return told === wanted ? undefined : `answered ${JSON.stringify(told)} instead of ${JSON.stringify(wanted)}`;
}

/** As `TYPE WORD`, by the numbers of the server's legend. */
function colouredWords(text: string, data: readonly number[]): readonly string[] {
  const lines = text.split('\n');
  const words: string[] = [];
  for (let [index, line, character] = [0, 0, 0]; index < data.length; index += 5) {
    const [down = 0, right = 0, length = 0, type = 0] = data.slice(index, index + 4);
    character = down === 0 ? character + right : right;
    line += down;
    words.push(`${type} ${lines[line]?.slice(character, character + length)}`);
  }
  return words;
}
