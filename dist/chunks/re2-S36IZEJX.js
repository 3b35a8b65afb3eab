import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRe2}from"./chunk-O2KZNG2V.js";import"./chunk-ABZBNJLJ.js";import"./chunk-GYAKQ4AS.js";import"./chunk-GH7U33CL.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{compileRe2};
