import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-MWVLZZ2G.js";import"./chunk-NYR2DZY4.js";import"./chunk-ABZBNJLJ.js";import"./chunk-LLJF6OF4.js";import"./chunk-VYCR5PVQ.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
