import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-6WBSUJVH.js";import"./chunk-WEP535LJ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AZOSNQKI.js";import"./chunk-GK3UFQLL.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
