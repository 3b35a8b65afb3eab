import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-D5N4HLGS.js";import"./chunk-YQTONUFY.js";import"./chunk-ABZBNJLJ.js";import"./chunk-UZIC2Q5B.js";import"./chunk-O2FGPZAD.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
