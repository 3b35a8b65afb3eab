import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-GSF5O7I5.js";import"./chunk-AKBDP2T2.js";import"./chunk-ABZBNJLJ.js";import"./chunk-KV27G2MN.js";import"./chunk-KI2L4NWG.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
