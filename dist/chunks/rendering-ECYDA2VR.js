import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-2UXWZJL3.js";import"./chunk-ZHC57BS5.js";import"./chunk-ABZBNJLJ.js";import"./chunk-APA3UHAF.js";import"./chunk-NTZA7YXI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
