// The server's own validation of an object, as the stages of admission see it.
import type { JsonObject } from '../source/json/json.ts';

/** An entry of `status.details.causes`. */
export interface AnswerCause {
  /** As the server writes it: `spec.template.spec.containers[0].image`; '' if the cause is about no field. */
  readonly field: string;
  /** Such as `FieldValueInvalid`. */
  readonly reason: string;
  readonly message: string;
  /** What of the server's configuration decides about this cause, such as a feature gate; absent if the cause is certain. */
  readonly depends?: string;
}

/** What the server answers if no admission plugin and no policy is asked. */
export interface RegistryAnswer {
  /** HTTP status: 200 or 201 if the object is valid; 400 if it cannot be decoded; 422 if it is invalid. */
  readonly code: number;
  /** Such as `Invalid`; '' if the object is valid. */
  readonly reason: string;
  /** The server's sentence; '' if the object is valid. */
  readonly message: string;
  readonly causes: readonly AnswerCause[];
  /** The texts of its `Warning` headers, in their order. */
  readonly warnings: readonly string[];
}

export interface ValidationRequest {
  /** After mutating admission. */
  readonly object: JsonObject;
  /** The object that the request updates; absent for a create. */
  readonly old?: JsonObject;
  /**
   * True if both objects are what a client applies: the update is then merged into the stored object, as kubectl, Argo CD and Flux do.
   * Otherwise `object` replaces the stored object.
   */
  readonly isApplied?: boolean;
  /** The target's release as `1.34`. */
  readonly release: string;
  /** True for gates that are on; gates without an entry have their defaults. */
  readonly featureGates?: ReadonlyMap<string, boolean>;
  readonly settings?: ServerSettings;
  /** Those of the object's Namespace; absent: unknown. */
  readonly namespaceLabels?: ReadonlyMap<string, string>;
}

/** Flags of kube-apiserver that its validation reads. What is absent is unknown. */
export interface ServerSettings {
  /** The first one is the default of Services. */
  readonly ipFamilies?: readonly ('IPv4' | 'IPv6')[];
  /** CIDRs of `--service-cluster-ip-range` and of ServiceCIDRs. */
  readonly serviceIPRanges?: readonly string[];
  /** As `--service-node-port-range`: `30000-32767`. */
  readonly serviceNodePortRange?: string;
  /** `--allow-privileged`; every distribution sets it to true. */
  readonly allowPrivileged?: boolean;
}

export interface ConversionRequest {
  readonly object: JsonObject;
  /** The wanted version: `autoscaling/v1`. */
  readonly apiVersion: string;
  readonly release: string;
}

export interface ServerValidation {
  /** Synchronous. Undefined if it does not know the kind in this version. Throws ValidationStop at a limit or after a crash. */
  readonly validate: (request: ValidationRequest) => RegistryAnswer | undefined;
  /** The object in another version of its kind; undefined if the program does not know both versions. Throws like `validate`. */
  readonly convert: (conversion: ConversionRequest) => JsonObject | undefined;
}

/** Validation of one object did not end. Validating other objects still works. */
export class ValidationStop extends Error {
  readonly reason: 'limit' | 'crash';

  constructor(reason: ValidationStop['reason'], message: string) {
    super(message);
    this.name = 'ValidationStop';
    this.reason = reason;
  }
}
