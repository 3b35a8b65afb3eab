// Slips that people told of in public: each is one message, and says the way out.
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
  // Notices are about what is right, and has a newer form.
  return diagnostics.filter(({ severity }) => severity !== 'notice').map(({ message, help }) => `${message}\n${help}`);
}

it.each(PUBLIC_SLIPS.map((slip, index) => [`${index + 1} ${slip.from}`, slip] as const))('%s', (_, slip) => {
  expect(told(slip)).toEqual([expect.stringContaining(slip.help)]);
});

it('are sixty and more, each from an address', () => {
  expect(PUBLIC_SLIPS.length).toBeGreaterThanOrEqual(60);
  expect(PUBLIC_SLIPS.filter(({ from }) => !URL.canParse(from))).toEqual([]);
});
