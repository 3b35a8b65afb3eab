// The committed validation engine, loaded once.
import type { ServerValidation } from '../../src/validation/server-validation.ts';
import { lazyValidation } from '../../src/workspace/validation/load-validation.ts';

let loaded: ServerValidation | undefined;

export function serverValidation(): ServerValidation {
  loaded ??= lazyValidation();
  return loaded;
}
