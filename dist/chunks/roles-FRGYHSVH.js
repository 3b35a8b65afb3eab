import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-FHUJDTAP.js";import"./chunk-ABZBNJLJ.js";import"./chunk-S73XD2F2.js";import"./chunk-OZ4C6EVV.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
