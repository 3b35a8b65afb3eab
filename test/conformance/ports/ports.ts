// All ports.
import { JMESPATH } from './jmespath.ts';
import { KUBERNETES_CEL } from './kubernetes-cel.ts';
import { KYVERNO_CEL } from './kyverno-cel.ts';
import type { Port } from './port.ts';

export const PORTS: readonly Port[] = [KUBERNETES_CEL, KYVERNO_CEL, JMESPATH];
