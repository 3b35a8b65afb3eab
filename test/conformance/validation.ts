// Answers a recorded request of the registry's validation. Recorded from the strategies of Kubernetes 1.36.3.
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import type { ServerValidation } from '../../src/validation/server-validation.ts';

/** The answer in the format of the recording; an object that the engine does not know has no code. */
export function answerValidation(line: string, validation: ServerValidation): Readonly<Record<string, unknown>> {
  const parsed = parseJson(line);
  const recorded = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : new Map<string, JsonValue>();
  const request = objectOf(recorded, 'request');
  const old = request.get('oldObject');
  const answer = validation.validate({
    object: objectOf(request, 'object'),
    ...(isJsonObject(old) && { old }),
    release: '1.36',
  });
  return { id: recorded.get('id'), ...answer };
}

function objectOf(of: JsonObject, name: string): JsonObject {
  const value = of.get(name);
  return isJsonObject(value) ? value : new Map();
}

interface RecordedAnswer {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly { readonly field?: string; readonly reason?: string; readonly message: string }[];
  readonly warnings?: readonly string[];
}

export function agreesWithRegistry(line: string, answer: string): boolean {
  return comparable((JSON.parse(line) as { answer: RecordedAnswer }).answer) === comparable(JSON.parse(answer));
}

/** Recordings leave out what is empty. */
function comparable({ code = 0, reason = '', message = '', causes = [], warnings = [] }: RecordedAnswer): string {
  const told = causes.map((cause) => [cause.field ?? '', cause.reason ?? '', cause.message]);
  return JSON.stringify({ code, reason, message, told, warnings });
}
