import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-GQ6OR4PE.js";import"./chunk-FYNYYORJ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-TWYACXHL.js";import"./chunk-7FTNN6RP.js";import"./chunk-OHVFQQQK.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
