import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-6KM5J256.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N2TLGJSN.js";import"./chunk-GNEFPOCK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
