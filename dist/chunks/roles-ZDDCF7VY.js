import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-H4IRA5EZ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-JQ22R6SO.js";import"./chunk-DR6KJIV4.js";import"./chunk-RKRD3QXJ.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
