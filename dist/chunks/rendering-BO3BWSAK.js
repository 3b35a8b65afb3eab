import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-SN2R3AFL.js";import"./chunk-GDEX2IHT.js";import"./chunk-ABZBNJLJ.js";import"./chunk-3Z7A52GP.js";import"./chunk-F3EADK2I.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
