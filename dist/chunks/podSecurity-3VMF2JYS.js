import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-DWIV2SBJ.js";import"./chunk-OSVJSL7J.js";import"./chunk-ABZBNJLJ.js";import"./chunk-XHUZHQEC.js";import"./chunk-BDPOKNSO.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
