import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkOnThreads}from"./chunk-KIO3SPHO.js";import"./chunk-V5YGR62J.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N2TLGJSN.js";import"./chunk-GNEFPOCK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkOnThreads};
