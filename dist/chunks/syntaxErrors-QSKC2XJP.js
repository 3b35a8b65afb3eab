import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{expressionHelp,findSyntaxErrors}from"./chunk-RJPULDSP.js";import"./chunk-ABZBNJLJ.js";import"./chunk-LLJF6OF4.js";import"./chunk-VYCR5PVQ.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{expressionHelp,findSyntaxErrors};
