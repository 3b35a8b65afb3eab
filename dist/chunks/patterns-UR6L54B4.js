import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-KZUPYIXP.js";import"./chunk-ABZBNJLJ.js";import"./chunk-XHUZHQEC.js";import"./chunk-BDPOKNSO.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
