import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-UTIID472.js";import"./chunk-4WB46IMB.js";import"./chunk-ABZBNJLJ.js";import"./chunk-WQIQQ6IX.js";import"./chunk-TPYNSMNY.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
