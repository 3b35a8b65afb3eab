import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-OZGTHXEP.js";import"./chunk-DLAB3K7L.js";import"./chunk-ABZBNJLJ.js";import"./chunk-APA3UHAF.js";import"./chunk-NTZA7YXI.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
