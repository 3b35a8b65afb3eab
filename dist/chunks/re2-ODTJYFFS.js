import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRe2}from"./chunk-O2KZNG2V.js";import"./chunk-ABZBNJLJ.js";import"./chunk-H2AW6KLE.js";import"./chunk-UF5DHSPT.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{compileRe2};
