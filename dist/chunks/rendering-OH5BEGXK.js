import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-TMA4MVD6.js";import"./chunk-AFTFZV4F.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N2TLGJSN.js";import"./chunk-GNEFPOCK.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
