import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-5WQREH7P.js";import"./chunk-N5D7SDNC.js";import"./chunk-ABZBNJLJ.js";import"./chunk-627DEU6R.js";import"./chunk-FGUHBLBI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
