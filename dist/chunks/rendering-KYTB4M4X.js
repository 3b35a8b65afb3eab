import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-6E2ZVN6U.js";import"./chunk-EYIA7H7V.js";import"./chunk-ABZBNJLJ.js";import"./chunk-WQIQQ6IX.js";import"./chunk-TPYNSMNY.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
