// The fields behind what a rule said: the end of a pattern's walk, or what its conditions read when it runs once more.
import type { Read } from '../../../cel/trace.ts';
import type { AdmissionRequest } from '../../../kubernetes/admission-request.ts';
import { fieldsOf } from '../jmespath/origin.ts';
import type { SearchObserver } from '../jmespath/search-environment.ts';
import type { RuleResponse } from '../rule/rule-response.ts';
import { fieldPathOf, readOf, readOfDocument } from './rule-place.ts';

/** Best candidate first; `run` evaluates the policy under observation. */
export function explainResponse(
  { failure, paths, explain }: RuleResponse,
  request: AdmissionRequest,
  run: (observer: SearchObserver) => void,
): readonly Read[] {
  const object = request.object ?? new Map();
  if (explain !== undefined) return explain();
  if (paths !== undefined) return paths.map((path) => readOf(path, object));
  if (failure !== undefined && failure.place !== '') return [readOf(fieldPathOf(failure.place, object), object)];
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

function distinct(reads: readonly Read[]): readonly Read[] {
  const seen = new Map<string, Read>();
  for (const read of reads) {
    const key = JSON.stringify([read.root, ...read.path]);
    if (!seen.has(key)) seen.set(key, read);
  }
  return [...seen.values()];
}
