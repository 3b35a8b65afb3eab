import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-NZPI5EDI.js";import"./chunk-ABZBNJLJ.js";import"./chunk-WQIQQ6IX.js";import"./chunk-TPYNSMNY.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
