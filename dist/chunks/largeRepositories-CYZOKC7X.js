import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{collectOften,compressed,decompressed}from"./chunk-JB3IPYQX.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N2TLGJSN.js";import"./chunk-GNEFPOCK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{collectOften,compressed,decompressed};
