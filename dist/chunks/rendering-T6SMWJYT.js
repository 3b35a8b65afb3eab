import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-H24KIHWF.js";import"./chunk-WGE52FA4.js";import"./chunk-ABZBNJLJ.js";import"./chunk-DRAVVR66.js";import"./chunk-256XL7PU.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
