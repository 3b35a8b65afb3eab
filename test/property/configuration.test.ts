// The configuration reader never throws, and its locations are always inside the text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/settings/load-configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { tries } from '../support/tries.ts';

const KEYS = [
  'version',
  'include',
  'policies',
  'targets',
  'user',
  'username',
  'groups',
  'extra',
  'failOn',
  'skip',
  'files',
  'reason',
  'manifests',
  'kubernetesVersion',
  '__proto__',
  'toString',
];

/** Objects that resemble a configuration at every depth, with values of every type in every field. */
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 1, 1.5, '1.36', '**', '', 'deny', '../x', '{a,b}'.repeat(12)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 5 })), tie('value'), { maxKeys: 5 }),
  ),
})).value;

function check(text: string): void {
  const file = new SourceFile('.preadmit.yaml', text);
  const { configuration, diagnostics } = loadConfiguration(file);
  expect(configuration === undefined).toBe(diagnostics.length > 0);
  for (const { primary, message, code } of diagnostics) {
    expect(code).toMatch(/^configuration-[a-z-]+$/);
    expect(message).not.toBe('');
    expect(primary).toBeDefined();
    if (primary === undefined) continue;
    const { start, end } = primary.range;
    expect([start >= 0, start <= end, end <= text.length]).toEqual([true, true, true]);
  }
}

describe('loadConfiguration', () => {
  it('accepts any object', () => {
    fc.assert(
      fc.property(document, (value) => check(JSON.stringify(value))),
      tries(500, 7),
    );
  });

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), check), tries(500, 8));
  });

  it('accepts any part of a valid file', () => {
    const good =
      'version: 1\ntargets:\n  a: &a { policies: [p], user: { username: u } }\n  b: *a\nskip:\n- files: [x]\n  reason: "y"\n';
    const piece = fc.tuple(
      fc.nat(good.length),
      fc.nat(good.length),
      fc.constantFrom('', '\t', ':', '- ', '{', '*a', '\ufeff'),
    );
    fc.assert(
      fc.property(piece, ([from, to, inserted]) => check(good.slice(0, from) + inserted + good.slice(to))),
      tries(500, 9),
    );
  });
});
