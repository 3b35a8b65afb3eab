import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-EARP4YZ6.js";import"./chunk-PHKGHN44.js";import"./chunk-ABZBNJLJ.js";import"./chunk-N3E7PXKU.js";import"./chunk-NX3OODTV.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
