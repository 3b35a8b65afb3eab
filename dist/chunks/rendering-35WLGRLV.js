import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-MDODC24D.js";import"./chunk-TMCO2644.js";import"./chunk-ABZBNJLJ.js";import"./chunk-T5CW5HWP.js";import"./chunk-NLVJFBRO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
