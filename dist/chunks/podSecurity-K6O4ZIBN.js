import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-BXIY3EFX.js";import"./chunk-CQ4UHKP3.js";import"./chunk-ABZBNJLJ.js";import"./chunk-NLBMMXPT.js";import"./chunk-NDN5HIAA.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
