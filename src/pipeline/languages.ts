// The policy languages that are spoken, in the order in which their answers are told.
import { validatingEngine } from '../policy/admission/validating/validating-engine.ts';
import type { PolicyEngine } from '../policy/policy-engine.ts';

const VALIDATING = validatingEngine();

export const LANGUAGES: readonly PolicyEngine[] = [VALIDATING];

/** The one that answers an AdmissionReview. */
export const REVIEWED: PolicyEngine = VALIDATING;
