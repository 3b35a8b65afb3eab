import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-3CT3RAAW.js";import"./chunk-ABZBNJLJ.js";import"./chunk-ICGTJ2IR.js";import"./chunk-BLOS2CJM.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
