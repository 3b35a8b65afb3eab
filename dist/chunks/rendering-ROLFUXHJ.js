import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-Q3JKBGKL.js";import"./chunk-2EIC4Y2J.js";import"./chunk-ABZBNJLJ.js";import"./chunk-GYAKQ4AS.js";import"./chunk-GH7U33CL.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
