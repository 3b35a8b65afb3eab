// Policies see the object that the registry of the API server stores: its defaults, and the fields that it prepares.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { textField } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { readLines, SHARED } from '../conformance/recordings.ts';
import { StoredObjects } from '../conformance/stored-objects.ts';
import { needs } from '../support/evidence.ts';
import { plainObjects } from '../support/plain-objects.ts';

const RECORDED = join(SHARED, 'conformance/validation-1.36.jsonl');

const SAMPLE = 3;

test('of plain objects', () => {
  const objects = new StoredObjects();
  const differences = plainObjects(36).map((object) => objects.differences(object, 'shop'));
  expect(differences.filter((each) => each !== undefined).length).toBeGreaterThan(20);
  expect(differences.flatMap((each) => each ?? [])).toEqual([]);
});

needs('recordings', existsSync(RECORDED)).it('of recorded objects that the registry accepts', () => {
  const objects = new StoredObjects();
  const different: string[] = [];
  let compared = 0;
  for (const [index, line] of readLines(RECORDED).entries()) {
    // All of them take half a minute.
    if (index % SAMPLE !== 0) continue;
    const recorded = objectOf(parsed(line));
    const answer = objectOf(recorded.get('answer'));
    const request = objectOf(recorded.get('request'));
    if (answer.get('code') !== 201n && answer.get('code') !== 201) continue;
    const object = objectOf(request.get('object'));
    const namespace = textField(objectOf(object.get('metadata')), 'namespace') || 'default';
    const differences = objects.differences(object, namespace);
    if (differences === undefined) continue;
    compared += 1;
    for (const difference of differences) different.push(`${String(recorded.get('id'))} ${difference}`);
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(150);
});

function parsed(line: string): JsonValue | undefined {
  const result = parseJson(line);
  return 'value' in result ? result.value : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : new Map();
}
