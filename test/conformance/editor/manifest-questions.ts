// Requests about a manifest of the repository: diagnostics must match those of `check`, and code actions must have the described effect.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-types';
import type { Report } from '../../../src/report/report.ts';
import { edited } from '../../support/language-client.ts';
import { ADDED_LABEL } from './brought-policy.ts';
import type { EditorSession, OpenDocument } from './editor-session.ts';
import { actionParams } from './policy-questions.ts';

/** Number of successful attempts; not every manifest allows each of them. */
export interface Proposed {
  accepted: number;
  mutated: number;
  slips: number;
}

export function nothingYet(): Proposed {
  return { accepted: 0, mutated: 0, slips: 0 };
}

const ERROR = 1;
const HINT = 4;
/** A known kind, not a custom one. */
const SPEC = /(^kind: (?:Deployment|Service|StatefulSet)\n(?:(?!---).*\n)*?)spec:\n/m;
const MUTATE = 'Write what mutating policies add to this file';

export async function discussManifest(
  session: EditorSession,
  path: { readonly onDisk: string; readonly inRepository: string },
  text: string,
  report: Report,
  proposed: Proposed,
): Promise<void> {
  const document = await session.open(path.onDisk, text);
  const before = await session.settled(document);
  const told = [...new Set(before.map(lineTold))].sort();
  const checked = [...new Set(linesChecked(report, path.inRepository))].sort();
  session.compare(`${path.inRepository}: what is said, and what check says`, told, checked);
  if (!isAside(path.onDisk)) await slip(session, document, before, proposed);
  await accept(session, document, before, proposed);
  await mutate(session, document, proposed);
  await session.change(document, text);
  const after = await session.settled(document);
  const wanted = before.map((each) => JSON.stringify(each)).sort();
  session.compare(
    `${path.inRepository}: what is said after all edits are taken back`,
    after.map((each) => JSON.stringify(each)).sort(),
    wanted,
  );
  await session.close(document);
}

/** As `LINE CODE MESSAGE`. */
export function lineTold({ code, range, message }: Diagnostic): string {
  return `${range.start.line + 1} ${code} ${String(message).split('\n')[0]}`;
}

/** The same format for the report of a check. */
export function linesChecked({ findings, diagnostics }: Report, path: string): readonly string[] {
  return [...findings, ...diagnostics].flatMap(({ code, primary, message }) =>
    primary?.path === path ? [`${primary.startLine} ${code} ${message.split('\n')[0]}`] : [],
  );
}

/** The server's errors about files next to a kustomization that does not list them are combined into one notice. */
function isAside(path: string): boolean {
  const kustomization = join(dirname(path), 'kustomization.yaml');
  return existsSync(kustomization) && !readFileSync(kustomization, 'utf8').includes(basename(path));
}

/** A field that no kind has is reported on its line, wherever the object is applied. */
async function slip(
  session: EditorSession,
  document: OpenDocument,
  before: readonly Diagnostic[],
  proposed: Proposed,
): Promise<void> {
  await session.change(document, `${document.text}\n# a word`);
  const isJudged = before.some(({ code }) => code === 'failed-validation');
  const text = document.text.replace(SPEC, '$1spec:\n  unknwon: true\n');
  if (!isJudged || text === document.text) return;
  await session.change(document, text);
  const line = text.split('\n').indexOf('  unknwon: true');
  const told = (await session.settled(document)).some(
    ({ code, range }) => code === 'unknown-field' && range.start.line === line,
  );
  proposed.slips += Number(told);
  if (!told) session.fail(`${document.uri}: nothing is said of a field that no kind has`);
}

async function accept(
  session: EditorSession,
  document: OpenDocument,
  before: readonly Diagnostic[],
  proposed: Proposed,
): Promise<void> {
  const denial = before.find(({ code, severity }) => code === 'failed-validation' && severity === ERROR);
  if (denial === undefined) return;
  const [, policy] = /^(spoken-[a-z]+), /m.exec(String(denial.message)) ?? [];
  await session.change(document, document.text);
  const actions = await session.seek<CodeAction[]>('codeAction', actionParams(document, denial));
  const action = actions?.find(({ title }) => title === `Accept \`${policy}\` here, with a reason`);
  if (action === undefined || policy === undefined) return;
  const accepted = edited(document.text, action.edit?.changes?.[document.uri] ?? []).replace(
    `${policy}: `,
    `${policy}: asked for`,
  );
  await session.change(document, accepted);
  const left = (await session.settled(document)).filter(({ message }) => String(message).includes(`\n${policy}, `));
  const isAccepted = left.some(
    ({ severity, message }) => severity === HINT && /accepted: asked for/.test(String(message)),
  );
  proposed.accepted += Number(isAccepted);
  if (!isAccepted) session.fail(`${document.uri}: \`${policy}\` was accepted, and is told as before`);
}

/** After the first write, a second one has nothing to change. */
async function mutate(session: EditorSession, document: OpenDocument, proposed: Proposed): Promise<void> {
  await session.change(document, document.text);
  const start = {
    line: Math.max(
      0,
      document.text.split('\n').findIndex((line) => line.startsWith('kind:')),
    ),
    character: 0,
  };
  const params = { textDocument: { uri: document.uri }, range: { start, end: start }, context: { diagnostics: [] } };
  const proposal = (await session.seek<CodeAction[]>('codeAction', params))?.find(({ title }) => title === MUTATE);
  if (proposal === undefined) return;
  const written = edited(document.text, proposal.edit?.changes?.[document.uri] ?? []);
  await session.change(document, written);
  const again = await session.seek<CodeAction[]>('codeAction', params);
  const isDone = written.includes(ADDED_LABEL) && again?.some(({ title }) => title === MUTATE) !== true;
  proposed.mutated += Number(isDone);
  if (!isDone) session.fail(`${document.uri}: what mutating policies add was written, and is proposed again`);
}
