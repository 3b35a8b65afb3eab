import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-LMX4H6Y6.js";import"./chunk-H7BPZMJO.js";import"./chunk-ABZBNJLJ.js";import"./chunk-MTV4JLKP.js";import"./chunk-LVBO67LA.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
