import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{defaultRoles}from"./chunk-EGKGCJQG.js";import"./chunk-ABZBNJLJ.js";import"./chunk-2H4GCSJC.js";import"./chunk-NJCZ6JJK.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{defaultRoles};
