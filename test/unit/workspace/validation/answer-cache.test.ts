import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type RegistryAnswer,
  type ServerValidation,
  type ValidationRequest,
  ValidationStop,
} from '../../../../src/validation/server-validation.ts';
import { cachedValidation } from '../../../../src/workspace/validation/answer-cache.ts';

const REFUSED: RegistryAnswer = {
  code: 422,
  reason: 'Invalid',
  message: 'Service "web" is invalid',
  causes: [{ field: 'spec.ports', reason: 'FieldValueRequired', message: 'Required value', depends: 'a gate' }],
  warnings: ['deprecated'],
};

describe('cachedValidation', () => {
  let top: string;
  let asked: string[];

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-answers-')));
    mkdirSync(join(top, 'repository'));
    asked = [];
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  const engine = (answer: (name: string) => RegistryAnswer | undefined): ServerValidation => ({
    convert: () => undefined,
    validate: ({ object }) => {
      const name = String(object.get('name'));
      asked.push(name);
      return answer(name);
    },
  });
  const opened = (options: { version?: string; program?: string; folder?: string } = {}): ServerValidation =>
    cachedValidation(
      engine((name) => {
        if (name === 'slow') throw new ValidationStop('limit', 'too slow');
        return name === 'unknown' ? undefined : REFUSED;
      }),
      {
        folder: options.folder ?? join(top, 'cache'),
        root: join(top, 'repository'),
        version: options.version ?? '1',
      },
      () => new TextEncoder().encode(options.program ?? 'program'),
    );
  const request = (name: string, release = '1.36'): ValidationRequest => ({
    object: new Map([['name', name]]),
    release,
  });

  it('asks the engine once for equal requests, also in the next run', () => {
    for (const validation of [opened(), opened()]) {
      expect(validation.validate(request('web'))).toEqual(REFUSED);
      expect(validation.validate(request('web'))).toEqual(REFUSED);
      expect(validation.validate(request('unknown'))).toBeUndefined();
    }
    expect(asked).toEqual(['web', 'unknown']);
  });

  it('asks again for another object, old object, release, version or engine', () => {
    opened().validate(request('web'));
    opened().validate(request('api'));
    opened().validate({ ...request('web'), old: new Map([['name', 'old']]), isApplied: true });
    opened().validate(request('web', '1.35'));
    opened({ version: '2' }).validate(request('web'));
    opened({ program: 'other' }).validate(request('web'));
    expect(asked).toEqual(['web', 'api', 'web', 'web', 'web', 'web']);
  });

  it('does not cache that validation stopped', () => {
    for (const validation of [opened(), opened()]) {
      expect(() => validation.validate(request('slow'))).toThrow(ValidationStop);
    }
    expect(asked).toEqual(['slow', 'slow']);
  });

  it('ignores damaged lines', () => {
    opened().validate(request('web'));
    opened().validate(request('api'));
    const file = join(top, 'cache', 'validated.lines');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"code":422', '"code":201'));
    appendFileSync(file, 'half a line');
    const validation = opened();
    expect(validation.validate(request('web'))).toEqual(REFUSED);
    expect(validation.validate(request('api'))).toEqual(REFUSED);
    expect(asked).toEqual(['web', 'api', 'web']);
  });

  it('refuses a folder inside the repository', () => {
    expect(() => opened({ folder: join(top, 'repository', 'cache') })).toThrow(/inside the checked repository/);
  });
});
