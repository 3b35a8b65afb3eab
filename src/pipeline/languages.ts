// The policy languages that are spoken, in the order in which their answers are told.
import { validatingLanguage } from '../policy/admission/validating/validating-language.ts';
import type { PolicyLanguage } from '../policy/policy-language.ts';

export const LANGUAGES: readonly PolicyLanguage[] = [validatingLanguage()];
