import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-L7AQAAFD.js";import"./chunk-3CVMOTT5.js";import"./chunk-ABZBNJLJ.js";import"./chunk-LEK5LED6.js";import"./chunk-4TH324MP.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
