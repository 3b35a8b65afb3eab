// Prints migrated policies as YAML, with the number of requests that they were tested with.
import { resourceName } from '../../report/finding/finding.ts';
import { count, resourceLabel } from '../../report/wording/wording.ts';
import { blockLines } from '../../source/edit/yaml-text.ts';
import type { PolicyMigration } from './migrate-policies.ts';

/** `policies/labels.yaml:3 ClusterPolicy require-labels`. */
export function migrationLabel({ policy }: Pick<PolicyMigration, 'policy'>): string {
  const { file, range } = policy.locate(['kind'], 'key');
  const name = resourceLabel(resourceName(policy, policy.namespace));
  return `${file.path}:${file.positionAt(range.start).line} ${name}`;
}

/** Empty if the policy has no translation. */
export function migrationText(migration: PolicyMigration): string {
  const { documents, notes, tried } = migration;
  if (documents === undefined) return '';
  const compared = `gives the same verdicts for ${count(tried.ofRepository, 'request')} of the repository and ${tried.generated} generated ones`;
  const head = [migrationLabel(migration), compared, ...notes].map((line) => `# ${line}`.replace(/[\r\n]+/g, ' '));
  return documents
    .map((document, index) => {
      const lines = blockLines(document, 0, { step: 2, dash: 2 });
      return `---\n${[...(index === 0 ? head : []), ...lines].join('\n')}\n`;
    })
    .join('');
}
