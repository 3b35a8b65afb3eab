import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-T3LS7NDB.js";import"./chunk-2PDFKPJF.js";import"./chunk-ABZBNJLJ.js";import"./chunk-MTV4JLKP.js";import"./chunk-LVBO67LA.js";import"./chunk-HSIHQTVB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
