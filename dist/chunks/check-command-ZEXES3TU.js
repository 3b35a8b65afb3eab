import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-XHUZHQEC.js";import"./chunk-BDPOKNSO.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
