// `preadmit migrate`: translates policies removed in Kyverno 1.20 to CEL policies that agree on every tried object.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { migrationLabel, migrationText } from '../../../pipeline/migrate/describe-migrations.ts';
import { migratePolicies } from '../../../pipeline/migrate/migrate-policies.ts';
import { MIGRATION_TARGETS, type MigrationTarget } from '../../../pipeline/migrate/migration-target.ts';
import { count } from '../../../report/wording/wording.ts';
import { askRepository } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import { MIGRATE_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { stoppedBy } from '../stopped-by.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkOptions } from './check-command.ts';

/** Exits with 1 if a policy cannot be translated. */
export async function migrateCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, MIGRATE_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths: names, texts } = parsed.arguments;
  const to =
    MIGRATION_TARGETS.find((name) => name === texts.get('to')) ?? ('ValidatingPolicy' satisfies MigrationTarget);
  const options = { ...checkOptions({ ...parsed.arguments, paths: [] }, terminal), baseline: null };
  const asked = await askRepository(options, (input) => migratePolicies(input, { to, names }));
  if ('stopped' in asked) return stoppedBy(asked.stopped, terminal);
  const { migrations, missing } = asked.answer;
  if (missing.length > 0)
    return usageError(
      missing.map((name) => `ClusterPolicy \`${name}\` does not exist`),
      terminal,
    );
  const say = (line: string): void => terminal.err(`preadmit: ${sanitizeLine(line)}\n`);
  const made = migrations.filter(({ documents }) => documents !== undefined);
  terminal.out(migrations.map(migrationText).join('').split('\n').map(sanitizeLine).join('\n'));
  for (const migration of migrations) {
    for (const reason of migration.reasons) say(`${migrationLabel(migration)}: not translated: ${reason}`);
  }
  if (migrations.length === 0) {
    say('no ClusterPolicy found');
    return EXIT.nothingChecked;
  }
  say(`${made.length} of ${count(migrations.length, 'policy', 'policies')} translated to ${to}`);
  return made.length === migrations.length ? EXIT.allowed : EXIT.denied;
}
