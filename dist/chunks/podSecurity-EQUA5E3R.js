import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-OQ5YV5E5.js";import"./chunk-YU5QYLHA.js";import"./chunk-ABZBNJLJ.js";import"./chunk-7SPMFRT4.js";import"./chunk-FITJMBQK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
