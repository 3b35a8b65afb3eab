import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-4PL5VPNE.js";import"./chunk-ABZBNJLJ.js";import"./chunk-T5CW5HWP.js";import"./chunk-NLVJFBRO.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
