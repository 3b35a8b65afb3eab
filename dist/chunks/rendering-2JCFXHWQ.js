import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-ZTSM7OJY.js";import"./chunk-66KWDLRJ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-UGJSWOPB.js";import"./chunk-QE6R55L4.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
