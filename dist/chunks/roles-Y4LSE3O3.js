import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-3JSYEMCU.js";import"./chunk-ABZBNJLJ.js";import"./chunk-WQIQQ6IX.js";import"./chunk-TPYNSMNY.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
