import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-MEEZ7BQP.js";import"./chunk-2MZBTHPR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-UZIC2Q5B.js";import"./chunk-O2FGPZAD.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
