import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-BJZCZQ6E.js";import"./chunk-ABZBNJLJ.js";import"./chunk-LLJF6OF4.js";import"./chunk-VYCR5PVQ.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
