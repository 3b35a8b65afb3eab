import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-RGIL3DVT.js";import"./chunk-6DEQ43PO.js";import"./chunk-ABZBNJLJ.js";import"./chunk-H2AW6KLE.js";import"./chunk-UF5DHSPT.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
