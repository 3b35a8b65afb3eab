import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-4MRPH4YO.js";import"./chunk-AQDMMP5F.js";import"./chunk-ABZBNJLJ.js";import"./chunk-DEH6OSL2.js";import"./chunk-FWOHOEWH.js";import"./chunk-6V7432TI.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
