import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-HZSHI4DM.js";import"./chunk-F4WOHE22.js";import"./chunk-ABZBNJLJ.js";import"./chunk-ICGTJ2IR.js";import"./chunk-BLOS2CJM.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
