// Golden files: compared exactly, or rewritten if BLESS=1 is set.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

const BLESS = process.env['BLESS'] === '1';

export function expectGolden(file: string, actual: string): void {
  if (BLESS) writeFileSync(file, actual);
  expect(actual).toBe(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
}
