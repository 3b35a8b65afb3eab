import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{checkAtVersion,checksOf}from"./chunk-X6M4UWLQ.js";import"./chunk-J3O35SJY.js";import"./chunk-ABZBNJLJ.js";import"./chunk-DRAVVR66.js";import"./chunk-256XL7PU.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{checkAtVersion,checksOf};
