// Converts objects to other versions of their kind with the server's own code.
import type { KubernetesVersion } from '../../kubernetes/api/version.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { type ServerValidation, ValidationStop } from '../../validation/server-validation.ts';
import { emulatedRelease } from '../validation/registry-validation.ts';

export interface ConvertingServer {
  readonly kubernetesVersion: KubernetesVersion;
  readonly serverValidation?: ServerValidation;
}

/** Undefined if there is no engine, or if the object has no such version. */
export function convertedByServer(
  object: JsonObject,
  apiVersion: string,
  { kubernetesVersion, serverValidation }: ConvertingServer,
): JsonObject | undefined {
  try {
    return serverValidation?.convert({ object, apiVersion, release: emulatedRelease(kubernetesVersion) });
  } catch (reason) {
    if (reason instanceof ValidationStop) return undefined;
    throw reason;
  }
}
