// Code actions for diagnostics: replace a name, accept a finding, write mutations.
import type { CodeAction, Diagnostic, TextEdit } from 'vscode-languageserver-types';
import { acceptFinding } from '../../pipeline/editing/accept-finding.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { offsetAt, protocolRange } from './document-position.ts';
import type { EditedRepository } from './edited-repository.ts';
import type { DiagnosticData } from './reported-diagnostics.ts';
import { documentUri, optionalObject, type Params, rangeParam } from './request-params.ts';

/** Limits the work; an editor shows no more at one position. */
const MAX_DIAGNOSTICS = 50;

export function codeActions(params: Params, repository: EditedRepository): readonly CodeAction[] | null {
  const uri = documentUri(params);
  const path = repository.pathOf(uri);
  const file = path === undefined ? undefined : repository.file(path);
  if (path === undefined || file === undefined) return null;
  const range = rangeParam(params);
  const { diagnostics } = optionalObject(params, 'context');
  const given: readonly unknown[] = Array.isArray(diagnostics) ? diagnostics.slice(0, MAX_DIAGNOSTICS) : [];
  const actions = given.flatMap((one): readonly CodeAction[] => {
    const diagnostic = own(one);
    if (diagnostic === undefined) return [];
    return [...replacements(diagnostic, uri), ...acceptances(diagnostic, { uri, path, file, repository })];
  });
  return [...actions, ...mutations(uri, path, file, offsetAt(file, range.start), repository)];
}

/** A diagnostic published by this server; undefined for anything else. */
function own(value: unknown): (Diagnostic & { readonly data: DiagnosticData }) | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { source, data } = value as Partial<Diagnostic>;
  if (source !== 'preadmit' || typeof data !== 'object' || data === null) return undefined;
  try {
    rangeParam(value as Params);
  } catch {
    return undefined;
  }
  return value as Diagnostic & { readonly data: DiagnosticData };
}

/** The help names the replacement: ``did you mean `name`?``. */
function replacements(diagnostic: Diagnostic & { readonly data: DiagnosticData }, uri: string): readonly CodeAction[] {
  const { help } = diagnostic.data;
  const [, meant] = /^did you mean `([^`\n]{1,200})`\?$/.exec(typeof help === 'string' ? help : '') ?? [];
  const { code, range } = diagnostic;
  if (meant === undefined || code !== 'invalid-expression' || range.start.line !== range.end.line) return [];
  return [quickFix(`Replace with \`${meant}\``, uri, [{ range, newText: meant }], diagnostic, true)];
}

interface Place {
  readonly uri: string;
  readonly path: string;
  readonly file: SourceFile;
  readonly repository: EditedRepository;
}

function acceptances(
  diagnostic: Diagnostic & { readonly data: DiagnosticData },
  { uri, path, file, repository }: Place,
): readonly CodeAction[] {
  const { accepts } = diagnostic.data;
  const content = repository.state?.content();
  if (typeof accepts !== 'string' || content === undefined || diagnostic.severity === 4) return [];
  const splices = acceptFinding(content, path, offsetAt(file, diagnostic.range.start), accepts);
  if (splices === undefined) return [];
  const edits = splices.map(({ start, end, text }) => ({ range: protocolRange(file, { start, end }), newText: text }));
  return [quickFix(`Accept \`${accepts}\` in this object, with a reason`, uri, edits, diagnostic, false)];
}

/** Writes mutations into the file if policies change the object at the position. */
function mutations(
  uri: string,
  path: string,
  file: SourceFile,
  offset: number,
  repository: EditedRepository,
): readonly CodeAction[] {
  const rewritten = repository.mutationsOf(path);
  if (rewritten === undefined || rewritten.splices.length === 0) return [];
  if (!rewritten.objects.some(({ start, end }) => start <= offset && offset <= end)) return [];
  const edits = rewritten.splices.map(({ start, end, text }) => ({
    range: protocolRange(file, { start, end }),
    newText: text,
  }));
  return [quickFix('Write changes of mutating policies to this file', uri, edits, undefined, false)];
}

function quickFix(
  title: string,
  uri: string,
  edits: readonly TextEdit[],
  diagnostic: Diagnostic | undefined,
  isPreferred: boolean,
): CodeAction {
  return {
    title,
    kind: 'quickfix',
    edit: { changes: { [uri]: [...edits] } },
    ...(diagnostic && { diagnostics: [diagnostic] }),
    ...(isPreferred && { isPreferred }),
  };
}
