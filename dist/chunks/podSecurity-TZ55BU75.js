import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-HE4JN2YX.js";import"./chunk-U64LTRGF.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AMXYER3H.js";import"./chunk-QVXWCSSO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
