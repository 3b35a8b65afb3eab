// Runs the suites of Kyverno's repositories (`kyverno-test.yaml`), and evaluates the API server's policies like Kyverno's command line.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { DEFAULT_VERSION } from '../../src/kubernetes/api/version.ts';
import { isKyvernoTest, readKyvernoTest } from '../../src/policy/kyverno/suite/kyverno-test.ts';
import { SuiteTools } from '../../src/policy/kyverno/suite/suite-answer.ts';
import { SuiteRun } from '../../src/policy/kyverno/suite/suite-run.ts';
import type { ServerAnswer, ServerQuestion } from '../../src/policy/language/policy-suite.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { answerAdmission } from './kyverno-admission.ts';
import { KYVERNO_SUITE_DIFFERENCES } from './kyverno-suite-differences.ts';

interface ScoredRow {
  /** `folder of the suite: policy/rule resource`, relative to the given folder. */
  readonly id: string;
  /** Undefined if the result is as expected. */
  readonly problem: string | undefined;
}

/** All rows of all suites in a folder. A row is an object that a result names, or a result that names none. */
function runKyvernoSuites(folder: string): readonly ScoredRow[] {
  const tools = new SuiteTools(DEFAULT_VERSION);
  const seconds = BigInt(Math.floor(Date.now() / 1000));
  return suiteFiles(folder).flatMap((file) =>
    documents(file)
      .filter(isKyvernoTest)
      .flatMap((document) => {
        const place = relative(folder, dirname(file));
        const surroundings = {
          read: (path: string) => objects(normalize(join(dirname(file), path))),
          seconds,
          asHeld: (object: JsonObject) => object,
          askServer: (question: ServerQuestion) => commandLineAnswer(question, tools),
        };
        const rows = new SuiteRun(readKyvernoTest(document), surroundings, tools).rows();
        return rows.map(({ name, problem, notRun }): ScoredRow => {
          const id = `${place}: ${name}`;
          const found =
            notRun ?? (problem && [problem.message, problem.actual].filter((each) => each !== undefined).join(': '));
          if (!MEANT_TO_FAIL.test(place)) return { id, problem: found };
          return { id, problem: found === undefined ? 'the suite is there to fail' : undefined };
        });
      }),
  );
}

function commandLineAnswer({ policy, bindings, object, context }: ServerQuestion, tools: SuiteTools): ServerAnswer {
  const question = { policy, resource: object, context, engine: 'cli-test', extraDocs: bindings };
  const { results, patched } = answerAdmission(question, tools);
  const [result] = results;
  return result && { ...result, ...(isJsonObject(patched ?? null) && { patched: patched as JsonObject }) };
}

function suiteFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === '.git' ? [] : suiteFiles(path);
    return entry.name === 'kyverno-test.yaml' ? [path] : [];
  });
}

function documents(path: string): readonly JsonValue[] {
  if (!existsSync(path)) return [];
  return readManifests(new SourceFile(path, readFileSync(path, 'utf8'))).manifests.map(({ value }) => value);
}

/** Documents that are objects, with Lists expanded. */
function objects(path: string): readonly JsonObject[] {
  return documents(path).flatMap((document) => {
    const object = objectOrEmpty(document);
    return textField(object, 'kind') === 'List' ? objectItems(object.get('items')) : object.size === 0 ? [] : [object];
  });
}

/** Suites that demonstrate a failure. */
const MEANT_TO_FAIL = /(?:^|\/)test-fail\/missing-/;

/** Prints the score; true if exactly the rows of the ledger fail. */
export function scoreKyvernoSuites(folder: string): boolean {
  const rows = runKyvernoSuites(folder);
  const ledger = new Map(
    [...KYVERNO_SUITE_DIFFERENCES].flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
  );
  const failed = rows.filter(({ problem }) => problem !== undefined);
  const share = rows.length === 0 ? '0' : (((rows.length - failed.length) / rows.length) * 100).toFixed(2);
  console.log(`kyverno-suites ${rows.length - failed.length} of ${rows.length} rows (${share} %)`);
  for (const { id, problem } of failed)
    console.log(`  ${id}\n    ${problem}\n    ${ledger.get(id) ?? 'NOT IN THE LEDGER'}`);
  const ids = new Set(rows.map(({ id }) => id));
  const stale = [...ledger.keys()].filter((id) => ids.has(id) && !failed.some((row) => row.id === id));
  for (const id of stale) console.log(`  no longer different: ${id}`);
  return rows.length > 0 && stale.length === 0 && failed.every(({ id }) => ledger.has(id));
}
