// Finds the fields behind a rule's response: the location where a pattern failed, or the fields that its conditions read.
import type { Read } from '../../../cel/value/trace.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { isJsonArray, type JsonObject } from '../../../source/json/json.ts';
import { objectOrEmpty, valueAt } from '../../../source/json/json-field.ts';
import { fieldsOf } from '../jmespath/origin.ts';
import type { SearchObserver } from '../jmespath/search-environment.ts';
import type { RuleResponse } from '../rule/rule-response.ts';
import { validationOf } from '../validate/compiled-validation.ts';
import { fieldPathOf, readOf, readOfDocument } from './rule-place.ts';

/** Best candidate first. `run` evaluates the rule again with an observer. */
export function explainResponse(
  { rule, computed, failure, paths, explain }: RuleResponse,
  request: AdmissionRequest,
  run: (observer: SearchObserver) => readonly RuleResponse[],
): readonly Read[] {
  const object = request.object ?? new Map();
  if (explain !== undefined) return explain();
  if (paths !== undefined) return paths.map((path) => readOf(path, object));
  const isOfElement = isJsonArray(validationOf(computed?.value ?? new Map()).get('foreach'));
  if (!isOfElement && failure !== undefined && failure.place !== '') {
    return [readOf(fieldPathOf(failure.place, object), object)];
  }
  let responses: readonly RuleResponse[] = [];
  const reads = observedReads((observer) => {
    responses = run(observer);
  });
  const again = responses.find((each) => each.rule === rule);
  return distinct([...elementReads(again, object), ...reads]);
}

/** Fields read while `run` evaluates with an observer, last read first. */
export function observedReads(run: (observer: SearchObserver) => void): readonly Read[] {
  const reads: Read[] = [];
  run({
    read: (origin, use) => {
      for (const path of fieldsOf(origin)) {
        const read = readOfDocument(path);
        if (read !== undefined) reads.push(use === 'missing' ? { ...read, found: false } : read);
      }
    },
    unordered: () => {},
  });
  return distinct(reads.reverse());
}

/** For a pattern that failed in a list element. */
function elementReads(response: RuleResponse | undefined, object: JsonObject): readonly Read[] {
  const { failure, elementOrigin } = response ?? {};
  const [element, ...others] = fieldsOf(elementOrigin);
  if (failure === undefined || element === undefined || others.length > 0) return [];
  const value = valueAt(object, element.slice(2));
  const read = readOfDocument([...element, ...fieldPathOf(failure.place, objectOrEmpty(value))]);
  return read === undefined ? [] : [read];
}

function distinct(reads: readonly Read[]): readonly Read[] {
  const seen = new Map<string, Read>();
  for (const read of reads) {
    const key = JSON.stringify([read.root, ...read.path]);
    if (!seen.has(key)) seen.set(key, read);
  }
  return [...seen.values()];
}
