// The one way to skip tests: `needs('browser').describe(...)`. In CI absent evidence fails unless PREADMIT_WITHOUT lists it.
import { describe, it } from 'vitest';
import { absenceSuffix, EVIDENCE, type Evidence, mayLack } from './evidence-table.ts';

interface Registrars {
  readonly describe: (title: string, body: () => void) => void;
  readonly it: (title: string, body: () => void | Promise<void>) => void;
}

/** `isThere`: for tests that need a particular file of the evidence. */
export function needs(name: Evidence, isThere: boolean = EVIDENCE[name].isThere()): Registrars {
  if (isThere) return { describe: (title, body) => void describe(title, body), it };
  if (mayLack().has(name)) {
    return {
      describe: (title, body) => void describe.skip(title + absenceSuffix(name), body),
      it: (title, body) => it.skip(title + absenceSuffix(name), body),
    };
  }
  const fail = (title: string): void =>
    it(`${title} needs ${name}`, () => {
      throw new Error(`not found: ${EVIDENCE[name].what}; PREADMIT_WITHOUT=${name} lets CI run without it`);
    });
  return { describe: fail, it: fail };
}
