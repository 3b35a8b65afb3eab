import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-BMQ4CEU2.js";import"./chunk-QWAQWPE3.js";import"./chunk-ABZBNJLJ.js";import"./chunk-KM7HB6KA.js";import"./chunk-H635W5OI.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
