// All ports.

import { APIMACHINERY } from './apimachinery.ts';
import { GLOBS } from './globs.ts';
import { GO } from './go.ts';
import { JMESPATH } from './jmespath.ts';
import { KUBERNETES_CEL } from './kubernetes-cel.ts';
import { KYVERNO_CEL } from './kyverno-cel.ts';
import { KYVERNO_RULES } from './kyverno-rules.ts';
import { PATCHES } from './patches.ts';
import { POD_SECURITY } from './pod-security.ts';
import type { Port } from './port.ts';

export const PORTS: readonly Port[] = [
  GO,
  KUBERNETES_CEL,
  KYVERNO_CEL,
  JMESPATH,
  APIMACHINERY,
  PATCHES,
  POD_SECURITY,
  GLOBS,
  KYVERNO_RULES,
];
