// Mistakes that users reported in public: each gives one message with its fix.
import { expect, it } from 'vitest';
import { checkState } from '../src/pipeline/check-state.ts';
import { resolveConfiguration } from '../src/settings/configuration.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { PUBLIC_SLIPS, type PublicSlip } from './support/public-slips.ts';

function told({ text, version }: PublicSlip): readonly string[] {
  const file = new SourceFile('slip.yaml', text);
  const { diagnostics } = checkState({
    files: [{ file, selected: true }],
    paths: new Set([file.path]),
    notRead: [],
    configuration: resolveConfiguration({ ...(version !== undefined && { kubernetesVersion: version }) }),
  });
  // Excludes notices, which are about valid input with a newer form.
  return diagnostics.filter(({ severity }) => severity !== 'notice').map(({ message, help }) => `${message}\n${help}`);
}

it.each(PUBLIC_SLIPS.map((slip, index) => [`${index + 1} ${slip.from}`, slip] as const))('%s', (_, slip) => {
  expect(told(slip)).toEqual([expect.stringContaining(slip.help)]);
});

it('are at least sixty, each with a URL', () => {
  expect(PUBLIC_SLIPS.length).toBeGreaterThanOrEqual(60);
  expect(PUBLIC_SLIPS.filter(({ from }) => !URL.canParse(from))).toEqual([]);
});
