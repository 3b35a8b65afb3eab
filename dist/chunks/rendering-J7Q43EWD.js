import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{cachedEngine,rootPlaces,startEngine}from"./chunk-JQNRZELB.js";import"./chunk-VGBHMQF4.js";import"./chunk-ABZBNJLJ.js";import"./chunk-JME7WR2P.js";import"./chunk-RFLN27VX.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{cachedEngine,rootPlaces,startEngine};
