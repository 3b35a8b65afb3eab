// cel-go's `ext.Bindings` without its blocks: `cel.bind(x, value, result)`. Not in Kubernetes.
import type { Library } from '../../../src/cel/declaration/library.ts';
import { BIND_MACRO } from './bind-macro.ts';

export const BINDINGS: Library = { name: 'cel.lib.ext.cel.bindings', functions: [], macros: [BIND_MACRO] };
