// Asks the plain check before the engine, which is not even loaded for what the check proves.
import type { JsonValue } from '../../source/json/json.ts';
import type { RegistryAnswer, ServerValidation, ValidationRequest } from '../server-validation.ts';
import { provenWarnings } from './proven-warnings.ts';

/** The same answers as the engine's, most of them without it. */
export function plainFirst(engine: ServerValidation): ServerValidation {
  return {
    convert: engine.convert,
    validate: (request) => {
      const { object, old, release } = request;
      const warnings = hasDefaults(request) ? provenWarnings(object, old, { minor: minorOf(release) }) : undefined;
      return warnings === undefined ? engine.validate(request) : accepted(old === undefined ? 201 : 200, warnings);
    },
  };
}

/** The kinds that these gates concern (`pkg/registry`, `pkg/apis`). Any other gate may concern any kind. */
const GATES: ReadonlyMap<string, JsonValue> = new Map([
  ['HPAScaleToZero', 'HorizontalPodAutoscaler'],
  ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicy'],
  ['ResourceHealthStatus', 'Pod'],
]);

/** The check knows the default gates and settings only. */
function hasDefaults({ object, featureGates, settings = {} }: ValidationRequest): boolean {
  const kind = object.get('kind');
  for (const gate of featureGates?.keys() ?? []) if (!GATES.has(gate) || GATES.get(gate) === kind) return false;
  const { allowPrivileged = true, ...ofServices } = settings;
  return allowPrivileged && (kind !== 'Service' || Object.keys(ofServices).length === 0);
}

function minorOf(release: string): number {
  return Number(/^1\.(\d+)$/.exec(release)?.[1]);
}

function accepted(code: number, warnings: readonly string[]): RegistryAnswer {
  return { code, reason: '', message: '', causes: [], warnings };
}
