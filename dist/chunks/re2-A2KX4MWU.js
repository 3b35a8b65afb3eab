import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRe2}from"./chunk-O2KZNG2V.js";import"./chunk-ABZBNJLJ.js";import"./chunk-ERLCAZTM.js";import"./chunk-D3F5GFHZ.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{compileRe2};
