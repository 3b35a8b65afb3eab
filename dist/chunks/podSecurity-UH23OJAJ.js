import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-CGGHJJRF.js";import"./chunk-BV7E3LXO.js";import"./chunk-ABZBNJLJ.js";import"./chunk-L7HJNA2A.js";import"./chunk-32BOWIT3.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
