import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-2LPNHSMJ.js";import"./chunk-D4RWC3E7.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N3E7PXKU.js";import"./chunk-NX3OODTV.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
