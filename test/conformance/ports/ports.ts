// All ports.
import { GO } from './go.ts';
import { JMESPATH } from './jmespath.ts';
import { KUBERNETES_CEL } from './kubernetes-cel.ts';
import { KYVERNO_CEL } from './kyverno-cel.ts';
import type { Port } from './port.ts';

export const PORTS: readonly Port[] = [GO, KUBERNETES_CEL, KYVERNO_CEL, JMESPATH];
