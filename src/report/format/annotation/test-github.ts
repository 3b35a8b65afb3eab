// Policy test results as workflow commands: an annotation per failed test, and one per file with tests that cannot run.
import type { TestReport, TestSuite } from '../../explanation/policy-test.ts';
import { count } from '../../wording/wording.ts';
import { differenceText } from '../junit/test-junit.ts';
import { testCounts } from '../text/test-text.ts';
import { type AnnotationCommand, encodeCommand } from './workflow-command.ts';

export function testGithub(report: TestReport): string {
  const commands = [...report.suites.flatMap((suite) => [...failures(suite), ...unrun(suite)]), ...unfailed(report)];
  return `${[...commands.map(encodeCommand), testCounts(report)].join('\n')}\n`;
}

function failures({ problems, tests }: TestSuite): readonly AnnotationCommand[] {
  const broken = problems.map(({ message, place, help }) => ({
    severity: 'error' as const,
    title: 'tests cannot be run',
    message: [message, ...(help === undefined ? [] : [`help: ${help}`])].join('\n'),
    place,
  }));
  const failed = tests.filter(({ differences }) => differences.length > 0);
  return [
    ...broken,
    ...failed.map(({ name, place, differences }) => ({
      severity: 'error' as const,
      title: name,
      message: differences.map(differenceText).join('\n'),
      place,
    })),
  ];
}

/** Only with `--coverage`. */
function unfailed({ coverage }: TestReport): readonly AnnotationCommand[] {
  const missing = coverage?.missing.filter(({ isUnfailed }) => isUnfailed === true) ?? [];
  return missing.map(({ policy, rule, place }) => ({
    severity: 'warning',
    title: `no test fails ${policy} ${rule}`,
    message: 'tests would still pass without this validation: add a test that it denies',
    place,
  }));
}

function unrun({ path, tests }: TestSuite): readonly AnnotationCommand[] {
  const left = tests.filter(({ notRun }) => notRun !== undefined);
  const [first] = left;
  if (first === undefined) return [];
  const reasons = [...new Set(left.map(({ notRun }) => notRun as string))].sort();
  const message = `${count(left.length, 'test')} of ${path} cannot be run here:\n${reasons.join('\n')}`;
  return [{ severity: 'notice', title: 'tests not run', message, place: first.place }];
}
