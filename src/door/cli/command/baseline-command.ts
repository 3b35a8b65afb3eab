// `preadmit baseline`: shows the state of the baseline; --update and --prune rewrite it.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { append } from '../../../go/slices/append.ts';
import { accepts, acceptsProblem, applyBaseline, type BaselineEntry } from '../../../report/baseline/baseline.ts';
import { type BaselineContent, baselineText } from '../../../report/baseline/baseline-text.ts';
import { isExpired, openDiagnostics, openFindings } from '../../../report/baseline/excuse.ts';
import { separated } from '../../../report/builder/join-roots.ts';
import { text } from '../../../report/format/text/text.ts';
import { isGating } from '../../../report/tally/verdict.ts';
import { count } from '../../../report/wording/wording.ts';
import { loadBaseline } from '../../../settings/load-baseline.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { BASELINE_NAME, readBaselineFile } from '../../../workspace/discover/configuration-file.ts';
import { reasonOf, WorkspaceError } from '../../../workspace/workspace-error.ts';
import { checkRepository, repositoryRoot } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import { type BaselineTerms, baselineEntries, isAcceptable } from '../init/baseline-entries.ts';
import { BASELINE_OPTIONS } from '../options/option-table.ts';
import { type ParsedArguments, parseArguments } from '../options/parse-arguments.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkOptions } from './check-command.ts';

/** Exits with 1 if entries are expired or unused, so that it can run as its own check. */
export async function baselineCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, BASELINE_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { flags, texts } = parsed.arguments;
  const updates = flags.has('update');
  const terms = termsOf(parsed.arguments);
  if (updates && terms === undefined) {
    return usageError(['`--update` needs `--owner`, `--reason` and `--expires` for the new entries'], terminal);
  }
  if (terms !== undefined && isExpired(terms.expires, terminal.today)) {
    return usageError([`\`--expires ${terms.expires}\` is in the past: the new entries would be expired`], terminal);
  }
  const options = checkOptions(parsed.arguments, terminal);
  const root = await repositoryRoot(options);
  const path = texts.get('baseline') ?? BASELINE_NAME;
  const file = await readIfThere(root, path);
  if (file === undefined && !updates)
    return usageError([`there is no baseline \`${path}\`; use \`--update\` to create it`], terminal);
  const loaded = file === undefined ? { baseline: [], diagnostics: [] } : loadBaseline(file);
  const { report, unusable } = await checkRepository({
    ...options,
    baseline: loaded.baseline === undefined ? path : null,
  });
  if (unusable || loaded.baseline === undefined) {
    const { color, width } = terminal;
    terminal.out(text.render(report, { color, width, showSkipped: false, quiet: true }));
    return EXIT.usage;
  }

  const {
    findings,
    problems: objects,
    used,
  } = applyBaseline(report.findings.flatMap(separated), loaded.baseline, terminal.today, report.diagnostics);
  const missing = openFindings(findings).filter((finding) => isGating(finding, report.verdict.failOn));
  const problems = openDiagnostics(objects).filter(isAcceptable);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const unjudged = problems.length - errors.length;
  const unused = loaded.baseline.filter((entry) => !used.has(entry));
  const expired = loaded.baseline.filter((entry) => used.has(entry) && isExpired(entry.expires, terminal.today));
  const standing = [
    `${count(loaded.baseline.length, 'entry', 'entries')}: ${unused.length} unused, ${expired.length} expired`,
    ...unused.map((entry) => `  unused: ${describe(entry)}`),
    ...expired.map((entry) => `  expired on ${entry.expires}: ${describe(entry)}, owner ${entry.owner}`),
    `${count(missing.length, 'finding')} not in the baseline`,
    ...(errors.length > 0 ? [`${count(errors.length, 'object error')} not in the baseline`] : []),
    ...(unjudged > 0 ? [`${count(unjudged, 'unjudged subject')} not in the baseline`] : []),
  ];
  for (const line of standing) terminal.out(`${sanitizeLine(line)}\n`);

  const prunes = flags.has('prune');
  if (updates || prunes) {
    const kept: BaselineContent[] = prunes ? loaded.baseline.filter((entry) => used.has(entry)) : [...loaded.baseline];
    // The owner must renew an expired entry, so no second entry is added for its findings.
    const open = missing.filter((finding) => !expired.some((entry) => accepts(entry, finding)));
    const severalTargets = report.targets.length > 1;
    if (terms !== undefined && updates) {
      const renewable = problems.filter((problem) => !expired.some((entry) => acceptsProblem(entry, problem)));
      append(kept, baselineEntries(open, renewable, severalTargets, terms));
    }
    const written = baselineText(kept);
    const wrong = loadBaseline(new SourceFile(path, written)).diagnostics.map(({ message }) => message);
    if (wrong.length > 0) return usageError([...new Set(wrong)], terminal);
    await write(resolve(root, path), written);
    terminal.out(`${sanitizeLine(`wrote ${count(kept.length, 'entry', 'entries')} to ${path}`)}\n`);
  }
  return expired.length > 0 || (unused.length > 0 && !prunes) ? EXIT.denied : EXIT.allowed;
}

function termsOf({ texts }: ParsedArguments): BaselineTerms | undefined {
  const [owner, reason, expires] = [texts.get('owner'), texts.get('reason'), texts.get('expires')];
  return owner === undefined || reason === undefined || expires === undefined ? undefined : { owner, reason, expires };
}

async function readIfThere(root: string, path: string): Promise<SourceFile | undefined> {
  try {
    return await readBaselineFile({ root, path });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'path-not-found') return undefined;
    throw error;
  }
}

function describe({ policy = '', code, rule, resource, field }: BaselineEntry): string {
  const what = rule === undefined ? (code ?? policy) : `${policy}/${rule}`;
  return field === undefined ? `${what} for ${resource}` : `${what} for ${resource} at ${field}`;
}

async function write(file: string, written: string): Promise<void> {
  try {
    await writeFile(file, written);
  } catch (cause) {
    throw new WorkspaceError('unwritable', `the baseline \`${file}\` cannot be written: ${reasonOf(cause)}`, { cause });
  }
}
