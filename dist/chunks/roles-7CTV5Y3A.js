import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-M3SAZ7QR.js";import"./chunk-ABZBNJLJ.js";import"./chunk-7SPMFRT4.js";import"./chunk-FITJMBQK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
