import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-DKEJKH67.js";import"./chunk-ABZBNJLJ.js";import"./chunk-3Z7A52GP.js";import"./chunk-F3EADK2I.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
