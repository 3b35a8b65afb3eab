import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkCommand,checkOptions}from"./chunk-7SPMFRT4.js";import"./chunk-FITJMBQK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkCommand,checkOptions};
