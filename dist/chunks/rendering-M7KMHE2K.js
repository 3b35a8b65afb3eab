import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-Z5ZHE46M.js";import"./chunk-GZDKWV2Q.js";import"./chunk-ABZBNJLJ.js";import"./chunk-KV27G2MN.js";import"./chunk-KI2L4NWG.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
