// Asks the plain check before the engine, which is not even loaded for what the check proves.
import type { RegistryAnswer, ServerValidation } from '../server-validation.ts';
import { provenWarnings } from './proven-warnings.ts';

/** The same answers as the engine's, most of them without it. */
export function plainFirst(engine: ServerValidation): ServerValidation {
  return {
    convert: engine.convert,
    validate: (request) => {
      const { object, old, release, featureGates, settings } = request;
      // The check knows the default gates and settings only.
      const isDefault = (featureGates?.size ?? 0) === 0 && Object.keys(settings ?? {}).length === 0;
      const warnings = !isDefault ? undefined : provenWarnings(object, old, { minor: minorOf(release) });
      return warnings === undefined ? engine.validate(request) : accepted(old === undefined ? 201 : 200, warnings);
    },
  };
}

function minorOf(release: string): number {
  return Number(/^1\.(\d+)$/.exec(release)?.[1]);
}

function accepted(code: number, warnings: readonly string[]): RegistryAnswer {
  return { code, reason: '', message: '', causes: [], warnings };
}
