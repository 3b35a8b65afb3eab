// The policy languages that are spoken, in the order in which the server asks them.
import { validatingLanguage } from '../policy/admission/validating/validating-language.ts';
import { kyvernoLanguage } from '../policy/kyverno/kyverno-language.ts';
import { podSecurityLanguage } from '../policy/pod-security/pod-security-language.ts';
import type { PolicyLanguage } from '../policy/policy-language.ts';

export const LANGUAGES: readonly PolicyLanguage[] = [podSecurityLanguage(), validatingLanguage(), kyvernoLanguage()];
