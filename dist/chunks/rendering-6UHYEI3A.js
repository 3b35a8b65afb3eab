import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-FYK3ZSTG.js";import"./chunk-ZKQXN2FQ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-WWSNPVND.js";import"./chunk-WHQ7XFSZ.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
