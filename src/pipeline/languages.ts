// The policy languages that are spoken, in the order in which their answers are told.
import { mutatingEngine } from '../policy/admission/mutating/mutating-engine.ts';
import { validatingEngine } from '../policy/admission/validating/validating-engine.ts';
import type { PolicyEngine } from '../policy/policy-engine.ts';

export const LANGUAGES: readonly PolicyEngine[] = [mutatingEngine(), validatingEngine()];
