import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-2AAAWSZB.js";import"./chunk-ABZBNJLJ.js";import"./chunk-MX43CWEH.js";import"./chunk-EM7ZL6FP.js";import"./chunk-3SPXVCIB.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
