import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRe2}from"./chunk-O2KZNG2V.js";import"./chunk-ABZBNJLJ.js";import"./chunk-3Z7A52GP.js";import"./chunk-F3EADK2I.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{compileRe2};
