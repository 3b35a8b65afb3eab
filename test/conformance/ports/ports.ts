// All ports.
import { KUBERNETES_CEL } from './kubernetes-cel.ts';
import type { Port } from './port.ts';

export const PORTS: readonly Port[] = [KUBERNETES_CEL];
