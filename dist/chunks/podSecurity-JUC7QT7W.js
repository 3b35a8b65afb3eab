import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-7AMG77F3.js";import"./chunk-O7PAQD6U.js";import"./chunk-ABZBNJLJ.js";import"./chunk-GYAKQ4AS.js";import"./chunk-GH7U33CL.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
