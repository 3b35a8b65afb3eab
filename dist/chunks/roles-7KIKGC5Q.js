import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-XDSSJDAI.js";import"./chunk-ABZBNJLJ.js";import"./chunk-NLBMMXPT.js";import"./chunk-NDN5HIAA.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
