import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-7DA7FSZ7.js";import"./chunk-ZYQQYKUV.js";import"./chunk-ABZBNJLJ.js";import"./chunk-AZOSNQKI.js";import"./chunk-GK3UFQLL.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
