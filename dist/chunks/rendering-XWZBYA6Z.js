import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-SENYBBUA.js";import"./chunk-HKYY6ZGT.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AMXYER3H.js";import"./chunk-QVXWCSSO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
