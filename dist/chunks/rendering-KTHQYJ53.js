import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-RUOLVDYU.js";import"./chunk-FFP7XK2D.js";import"./chunk-ABZBNJLJ.js";import"./chunk-NLBMMXPT.js";import"./chunk-NDN5HIAA.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
