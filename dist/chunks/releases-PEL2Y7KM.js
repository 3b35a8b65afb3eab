import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkReleasesCommand}from"./chunk-FMO2S2YY.js";import"./chunk-CF33DIF2.js";import"./chunk-DVI6H7DW.js";import"./chunk-ABZBNJLJ.js";import"./chunk-7SPMFRT4.js";import"./chunk-FITJMBQK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkReleasesCommand};
