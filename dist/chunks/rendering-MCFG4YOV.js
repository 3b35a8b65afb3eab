import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-IBBSOBQR.js";import"./chunk-WSSEI5HD.js";import"./chunk-ABZBNJLJ.js";import"./chunk-LEK5LED6.js";import"./chunk-4TH324MP.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
